import { sequentialTCritical } from '../../../src/core/stats/confidence-sequence.ts';
import type { StratifiedMean } from '../../../src/core/stats/stratified-mean.ts';

/** The interval for the mean over strata at level 1 - alpha; `undefined`: not bounded yet, for want of values. */
export function sequentialTInterval(
  { mean, effectiveCount, separate }: Pick<StratifiedMean, 'mean' | 'effectiveCount' | 'separate'>,
  { alpha, precision }: { readonly alpha: number; readonly precision: number },
): { readonly low: number; readonly high: number } | undefined {
  if (separate === undefined) return undefined;
  const critical = sequentialTCritical(alpha, { effectiveCount, degreesOfFreedom: separate.degreesOfFreedom, precision });
  if (critical === undefined) return undefined;
  const half = critical * separate.standardError;
  return { low: mean - half, high: mean + half };
}
