/** How the simulated browser schedules, on links so fast that only round trips of 100 ms count. */
import { describe, expect, it } from 'vitest';
import type { PageRequest } from '../../../../src/core/graph/page-graph.ts';
import { type PredictOptions, predict } from '../../../../src/core/predict/predict.ts';
import { FENNEC_2008 } from '../../../../src/core/simulate/browser-model.ts';

const RTT_MS = 100;
const LINK = { rttMs: RTT_MS, downKbps: 10_000_000, upKbps: 100_000_000 };

function load(
  requests: readonly PageRequest[],
  { profile = 'firefox-default', ...options }: Partial<PredictOptions> & { profile?: string } = {},
) {
  const [prediction] = predict({ page: { requests, ...options.page }, link: LINK, profiles: [profile], ...options });
  const byId = new Map(prediction?.requests.map((request) => [request.id, request]));
  /** Round trips from the start, to a hundredth. */
  const at = (id: string, what: 'discoveredMs' | 'startMs' | 'endMs') => Math.round(byId.get(id)?.[what] ?? Number.NaN) / RTT_MS;
  return { prediction, at, connectionOf: (id: string) => byId.get(id)?.connection };
}

const KNOWN_SITES = { gatewayVisit: 'known-site' } as const;
const once = (id: string) => ({ after: { id } });
const many = (count: number, request: Partial<PageRequest> = {}): PageRequest[] =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, bytes: 1000, ...request }));

describe('what is asked for', () => {
  it('waits for its bytes and for the processor', () => {
    // 100 segments with a window of 10 come in rounds of 10, 20, 40 and 30: segment 31 is of the third, which is there at 4 round trips.
    const { at } = load([
      { id: 'page', bytes: 146_000 },
      { id: 'early', bytes: 1000, after: { id: 'page', bytes: 10 } },
      { id: 'later', bytes: 1000, after: { id: 'page', bytes: 31 * 1460 } },
      { id: 'slow', bytes: 1000, after: { id: 'page', bytes: 10, delayMs: 50 } },
      { id: 'both', bytes: 1000, after: [{ id: 'later' }, { id: 'page', bytes: 10 }] },
    ]);
    expect([at('early', 'discoveredMs'), at('later', 'discoveredMs'), at('slow', 'discoveredMs')]).toEqual([2, 4, 2.5]);
    expect(at('both', 'discoveredMs')).toBe(at('later', 'endMs'));
  });

  it('has images wait for what blocks, scripts of the body and data not', () => {
    const { at } = load([
      { id: 'page', bytes: 1000, class: 'document' },
      { id: 'style', bytes: 1000, class: 'stylesheet', serverMs: 500, ...once('page') },
      { id: 'picture', bytes: 1000, class: 'image', ...once('page') },
      { id: 'script', bytes: 1000, class: 'script', ...once('page') },
      { id: 'data', bytes: 1000, class: 'fetch', ...once('page') },
    ]);
    // The page is there at 2; a connection that stands takes one request, the others a round trip more. The style is there at 8.
    expect([at('style', 'startMs'), at('script', 'startMs'), at('data', 'startMs')]).toEqual([2, 3, 3]);
    expect(at('picture', 'startMs')).toBe(at('style', 'endMs'));
    expect(at('picture', 'startMs')).toBe(8);
  });

  it('goes by priority where connections are few', () => {
    const kinds = ['script', 'image', 'stylesheet', 'font'] as const;
    const { at } = load(
      [{ id: 'page', bytes: 1000, class: 'document' }, ...kinds.map((kind) => ({ id: kind, bytes: 1000, class: kind, ...once('page') }))],
      {
        profile: 'c1-d1',
      },
    );
    const order = [...kinds].sort((a, b) => at(a, 'startMs') - at(b, 'startMs'));
    // The connection that is free takes the first of the page at once; then it goes by priority.
    expect(order).toEqual(['script', 'font', 'stylesheet', 'image']);
  });
});

