/**
 * Cut-off tables week by week, without the weeks that cannot be trusted. The AsyncSlowStart mail sets four weeks aside as corrupt and
 * does not say how that was seen; the signs here are our own.
 */
import { PlumbfoxError } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { binomialTest } from '../stats/count-tests.ts';
import { HISTOGRAM_FAULTS, type Histogram, histogramFaults, mergeHistograms, sameBounds } from '../stats/histogram.ts';
import { precisePercent } from '../text/figures.ts';
import { type CutoffTable, cutoffTable, MAIL_CUTOFFS } from './cutoff-table.ts';

export interface DatedHistogram {
  /** The day of recording, as 2009-08-31. */
  readonly date: string;
  readonly arm: CohortArm;
  readonly histogram: Histogram;
}

interface CohortOptions {
  /** In per cent, rising. Default: those of the mail. */
  readonly cutoffs?: readonly number[];
  /** The share of the values that the first arm should have, in (0, 1). Default: half. */
  readonly firstShare?: number;
}

export type Cohort =
  | { readonly week: string; readonly state: 'compared'; readonly table: CutoffTable }
  | { readonly week: string; readonly state: 'corrupt'; readonly corruptions: readonly Corruption[] };

/**
 * One cohort for each ISO week with a histogram in it, by date; histograms of one week and arm are merged.
 * @throws PlumbfoxError bad-input for a wrong date, cut-offs that do not rise within 1 to 100, or a share outside (0, 1).
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

/**
 * The week of ISO 8601, such as 2009-W36, by arithmetic, as the core has no clock and no time zone: a week begins on Monday, and belongs to the
 * year that has its Thursday.
 * @param date year-month-day of the Gregorian calendar, years 1 to 9999.
 * @throws PlumbfoxError bad-input for a wrong date.
 */
