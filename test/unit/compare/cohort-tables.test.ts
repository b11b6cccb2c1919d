/**
 * The fourteen weeks of the AsyncSlowStart mail. The mail names no year; in 2009, the year of its archive, its weeks run from
 * Sunday to Saturday. The day taken for each is the Monday after, so that each is one ISO week.
 */
import { describe, expect, it } from 'vitest';
import type { CorruptionSign } from '../../../src/core/compare/cohort-corruption.ts';
import { cohortTables, type DatedHistogram } from '../../../src/core/compare/cohort-tables.ts';
import { cutoffTable, MAIL_CUTOFFS } from '../../../src/core/compare/cutoff-table.ts';
import { type Histogram, histogramOf } from '../../../src/core/stats/histogram.ts';
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