describe('connections', () => {
  it('are opened as requests are discovered, and used again', () => {
    const { at, prediction } = load(many(12));
    expect(prediction?.connections).toBe(6);
    expect(at('r0', 'startMs')).toBe(1);
    expect(at('r11', 'startMs')).toBe(2);
  });

  it('are opened ahead of need while fewer than 20 are half-open', () => {
    const elsewhere = Array.from({ length: 30 }, (_, at) => `picture${at}`);
    const { at } = load(
      [
        { id: 'page', bytes: 1000, class: 'document' },
        { id: 'style', bytes: 1000, class: 'stylesheet', serverMs: 500, ...once('page') },
        ...elsewhere.map((id): PageRequest => ({ id, bytes: 1000, class: 'image', origin: id, ...once('page') })),
      ],
      { model: { paces: false } },
    );
    // All may be sent when the style is there, at 8: on a connection that has stood since 3, or on one whose handshake only begins then.
    expect(elsewhere.filter((id) => at(id, 'startMs') === 8)).toHaveLength(20);
    expect(elsewhere.filter((id) => at(id, 'startMs') === 9)).toHaveLength(10);
  });

  it('are counted per server, and in all', () => {
    const two = many(12).map((request, at) => ({ ...request, origin: `o${at % 2}` }));
    expect(load(two, { profile: 'c4-d1' }).prediction?.connections).toBe(8);
    const limited = { id: 'few', connections: 4, preferences: { 'network.http.max-connections': 3 } };
    const [few] = predict({ page: { requests: two }, link: LINK, profiles: [limited] });
    const busiest = (few?.requests ?? []).map(
      ({ startMs }) =>
        new Set(
          (few?.requests ?? []).filter((other) => other.startMs <= startMs && other.endMs > startMs).map(({ connection }) => connection),
        ).size,
    );
    expect(Math.max(...busiest)).toBe(3);
  });

  it('at the limit of all give their place to who needs it', () => {
    const one = { id: 'one', preferences: { 'network.http.max-connections': 1 } };
    const end = (requests: readonly PageRequest[], origins = {}) =>
      predict({ page: { requests, origins }, link: LINK, profiles: [one] })[0]?.loadTimeMs ?? Number.NaN;
    // The first connection stands for what is held back meanwhile: two handshakes and two requests, one after another.
    const blocked = [
      { id: 'held', bytes: 1 },
      { id: 'style', bytes: 1, origin: 'other', blocking: true },
    ];
    expect(end(blocked)).toBeLessThan(6.1 * RTT_MS);
    const resumed = [
      { id: 'page', bytes: 1 },
      { id: 'other', bytes: 1, origin: 'quic' },
    ];
    expect(end(resumed, { quic: { protocol: 'http/3', resumed: true } })).toBeLessThan(3.1 * RTT_MS);
    const crowd = [{ id: 'style', bytes: 1000, class: 'stylesheet' as const }, ...many(1500, { class: 'image' })];
    expect(load(crowd.map((request, at) => ({ ...request, origin: `o${at}` }))).prediction?.requests.every(({ endMs }) => endMs > 0)).toBe(
      true,
    );
  });

  it('above six start requests at 80 a second after a burst of ten', () => {
    const { prediction } = load(many(60, { class: 'image' }), { profile: 'c32-d1' });
    const starts = (prediction?.requests ?? []).map(({ startMs }) => startMs).sort((a, b) => a - b);
    // Ten have their token at once and seven more within 87.5 ms; until 100 ms no connection stands. Then one more every 1 / 80 s.
    expect(starts[16]).toBeCloseTo(100, 0);
    expect(starts[18]).toBeCloseTo(112.5, 0);
    expect(starts[19]).toBeCloseTo(125, 0);
    const unpaced = predict({
      page: { requests: many(60, { class: 'image' }) },
      link: LINK,
      profiles: [{ id: 'unpaced', connections: 32, preferences: { 'network.http.pacing.requests.enabled': false } }],
    })[0];
    expect(unpaced?.loadTimeMs).toBeLessThan(prediction?.loadTimeMs ?? 0);
  });

  it('get a backup where the handshake takes longer than 250 ms, within the limit', () => {
    const page = [{ id: 'page', bytes: 1000 }];
    const connections = (rttMs: number, profile: string, model = {}) =>
      predict({ page: { requests: page }, link: { ...LINK, rttMs }, profiles: [profile], model })[0]?.connections;
    expect(connections(240, 'firefox-default')).toBe(1);
    expect(connections(260, 'firefox-default')).toBe(2);
    expect(connections(260, 'c1-d1')).toBe(1);
    expect(connections(260, 'c1-d1', { beyondLimit: true })).toBe(2);
  });
});

