/** Scenarios about names: what Firefox asks of DNS, when, and what it makes of the answers. The DNS server is the lab's own, over HTTPS. */
import { type CountingServer, countingServer, type Reply, type SeenRequest } from '../counting-server.ts';
import { type Answer, ipv4, type Question, RECORD } from '../dns-message.ts';
import { ASKS_SERVER, type DnsServer, dnsServerFor } from '../dns-server.ts';
import type { Scenario, ScenarioDeps } from '../scenario.ts';
import { page, picture, pictures } from './html.ts';

const QUIET_MS = 600;
/** A hint acts soon or not at all. */
const HINTS_MS = 2000;

interface Visit {
  readonly deps: ScenarioDeps;
  readonly dns: DnsServer;
  readonly server: CountingServer;
  /** With its scheme and port. */
  readonly origin: string;
}

interface Setting {
  readonly secure?: boolean;
  readonly respond: (request: SeenRequest, names: { readonly label: string; readonly origin: string }) => Reply;
  readonly answer?: (question: Question) => readonly Answer[];
  readonly delayMs?: (question: Question, asked: number) => number;
  readonly visit: (visit: Visit) => Promise<number>;
}

const addressOf = (question: Question, ttlS = 60): readonly Answer[] =>
  question.type === RECORD.a ? [{ type: RECORD.a, ttlS, data: ipv4('127.0.0.1') }] : [];

/** A web server and a DNS server, and one visit to `LABEL.witness.test`. */
async function withNames(deps: ScenarioDeps, { secure = false, respond, answer = addressOf, delayMs, visit }: Setting): Promise<number> {
  const { browser, certificate, label } = deps;
  let asked = 0;
  const dns = await dnsServerFor(browser, {
    certificate,
    answer,
    ...(delayMs && { delayMs: (question) => delayMs(question, asked++) }),
  });
  const names = { label, origin: '' };
  const server = await countingServer({ ...(secure && { certificate }), respond: (request) => respond(request, names) });
  try {
    names.origin = `${secure ? 'https' : 'http'}://${label}.witness.test:${server.port}`;
    return await visit({ deps, dns, server, origin: names.origin });
  } finally {
    await server.close();
    await dns.close();
  }
}

const scenario = (setting: Setting, preferences: Scenario['preferences'] = {}): Scenario => ({
  preferences: { ...ASKS_SERVER, ...preferences },
  run: (deps) => withNames(deps, setting),
});

const openPage = async ({ deps, server, origin }: Visit): Promise<void> => {
  await deps.browser.open(`${origin}/`);
  await server.until(() => server.requests.length > 0, 'the page');
};

/** Addresses of version 6 that are asked for. */
export const version6Questions = scenario({
  respond: () => page('one'),
  visit: async (visit) => {
    await openPage(visit);
    await visit.dns.quiet(QUIET_MS);
    return visit.dns.questions.filter(({ type }) => type === RECORD.aaaa).length;
  },
});

/** Without the mode, which is the preference itself. */
const { 'network.trr.mode': _mode, ...ASKS_IF_ON } = ASKS_SERVER;
export const questionsOverHttps: Scenario = {
  preferences: { ...ASKS_IF_ON, 'network.dns.native-is-localhost': true },
  run: (deps) =>
    withNames(deps, {
      respond: () => page('one'),
      visit: async (visit) => {
        await openPage(visit);
        return visit.dns.about(visit.deps.label).length;
      },
    }),
};

/** Names of links that nobody has clicked. */
const linked = (secure: boolean, hints: (names: readonly string[]) => string) =>
  scenario({
    secure,
    respond: ({ path }, { label }) =>
      path === '/end' ? picture : page(`${hints([1, 2, 3].map((index) => `linked${index}-${label}.witness.test`))}<img src="/end">`),
    visit: async (visit) => {
      await openPage(visit);
      await visit.server.until(() => visit.server.requests.some(({ path }) => path === '/end'), 'the end of the page');
      await visit.dns.until(() => visit.dns.about('linked').length >= 3, 'the names', HINTS_MS).catch(() => {});
      return new Set(visit.dns.about('linked').map(({ name }) => name)).size;
    },
  });
export const linkedNames = linked(false, (names) => names.map((name) => `<a href="http://${name}/">link</a>`).join(''));
export const hintedNames = linked(true, (names) => names.map((name) => `<link rel=dns-prefetch href="//${name}/">`).join(''));

const PRUNE = `() => { Services.obs.notifyObservers(null, 'net:prune-all-connections'); }`;

/** Pictures of twelve names, then the first of them again by a new connection: whether its name is asked for again. */
export const manyNames = scenario({
  respond: ({ path }, { label, origin }) => {
    const of = (index: number) => origin.replace(label, `many${index}-${label}`);
    if (path === '/') return page(pictures(Array.from({ length: 12 }, (_, index) => `${of(index)}/picture`)));
    return path === '/again' ? page(pictures([`${of(0)}/late`])) : picture;
  },
  visit: async (visit) => {
    const { deps, dns, server, origin } = visit;
    await openPage(visit);
    await server.until(() => server.requests.length === 13, 'the pictures');
    await deps.browser.chrome.run<null>(PRUNE, null);
    await deps.browser.open(`${origin}/again`);
    await server.until(() => server.requests.some(({ path }) => path === '/late'), 'the late picture');
    return dns.about('many0').filter(({ type }) => type === RECORD.a).length;
  },
});
