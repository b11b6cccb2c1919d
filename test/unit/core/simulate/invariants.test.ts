import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTENT_CLASSES, type PageGraph, type PageRequest } from '../../../../src/core/graph/page-graph.ts';
import { predict } from '../../../../src/core/predict/predict.ts';
import { BOUNDS, type PredictedRequest } from '../../../../src/core/simulate/prediction.ts';

const ms = (max: number) => fc.integer({ min: 0, max });

/** Any page: every request waits for some that come before it, or for none. */
const pages: fc.Arbitrary<PageGraph> = fc
  .array(
    fc.record({
      bytes: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 120_000 })),
      origin: fc.integer({ min: 0, max: 3 }),
      class: fc.constantFrom(...CONTENT_CLASSES),
      serverMs: ms(60),
      after: fc.array(fc.record({ back: fc.integer({ min: 1, max: 8 }), bytes: fc.option(ms(40_000)), delayMs: ms(80) }), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .chain((requests) =>
    fc.record({
      protocols: fc.array(fc.constantFrom('http/1.1', 'http/2', 'http/3'), { minLength: 4, maxLength: 4 }),
      plain: fc.boolean(),
      requests: fc.constant(
        requests.map(
          ({ after, origin, ...request }, at): PageRequest => ({
            ...request,
            id: `r${at}`,
            origin: `o${origin}`,
            after: after
              .filter(({ back }) => back <= at)
              .map(({ back, bytes, delayMs }) => ({ id: `r${at - back}`, delayMs, ...(bytes === null ? {} : { bytes }) })),
          }),
        ),
      ),
    }),
  )
  .map(({ requests, protocols, plain }) => ({
    requests,
    origins: plain ? {} : Object.fromEntries(protocols.map((protocol, at) => [`o${at}`, { protocol }])),
  }));

const links = fc.record({
  rttMs: fc.integer({ min: 1, max: 600 }),
  downKbps: fc.integer({ min: 50, max: 50_000 }),
  upKbps: fc.integer({ min: 30, max: 20_000 }),
  initialWindow: fc.integer({ min: 1, max: 20 }),
});
const lossy = fc.record({
  lossDown: fc.constantFrom(0, 0.01, 0.1, 0.4),
  lossUp: fc.constantFrom(0, 0.02, 0.3),
  queuePackets: fc.constantFrom(2, 10, 1000),
  jitterMs: fc.constantFrom(0, 15),
});
const profileIds = ['c1-d1', 'c1-d2', 'c2-d4', 'firefox-default', 'c4-d6', 'c8-d1', 'c6-d8'];

/** Most of them under way at one moment. */
function peak(intervals: readonly PredictedRequest[]): number {
  const changes = intervals.flatMap(({ startMs, endMs }) => [
    { at: startMs, by: 1 },
    { at: endMs, by: -1 },
  ]);
  // What ends makes room for what begins at the same moment.
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let now = 0;
  return changes.reduce((most, { by }) => {
    now += by;
    return Math.max(most, now);
  }, 0);
}

const grouped = <T>(members: readonly T[], key: (member: T) => number): T[][] => [
  ...members
    .reduce((groups, member) => groups.set(key(member), [...(groups.get(key(member)) ?? []), member]), new Map<number, T[]>())
    .values(),
];

describe('every prediction', () => {
  it('comes to an end on any link, with everything in order and the efficiency in (0, 1]', () => {
    fc.assert(
      fc.property(pages, links, lossy, fc.integer(), (page, link, trouble, seed) => {
        for (const prediction of predict({ page, link: { ...link, ...trouble }, profiles: profileIds, seed })) {
          expect(prediction.efficiency).toBeGreaterThan(0);
          expect(prediction.efficiency).toBeLessThanOrEqual(1);
          expect(prediction.bytes).toBe(page.requests.reduce((sum, { bytes }) => sum + bytes, 0));
          expect(BOUNDS.reduce((sum, bound) => sum + prediction.boundShares[bound], 0)).toBeCloseTo(1, 9);
          expect(prediction.loadTimeMs).toBe(Math.max(...prediction.requests.map(({ endMs }) => endMs)));
          for (const { discoveredMs, startMs, firstByteMs, endMs } of prediction.requests) {
            expect(startMs).toBeGreaterThanOrEqual(discoveredMs);
            expect(firstByteMs).toBeGreaterThanOrEqual(startMs + link.rttMs - 1e-6);
            expect(endMs).toBeGreaterThanOrEqual(firstByteMs);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps to the connections and the depth of its profile', () => {
    fc.assert(
      fc.property(pages, links, lossy, (page, link, trouble) => {
        const plain = { requests: page.requests };
        for (const prediction of predict({ page: plain, link: { ...link, ...trouble }, profiles: profileIds })) {
          const [connections = 6, depth = 1] = prediction.profileId.match(/\d+/g)?.map(Number) ?? [];
          const originOf = new Map(page.requests.map(({ id, origin }) => [id, Number(origin?.slice(1))]));
          // Those that carried nothing, such as a backup that was not needed, count too.
          expect(prediction.connections).toBeLessThanOrEqual(connections * new Set(originOf.values()).size);
          for (const own of grouped(prediction.requests, ({ id }) => originOf.get(id) ?? -1)) {
            expect(new Set(own.map(({ connection }) => connection)).size).toBeLessThanOrEqual(connections);
          }
          for (const own of grouped(prediction.requests, ({ connection }) => connection)) expect(peak(own)).toBeLessThanOrEqual(depth);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is the same for the same seed', () => {
    fc.assert(
      fc.property(pages, links, lossy, fc.integer(), (page, link, trouble, seed) => {
        const options = { page, link: { ...link, ...trouble }, profiles: profileIds, seed };
        expect(predict(options)).toEqual(predict(options));
      }),
      { numRuns: 20 },
    );
  });
});

describe('a faster link without loss', () => {
  const faster = { rttMs: fc.double({ min: 1, max: 8, noNaN: true }), rate: fc.double({ min: 1, max: 8, noNaN: true }) };
  const improved = (link: { rttMs: number; downKbps: number; upKbps: number }, by: { rttMs: number; rate: number }) => ({
    ...link,
    rttMs: link.rttMs / by.rttMs,
    downKbps: link.downKbps * by.rate,
    upKbps: link.upKbps * by.rate,
  });
  const timeOver = (page: PageGraph, link: { rttMs: number; downKbps: number; upKbps: number }, profile: string) =>
    predict({ page, link: { ...link, queuePackets: 1_000_000 }, profiles: [profile] })[0]?.loadTimeMs ?? Number.NaN;

  it('is never slower for one object', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), links, fc.record(faster), (bytes, link, by) => {
        const page = { requests: [{ id: 'object', bytes }] };
        expect(timeOver(page, improved(link, by), 'firefox-default')).toBeLessThanOrEqual(timeOver(page, link, 'firefox-default') + 1e-6);
      }),
      { numRuns: 500 },
    );
  });

  it('is never slower for equal objects, whatever the profile', () => {
    const profiles = fc.constantFrom(...profileIds);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 14_600 }),
        fc.integer({ min: 1, max: 60 }),
        profiles,
        links,
        fc.record(faster),
        (bytes, count, profile, link, by) => {
          const page = { requests: Array.from({ length: count }, (_, at) => ({ id: `object-${at}`, bytes })) };
          expect(timeOver(page, improved(link, by), profile)).toBeLessThanOrEqual(timeOver(page, link, profile) + 1e-6);
        },
      ),
      { numRuns: 500 },
    );
  });
});
