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
 * the caller wants. In each scenario every profile comes once (Fisher's randomised complete blocks); the order is drawn for every other block and
 * reversed for the next (ABBA counterbalancing, Cox, "Planning of Experiments", 1958): what depends on the place in a block, such as a second load
 * that finds something warm, falls on any two profiles alike. More blocks with the same seed only append to the plan, and fewer profiles from some
 * block on leave the others in their order.
 */
export function blockOrder({ profiles, scenarios, blocks, seed }: BlockOrderOptions): readonly PlannedLoad[] {
  const random = seededRandom(seed);
  const plan: PlannedLoad[] = [];
  let drawn: readonly (readonly string[])[] = [];
  for (let block = 0; block < blocks; block++) {
    drawn = block % 2 === 0 ? scenarios.map(() => random.shuffle(profiles)) : drawn.map((order) => order.toReversed());
    scenarios.forEach(({ page, link }, at) => {
      for (const profileId of drawn[at] ?? []) plan.push({ profileId, page, link, block, order: plan.length });
    });
  }
  return plan;
}

/** The loads of some blocks of a run, by those of its profiles that still have turns; the others keep the order that they have in the whole run. */
export function blockOrderPart(
  { firstBlock, blocks, ...run }: BlockOrderOptions & { readonly firstBlock: number },
  { profileIds, firstOrder }: { readonly profileIds: readonly string[]; readonly firstOrder: number },
): readonly PlannedLoad[] {
  return blockOrder({ ...run, blocks: firstBlock + blocks })
    .filter(({ block, profileId }) => block >= firstBlock && profileIds.includes(profileId))
    .map((load, at) => ({ ...load, order: firstOrder + at }));
}

/** Blocks whose orders are one draw. */
export const BLOCKS_PER_DRAW = 2;

/** The number of the blocks whose orders are one draw with this one. */
export const drawOf = (block: number): number => Math.floor(block / BLOCKS_PER_DRAW);

/** Whether every second block of these loads has the order of the one before reversed, as far as both have loads of a profile. */
export function isBalanced(loads: readonly PlannedLoad[]): boolean {
  const orders = new Map<string, PlannedLoad[]>();
  for (const load of loads) {
    const key = JSON.stringify([load.page, load.link, load.block]);
    orders.set(key, [...(orders.get(key) ?? []), load]);
  }
  const orderOf = ({ page, link }: Scenario, block: number) =>
    (orders.get(JSON.stringify([page, link, block])) ?? []).toSorted((a, b) => a.order - b.order).map(({ profileId }) => profileId);
  return [...orders.values()].every(([load]) => {
    if (load === undefined || load.block % BLOCKS_PER_DRAW === 0) return true;
    const [own, before] = [orderOf(load, load.block), orderOf(load, load.block - 1)];
    const both = own.filter((id) => before.includes(id));
    return both.toReversed().join(' ') === before.filter((id) => own.includes(id)).join(' ');
  });
}
