/** Log efficiency ratios of one profile against another, paired within page, link and block. */
import type { LoadIndex, ScenarioLoads } from './load-index.ts';

export interface PairedRatios {
  /** One sample of log ratios per scenario that has any. */
  readonly strata: readonly (readonly number[])[];
  /** Their scenarios, in the same order. */
  readonly scenarios: readonly number[];
  /** Pairs in which the profile did better. */
  readonly pairsAhead: number;
  readonly pairs: number;
  /** Blocks of a scenario where only one of the two has a usable load. */
  readonly incomplete: number;
}

/** A block in which a profile has several usable loads counts once, with the mean of their logs. */
export function pairLoads(index: LoadIndex, profileId: string, againstId: string): PairedRatios {
  const strata: (readonly number[])[] = [];
  const scenarios: number[] = [];
  let pairs = 0;
  let pairsAhead = 0;
  let incomplete = 0;
  const against = index.get(againstId);
  for (const [key, own] of index.get(profileId) ?? []) {
    const other = against?.get(key);
    const ratios = ratiosOf(own, other);
    for (const ratio of ratios) if (ratio > 0) pairsAhead += 1;
    incomplete += own.blocks.length + (other?.blocks.length ?? 0) - 2 * ratios.length;
    strata.push(ratios);
    scenarios.push(key);
    pairs += ratios.length;
  }
  return { strata, scenarios, pairsAhead, pairs, incomplete };
}

/** Of the blocks that both have: both lists ascend. */
function ratiosOf(own: ScenarioLoads, other: ScenarioLoads | undefined): readonly number[] {
  const ratios: number[] = [];
  if (other === undefined) return ratios;
  let theirs = 0;
  for (let at = 0; at < own.blocks.length; at++) {
    const block = own.blocks[at] ?? 0;
    while ((other.blocks[theirs] ?? Number.POSITIVE_INFINITY) < block) theirs += 1;
    if (other.blocks[theirs] === block) ratios.push((own.blockMeans[at] ?? 0) - (other.blockMeans[theirs] ?? 0));
  }
  return ratios;
}
