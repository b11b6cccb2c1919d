/**
 * A seeded walk of one person through thirty origins in a real Firefox, whose extension leads what may be led through the gateway of a real
 * helper, which is killed at random moments. The origins are behind an address in a network namespace.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { seededRandom } from '../../../src/core/random.ts';
import { chromeContext } from '../../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../../src/protocol/helper-messages.ts';
import { elsewhere } from '../elsewhere.ts';
import { type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../extension-firefox.ts';
import { installHelperIn } from '../installed-helper.ts';
import { allowPermissions } from '../optional-permissions.ts';
import { descendantsOf } from '../processes.ts';
import { WalkOrigins } from './origins.ts';
import { addressAt, allWays, CONTROL, HOSTS, hostOf, PLAIN_WAYS } from './pages.ts';
import { arrivalsOf, type Ended, type Leaving, Verdict } from './verdict.ts';

const UUIDS = { [EXTENSION_ID]: '6f1a2c3d-0000-4000-8000-000000000001', 'walk@plumbfox.test': '6f1a2c3d-0000-4000-8000-000000000002' };
const WALK_PAGE = `moz-extension://${UUIDS['walk@plumbfox.test']}/walk.html`;

export interface WalkOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly kills: number;
  /** On a busy machine it goes on until so many requests have gone through the gateway, and so many in a pipeline, four times as long at most. */
  readonly least: number;
  readonly leastPipelined: number;
  readonly isStopped?: () => boolean;
  /** Called every few seconds. */
  readonly onProgress?: (record: WalkRecord) => void;
  /** Called with all that the record is made from, as it comes: lines of JSON. */
  readonly onSeen?: (lines: string) => void;
}
export type WalkRecord = ReturnType<Walk['record']>;

interface Walking {
  readonly walk: {
    drain(): string;
    open(contained: boolean): Promise<number>;
    step(tab: number, step: Step): Promise<boolean>;
    isLoading(tab: number): Promise<boolean>;
  };
}
interface Step {
  readonly kind: 'type' | 'back' | 'reload' | 'link' | 'form';
  readonly url?: string;
  readonly nth: number;
}

/** How often of 100 steps. */
const STEPS: readonly (readonly [Step['kind'], number])[] = [
  ['link', 45],
  ['type', 15],
  ['back', 12],
  ['reload', 13],
  ['form', 15],
];
/** Those that the popup offers, of which fewer connections make deeper pipelines. */
const PROFILES = ['c1-d6', 'c2-d6', 'c4-d6'];
/** A helper begins anew with each, and is given 3 s for it: a machine that others keep busy has come to itself within minutes. */
const TRIES = 100;
const LONGEST_STEP_MS = 1_500;
/** The person takes a site off the list and lists it again, or it would go direct for the rest of the walk. */
const RELIST_MS = 20_000;
const PROGRESS_MS = 20_000;
/** Longer than the slowest answer with an end takes. */
const FETCH_MS = 9_000;

