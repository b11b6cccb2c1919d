/** Loads one after another over a browser that is not there: what one load leaves behind never counts for the next. */
import { describe, expect, test } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import type { ObservationEnd } from '../../../../src/core/measure/page-timing.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import type { MarkedPageLoad } from '../../../../src/core/trial/trial-mark.ts';
import { milliseconds } from '../../../../src/core/units.ts';
import { type LoadDeps, laneLoads } from '../../../../src/lab/lane/lane-loads.ts';
import type { LoadOrder } from '../../../../src/lab/lane/lane-protocol.ts';

const TIMEOUT_MS = 20_000;

interface Behaviour {
  /** Its page is never quiet. */
  readonly hangs?: (url: string, visit: number) => boolean;
  /** Its page goes elsewhere by itself as soon as it is there, to a page that is never quiet. */
  readonly leadsOn?: (url: string) => boolean;
  /** The browser does not leave a page for an empty one. */
  readonly stays?: boolean;
}

/** A tab, a recorder and their clock. A page that has not ended when it is left is recorded then. */
function fakeBrowser({ hangs = () => false, leadsOn = () => false, stays = false }: Behaviour = {}) {
  let now = 1_700_000_000_000;
  let visits = 0;
  let open: { url: string; startedAt: number } | undefined;
  const records: MarkedPageLoad[] = [];
  const log: string[] = [];
  const store = (url: string, startedAt: number, ended: ObservationEnd) => {
    records.push({
      format: 1,
      id: `${records.length}`,
      url,
      startedAt: milliseconds(startedAt),
      observation: { ended, quietMs: milliseconds(150) },
      requests: [{ url, origin: null, type: 'main_frame', outcome: { state: 'completed' } }],
    });
  };
  const goto = async (url: string) => {
    if (url === 'about:blank' && stays) throw new Error('Navigation timeout');
    log.push(url);
    if (open) store(open.url, open.startedAt, 'page-left');
    open = undefined;
    if (url === 'about:blank') return null;
    visits += 1;
    const startedAt = now + 5;
    now += 500;
    if (leadsOn(url)) {
      store(url, startedAt, 'page-left');
      open = { url: `${url}elsewhere`, startedAt: startedAt + 300 };
    } else if (hangs(url, visits)) open = { url, startedAt };
    else store(url, startedAt, 'quiet');
    return null;
  };
  const nextLoad: LoadDeps['extension']['nextLoad'] = async ({ after, isIt, timeoutMs }) => {
    // The page is asked for meanwhile.
    await new Promise((done) => setImmediate(done));
    const found = records.slice(records.findIndex(({ id }) => id === after) + 1).find(isIt);
    if (found) return found;
    now += timeoutMs;
    throw new PlumbfoxError('run-void', 'no record');
  };
  const parts = {
    extension: {
      nextLoad,
      clockMs: async () => now,
      request: async (request: object) => void log.push(JSON.stringify(request)),
    },
    gateway: {},
    applier: {
      apply: async ({ id }: { id: string }) => {
        now += 200;
        return { profileId: id, intended: {}, readBack: [], mismatches: [] };
      },
      readBack: async () => [],
    },
    tab: { goto },
  } as unknown as LoadDeps;
  return { log, load: laneLoads(parts, { quietMs: 150 }) };
}

const [profile] = resolveProfiles(['c2-d1']);
const order = (url: string, more: Partial<LoadOrder> = {}): LoadOrder => {
  if (!profile) throw new Error('no profile');
  return { profile, carrier: 'none', url, timeoutMs: TIMEOUT_MS, ...more };
};

async function taken(behaviour: Behaviour, urls: readonly string[]): Promise<readonly unknown[]> {
  const { load } = fakeBrowser(behaviour);
  const results: unknown[] = [];
  for (const url of urls) {
    const outcome = await load(order(url)).catch((error: Error) => error.message);
    results.push(typeof outcome === 'string' ? outcome : [outcome.load.url, outcome.load.observation.ended]);
  }
  return results;
}

describe.each([false, true])('after a load without an end (the browser stays on its page: %s)', (stays) => {
  test('every later load of the lab has the record of its own page', async () => {
    const hangs = (url: string) => url === 'http://lab/a';
    expect(await taken({ hangs, stays }, ['http://lab/a', 'http://lab/b', 'http://lab/c'])).toEqual([
      'no record',
      ['http://lab/b', 'quiet'],
      ['http://lab/c', 'quiet'],
    ]);
  });

  test('the same address again has the record of the second time', async () => {
    const hangs = (_url: string, visit: number) => visit === 1;
    expect(await taken({ hangs, stays }, ['http://real/', 'http://real/', 'http://real/'])).toEqual([
      'no record',
      ['http://real/', 'quiet'],
      ['http://real/', 'quiet'],
    ]);
  });

  test('two of them in a row count for nothing either', async () => {
    const hangs = (_url: string, visit: number) => visit <= 2;
    expect(await taken({ hangs, stays }, ['http://real/', 'http://real/', 'http://real/'])).toEqual([
      'no record',
      'no record',
      ['http://real/', 'quiet'],
    ]);
  });
});

test('a page that goes elsewhere by itself is recorded as left, and where it went never counts for the next', async () => {
  const leadsOn = (url: string) => url === 'http://real/a';
  expect(await taken({ leadsOn }, ['http://real/a', 'http://real/b', 'http://real/b', 'http://real/a'])).toEqual([
    ['http://real/a', 'page-left'],
    ['http://real/b', 'quiet'],
    ['http://real/b', 'quiet'],
    ['http://real/a', 'page-left'],
  ]);
});

test('a page that is not over is left before the next profile is put in effect; one that is over stays', async () => {
  const { log, load } = fakeBrowser({ hangs: (url) => url === 'http://lab/a', leadsOn: (url) => url === 'http://lab/b' });
  await load(order('http://lab/a')).catch(() => {});
  await load(order('http://lab/b'));
  await load(order('http://lab/c'));
  await load(order('http://lab/d'));
  expect(log).toEqual(['http://lab/a', 'about:blank', 'http://lab/b', 'about:blank', 'http://lab/c', 'http://lab/d']);
});

test('the quiet window of a load that came to no end is not that of the next', async () => {
  const { log, load } = fakeBrowser({ hangs: (url) => url === 'http://lab/a', stays: true });
  await load(order('http://lab/a', { quietMs: 2000 })).catch(() => {});
  await load(order('http://lab/b'));
  await load(order('http://lab/c'));
  const quiet = (quietMs: number) => JSON.stringify({ kind: 'set-quiet', quietMs });
  expect(log).toEqual([quiet(2000), 'http://lab/a', quiet(150), 'http://lab/b', 'http://lab/c']);
});
