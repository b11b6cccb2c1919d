import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlumbfoxError } from '../../src/core/errors.ts';
import { opportunitiesBetween } from '../../src/lab/link/link-trace.ts';
import { parseLinks } from '../../src/lab/link/parse-link.ts';
import { serialisationMs, shapedDirection } from '../../src/lab/link/shaped-direction.ts';

const packets = fc.array(fc.record({ gapMs: fc.double({ min: 0, max: 30, noNaN: true }), bytes: fc.integer({ min: 40, max: 1500 }) }), {
  maxLength: 200,
});
const setting = fc.record({
  delayMs: fc.double({ min: 0, max: 500, noNaN: true }),
  rateKbps: fc.integer({ min: 10, max: 50_000 }),
  queuePackets: fc.integer({ min: 1, max: 50 }),
});

describe('one direction of a link', () => {
  test('keeps the order, its rate, its delay and its queue, whatever comes', () => {
    fc.assert(
      fc.property(setting, packets, (asked, arriving) => {
        const line = shapedDirection(asked);
        let nowMs = 0;
        const leaving: { bytes: number; atMs: number; arrivedMs: number }[] = [];
        for (const { gapMs, bytes } of arriving) {
          nowMs += gapMs;
          const waiting = leaving.filter(({ atMs }) => atMs - asked.delayMs > nowMs + 1e-6).length;
          const atMs = line.admit(bytes, nowMs);
          if (atMs === undefined) {
            // Never dropped while there was room. The margin is for rounding.
            expect(leaving.filter((each) => each.atMs - asked.delayMs > nowMs - 1e-6).length).toBeGreaterThanOrEqual(asked.queuePackets);
            continue;
          }
          expect(waiting).toBeLessThan(asked.queuePackets);
          expect(atMs).toBeGreaterThanOrEqual(nowMs + asked.delayMs + serialisationMs(bytes, asked.rateKbps) - 1e-6);
          const before = leaving.at(-1);
          if (before) expect(atMs - before.atMs).toBeGreaterThanOrEqual(serialisationMs(bytes, asked.rateKbps) - 1e-6);
          leaving.push({ bytes, atMs, arrivedMs: nowMs });
        }
        expect(line.counters.admitted + line.counters.dropped).toBe(arriving.length);
      }),
    );
  });
});

const trace = fc
  .tuple(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 40 }))
  .map(([gaps, last]) => ({
    opportunitiesMs: [...gaps, last].map((_, index, all) => all.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0)),
  }));
const variation = fc.record(
  {
    lossShare: fc.double({ min: 0, max: 0.5, noNaN: true }),
    jitterMs: fc.double({ min: 0, max: 100, noNaN: true }),
    trace,
    seed: fc.integer({ min: 1, max: 1e9 }),
  },
  { requiredKeys: [] },
);

/** What becomes of packets that arrive so far apart: when each leaves, `undefined` where it does not. */
function through(asked: Parameters<typeof shapedDirection>[0], arriving: readonly { gapMs: number; bytes: number }[]) {
  const line = shapedDirection(asked);
  let nowMs = 0;
  const outcome = arriving.map(({ gapMs, bytes }) => {
    nowMs += gapMs;
    return line.admit(bytes, nowMs);
  });
  return { outcome, line, lastMs: nowMs };
}

