/**
 * First and largest paint as outcomes beside load time: the same pairs, compared by the same rule. A setting may bring the last byte sooner and leave what
 * a person sees first where it was, or later. The intervals of a paint have a chance of error of their own, as large as those of load times.
 */
import type { CommonFinding } from './common-effect.ts';
import type { ComparableLoad } from './comparison.ts';
import type { Separation } from './separation.ts';

export type PaintOutcome = 'first-paint' | 'largest-paint';

/** A ratio above 1 is an earlier paint. */
export interface PaintFinding {
  readonly outcome: PaintOutcome;
  readonly separation: Separation;
}

interface PaintLoads {
  readonly outcome: PaintOutcome;
  readonly loads: readonly ComparableLoad[];
}

/**
 * The loads with a paint in the place of the load time; one that counts and has no paint is lost to this outcome. Largest paint is left out where it
 * is first paint in every load.
 */
export function paintLoads(loads: readonly ComparableLoad[]): readonly PaintLoads[] {
  const isPainted = loads.some(({ firstPaintMs }) => firstPaintMs !== undefined);
  const hasLargest = loads.some(
    ({ firstPaintMs, largestPaintMs }) => largestPaintMs !== undefined && (firstPaintMs === undefined || largestPaintMs > firstPaintMs),
  );
  return [
    ...(isPainted ? [{ outcome: 'first-paint' as const, loads: loads.map((load) => timedBy(load, load.firstPaintMs)) }] : []),
    ...(hasLargest ? [{ outcome: 'largest-paint' as const, loads: loads.map((load) => timedBy(load, load.largestPaintMs)) }] : []),
  ];
}

/** Only ratios are compared, so any ideal would do. */
const timedBy = (load: ComparableLoad, ms: number | undefined): ComparableLoad =>
  ms === undefined || ms <= 0 ? { ...load, efficiency: undefined, loadTimeMs: undefined } : { ...load, efficiency: 1 / ms, loadTimeMs: ms };

/** What is surely later than the baseline's, and by what matters. */
export const laterPaint = (paints: readonly PaintFinding[]): PaintFinding | undefined =>
  paints.find(({ separation }) => separation.finding === 'worse');

/** The common effect too, as in verdicts, may show that there is no real difference; the figures are then its own. */
export function orSameByCommon(separation: Separation, commonOf: () => CommonFinding | undefined): Separation {
  const common = separation.finding === 'undecided' ? commonOf() : undefined;
  if (common?.state !== 'estimated' || common.finding !== 'no-meaningful-difference') return separation;
  const { finding, ratio, low, high } = common;
  return { ...separation, finding, ratio, low, high };
}
