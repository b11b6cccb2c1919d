/**
 * The ten weeks of the AsyncSlowStart mail that are not marked corrupt: what was published, as printed, and histograms
 * constructed to give it (test/fixtures/async-slow-start-histograms.py says how).
 */
import type { CutoffRow } from '../../../../src/core/compare/cutoff-table.ts';
import { exponentialBounds, type Histogram } from '../../../../src/core/stats/histogram.ts';
import published from '../../../fixtures/async-slow-start.json';
import constructed from '../../../fixtures/async-slow-start-histograms.json';

export interface PublishedWeek {
  /** Month/day on which it begins. */
  readonly from: string;
  readonly to: string;
  /** "WIN - x % to y %", as printed. */
  readonly line: readonly [string, string];
  /** Cut-off in per cent, then the twelve columns. */
  readonly rows: readonly (readonly string[])[];
  /** Without and with the feature. */
  readonly first: Histogram;
  readonly second: Histogram;
}

/** Chromium's own for Net.Transaction_Connected_New: 1 ms to 10 min in 100 buckets. */
export const TRANSACTION_BOUNDS = exponentialBounds({ min: 1, max: 600_000, bucketCount: 100 });

/** The data has a skew there, says the mail. In ms. */
export const MAIL_TAIL_FROM = 50_000;

/** The mail has no dates for them: they are by their place between the others. */
export const corruptWeeks: readonly string[] = published.weeks.filter((week) => 'corrupt' in week).map(({ from }) => from);

export function publishedWeeks(): readonly PublishedWeek[] {
  return published.weeks.flatMap(({ from, to, line, rows }) => {
    const counts = constructed.weeks.find((week) => week.from === from);
    const [low, high] = line ?? [];
    if (to === undefined || rows === undefined || low === undefined || high === undefined || counts === undefined) return [];
    return [{ from, to, line: [low, high] as const, rows, first: asHistogram(counts.first), second: asHistogram(counts.second) }];
  });
}

const asHistogram = (counts: readonly number[]): Histogram => ({ bounds: TRANSACTION_BOUNDS, counts, total: constructed.samples });

export const PRINTED_COLUMNS = [
  ...['value', 'min mean', '~mean', 'max mean'].flatMap((column) => [`first ${column}`]),
  ...['value', 'min mean', '~mean', 'max mean'].flatMap((column) => [`second ${column}`]),
  'value delta',
  'value delta %',
  '~mean delta',
  '~mean delta %',
];

/** In the mail's order; percentages as per cent. */
export function columnsOf({ first, second, valueDelta, meanDelta }: CutoffRow): readonly (number | undefined)[] {
  const percent = (share: number | undefined) => (share === undefined ? undefined : share * 100);
  return [
    ...[first, second].flatMap(({ value, minMean, mean, maxMean }) => [value, minMean, mean, maxMean]),
    ...[valueDelta, meanDelta].flatMap(({ absolute, relative }) => [absolute, percent(relative)]),
  ];
}

/** How far a figure is from what was printed, in units of half the last digit: 1 or less rounds to it. */
export function halfUnitsOff(found: number | undefined, printed: string): number {
  const decimals = printed.split('.')[1]?.length ?? 0;
  return Math.abs((found ?? Number.NaN) - Number(printed)) / (0.5 * 10 ** -decimals);
}