describe('one direction with loss, jitter and a trace', () => {
  test('keeps the order, and every packet is counted once', () => {
    fc.assert(
      fc.property(setting, variation, packets, (asked, more, arriving) => {
        const { outcome, line } = through({ ...asked, ...more }, arriving);
        const out = outcome.filter((atMs) => atMs !== undefined);
        expect(out).toEqual(out.toSorted((a, b) => a - b));
        expect(line.counters.admitted + line.counters.dropped).toBe(arriving.length);
        expect(line.counters.admitted - line.counters.lost).toBe(out.length);
      }),
    );
  });

  test('the same seed does the same, packet by packet; a reset of the counters and a setting put again change nothing', () => {
    fc.assert(
      fc.property(setting, variation, packets, (asked, more, arriving) => {
        const once = through({ ...asked, ...more }, arriving);
        const line = shapedDirection({ ...asked, ...more });
        let nowMs = 0;
        const again = arriving.map(({ gapMs, bytes }) => {
          nowMs += gapMs;
          line.set({ ...asked, ...more });
          line.resetCounters();
          return line.admit(bytes, nowMs);
        });
        expect(again).toEqual(once.outcome);
      }),
    );
  });

  test('jitter changes nothing of which packets are lost', () => {
    const roomy = fc.record({ delayMs: fc.constant(50), rateKbps: fc.constant(5000), queuePackets: fc.constant(1000) });
    fc.assert(
      fc.property(roomy, variation, packets, (asked, { jitterMs: _jitter, ...more }, arriving) => {
        const lost = (jitterMs: number) => through({ ...asked, ...more, jitterMs }, arriving).outcome.map((atMs) => atMs === undefined);
        expect(lost(30)).toEqual(lost(0));
      }),
    );
  });

  test('a trace lets out no more than it has room for, and all of that when packets wait', () => {
    fc.assert(
      fc.property(trace, fc.integer({ min: 1, max: 200 }), (followed, count) => {
        const asked = { delayMs: 0, rateKbps: 1, queuePackets: 1000, trace: followed };
        const { outcome } = through(
          asked,
          Array.from({ length: count }, () => ({ gapMs: 0, bytes: 1500 })),
        );
        const lastMs = outcome.at(-1) ?? 0;
        expect(opportunitiesBetween(followed, -1, lastMs)).toBeGreaterThanOrEqual(count);
        expect(opportunitiesBetween(followed, -1, lastMs - 1)).toBeLessThan(count);
      }),
    );
  });

  test('about the share asked is lost: within five standard deviations of a binomial count', () => {
    const arriving = Array.from({ length: 5000 }, () => ({ gapMs: 1, bytes: 100 }));
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.5, noNaN: true }), fc.integer({ min: 1, max: 1e9 }), (lossShare, seed) => {
        const { line } = through({ delayMs: 10, rateKbps: 50_000, queuePackets: 1000, lossShare, seed }, arriving);
        const tolerance = 5 * Math.sqrt(5000 * lossShare * (1 - lossShare)) + 1;
        expect(Math.abs(line.counters.lost - 5000 * lossShare)).toBeLessThan(tolerance);
      }),
      { numRuns: 50 },
    );
  });

  test('the delay has the mean and the standard deviation asked, where packets are too far apart to wait for each other', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 0.5, noNaN: true }), fc.integer({ min: 1, max: 1e9 }), (share, seed) => {
        const delays: number[] = [];
        const line = shapedDirection({ delayMs: 100, rateKbps: 50_000, queuePackets: 10, jitterMs: 100 * share, seed });
        const sent = serialisationMs(100, 50_000);
        for (let nowMs = 0; delays.length < 4000; nowMs += 2000) delays.push((line.admit(100, nowMs) ?? 0) - nowMs - sent);
        const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
        // Five standard errors of 4,000 delays that do not remember each other; the spread's own is larger, for the long tail.
        expect(Math.abs(mean - 100)).toBeLessThan((5 * 100 * share) / Math.sqrt(4000));
        expect(line.delaySdMs()).toBeGreaterThan(85 * share);
        expect(line.delaySdMs()).toBeLessThan(115 * share);
      }),
      { numRuns: 20 },
    );
  });
});

describe('links as typed', () => {
  test('any text gives links or one refusal, never another error', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'rtdownupqeu=,;.0123456789-( ') }));
    fc.assert(
      fc.property(text, (typed) => {
        try {
          for (const link of parseLinks(typed)) expect(link.downKbps).toBeGreaterThanOrEqual(10);
        } catch (error) {
          expect(error).toBeInstanceOf(PlumbfoxError);
          expect((error as PlumbfoxError).kind).toBe('bad-input');
        }
      }),
    );
  });

  test('what is written as figures is read as those figures, in any order and number', () => {
    const figures = fc.record({
      rtt: fc.integer({ min: 1, max: 5000 }),
      down: fc.integer({ min: 10, max: 50_000 }),
      up: fc.integer({ min: 10, max: 50_000 }),
      queue: fc.integer({ min: 2, max: 100_000 }),
    });
    fc.assert(
      fc.property(fc.array(figures, { minLength: 1, maxLength: 5 }), fc.constantFrom(',', ';'), (links, separator) => {
        const text = links.map(({ rtt, down, up, queue }) => `down=${down},rtt=${rtt},queue=${queue},up=${up}`).join(separator);
        expect(parseLinks(text).map(({ rttMs, downKbps, upKbps, queue }) => ({ rtt: rttMs, down: downKbps, up: upKbps, queue }))).toEqual(
          links,
        );
      }),
    );
  });
});
