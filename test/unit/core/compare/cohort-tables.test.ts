/**
 * The fourteen weeks of the AsyncSlowStart mail. The mail names no year; in 2009, the year of its archive, its weeks run from
 * Sunday to Saturday. The day taken for each is the Monday after, so that each is one ISO week.
 */
import { describe, expect, it } from 'vitest';
import {
  CORRUPTION_SIGNS,
  type CohortHistograms,
  type CorruptionSign,
  checkCohort,
  cohortTables,
  cohortWeek,
  type DatedHistogram,
  ONE_BUCKET_FROM,
} from '../../../../src/core/compare/cohort-tables.ts';
import { cutoffTable, MAIL_CUTOFFS } from '../../../../src/core/compare/cutoff-table.ts';
import { exponentialBounds, type Histogram, histogramOf, mergeHistograms } from '../../../../src/core/stats/histogram.ts';
import { corruptWeeks, publishedWeeks, TRANSACTION_BOUNDS } from './async-slow-start.ts';

const weeks = publishedWeeks();
const [sound] = weeks;
if (sound === undefined) throw new Error('The fixture has no weeks');

/** 09/06 is a Sunday, so 2009-09-07. */
function mondayOf(from: string): string {
  const [month, day] = from.split('/').map(Number);
  return new Date(Date.UTC(2009, (month ?? 0) - 1, (day ?? 0) + 1)).toISOString().slice(0, 10);
}

const both = (from: string, first: Histogram, second: Histogram): readonly DatedHistogram[] => [
  { date: mondayOf(from), arm: 'first', histogram: first },
  { date: mondayOf(from), arm: 'second', histogram: second },
];

/** Half of each count: of 2e12 values in such a week a third are the second arm's. */
const halved = ({ bounds, counts }: Histogram): Histogram => {
  const halves = counts.map((count) => Math.floor(count / 2));
  return { bounds, counts: halves, total: halves.reduce((sum, count) => sum + count, 0) };
};
/** A hundredth of all values moved into the overflow bucket. */
const overflown = ({ bounds, counts, total }: Histogram): Histogram => {
  const moved = total / 100;
  const largest = counts.indexOf(Math.max(...counts));
  return {
    bounds,
    counts: counts.map((count, at) => (at === largest ? count - moved : at === counts.length - 1 ? count + moved : count)),
    total,
  };
};

/** The mail says that these are corrupt and not how. Each is given a sign of its own here. */
const CORRUPT: Readonly<Record<string, { readonly sign: CorruptionSign; readonly recorded: readonly DatedHistogram[] }>> = {
  '10/18': { sign: 'total-disagrees', recorded: both('10/18', sound.first, { ...sound.second, total: sound.second.total + 1 }) },
  '10/25': { sign: 'sample-ratio', recorded: both('10/25', sound.first, halved(sound.second)) },
  '11/01': { sign: 'too-much-overflow', recorded: both('11/01', overflown(sound.first), sound.second) },
  '11/22': { sign: 'missing-arm', recorded: both('11/22', sound.first, sound.second).slice(0, 1) },
};

const recorded = [
  ...weeks.flatMap(({ from, first, second }) => both(from, first, second)),
  ...Object.values(CORRUPT).flatMap((of) => of.recorded),
];
const cohorts = cohortTables(recorded);

describe('the weeks of the AsyncSlowStart mail', () => {
  it('are fourteen cohorts in order', () => {
    expect(cohorts.map(({ week }) => week)).toEqual(Array.from({ length: 14 }, (_, at) => `2009-W${36 + at}`));
  });

  it('are compared where the mail has figures, as these are', () => {
    const compared = cohorts.filter(({ state }) => state === 'compared');
    expect(compared).toHaveLength(10);
    expect(compared[0]).toEqual({ week: '2009-W36', state: 'compared', table: cutoffTable(sound.first, sound.second, MAIL_CUTOFFS) });
  });

  it.each(corruptWeeks.map((from, at) => [from, at] as const))('are refused where it marks them corrupt: %s', (from) => {
    const week = `2009-W${36 + (Date.parse(mondayOf(from)) - Date.parse('2009-08-31')) / (7 * 86_400_000)}`;
    const cohort = cohorts.find((one) => one.week === week);
    if (cohort?.state !== 'corrupt') throw new Error(`${from} passed`);
    expect(cohort.corruptions.map(({ sign }) => sign)).toEqual([CORRUPT[from]?.sign]);
  });

  it('would all pass without what corrupts them', () => {
    const repaired = cohortTables(corruptWeeks.flatMap((from) => both(from, sound.first, sound.second)));
    expect(repaired.map(({ state }) => state)).toEqual(['compared', 'compared', 'compared', 'compared']);
  });
});

