import { describe, expect, it } from 'vitest';
import type { PageGraph } from '../../../../src/core/graph/page-graph.ts';
import { predict } from '../../../../src/core/predict/predict.ts';
import { idleTransferMs, segmentTimeMs } from './closed-form.ts';

/** So fast that requests and acknowledgements take no time on it. */
const NO_TIME_UP = 100_000_000;
/** Reno's slow start goes on until something is lost; CUBIC's may end before (see congestion-control.test.ts). */
const FIXED = { upKbps: NO_TIME_UP, queuePackets: 1_000_000, congestionControl: 'reno' } as const;

const objects = (count: number, segments: number): PageGraph => ({
  requests: Array.from({ length: count }, (_, at) => ({ id: `object-${at}`, bytes: segments * 1460 })),
});

const timeOf = (page: PageGraph, link: { rttMs: number; downKbps: number; initialWindow?: number }, profile = 'c1-d1') =>
  predict({ page, link: { ...FIXED, ...link }, profiles: [profile] })[0]?.loadTimeMs;

describe('one object over an idle link', () => {
  const windows = Array.from({ length: 20 }, (_, at) => at + 1);
  it.each(windows)('takes handshake, slow start and transmission with an initial window of %i', (initialWindow) => {
    for (const rttMs of [20, 100, 300]) {
      for (const downKbps of [1000, 2000, 10_000, 100_000]) {
        for (const segments of [1, 2, 3, 7, 10, 11, 31, 100, 500]) {
          const expected = idleTransferMs({ rttMs, segmentMs: segmentTimeMs(downKbps), window: initialWindow, segments });
          expect(timeOf(objects(1, segments), { rttMs, downKbps, initialWindow })).toBeCloseTo(expected, 2);
        }
      }
    }
  });

  it('is one round trip for the handshake and one for the request where it fits the window', () => {
    // 100 + 100 + 10 segments of 1460 x 8 bits at 1 Gbit/s = 0.12 ms.
    expect(timeOf(objects(1, 10), { rttMs: 100, downKbps: 1_000_000 })).toBeCloseTo(200.1168, 3);
    // The eleventh segment waits for the first acknowledgement.
    expect(timeOf(objects(1, 11), { rttMs: 100, downKbps: 1_000_000 })).toBeCloseTo(300.0234, 3);
  });

  it('charges headers to a segment that is not full', () => {
    // 100 bytes and 40 of headers on a line of 1460 x 8 bits in 11.68 ms for 1500: 140 / 1500 x 11.68.
    expect(timeOf({ requests: [{ id: 'small', bytes: 100 }] }, { rttMs: 100, downKbps: 1000 })).toBeCloseTo(200 + (140 / 1500) * 11.68, 3);
  });

  it('waits for the server', () => {
    const page: PageGraph = { requests: [{ id: 'slow', bytes: 1460, serverMs: 250 }] };
    expect(timeOf(page, { rttMs: 100, downKbps: 1_000_000 })).toBeCloseTo(450 + 0.01168, 3);
  });

  it('charges the request to the uplink', () => {
    // 460 bytes and 40 of headers; 384 kbit/s of payload are 384 x 1500 / 1460 on the line.
    const [prediction] = predict({
      page: { requests: [{ id: 'object', bytes: 1460, requestBytes: 460 }] },
      link: { rttMs: 100, downKbps: 1_000_000, upKbps: 384 },
      profiles: ['c1-d1'],
    });
    expect(prediction?.loadTimeMs).toBeCloseTo(200 + (500 * 8) / ((384 * 1500) / 1460) + 0.01168, 2);
  });
});

