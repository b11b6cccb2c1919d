/** Cut-off tables week by week, with the weeks that cannot be trusted set aside. */
import { PlumbfoxError } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import type { Histogram } from '../stats/histogram.ts';
import { type CohortArm, type Corruption, checkCohort } from './cohort-corruption.ts';
import { cohortWeek } from './cohort-week.ts';
import { type CutoffTable, cutoffTable, MAIL_CUTOFFS } from './cutoff-table.ts';

export interface DatedHistogram {
  /** Year-month-day on which it was recorded, such as 2009-08-31. */
  readonly date: string;
  readonly arm: CohortArm;
  readonly histogram: Histogram;
}

export interface CohortOptions {
  /** In per cent, rising; those of the mail unless said. */
  readonly cutoffs?: readonly number[];
  /** Of the values, that the first arm should have; in (0, 1), half unless said. */
  readonly firstShare?: number;
}

export type Cohort =
  /** ISO year and week. */
  | { readonly week: string; readonly state: 'compared'; readonly table: CutoffTable }
  | { readonly week: string; readonly state: 'corrupt'; readonly corruptions: readonly Corruption[] };

/**
 * One cohort for each ISO week with a histogram in it, by date; histograms of one week and arm are merged.
 *
 * @throws PlumbfoxError bad-input for what is no date, cut-offs that do not rise within 1 to 100, or a share outside (0, 1).
 */
export function cohortTables(
  dated: readonly DatedHistogram[],
  { cutoffs = MAIL_CUTOFFS, firstShare = 0.5 }: CohortOptions = {},
): readonly Cohort[] {
  if (!(firstShare > 0 && firstShare < 1))
    throw new PlumbfoxError('bad-input', `The first arm's share lies in (0, 1), not at ${firstShare}`);
  const weeks = groupBy(dated, ({ date }) => cohortWeek(date));
  return [...weeks]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([week, recorded]) => {
      const of = (wanted: CohortArm) => recorded.filter(({ arm }) => arm === wanted).map(({ histogram }) => histogram);
      const check = checkCohort({ first: of('first'), second: of('second') }, firstShare);
      if (check.state === 'corrupt') return { week, ...check };
      return { week, state: 'compared', table: cutoffTable(check.first, check.second, cutoffs) };
    });
}
