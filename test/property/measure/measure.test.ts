import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Link } from '../../../src/core/link.ts';
import { timeByCause } from '../../../src/core/measure/load-causes.ts';
import { measureLoad } from '../../../src/core/measure/measure-load.ts';
import type { PageLoad, RequestRecord } from '../../../src/core/measure/page-load.ts';
import { loadBytes, peakOutstanding } from '../../../src/core/measure/requests.ts';
import { bytes, kilobitsPerSecond, milliseconds } from '../../../src/core/units.ts';

const step = (max: number) => fc.integer({ min: 0, max });

/** A request whose phases follow one another; some are unknown. */
const request: fc.Arbitrary<RequestRecord> = fc
  .record({
    host: fc.constantFrom('a.test', 'b.test', 'c.test'),
    scheme: fc.constantFrom('http', 'https'),
    fetchStart: step(12_000),
    phases: fc.tuple(step(50), step(300), step(400), step(300), step(5000)),
    size: fc.option(step(2_000_000), { freq: 20, nil: undefined }),
    told: fc.record({ connect: fc.boolean(), send: fc.boolean(), wire: fc.integer({ min: 0, max: 19 }) }),
    fromCache: fc.boolean(),
    proxied: fc.boolean(),
    state: fc.constantFrom('completed', 'completed', 'completed', 'redirected', 'failed'),
  })
  .map(({ host, scheme, fetchStart, phases, size, told, fromCache, proxied, state }) => {
    const [lookup, connect, wait, first, body] = phases;
    const connectStart = fetchStart + lookup;
    const requestStart = connectStart + connect + wait;
    return {
      url: `${scheme}://${host}/${fetchStart}`,
      origin: `${scheme}://${host}`,
      type: 'image',
      timing: {
        fetchStart: milliseconds(fetchStart),
        ...(told.connect && { connectStart: milliseconds(connectStart), connectEnd: milliseconds(connectStart + connect) }),
        ...(told.send && { requestStart: milliseconds(requestStart), responseStart: milliseconds(requestStart + first) }),
        responseEnd: milliseconds(requestStart + first + body),
      },
      ...(told.wire > 0 && { wire: { fromCache, proxied, ...(size !== undefined && { responseBytes: bytes(fromCache ? 0 : size) }) } }),
      outcome: state === 'failed' ? { state, error: 'x' } : { state },
    } as RequestRecord;
  });

const load: fc.Arbitrary<PageLoad> = fc
  .record({ requests: fc.array(request, { minLength: 1, maxLength: 30 }), event: step(12_000), quiet: fc.constantFrom(0, 500, 2000, 5000) })
  .map(({ requests, event, quiet }) => ({
    format: 1,
    id: 'random',
    url: requests[0]?.url ?? '',
    startedAt: milliseconds(0),
    observation: { ended: 'quiet', quietMs: milliseconds(quiet) },
    loadEventEnd: milliseconds(event),
    requests: requests.map((each, index) => (index === 0 ? { ...each, type: 'main_frame' } : each)),
  }));

const link: fc.Arbitrary<Link> = fc
  .record({ rtt: fc.double({ min: 0.001, max: 1000, noNaN: true }), down: fc.double({ min: 50, max: 1e6, noNaN: true }) })
  .map(({ rtt, down }) => ({ rttMs: milliseconds(rtt), downKbps: kilobitsPerSecond(down) }));