describe('several objects', () => {
  it.each([2, 3, 6, 10])('pipelined on one connection are one object of all their segments: %i of 7', (count) => {
    for (const rttMs of [50, 300]) {
      const expected = idleTransferMs({ rttMs, segmentMs: segmentTimeMs(2000), window: 10, segments: 7 * count });
      const model = { gatewayVisit: 'known-site' } as const;
      const link = { ...FIXED, rttMs, downKbps: 2000 };
      const [prediction] = predict({ page: objects(count, 7), link, profiles: [`c1-d${count}`], model });
      expect(prediction?.loadTimeMs).toBeCloseTo(expected, 2);
    }
  });

  it('one after another on one connection take a round trip each', () => {
    // 100 for the handshake, then 5 x (100 + 4 segments of 1.168 ms).
    expect(timeOf(objects(5, 4), { rttMs: 100, downKbps: 10_000 })).toBeCloseTo(100 + 5 * (100 + 4 * 1.168), 3);
  });

  it.each([2, 4, 6])('on %i connections share the link like one connection with the sum of their windows', (connections) => {
    for (const segments of [5, 10, 25]) {
      const expected = idleTransferMs({
        rttMs: 100,
        segmentMs: segmentTimeMs(5000),
        window: 10 * connections,
        segments: segments * connections,
      });
      expect(timeOf(objects(connections, segments), { rttMs: 100, downKbps: 5000 }, `c${connections}-d1`)).toBeCloseTo(expected, 2);
    }
  });

  it('wait for their turn where there are more than connections', () => {
    // 6 objects on 2 connections: 3 turns of a round trip, after the handshake; 1 segment each is 0.0117 ms.
    const time = timeOf(objects(6, 1), { rttMs: 100, downKbps: 1_000_000 }, 'c2-d1') ?? 0;
    expect(time).toBeGreaterThan(400);
    expect(time).toBeLessThan(400.1);
  });
});

describe('handshakes', () => {
  const secure = (protocol: 'http/1.1' | 'http/2' | 'http/3', tls: '1.2' | '1.3', resumed = false): PageGraph => ({
    requests: [{ id: 'object', bytes: 1460 }],
    origins: { origin: { protocol, tls, resumed } },
  });
  // Round trips before the response: TCP 1, TLS 1.3 1 (RFC 8446), TLS 1.2 2 (RFC 5246), QUIC 1 in all (RFC 9000); then the request's own.
  it.each([
    ['http/1.1', '1.3', false, 3],
    ['http/1.1', '1.2', false, 4],
    ['http/1.1', '1.2', true, 3],
    ['http/1.1', '1.3', true, 2],
    ['http/2', '1.3', false, 3],
    ['http/3', '1.3', false, 2],
    ['http/3', '1.3', true, 1],
  ] as const)('%s over TLS %s, resumed %s: %i round trips in all', (protocol, tls, resumed, roundTrips) => {
    const time = timeOf(secure(protocol, tls, resumed), { rttMs: 100, downKbps: 10_000_000 }) ?? 0;
    expect(time).toBeGreaterThanOrEqual(100 * roundTrips);
    expect(time).toBeLessThan(100 * roundTrips + 1);
  });

  it('look the name up once', () => {
    const page: PageGraph = {
      requests: [
        { id: 'first', bytes: 1460 },
        { id: 'second', bytes: 1460, after: { id: 'first' } },
      ],
      origins: { origin: { dnsMs: 70 } },
    };
    expect(timeOf(page, { rttMs: 100, downKbps: 10_000_000 })).toBeCloseTo(70 + 300, 1);
  });
});

describe('a queue that is too short', () => {
  it('drops what does not fit, once', () => {
    // A window of 20 arrives at once at a queue of 8: 12 are dropped and sent again.
    const [prediction] = predict({
      page: objects(1, 20),
      link: { rttMs: 100, downKbps: 1000, upKbps: NO_TIME_UP, queuePackets: 8, initialWindow: 20 },
      profiles: ['c1-d1'],
    });
    expect(prediction?.retransmissions).toBeGreaterThanOrEqual(12);
    expect(prediction?.bound).toBe('loss');
    const undisturbed = timeOf(objects(1, 20), { rttMs: 100, downKbps: 1000, initialWindow: 20 }) ?? 0;
    expect(prediction?.loadTimeMs).toBeGreaterThan(undisturbed);
  });
});

it('comes to an end where half of 70,000 segments are lost', () => {
  // Timers that are put forward must not stay: they multiplied, until the limit of events was reached.
  const [prediction] = predict({
    page: { requests: [{ id: 'film', bytes: 100_000_000 }] },
    link: { rttMs: 100, downKbps: 10_000, lossDown: 0.5 },
    profiles: ['firefox-default'],
  });
  // Of each sending half arrive, so that as many are sent again.
  expect((prediction?.retransmissions ?? 0) / (100_000_000 / 1460)).toBeCloseTo(1, 1);
});
