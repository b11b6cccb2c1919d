/** The order in which a run makes its loads: randomised complete blocks. */
import { seededRandom } from '../random.ts';

/** A page over a link, by name. */
export interface Scenario {
  readonly page: string;
  readonly link: string;
}

export interface PlannedLoad extends Scenario {
  readonly profileId: string;
  readonly block: number;
  /** Position in the whole run, from 0. */
  readonly order: number;
}

interface BlockOrderOptions {
  readonly profiles: readonly string[];
  readonly scenarios: readonly Scenario[];
  readonly blocks: number;
  /** An integer from 0 to 2^32 - 1; the same options give the same order. */
  readonly seed: number;
}

/**
 * The blocks are outermost, so that an interrupted run is balanced except for its last block. In each block come all scenarios in the
 * order given: comparisons are within scenarios, so their order cannot favour a profile, and links need not change more often than
 * the caller wants. In each scenario comes every profile once, in a newly drawn order, so drift and carry-over fall on all profiles
 * alike (Fisher's randomised complete blocks). More blocks with the same seed only append to the plan.
 */
export function blockOrder({ profiles, scenarios, blocks, seed }: BlockOrderOptions): readonly PlannedLoad[] {
  const random = seededRandom(seed);
  const plan: PlannedLoad[] = [];
  for (let block = 0; block < blocks; block++) {
    for (const { page, link } of scenarios) {
      for (const profileId of random.shuffle(profiles)) plan.push({ profileId, page, link, block, order: plan.length });
    }
  }
  return plan;
}
