import { describe, expect, it } from 'vitest';
import { linkClassFigures, linkName } from '../../../../../src/core/measure/links/class-figures.ts';
import { UNKNOWN_LINK } from '../../../../../src/core/measure/links/classify-links.ts';
import type { LinkObservation } from '../../../../../src/core/measure/links/cluster.ts';

const load = (site: number, rttMs?: number, downKbps?: number, startedAt = 7): LinkObservation => ({
  ...{ startedAt, site },
  ...(rttMs !== undefined && { rttMs }),
  ...(downKbps !== undefined && { downKbps }),
});
/** All of one class. */
const figures = (loads: readonly LinkObservation[]) =>
  linkClassFigures(loads, { founders: [0], classOf: Int32Array.from(loads, () => 0) })[0];

describe('the round trip of a link class', () => {
  it('is the middle one of its sites, within those of four', () => {
    // Of four, the middle lies above the lowest and below the highest with a chance of 15/16 each.
    expect(figures([load(4, 80), load(1, 10), load(3, 40), load(2, 20)])).toMatchObject({
      rttMs: 30,
      rttIntervalMs: { low: 10, high: 80 },
    });
  });
  it('leaves out the lowest tenth of a site, and bounds that rank where there are fewer sites', () => {
    // 22 of one site: a tenth of them is 2.2, so the third counts. All of 22 lie above the rank with a chance of 0.9^22 = 0.098,
    // fewer than five below it with one of 0.938 (four: 0.828).
    const ofOne = Array.from({ length: 22 }, (_, at) => load(1, 121 - at));
    expect(figures(ofOne)).toMatchObject({ rttMs: 102, rttIntervalMs: { low: 100, high: 104 }, loads: 22 });
    // 21: 0.9^21 = 0.109 is no bound at 90 %.
    expect(figures(ofOne.slice(1))?.rttIntervalMs).toEqual({ high: 104 });
    // Ten: the lowest is the tenth itself.
    expect(figures(ofOne.slice(12))?.rttMs).toBe(100);
  });
  it('has an upper bound from single loads: the middle one', () => {
    expect(figures([load(1, 60), load(2, 100), load(3, 110)])).toMatchObject({ rttMs: 100, rttIntervalMs: { high: 100 } });
    expect(figures([load(1, 60), load(2, 100), load(3, 110)])?.rttIntervalMs).not.toHaveProperty('low');
  });
  it('rests on the loads that show one; without any there are no figures', () => {
    expect(figures([load(1, 60), load(2), load(3, undefined, 5000)])).toMatchObject({ rttMs: 60, downKbps: 5000, loads: 3 });
    expect(figures([load(1, undefined, 5000)])).toBeUndefined();
  });
});

describe('the rate of a link class', () => {
  it('is that of estimated links, where a load shows one', () => {
    // One exceeds the rank of 0.9 by a chance of 0.1, and is no upper bound.
    expect(figures([load(1, 60, 5000), load(1, 60)])).toMatchObject({ downKbps: 5000, downIntervalKbps: { low: 5000 } });
    expect(figures([load(1, 60)])).toMatchObject({ downIntervalKbps: {} });
    expect(figures([load(1, 60)])).not.toHaveProperty('downKbps');
  });
});

it('gives each class the time of its founder and a name of its own, and leaves out what is of none', () => {
  const loads = [load(1, 500, 90, 11), load(1, 50, 8000, 22), load(1, 51, 8000, 33), load(1, 50, 8000, 44), load(2, undefined, 90, 55)];
  const found = linkClassFigures(loads, { founders: [2, 3, 4], classOf: Int32Array.from([UNKNOWN_LINK, 1, 0, 1, 2]) });
  expect(found.map((one) => one && [one.id, one.name, one.loads])).toEqual([
    [33, 'RTT 50 ms, 8 Mbit/s', 1],
    [44, 'RTT 50 ms, 8 Mbit/s (2)', 2],
    undefined,
  ]);
});

it.each([
  [{ rttMs: 50, downKbps: 10_000 }, 'RTT 50 ms, 10 Mbit/s'],
  // 2.2 lies nearer to 2 (a tenth) than to 2.5 (an eighth); 970 kbit/s nearer to 1000 than to 800.
  [{ rttMs: 48, downKbps: 2_200 }, 'RTT 50 ms, 2 Mbit/s'],
  [{ rttMs: 12, downKbps: 970 }, 'RTT 12 ms, 1 Mbit/s'],
  [{ rttMs: 640, downKbps: 384 }, 'RTT 600 ms, 400 kbit/s'],
  [{ rttMs: 0.4, downKbps: 1_180_000 }, 'RTT 1 ms, 1200 Mbit/s'],
  [{ rttMs: 30 }, 'RTT 30 ms'],
])('%o is called %s', (figures, name) => {
  expect(linkName(figures)).toBe(name);
});

it('stays the same while the estimate moves by a tenth about a preferred number', () => {
  for (const rttMs of [46, 50, 54]) expect(linkName({ rttMs, downKbps: 10_000 })).toBe('RTT 50 ms, 10 Mbit/s');
});