describe('cohortTables', () => {
  it('merges the days of a week', () => {
    const dayOf = (date: string, arm: 'first' | 'second', values: readonly number[]): DatedHistogram => ({
      date,
      arm,
      histogram: histogramOf(TRANSACTION_BOUNDS, values),
    });
    const found = cohortTables(
      [
        dayOf('2009-09-06', 'second', [4]),
        dayOf('2009-08-31', 'first', [3]),
        dayOf('2009-09-01', 'first', [5]),
        dayOf('2009-09-02', 'second', [4]),
      ],
      { cutoffs: [50, 100] },
    );
    // Buckets of 1 ms: half of 3 and 5 is 3, of 4 and 4 it is 4; all of them have the mean 4.
    expect(found).toMatchObject([
      {
        week: '2009-W36',
        table: {
          samples: { first: 2, second: 2 },
          rows: [
            { first: { value: 3 }, second: { value: 4 }, valueDelta: { absolute: -1, relative: -0.25 } },
            { first: { mean: 4 }, second: { mean: 4 }, meanDelta: { absolute: 0, relative: 0 } },
          ],
        },
      },
    ]);
  });

  it('has nothing to say of nothing', () => {
    expect(cohortTables([])).toEqual([]);
  });

  it.each([0, 1, Number.NaN, -0.5])('refuses %d as the share of an arm', (firstShare) => {
    expect(() => cohortTables([], { firstShare })).toThrow('(0, 1)');
  });
});

describe('cohortWeek', () => {
  // Around the turn of each year, from Python's date.isocalendar(): years that begin on each day of the week, leap years among
  // them.
  it.each([
    ['2004-12-31', '2004-W53'],
    ['2005-01-02', '2004-W53'],
    ['2005-01-03', '2005-W01'],
    ['2007-12-30', '2007-W52'],
    ['2007-12-31', '2008-W01'],
    ['2008-12-28', '2008-W52'],
    ['2008-12-29', '2009-W01'],
    ['2009-08-30', '2009-W35'],
    ['2009-08-31', '2009-W36'],
    ['2009-12-31', '2009-W53'],
    ['2010-01-03', '2009-W53'],
    ['2010-01-04', '2010-W01'],
    ['2012-02-29', '2012-W09'],
    ['2000-02-29', '2000-W09'],
    ['2100-03-01', '2100-W09'],
    ['0001-01-01', '0001-W01'],
    ['9999-12-31', '9999-W52'],
  ])('of %s is %s', (date, week) => {
    expect(cohortWeek(date)).toBe(week);
  });

  it('agrees with the calendar of the runtime on every day of 400 years, after which it repeats', () => {
    const DAY = 86_400_000;
    const wrong: string[] = [];
    for (let at = Date.UTC(1900, 0, 1); at < Date.UTC(2300, 0, 1); at += DAY) {
      // The week's Thursday, and how many Thursdays its year has had.
      const thursday = new Date(at + (3 - ((new Date(at).getUTCDay() + 6) % 7)) * DAY);
      const week = Math.ceil((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1) + DAY) / DAY / 7);
      const date = new Date(at).toISOString().slice(0, 10);
      const found = cohortWeek(date);
      if (found !== `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`) wrong.push(`${date}: ${found}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    '',
    '2009-8-31',
    '2009-13-01',
    '2009-00-10',
    '2009-02-29',
    '2009-04-31',
    '2009-08-00',
    '0000-01-01',
    '2009-08-31T00:00',
    '31.08.2009',
  ])('refuses %j', (date) => {
    expect(() => cohortWeek(date)).toThrow('year-month-day');
  });
});

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
