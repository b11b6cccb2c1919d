/** Log efficiency ratios of one profile against another, paired within page, link and block. */
import { mean } from '../stats/mean.ts';
import type { LoadIndex } from './load-index.ts';

export interface PairedRatios {
  /** One sample of log ratios per scenario that has any. */
  readonly strata: readonly (readonly number[])[];
  /** Their scenarios' keys, in the same order. */
  readonly scenarios: readonly string[];
  /** Pairs in which the profile did better. */
  readonly pairsAhead: number;
  readonly pairs: number;
  /** Blocks of a scenario where only one of the two has a usable load. */
  readonly incomplete: number;
}

/** A block in which a profile has several usable loads counts once, with the mean of their logs. */
export function pairLoads(index: LoadIndex, profileId: string, againstId: string): PairedRatios {
  const strata: number[][] = [];
  const scenarios: string[] = [];
  let pairs = 0;
  let pairsAhead = 0;
  let incomplete = 0;
  const against = index.get(againstId);
  for (const [key, scenario] of index.get(profileId) ?? []) {
    const reference = against?.get(key)?.logEfficiencyByBlock ?? new Map<number, number[]>();
    const ratios: number[] = [];
    for (const [block, values] of scenario.logEfficiencyByBlock) {
      const others = reference.get(block);
      if (others !== undefined) ratios.push(mean(values) - mean(others));
    }
    for (const ratio of ratios) if (ratio > 0) pairsAhead += 1;
    incomplete += scenario.logEfficiencyByBlock.size + reference.size - 2 * ratios.length;
    strata.push(ratios);
    scenarios.push(key);
    pairs += ratios.length;
  }
  return { strata, scenarios, pairsAhead, pairs, incomplete };
}
