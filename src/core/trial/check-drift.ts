/**
 * Whether efficiency rises or falls with time. Randomised blocks spread that evenly over the arms, and the comparison allows for blocks,
 * so it is reported and never fails.
 */

import { sequentialTCritical } from '../stats/confidence-sequence.ts';
import { rangeInWords, speedInWords } from '../text/figures.ts';
import { absorbedSlope } from './absorbed-slope.ts';
import type { SlotValue } from './slot-values.ts';
import type { DriftCheck } from './trial-state.ts';

const MS_PER_HOUR = 3_600_000;
/** Of the interval that is shown; it decides nothing. */
const DRIFT_ALPHA = 0.05;
/** Precision of the mixture over the slope in spreads per hour: 3 % per hour against a slot's 0.11. Our own choice. */
const DRIFT_PRECISION = 10;

export function checkDrift(slots: readonly SlotValue[]): DriftCheck {
  const start = slots[0]?.at ?? 0;
  const found = absorbedSlope(
    slots.map(({ at }) => (at - start) / MS_PER_HOUR),
    slots.map(({ all }) => all),
    [slots.map(({ profileId }) => profileId)],
  );
  const critical =
    found &&
    sequentialTCritical(DRIFT_ALPHA, {
      effectiveCount: found.information,
      degreesOfFreedom: found.degreesOfFreedom,
      precision: DRIFT_PRECISION,
    });
  if (found === undefined || critical === undefined) {
    const sentence = 'It takes more slots to tell whether page loads get faster or slower with time.';
    return { kind: 'drift', perHour: undefined, low: undefined, high: undefined, outcome: 'too-early', sentence };
  }
  const half = critical * found.standardError;
  const [perHour, low, high] = [Math.expm1(found.slope), Math.expm1(found.slope - half), Math.expm1(found.slope + half)];
  const figures = { kind: 'drift' as const, perHour, low, high };
  if (low <= 0 && high >= 0)
    return { ...figures, outcome: 'passed', sentence: 'Page loads are not seen to get faster or slower with time.' };
  const words = `${speedInWords(1 + perHour)} per hour (${rangeInWords(1 + low, 1 + high)})`;
  return {
    ...figures,
    outcome: 'warning',
    sentence: `All profiles together get ${words}; profiles are compared within blocks, so it favours none.`,
  };
}
