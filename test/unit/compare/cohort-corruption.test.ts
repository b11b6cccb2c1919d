import { describe, expect, it } from 'vitest';
import { CORRUPTION_SIGNS, type CohortHistograms, checkCohort, ONE_BUCKET_FROM } from '../../../src/core/compare/cohort-corruption.ts';
import { exponentialBounds, type Histogram, histogramOf, mergeHistograms } from '../../../src/core/stats/histogram.ts';

const BOUNDS = exponentialBounds({ min: 10, max: 1000, bucketCount: 12 });
/** Values from 100 up, 20 apart, all within the bounds for 1,000 of them. */
const spread = (count: number) => histogramOf(BOUNDS, spreadValues(count));
const spreadValues = (count: number) => Array.from({ length: count }, (_, at) => 100 + ((at * 20) % 800));
const SOUND = spread(1000);

const signsOf = (cohort: CohortHistograms, firstShare?: number) => {
  const check = checkCohort(cohort, firstShare);
  return check.state === 'sound' ? [] : check.corruptions.map(({ sign, arm }) => (arm === undefined ? sign : `${sign} ${arm}`));
};

describe('checkCohort', () => {
  it('merges what is sound', () => {
    expect(checkCohort({ first: [SOUND, SOUND], second: [SOUND, spread(900)] })).toEqual({
      state: 'sound',
      first: mergeHistograms(SOUND, SOUND),
      second: mergeHistograms(SOUND, spread(900)),
    });
  });

  const fractional: Histogram = { ...SOUND, counts: SOUND.counts.map((count, at) => (at === 5 ? count + 0.5 : count)), total: 1000.5 };
  const negative: Histogram = { ...SOUND, counts: SOUND.counts.map((count, at) => (at === 0 ? -3 : count)), total: 997 };
  const CASES: readonly [sign: string, CohortHistograms][] = [
    ['missing-arm first', { first: [], second: [SOUND] }],
    ['missing-arm second', { first: [SOUND], second: [] }],
    ['empty-arm second', { first: [SOUND], second: [histogramOf(BOUNDS)] }],
    ['broken-limits first', { first: [{ ...SOUND, counts: SOUND.counts.slice(1) }], second: [SOUND] }],
    ['negative-count second', { first: [SOUND], second: [negative] }],
    ['fractional-count second', { first: [SOUND], second: [fractional] }],
    ['total-disagrees second', { first: [SOUND], second: [SOUND, { ...SOUND, total: 1001 }] }],
    ['bounds-differ', { first: [SOUND], second: [histogramOf({ ...BOUNDS, values: 'real' }, spreadValues(1000))] }],
    ['bounds-differ', { first: [SOUND, histogramOf(exponentialBounds({ min: 10, max: 999, bucketCount: 12 }), [100])], second: [SOUND] }],
    ['sample-ratio first', { first: [spread(800)], second: [SOUND] }],
    ['sample-ratio second', { first: [SOUND, SOUND], second: [SOUND] }],
    ['too-much-underflow first', { first: [histogramOf(BOUNDS, [...spreadValues(940), ...Array(60).fill(9)])], second: [SOUND] }],
    ['too-much-overflow second', { first: [SOUND], second: [histogramOf(BOUNDS, [...spreadValues(990), ...Array(10).fill(1000)])] }],
    ['one-bucket second', { first: [spread(ONE_BUCKET_FROM)], second: [histogramOf(BOUNDS, Array(ONE_BUCKET_FROM).fill(300))] }],
  ];

  it.each(CASES)('names %s', (sign, cohort) => {
    expect(signsOf(cohort)[0]).toBe(sign);
  });

  it('is tested with every sign there is', () => {
    expect(new Set(CASES.map(([sign]) => sign.split(' ')[0]))).toEqual(new Set(CORRUPTION_SIGNS));
  });

  it('names all signs of both arms', () => {
    const overflown = histogramOf(BOUNDS, Array(1000).fill(5000));
    expect(signsOf({ first: [overflown], second: [spread(100)] })).toEqual([
      ...['too-much-overflow first', 'one-bucket first', 'sample-ratio second'],
    ]);
  });

  it('lets pass what is at the limits', () => {
    const atLimits = histogramOf(BOUNDS, [...spreadValues(945), ...Array(50).fill(9), ...Array(5).fill(1000)]);
    expect(signsOf({ first: [atLimits], second: [SOUND] })).toEqual([]);
    expect(signsOf({ first: [spread(19)], second: [histogramOf(BOUNDS, Array(ONE_BUCKET_FROM - 1).fill(300))] })).toEqual([]);
  });

  it('lets few values differ in number, and many by a tenth of a share', () => {
    // 30 against 50: p = 0.033, from SciPy's binomtest(30, 80). 1,800 against 2,200 is 10 % off, p = 2.7e-10; 1,799 is more.
    expect(signsOf({ first: [spread(30)], second: [spread(50)] })).toEqual([]);
    expect(signsOf({ first: [spread(1800)], second: [spread(2200)] })).toEqual([]);
    expect(signsOf({ first: [spread(1799)], second: [spread(2201)] })).toEqual(['sample-ratio first']);
  });

  it('knows another share than half', () => {
    expect(signsOf({ first: [spread(100)], second: [spread(900)] }, 0.1)).toEqual([]);
    expect(signsOf({ first: [spread(500)], second: [spread(500)] }, 0.1)).toEqual(['sample-ratio second']);
  });
});
