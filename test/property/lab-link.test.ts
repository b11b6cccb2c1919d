import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlumbfoxError } from '../../src/core/errors.ts';
import { parseLinks } from '../../src/lab/link/links.ts';
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
