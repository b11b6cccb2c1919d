import { describe, expect, it } from 'vitest';
import { firstBytes } from '../../../../src/core/field/first-bytes.ts';
import { waterfall } from '../../../fixtures/waterfall.ts';

/** A load with one request on a new connection, and so many on the same, each after its time to the first byte, ms. */
const load = (freshMs: number, reusedMs: readonly number[]) =>
  waterfall(`
    load event=1000
    a.test/ main_frame fetch=0 connect=0-40 send=40 first=${40 + freshMs} end=${41 + freshMs} bytes=1000
    ${reusedMs.map((ms, at) => `a.test/${at} image fetch=500 reused send=500 first=${500 + ms} end=${501 + ms} bytes=1000`).join('\n')}`);

const loads = (count: number) => Array.from({ length: count }, () => load(4, [2, 2, 2]));

describe('first bytes', () => {
  it('are told apart by whether the request opened its connection, without the handshake', () => {
    const { loads: read, fresh, reused, setUpMs } = firstBytes(loads(4));
    expect({ read, fresh, reused, setUpMs }).toEqual({ read: 4, fresh: 4, reused: 12, setUpMs: 40 });
  });

  it('have rows as far as five requests lie above a cut-off on either side', () => {
    // Of 20 on new connections ten lie above 50 %, eight above 60, six above 70 and four above 80.
    expect(firstBytes(loads(20)).rows.map(({ cutoffPercent }) => cutoffPercent)).toEqual([50, 60, 70]);
    // Of 9 less than five lie above the first.
    expect(firstBytes(loads(9)).rows).toEqual([]);
  });

  it('have values, means and their ratio, with intervals that have no width where all loads are alike', () => {
    const [row] = firstBytes(loads(20)).rows;
    // Up to 13 ms every bucket is one whole millisecond: all of 4 ms, and all of 2.
    expect(row).toEqual({
      cutoffPercent: 50,
      fresh: { valueMs: 4, meanMs: 4, intervalMs: { low: 4, high: 4 } },
      reused: { valueMs: 2, meanMs: 2, intervalMs: { low: 2, high: 2 } },
      ratio: 2,
      ratioInterval: { low: 2, high: 2 },
    });
  });

  it('have the same intervals for the same loads, around what was found, and wider ones where loads differ', () => {
    const mixed = Array.from({ length: 40 }, (_, at) => load(3 + (at % 5), [1 + (at % 4), 2]));
    const found = firstBytes(mixed);
    expect(found).toEqual(firstBytes(mixed));
    for (const { fresh, ratio = 0, ratioInterval } of found.rows) {
      expect(fresh.intervalMs?.low).toBeLessThanOrEqual(fresh.valueMs);
      expect(fresh.intervalMs?.high).toBeGreaterThanOrEqual(fresh.valueMs);
      expect((ratioInterval?.high ?? 0) - (ratioInterval?.low ?? 0)).toBeGreaterThan(0);
      expect(ratio).toBeGreaterThan(1);
    }
  });

  it('have no interval from few loads, however many requests these made', () => {
    const few = Array.from({ length: 9 }, () =>
      waterfall(`
        load event=1000
        ${Array.from({ length: 3 }, (_, at) => `${at}.test/ image fetch=0 connect=0-40 send=40 first=44 end=50 bytes=1000`).join('\n')}
        ${Array.from({ length: 3 }, (_, at) => `a.test/${at} image fetch=500 reused send=500 first=502 end=510 bytes=1000`).join('\n')}`),
    );
    const [row] = firstBytes(few).rows;
    expect(row).toEqual({ cutoffPercent: 50, fresh: { valueMs: 4, meanMs: 4 }, reused: { valueMs: 2, meanMs: 2 }, ratio: 2 });
  });

  it('rise as curves to all requests', () => {
    const { curves } = firstBytes([load(4, [2, 3]), load(8, [2, 2])]);
    expect(curves).toEqual({
      fresh: [
        { ms: 4, share: 0.5 },
        { ms: 8, share: 1 },
      ],
      reused: [
        { ms: 2, share: 0.75 },
        { ms: 3, share: 1 },
      ],
    });
  });

  it('leave out what is not known: requests from a cache, through a proxy, or without times', () => {
    const { fresh, reused } = firstBytes([
      waterfall(`
        load event=1000
        a.test/  main_frame fetch=0 connect=0-40 send=40 first=44 end=50 proxied
        a.test/1 image fetch=50 reused send=50 first=52 end=60 cached
        a.test/2 image fetch=50 end=60`),
    ]);
    expect([fresh, reused]).toEqual([0, 0]);
  });
});
