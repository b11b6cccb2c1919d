/** The rule by which an estimate becomes an interval and a p-value: for any number of looks, or for one that was planned. */
import { sequentialTCritical, sequentialTLogEvidence } from '../stats/sequential-t.ts';
import { studentTQuantile, studentTTwoSided } from '../stats/student-t.ts';
import type { Looks } from './comparison.ts';

export interface IntervalRule {
  /** Of this one interval, that is already divided by the number of intervals of the comparison. */
  readonly alpha: number;
  readonly looks: Looks;
  /** Precision of the mixture over effect sizes; of no effect where the loads are looked at once. */
  readonly precision: number;
}

export interface IntervalDesign {
  /** Values that the variance of the mean is divided by. */
  readonly effectiveCount: number;
  readonly degreesOfFreedom: number;
}

/** Half the interval's width in standard errors; `undefined`: not bounded yet, for want of values. */
export function criticalValue(design: IntervalDesign, { alpha, looks, precision }: IntervalRule): number | undefined {
  if (looks === 'any') return sequentialTCritical(alpha, { ...design, precision });
  return design.degreesOfFreedom > 0 ? studentTQuantile(1 - alpha / 2, design.degreesOfFreedom) : undefined;
}

/** Two-sided, of no change; for any number of looks the reciprocal of the evidence, at most 1 (Ville's inequality). */
export function pValue(t: number, design: IntervalDesign, { looks, precision }: IntervalRule): number | undefined {
  if (looks === 'once') return design.degreesOfFreedom > 0 ? studentTTwoSided(t, design.degreesOfFreedom) : undefined;
  const logEvidence = sequentialTLogEvidence(t, { ...design, precision });
  return logEvidence === undefined ? undefined : Math.min(1, Math.exp(-logEvidence));
}