describe('what Firefox lets go beyond the limit', () => {
  it('are connections for documents, where the model says so', () => {
    const requests: PageRequest[] = [{ id: 'page', bytes: 1000, class: 'document', serverMs: 500 }, ...many(5, { class: 'document' })];
    const connections = (beyondLimit: boolean) => load(requests, { profile: 'c2-d1', model: { beyondLimit } }).prediction?.connections;
    expect(connections(false)).toBe(2);
    expect(connections(true)).toBe(5);
  });
});

describe('depth', () => {
  it('is carried for plain http alone', () => {
    const secure = { origins: { origin: { tls: '1.3' } } } as const;
    const time = (profile: string, options: Partial<PredictOptions> = {}) =>
      load(many(24), { profile, model: KNOWN_SITES, ...options }).prediction?.loadTimeMs ?? 0;
    expect(time('c2-d6')).toBeLessThan(time('c2-d1') / 2);
    const page = { requests: many(24), ...secure };
    expect(time('c2-d6', { page })).toBe(time('c2-d1', { page }));
    expect(time('c2-d6', { page, model: { carrier: 'legacy' } })).toBeLessThan(time('c2-d1', { page }) / 2);
  });

  it('through the gateway waits at the first visit until a site has given 8 responses, one at a time, with a round trip of quiet after each', () => {
    const requests = many(12, { class: 'image' });
    const ends = (model: Partial<PredictOptions>['model']) => {
      const { at } = load(requests, { profile: 'c1-d4', ...(model && { model }) });
      return requests.map(({ id }) => at(id, 'endMs'));
    };
    // The handshake takes one; then each response one and its quiet another, which is no shorter than 100 ms; then four at once.
    expect(ends(undefined)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 18, 18, 18]);
    expect(ends(KNOWN_SITES)).toEqual([2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]);
  });

  it('in bundles goes onto freed connections only', () => {
    // One connection, depth 3, the second asked for while the first is under way: bundled it waits for it, appended it does not.
    const requests = [{ id: 'page', bytes: 1000, serverMs: 300 }, { id: 'other', bytes: 1000, serverMs: 10 }, ...many(2)];
    const start = (dispatch: 'bundled' | 'appended') =>
      load(requests, { profile: 'c1-d3', model: { dispatch, carrier: 'legacy', opening: 'on-demand' } }).at;
    // Three at once by depth; the fourth goes when the first is there, appended, or when all three are, bundled.
    expect(start('appended')('r1', 'startMs')).toBe(start('appended')('page', 'endMs'));
    expect(start('bundled')('r1', 'startMs')).toBe(start('bundled')('r0', 'endMs'));
  });

  it('as a total counts the requests of all connections', () => {
    const outstanding = (depthScope: 'total' | 'per-connection') => {
      const { prediction } = load(many(20), { profile: 'c2-d4', model: { ...FENNEC_2008, depthScope } });
      const requests = prediction?.requests ?? [];
      return Math.max(
        ...requests.map(({ startMs }) => requests.filter((other) => other.startMs <= startMs && other.endMs > startMs).length),
      );
    };
    // Four, and one more on a connection that had nothing to do.
    expect(outstanding('total')).toBe(5);
    expect(outstanding('per-connection')).toBe(8);
  });
});

