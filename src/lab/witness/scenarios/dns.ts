/** Scenarios about names: what Firefox asks of DNS, when, and what it makes of the answers. The DNS server is the lab's own, over HTTPS. */

import { ASKS_SERVER } from '../../firefox/lab-preferences.ts';
import { EXTENSION } from '../client-hello.ts';
import { type CountingServer, countingServer, type Reply, type SeenRequest } from '../counting-server.ts';
import { type Answer, echConfigList, httpsRecord, ipv4, type Question, RECORD, type ServiceParameters } from '../dns-message.ts';
import { type DnsServer, dnsServerFor } from '../dns-server.ts';
import { type QuicServer, silentQuicServer } from '../quic-server.ts';
import type { Scenario, ScenarioDeps } from '../scenario.ts';
import { page, picture, pictures } from './html.ts';

const QUIET_MS = 600;
/** A hint acts soon or not at all; a busy machine has taken more than 2 s. Waited out only where the hint does not act. */
const HINTS_MS = 5000;

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

/** Names of links that nobody has clicked: whether one is asked for. Of several, Firefox does not always ask for all. */
const linked = (secure: boolean, hints: (names: readonly string[]) => string) =>
  scenario({
    secure,
    respond: ({ path }, { label }) =>
      path === '/end' ? picture : page(`${hints([1, 2, 3].map((index) => `linked${index}-${label}.witness.test`))}<img src="/end">`),
    visit: async (visit) => {
      await openPage(visit);
      await visit.server.until(() => visit.server.requests.some(({ path }) => path === '/end'), 'the end of the page');
      const isAsked = () => visit.dns.about('linked').length > 0;
      await visit.dns.until(isAsked, 'the names', HINTS_MS).catch(() => {});
      return isAsked() ? 1 : 0;
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

/** A name with an HTTPS record (RFC 9460) that says where HTTP/3 is: whether the page begins there. */
export const serviceRecord: Scenario = {
  // Either makes Firefox follow a record too.
  preferences: { ...ASKS_SERVER, 'network.dns.echconfig.enabled': false, 'network.dns.upgrade_with_https_rr': false },
  run: async (deps) => {
    let quic: QuicServer | undefined;
    try {
      return await withNames(deps, {
        secure: true,
        respond: () => page('one'),
        answer: withRecord({ alpn: ['h3', 'h2'] }),
        // The record comes before the address, or Firefox would go ahead without it.
        delayMs: ({ type }) => (type === RECORD.https ? 0 : 300),
        visit: async ({ deps: { browser }, dns, server, origin }) => {
          quic = await silentQuicServer(server.port);
          await browser.open(`${origin}/`);
          await dns.until(() => dns.questions.some(({ type }) => type === RECORD.a), 'the question');
          await quic.until(() => (quic?.connections.length ?? 0) > 0, 'QUIC', FIRST_MS).catch(() => {});
          return Math.min(1, quic.connections.length);
        },
      });
    } finally {
      await quic?.close();
    }
  },
};
const FIRST_MS = 2000;

function withRecord(parameters: ServiceParameters): (question: Question) => readonly Answer[] {
  return (question) =>
    question.type === RECORD.https ? [{ type: RECORD.https, ttlS: 60, data: httpsRecord(parameters) }] : addressOf(question);
}

/** The same for a page that is asked for without TLS: whether its first connection has it. */
export const upgradedByRecord = scenario({
  secure: true,
  respond: () => page('one'),
  answer: withRecord({ alpn: ['h2'] }),
  visit: async ({ deps: { browser }, server, origin }) => {
    await browser.open(`${origin.replace('https:', 'http:')}/`);
    await server.until(() => server.requests.length > 0, 'the page', FIRST_MS).catch(() => {});
    return server.requests.length > 0 ? 1 : 0;
  },
});

/** A record with a key for the ClientHello (RFC 9849): whether the name in the clear is the one of the key instead of the server's. */
const PUBLIC_NAME = 'public.witness.test';
export const hiddenName = scenario({
  secure: true,
  respond: () => page('one'),
  answer: withRecord({ alpn: ['h2'], ech: echConfigList(PUBLIC_NAME) }),
  visit: async ({ deps: { browser }, server, origin }) => {
    await browser.open(`${origin}/`);
    await server.until(() => server.connections.some(({ hello }) => hello !== undefined), 'a ClientHello');
    const [first] = server.connections.flatMap(({ hello }) => hello ?? []);
    return first?.extensions.get(EXTENSION.serverName)?.includes(PUBLIC_NAME) ? 1 : 0;
  },
});

/** Whether any name of a link is asked for, where the links go to TLS: not all are, in the time that a page is looked at. */
const anchors = (secure: boolean): Scenario => {
  const { run, preferences = {} } = linked(secure, (names) => names.map((name) => `<a href="https://${name}/">link</a>`).join(''));
  return { preferences, run: async (deps) => Math.min(1, await run(deps)) };
};
export const anchorNamesHttp = anchors(false);
export const anchorNamesHttps = anchors(true);