export async function walkThroughGateway(options: WalkOptions): Promise<WalkRecord> {
  const there = await elsewhere();
  const origins = new WalkOrigins();
  const directory = await mkdtemp(join(tmpdir(), 'plumbfox-walk-'));
  let firefox: ExtensionFirefox | undefined;
  try {
    const port = await origins.listen(there.here);
    await there.passOn(port);
    await installHelperIn(directory);
    firefox = await startExtensionFirefox({
      variant: 'release',
      profile: directory,
      preferences: {
        'extensions.webextensions.uuids': JSON.stringify(UUIDS),
        'network.dns.forceResolve': there.address,
        'privacy.userContext.enabled': true,
        'browser.chrome.site_icons': false,
        'dom.confirm_repost.testing.always_accept': true,
        'dom.disable_open_during_load': true,
      },
    });
    await firefox.browser.installExtension(resolve('test/support/walk/extension'));
    const person = await openExtensionPage(firefox.browser, WALK_PAGE);
    await allowPermissions(await chromeContext(firefox.browser), [
      'nativeMessaging',
      'proxy',
      'webRequestAuthProvider',
      'webRequestBlocking',
    ]);
    const walk = new Walk(options, { firefox, person, origins, port });
    await walk.prepare();
    await walk.run();
    options.onSeen?.(`${JSON.stringify({ killedAt: walk.killedAt, arrivals: origins.arrivals })}\n`);
    return walk.record();
  } finally {
    await firefox?.stop();
    origins.close();
    await there.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** How many by carrier, and by what Firefox says of them. */
function countsOf(odd: Verdict['unlikeDirect']): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { ended, shown, way } of odd) {
    const what = `${ended.carrier} ${ended.error ?? shown} of ${PLAIN_WAYS.includes(way as never) ? 'sound' : 'odd'} answers`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

interface Around {
  readonly firefox: ExtensionFirefox;
  readonly person: Page;
  readonly origins: WalkOrigins;
  readonly port: number;
}

class Walk {
  readonly #options: WalkOptions;
  readonly #around: Around;
  readonly #verdict = new Verdict();
  readonly #steps: Partial<Record<Step['kind'], number>> = {};
  #kills = 0;
  #reloaded = 0;
  #relisted = 0;
  #triedAgain = 0;
  #began = performance.now();

  constructor(options: WalkOptions, around: Around) {
    this.#options = options;
    this.#around = around;
  }

  get killedAt(): readonly number[] {
    return this.#verdict.killedAt;
  }

  /** With what its server saw of it. */
  readonly #looked = ({ ended, shown, way }: Verdict['unlikeDirect'][number]) => ({
    ...ended,
    shown,
    way,
    server: this.#around.origins.seenOf(ended),
  });

  record() {
    const { counts, unlikeDirect, fromCache } = this.#verdict;
    const isSurplus = (url: string) => new URL(url).hostname === hostOf(0, 'hostile');
    const wrong = unlikeDirect.filter(({ shown }) => shown !== 'failed');
    return {
      seed: this.#options.seed,
      minutes: (performance.now() - this.#began) / 60_000,
      steps: this.#steps,
      kills: this.#kills,
      pagesLoadedAgain: this.#reloaded,
      sitesListedAgain: this.#relisted,
      askedHelperAgain: this.#triedAgain,
      shown: counts,
      fromCache,
      surplusSent: this.#around.origins.surplus,
      wrongOfSurplusOrigin: wrong.filter(({ ended }) => isSurplus(ended.url)).length,
      wrong: wrong.filter(({ ended }) => !isSurplus(ended.url)).map(this.#looked),
      failedUnlikeDirect: unlikeDirect.filter(({ shown }) => shown === 'failed').map(this.#looked),
      endedByLeaving: countsOf(this.#verdict.endedByLeaving),
      abortedUnasked: countsOf(this.#verdict.abortedUnasked),
      looked: {
        endedByLeaving: this.#verdict.endedByLeaving.filter(({ ended }) => ended.carrier !== 'direct').map(this.#looked),
        abortedUnasked: this.#verdict.abortedUnasked.map(this.#looked),
      },
      killedAt: this.#verdict.killedAt,
      arrivals: arrivalsOf(this.#around.origins.arrivals),
      connections: this.#around.origins.connections,
    };
  }

  /** On a machine at its limit the helper may be too slow for an answer: whoever waits tries again. */
  readonly #ask: ExtensionFirefox['ask'] = async (request) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#around.firefox.ask(request);
      } catch (error) {
        if (tries === TRIES) throw error;
        this.#triedAgain += 1;
        await sleep(2_000);
      }
    }
  };

  readonly #at = (host: string) => `http://${host}:${this.#around.port}`;

  /** What each way of answering looks like direct, and each origin looked at once. */
  async prepare(): Promise<void> {
    const { person } = this.#around;
    const random = seededRandom(this.#options.seed);
    // From the extension's own page, of which nothing is led through the gateway.
    const fetchAll = (addresses: readonly string[]) =>
      person.evaluate(
        (urls, ms) =>
          Promise.all(
            urls.map((url) =>
              fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(ms) }).then(
                (answer) => answer.arrayBuffer().catch(() => undefined),
                () => undefined,
              ),
            ),
          ).then(() => undefined),
        addresses,
        FETCH_MS,
      );
    const at = (host: string, way: string) => `${this.#at(host)}/data/${random.integer(1_000_000)}?${way}`;
    await fetchAll(allWays().map((way) => at(CONTROL, way)));
    await this.#switchOn();
    for (const host of HOSTS) await this.#ask({ kind: 'gateway-sites', change: { add: this.#at(host) } });
    await fetchAll(HOSTS.map((host) => at(host, 'sized')));
  }

  async run(): Promise<void> {
    this.#began = performance.now();
    const { minutes, seed, kills, least, leastPipelined, onProgress, isStopped = () => false } = this.#options;
    const lastsMs = minutes * 60_000;
    const random = seededRandom(seed + 1);
    // One in each equal part of the walk, at a random moment of it.
    const killAt = Array.from({ length: kills }, (_, nth) => ((nth + 0.1 + 0.7 * random.next()) / kills) * lastsMs);
    const tabs = [await this.#open(false), await this.#open(false), await this.#open(true)];
    const page = () =>
      `http:${addressAt(HOSTS[random.integer(HOSTS.length)] ?? '', 'page', random).replace('PORT', String(this.#around.port))}`;
    for (const tab of tabs) await this.#step(tab, { kind: 'type', url: page(), nth: 0 });
    let relistAt = RELIST_MS;
    let progressAt = 0;
    const { origins } = this.#around;
    const isShown = () => origins.byGateway >= least && origins.pipelined >= leastPipelined;
    const isEnough = (now: number) => now >= lastsMs && (isShown() || now >= 4 * lastsMs);
    for (let now = 0; !isEnough(now) && !isStopped(); now = performance.now() - this.#began) {
      const nextKill = killAt[0];
      const tab = tabs[random.next() < 0.15 ? 2 : random.integer(2)] ?? 0;
      await this.#step(tab, { kind: this.#kindOf(random.integer(100)), url: page(), nth: random.integer(1_000) });
      const dwell = random.next() < 0.4 ? 50 + random.integer(400) : undefined;
      if (nextKill !== undefined && now >= nextKill) {
        killAt.shift();
        // In the middle of what that step has asked for.
        await sleep(random.integer(400));
        await this.#kill();
      } else if (dwell !== undefined) await sleep(dwell);
      else await this.#settled(tab);
      if (now >= relistAt) {
        relistAt = now + RELIST_MS;
        await this.#relist();
      }
      await this.#drain();
      if (now >= progressAt) {
        progressAt = now + PROGRESS_MS;
        onProgress?.(this.record());
      }
    }
    await sleep(LONGEST_STEP_MS);
    await this.#drain();
  }

  #kindOf(of100: number): Step['kind'] {
    let below = 0;
    for (const [kind, share] of STEPS) {
      below += share;
      if (of100 < below) return kind;
    }
    return 'link';
  }

  #open(contained: boolean): Promise<number> {
    return this.#around.person.evaluate((inContainer) => (globalThis as unknown as Walking).walk.open(inContainer), contained);
  }

  async #step(tab: number, step: Step): Promise<void> {
    const done = await this.#around.person.evaluate((id, one) => (globalThis as unknown as Walking).walk.step(id, one), tab, step);
    if (done) this.#steps[step.kind] = (this.#steps[step.kind] ?? 0) + 1;
    else if (step.kind !== 'type') await this.#step(tab, { ...step, kind: 'type' });
  }

  async #settled(tab: number): Promise<void> {
    const until = performance.now() + LONGEST_STEP_MS;
    do await sleep(60);
    while (
      performance.now() < until &&
      (await this.#around.person.evaluate((id) => (globalThis as unknown as Walking).walk.isLoading(id), tab))
    );
  }

  async #kill(): Promise<void> {
    const helpers = descendantsOf(this.#around.firefox.processId).filter(({ name }) => name === 'node');
    for (const { pid } of helpers) process.kill(pid, 'SIGKILL');
    this.#verdict.killed(Date.now());
    if (helpers.length > 0) this.#kills += 1;
    for (const until = Date.now() + 10_000; Date.now() < until; await sleep(100)) {
      const state = await this.#ask({ kind: 'gateway-state' });
      if (state.state === 'off') break;
    }
    // Pages that have lost something are loaded again.
    await sleep(500);
    const state = await this.#ask({ kind: 'gateway-state' });
    if (state.state === 'off') this.#reloaded += state.ended?.reloaded ?? 0;
    await this.#switchOn();
  }

  async #switchOn(): Promise<void> {
    await this.#ask({ kind: 'gateway-on', profileId: PROFILES[this.#kills % PROFILES.length] ?? '' });
  }

  async #relist(): Promise<void> {
    const state = await this.#ask({ kind: 'gateway-state' });
    if (state.state !== 'on') return;
    for (const { origin, direct } of state.sites) {
      if (direct === undefined) continue;
      this.#relisted += 1;
      await this.#ask({ kind: 'gateway-sites', change: { remove: origin } });
      await this.#ask({ kind: 'gateway-sites', change: { add: origin } });
    }
  }

  async #drain(): Promise<void> {
    const ended = await this.#around.person.evaluate(() => (globalThis as unknown as Walking).walk.drain());
    this.#options.onSeen?.(`${ended}\n`);
    const drained = JSON.parse(ended) as { readonly ended: readonly Ended[]; readonly leavings: readonly Leaving[] };
    for (const one of drained.leavings) this.#verdict.left(one);
    for (const one of drained.ended) this.#verdict.add(one);
  }
}