it('a lost request is a loss', () => {
  const [prediction] = predict({ page: { requests: many(1) }, link: { ...LINK, lossUp: 0.5 }, profiles: ['c1-d1'], seed: 3 });
  expect(prediction?.loadTimeMs).toBeGreaterThan(4 * RTT_MS);
  expect(['loss', 'round-trips']).toContain(prediction?.bound);
  const losses = Array.from(
    { length: 40 },
    (_, seed) => predict({ page: { requests: many(1) }, link: { ...LINK, lossUp: 0.5 }, profiles: ['c1-d1'], seed })[0],
  );
  expect(losses.some((each) => (each?.boundShares.loss ?? 0) > 0.5)).toBe(true);
});

describe('HTTP/2 and HTTP/3', () => {
  const over = (protocol: 'http/2' | 'http/3', facts = {}) => ({ origins: { origin: { protocol, ...facts } } });

  it('send all at once on one connection, up to the limit of the server', () => {
    const { prediction, at } = load([], { page: { requests: many(30), ...over('http/2') } });
    expect(prediction?.connections).toBe(1);
    expect(at('r29', 'startMs')).toBe(1);
    const limited = load([], { page: { requests: many(30), ...over('http/2', { maxStreams: 10 }) } });
    expect(limited.at('r9', 'startMs')).toBe(1);
    expect(limited.at('r10', 'startMs')).toBe(2);
  });

  it('have no more of a stream under way than the browser allows', () => {
    // 8 kB in a round trip of 100 ms, of which half is allowed anew each time: 30 kB take at least 30 / 8 of them, less the last.
    const small = { id: 'small', preferences: { 'network.http.http2.pull-allowance': 8000 } };
    const [prediction] = predict({ page: { requests: many(1, { bytes: 30_000 }), ...over('http/2') }, link: LINK, profiles: [small] });
    expect(prediction?.loadTimeMs).toBeGreaterThan(RTT_MS * (1 + 30 / 8));
    expect(load([], { page: { requests: many(1, { bytes: 30_000 }), ...over('http/2') } }).prediction?.loadTimeMs).toBeLessThan(4 * RTT_MS);
    // The preference is HTTP/2's; HTTP/3 has a window of its own.
    const quic = { requests: many(1, { bytes: 30_000 }), ...over('http/3') };
    const [throttled, free] = predict({ page: quic, link: LINK, profiles: [small, 'firefox-default'] });
    expect(throttled?.loadTimeMs).toBe(free?.loadTimeMs);
  });

  it('answer what is urgent first', () => {
    const requests: PageRequest[] = [
      { id: 'picture', bytes: 500_000, class: 'image' },
      { id: 'style', bytes: 100_000, class: 'stylesheet' },
    ];
    const [prediction] = predict({
      page: { requests, ...over('http/2') },
      link: { rttMs: 100, downKbps: 2000 },
      profiles: ['firefox-default'],
    });
    const [picture, style] = prediction?.requests ?? [];
    expect(style?.endMs).toBeLessThan((picture?.endMs ?? 0) / 2);
  });

  it('a loss holds back every stream of HTTP/2, and its own of HTTP/3', () => {
    const requests = many(100, { bytes: 1400 });
    const times = (protocol: 'http/2' | 'http/3') =>
      Array.from(
        { length: 15 },
        (_, seed) =>
          predict({
            page: { requests, ...over(protocol, { tls: '1.3' }) },
            link: { rttMs: 200, downKbps: 8000, lossDown: 0.02 },
            profiles: ['firefox-default'],
            seed,
          })[0],
      ).map((prediction) => {
        const firsts = prediction?.requests.map(({ endMs }) => endMs) ?? [];
        return firsts.reduce((sum, end) => sum + end, 0) / firsts.length;
      });
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    // Besides the round trip that its handshake saves.
    expect(mean(times('http/3'))).toBeLessThan(mean(times('http/2')) - 250);
  });
});