describe('measures of any load', () => {
  it('keeps efficiency in (0, 1] and utilisation within it', () => {
    let known = 0;
    fc.assert(
      fc.property(load, link, (load, link) => {
        const { efficiency, utilisation, loadTimeMs } = measureLoad(load, { link });
        expect(loadTimeMs).toBeGreaterThanOrEqual(0);
        expect(loadTimeMs).toBeLessThanOrEqual(60_000);
        if (efficiency === undefined) return;
        known++;
        expect(efficiency).toBeGreaterThan(0);
        expect(efficiency).toBeLessThanOrEqual(1);
        expect(utilisation).toBeDefined();
        expect(utilisation).toBeLessThanOrEqual(efficiency);
      }),
      { numRuns: 500 },
    );
    expect(known).toBeGreaterThan(20);
  });

  it('never loses or invents a byte: parts add up to the whole, and one unknown part makes the whole unknown', () => {
    fc.assert(
      fc.property(fc.array(request), fc.nat(), (requests, at) => {
        const cut = at % (requests.length + 1);
        const [left, right, whole] = [loadBytes(requests.slice(0, cut)), loadBytes(requests.slice(cut)), loadBytes(requests)];
        expect(whole).toBe(left === undefined || right === undefined ? undefined : left + right);
      }),
    );
  });

  it('never gets shorter by another request', () => {
    fc.assert(
      fc.property(load, request, (load, another) => {
        const before = measureLoad(load, {}).loadTimeMs;
        expect(measureLoad({ ...load, requests: [...load.requests, another] }, {}).loadTimeMs).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: 500 },
    );
  });

  it('has a cause for every instant: their parts add up to the load time, and none is negative', () => {
    let known = 0;
    fc.assert(
      fc.property(load, ({ requests, ...load }) => {
        const versioned = requests.map(
          (request, at): RequestRecord =>
            request.wire ? { ...request, wire: { ...request.wire, httpVersion: at % 3 === 0 ? 'http/2' : 'http/1.1' } } : request,
        );
        const parts = timeByCause({ ...load, requests: versioned });
        if (parts === undefined) return;
        known++;
        const times = Object.values(parts);
        expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
        expect(times.reduce((sum, time) => sum + time, 0)).toBe(measureLoad({ ...load, requests }, {}).loadTimeMs);
      }),
      { numRuns: 500 },
    );
    expect(known).toBeGreaterThan(20);
  });

  it('does not depend on the order of the requests after the document', () => {
    fc.assert(
      fc.property(load, link, fc.infiniteStream(fc.nat()), (load, link, keys) => {
        const [document, ...others] = load.requests;
        const shuffled = others
          .map((request) => ({ request, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ request }) => request);
        const requests = document === undefined ? [] : [document, ...shuffled];
        expect(measureLoad({ ...load, requests }, { link })).toEqual(measureLoad(load, { link }));
      }),
    );
  });

  it('does not depend on where the time origin lies', () => {
    fc.assert(
      fc.property(load, link, step(100_000), (load, link, by) => {
        const shift = (ms: number) => milliseconds(ms + by);
        const shifted: PageLoad = {
          ...load,
          loadEventEnd: shift(load.loadEventEnd ?? 0),
          requests: load.requests.map((request) => ({
            ...request,
            timing: Object.fromEntries(Object.entries(request.timing ?? {}).map(([name, at]) => [name, shift(at ?? 0)])) as never,
          })),
        };
        expect(measureLoad(shifted, { link })).toEqual(measureLoad(load, { link }));
      }),
    );
  });
});

describe('requests outstanding at once', () => {
  it('are no fewer in all than of any origin, and no more than of all origins together', () => {
    fc.assert(
      fc.property(fc.array(request), (requests) => {
        const { peak, byOrigin } = peakOutstanding(requests);
        expect(Math.max(0, ...Object.values(byOrigin))).toBeLessThanOrEqual(peak);
        expect(Object.values(byOrigin).reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(peak);
      }),
    );
  });

  it('agree with counting at every millisecond', () => {
    const spans = fc.array(fc.tuple(step(40), fc.integer({ min: 1, max: 10 })), { maxLength: 12 });
    fc.assert(
      fc.property(spans, (spans) => {
        const requests = spans.map(
          ([from, length]): RequestRecord => ({
            url: 'http://a.test/',
            origin: 'http://a.test',
            type: 'image',
            timing: { fetchStart: milliseconds(0), requestStart: milliseconds(from), responseEnd: milliseconds(from + length) },
            outcome: { state: 'completed' },
          }),
        );
        const counts = Array.from({ length: 51 }, (_, at) => spans.filter(([from, length]) => from <= at && at < from + length).length);
        expect(peakOutstanding(requests).peak).toBe(Math.max(...counts));
      }),
    );
  });
});
