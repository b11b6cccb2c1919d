import fc from 'fast-check';
import { expect, it } from 'vitest';
import { estimateLink } from '../../../src/core/measure/links/estimate-link.ts';
import type { PageLoad, RequestRecord } from '../../../src/core/measure/page-load.ts';
import { bytes, milliseconds } from '../../../src/core/units.ts';

const BITS_PER_BYTE = 8;

/** A page fetched one response after the other over a link of known round trip and rate; servers may think, the link never goes faster. */
function fetchInTurn(link: { rtt: number; kbps: number }, responses: readonly { size: number; thinking: number }[]): PageLoad {
  let clock = 0;
  const requests = responses.map(({ size, thinking }, index): RequestRecord => {
    const fetchStart = clock;
    const connectStart = index === 0 ? fetchStart + 1 : fetchStart;
    const requestStart = index === 0 ? connectStart + link.rtt : fetchStart;
    const responseStart = requestStart + link.rtt + thinking;
    const responseEnd = responseStart + (size * BITS_PER_BYTE) / link.kbps;
    clock = responseEnd;
    return {
      url: `http://a.test/${index}`,
      origin: 'http://a.test',
      type: index === 0 ? 'main_frame' : 'image',
      timing: {
        fetchStart: milliseconds(fetchStart),
        connectStart: milliseconds(connectStart),
        connectEnd: milliseconds(index === 0 ? connectStart + link.rtt : connectStart),
        requestStart: milliseconds(requestStart),
        responseStart: milliseconds(responseStart),
        responseEnd: milliseconds(responseEnd),
      },
      wire: { fromCache: false, responseBytes: bytes(size), httpVersion: 'http/1.1' },
      outcome: { state: 'completed' },
    };
  });
  const [settled, quietMs] = [milliseconds(clock), milliseconds(2000)];
  return {
    format: 1,
    id: 'x',
    url: 'http://a.test/',
    startedAt: milliseconds(0),
    observation: { ended: 'quiet', quietMs },
    loadEventEnd: settled,
    requests,
  };
}

it('never estimates a link slower to answer or faster to deliver than it is', () => {
  const link = fc.record({ rtt: fc.integer({ min: 2, max: 600 }), kbps: fc.integer({ min: 100, max: 100_000 }) });
  const responses = fc.array(fc.record({ size: fc.integer({ min: 200, max: 1_000_000 }), thinking: fc.integer({ min: 0, max: 500 }) }), {
    minLength: 3,
    maxLength: 12,
  });
  let known = 0;
  fc.assert(
    fc.property(link, fc.array(responses, { minLength: 1, maxLength: 5 }), (link, pages) => {
      const estimate = estimateLink(pages.map((page) => fetchInTurn(link, page)));
      if (estimate === undefined) return;
      known++;
      // The handshake holds no thinking, so the round trip is found exactly (to rounding).
      expect(estimate.rttMs).toBeCloseTo(link.rtt, 6);
      expect(estimate.downKbps).toBeLessThanOrEqual(link.kbps * (1 + 1e-9));
      expect(estimate.downSpreadKbps.low).toBeLessThanOrEqual(estimate.downSpreadKbps.high);
    }),
  );
  expect(known).toBeGreaterThan(30);
});
