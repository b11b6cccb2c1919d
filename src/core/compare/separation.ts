/** Two profiles compared: the ratio of their efficiencies with its anytime-valid interval, and what it is enough to say. */
import { sequentialTInterval } from '../stats/sequential-t.ts';
import { stratifiedMean } from '../stats/stratified-mean.ts';
import { type BlockNoise, lentByOthers } from './block-noise.ts';
import { type LoadsNeeded, loadsNeeded } from './loads-needed.ts';
import type { PairedRatios } from './pair-loads.ts';
import { EFFECT_PRECISION, MEANINGFUL_CHANGE } from './thresholds.ts';

export interface Separation {
  readonly finding: 'better' | 'worse' | 'no-meaningful-difference' | 'undecided';
  readonly ratio: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly pairs: number;
  readonly pairsAhead: number;
  readonly incomplete: number;
  readonly loadsNeeded: LoadsNeeded | undefined;
}

export interface SeparationTerms {
  /** Of this one interval, that is already divided by the number of intervals of the comparison. */
  readonly alpha: number;
  /** Of all profiles of the run. */
  readonly noise: BlockNoise;
}

export function separate(paired: PairedRatios, { alpha, noise }: SeparationTerms): Separation {
  const { pairs, pairsAhead, incomplete } = paired;
  const counts = { pairs, pairsAhead, incomplete };
  const summary = stratifiedMean(paired.strata, lentByOthers(paired, noise));
  if (summary === undefined) {
    return { finding: 'undecided', ratio: undefined, low: undefined, high: undefined, loadsNeeded: undefined, ...counts };
  }
  const interval = sequentialTInterval(summary, { alpha, precision: EFFECT_PRECISION });
  const ratio = Math.exp(summary.mean);
  const low = interval && Math.exp(interval.low);
  const high = interval && Math.exp(interval.high);
  const finding = findingOf(ratio, low, high);
  return { finding, ratio, low, high, loadsNeeded: finding === 'undecided' ? loadsNeeded(summary, alpha) : undefined, ...counts };
}

function findingOf(ratio: number, low: number | undefined, high: number | undefined): Separation['finding'] {
  if (low === undefined || high === undefined) return 'undecided';
  if (low > 1 && ratio - 1 >= MEANINGFUL_CHANGE) return 'better';
  if (high < 1 && 1 - ratio >= MEANINGFUL_CHANGE) return 'worse';
  if (low >= 1 - MEANINGFUL_CHANGE && high <= 1 + MEANINGFUL_CHANGE) return 'no-meaningful-difference';
  return 'undecided';
}