export function cohortWeek(date: string): string {
  const [, year = 0, month = 0, day = 0] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)?.map(Number) ?? [];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw new PlumbfoxError('bad-input', `A date is wanted as year-month-day, such as 2009-08-31, not ${date}`);
  }
  const days = dayNumber(year, month, day);
  // Day 1, 0001-01-01, was a Monday.
  const thursday = days - ((days - 1) % DAYS_IN_WEEK) + 3;
  let weekYear = year;
  if (thursday < dayNumber(year, 1, 1)) weekYear -= 1;
  else if (thursday >= dayNumber(year + 1, 1, 1)) weekYear += 1;
  const week = Math.floor((thursday - dayNumber(weekYear, 1, 1)) / DAYS_IN_WEEK) + 1;
  return `${String(weekYear).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}

const DAYS_IN_WEEK = 7;
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

function daysInMonth(year: number, month: number): number {
  return daysBefore(year, month + 1) - daysBefore(year, month);
}

function daysBefore(year: number, month: number): number {
  return (DAYS_BEFORE_MONTH[month - 1] ?? Number.NaN) + (month > 2 && isLeap(year) ? 1 : 0);
}

/** 1 for 0001-01-01. */
function dayNumber(year: number, month: number, day: number): number {
  const past = year - 1;
  return 365 * past + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) + daysBefore(year, month) + day;
}

export const CORRUPTION_SIGNS = [
  /** The histogram contradicts itself: `HISTOGRAM_FAULTS`. */
  ...HISTOGRAM_FAULTS,
  'missing-arm',
  /** Histograms of one arm are there, but count nothing. */
  'empty-arm',
  'bounds-differ',
  /** One arm has far fewer values than its share. */
  'sample-ratio',
  'too-much-underflow',
  'too-much-overflow',
  'one-bucket',
] as const;
export type CorruptionSign = (typeof CORRUPTION_SIGNS)[number];

/** `first` is, as in the mail's tables, without what is tried, `second` with it. */
const COHORT_ARMS = ['first', 'second'] as const;
export type CohortArm = (typeof COHORT_ARMS)[number];

export interface Corruption {
  readonly sign: CorruptionSign;
  /** `undefined` where it is both together. */
  readonly arm: CohortArm | undefined;
  readonly detail: string;
}

/** The level of the exact binomial test. Of sound weeks 1 in 2,000 is set aside, which is one in forty years. */
const SAMPLE_RATIO_ALPHA = 0.0005;

/**
 * How far an arm's share may be off, relative to it, whatever p. One person makes many requests together, so they vary more
 * than the binomial test assumes, and with millions of them it would raise the alarm at every difference.
 */
const SAMPLE_RATIO_SLACK = 0.1;

/** Share of an arm's values. The last cut-off of the mail is 99.5 %, and beyond this its value would be unknown. */
const MAX_OVERFLOW = 0.005;

/** Share of an arm's values. Underflow is below what was thought possible, so a twentieth means a stopped clock or a wrong unit. */
const MAX_UNDERFLOW = 0.05;

/**
 * From this many values on, all in one bucket are a sign. A bucket is about 13 % wide, and even if three
 * quarters of all times fell into one, 20 of them would all do so in 0.3 % of cases (0.75 ** 20).
 */
export const ONE_BUCKET_FROM = 20;

export type CohortHistograms = Readonly<Record<CohortArm, readonly Histogram[]>>;

type CohortCheck =
  | { readonly state: 'sound'; readonly first: Histogram; readonly second: Histogram }
  | { readonly state: 'corrupt'; readonly corruptions: readonly Corruption[] };

/** Merges the histograms of each arm, if nothing speaks against it. Faults of single histograms hide the rest: nothing can be computed from them. */
export function checkCohort(cohort: CohortHistograms, firstShare = 0.5): CohortCheck {
  const broken = [...missingArms(cohort), ...COHORT_ARMS.flatMap((arm) => cohort[arm].flatMap((one) => faultsOf(one, arm)))];
  if (broken.length === 0 && boundsDiffer([...cohort.first, ...cohort.second])) {
    broken.push({ sign: 'bounds-differ', arm: undefined, detail: 'its histograms do not all have the same buckets' });
  }
  const first = broken.length === 0 ? merged(cohort.first) : undefined;
  const second = broken.length === 0 ? merged(cohort.second) : undefined;
  if (first === undefined || second === undefined) return { state: 'corrupt', corruptions: broken };
  const corruptions = [...armSigns(first, 'first'), ...armSigns(second, 'second'), ...ratioSigns(first, second, firstShare)];
  return corruptions.length === 0 ? { state: 'sound', first, second } : { state: 'corrupt', corruptions };
}

function missingArms(cohort: CohortHistograms): Corruption[] {
  return COHORT_ARMS.filter((arm) => cohort[arm].length === 0).map((arm) => ({ sign: 'missing-arm', arm, detail: 'nothing was recorded' }));
}

function faultsOf(histogram: Histogram, arm: CohortArm): readonly Corruption[] {
  return histogramFaults(histogram).map(({ fault, detail }) => ({ sign: fault, arm, detail }));
}

function boundsDiffer([one, ...others]: readonly Histogram[]): boolean {
  return one !== undefined && others.some((other) => !sameBounds(one.bounds, other.bounds));
}

function merged([one, ...others]: readonly Histogram[]): Histogram | undefined {
  return one === undefined ? undefined : others.reduce(mergeHistograms, one);
}

function armSigns({ counts, total }: Histogram, arm: CohortArm): readonly Corruption[] {
  if (total === 0) return [{ sign: 'empty-arm', arm, detail: 'its histograms count nothing' }];
  const found: Corruption[] = [];
  const under = (counts[0] ?? Number.NaN) / total;
  const over = (counts.at(-1) ?? Number.NaN) / total;
  if (under > MAX_UNDERFLOW) {
    found.push({
      sign: 'too-much-underflow',
      arm,
      detail: `${precisePercent(under, 3)} of its values lie below the first bucket; at most ${precisePercent(MAX_UNDERFLOW, 3)} may`,
    });
  }
  if (over > MAX_OVERFLOW) {
    found.push({
      sign: 'too-much-overflow',
      arm,
      detail: `${precisePercent(over, 3)} of its values lie above the last bucket; at most ${precisePercent(MAX_OVERFLOW, 3)} may`,
    });
  }
  if (total >= ONE_BUCKET_FROM && counts.includes(total))
    found.push({ sign: 'one-bucket', arm, detail: `all its ${total} values lie in one bucket` });
  return found;
}

function ratioSigns(first: Histogram, second: Histogram, firstShare: number): readonly Corruption[] {
  const all = first.total + second.total;
  if (first.total === 0 || second.total === 0) return [];
  const arms = [
    { arm: 'first', count: first.total, share: firstShare },
    { arm: 'second', count: second.total, share: 1 - firstShare },
  ] as const;
  const fewer = arms.find(({ count, share }) => count < share * all * (1 - SAMPLE_RATIO_SLACK));
  if (fewer === undefined || binomialTest(fewer.count, all, fewer.share).p >= SAMPLE_RATIO_ALPHA) return [];
  const { arm, count, share } = fewer;
  return [
    {
      sign: 'sample-ratio',
      arm,
      detail: `${count} of ${all} values are its own, ${precisePercent(count / all, 3)} instead of ${precisePercent(share, 3)}`,
    },
  ];
}
