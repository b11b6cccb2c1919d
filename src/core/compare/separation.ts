/** Two profiles compared: the ratio of their efficiencies with its interval, and what it is enough to say. */
import type { StratifiedMean } from '../stats/stratified-mean.ts';
import type { EffectEstimate } from './effect-estimate.ts';
import { criticalValue, type IntervalDesign, type IntervalRule, pValue } from './interval-rule.ts';
import { type LoadsNeeded, loadsNeeded, POWER_Z } from './loads-needed.ts';
import { MEANINGFUL_CHANGE } from './thresholds.ts';

export interface Separation {
  readonly finding: 'better' | 'worse' | 'no-meaningful-difference' | 'undecided';
  readonly ratio: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly p: number | undefined;
  readonly pairs: number;
  readonly pairsAhead: number;
  readonly incomplete: number;
  /** 0 once there is a finding; `undefined`: cannot be said. */
  readonly loadsNeeded: LoadsNeeded | undefined;
  /** Smallest gain, as a share, that is found in 80 % of comparisons of this size and spread. */
  readonly detectableChange: number | undefined;
}

export function separate(estimate: EffectEstimate, rule: IntervalRule): Separation {
  const { summary, pairs, pairsAhead, incomplete, loadsPerPair } = estimate;
  const counts = { pairs, pairsAhead, incomplete };
  if (summary === undefined) return { ...NOTHING, ...counts };
  const ratio = Math.exp(summary.mean);
  const { low, high, ...sureness } = surenessOf(summary, rule);
  const finding = findingOf(ratio, low, high);
  const needed = finding === 'undecided' ? loadsNeeded(summary, rule) : NO_MORE;
  return { finding, ratio, low, high, ...sureness, loadsNeeded: needed && inLoads(needed, loadsPerPair), ...counts };
}

const NO_MORE: LoadsNeeded = { more: 0, blocks: 0 };

const UNKNOWN: Sureness = { low: undefined, high: undefined, p: undefined, detectableChange: undefined };

const NOTHING = { finding: 'undecided', ratio: undefined, loadsNeeded: undefined, ...UNKNOWN } as const;

function surenessOf({ mean, effectiveCount, separate: spread }: StratifiedMean, rule: IntervalRule): Sureness {
  if (spread === undefined) return UNKNOWN;
  const { standardError, degreesOfFreedom } = spread;
  const design: IntervalDesign = { effectiveCount, degreesOfFreedom };
  const critical = criticalValue(design, rule);
  if (critical === undefined) return UNKNOWN;
  const half = critical * standardError;
  return {
    low: Math.exp(mean - half),
    high: Math.exp(mean + half),
    p: standardError === 0 ? certain(mean) : pValue(mean / standardError, design, rule),
    detectableChange: Math.expm1((critical + POWER_Z) * standardError),
  };
}

type Sureness = Pick<Separation, 'low' | 'high' | 'p' | 'detectableChange'>;

/** Without any spread there is no doubt. */
const certain = (mean: number): number => (mean === 0 ? 1 : 0);

function inLoads({ more, blocks }: LoadsNeeded, loadsPerPair: number): LoadsNeeded {
  return { more: Math.ceil(more * loadsPerPair), blocks };
}

function findingOf(ratio: number, low: number | undefined, high: number | undefined): Separation['finding'] {
  if (low === undefined || high === undefined) return 'undecided';
  if (low > 1 && ratio - 1 >= MEANINGFUL_CHANGE) return 'better';
  if (high < 1 && 1 - ratio >= MEANINGFUL_CHANGE) return 'worse';
  if (low >= 1 - MEANINGFUL_CHANGE && high <= 1 + MEANINGFUL_CHANGE) return 'no-meaningful-difference';
  return 'undecided';
}
