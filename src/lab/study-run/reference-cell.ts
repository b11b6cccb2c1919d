/** The cell by which lanes are told to disturb each other or not: the quickest of the study, for which a delay weighs most. */
import type { PlannedLoad } from '../../core/compare/block-order.ts';
import type { StudyLane } from './study-lane.ts';
import { expectedLoadMs, type StudyBlock, type StudyPlan } from './study-plan.ts';

export interface ReferenceCell {
  readonly block: StudyBlock;
  /** The baseline, and the profile that is likely the quickest there. */
  readonly profiles: readonly [string, string];
}

/** `undefined` where the plan has fewer than two profiles, or nothing to do. */
export function referenceCell({ blocks, profiles }: StudyPlan, baseline: string): ReferenceCell | undefined {
  const quickest = blocks
    .map((block) => ({ block, expected: expectedLoadMs(block, profiles) }))
    .map(({ block, expected }) => ({ block, expected, sum: [...expected.values()].reduce((a, b) => a + b, 0) }))
    .reduce<{ block: StudyBlock; expected: ReadonlyMap<string, number>; sum: number } | undefined>(
      (least, each) => (least && least.sum <= each.sum ? least : each),
      undefined,
    );
  const other = quickest && [...quickest.expected].filter(([id]) => id !== baseline).sort((a, b) => a[1] - b[1])[0]?.[0];
  return quickest && other !== undefined ? { block: quickest.block, profiles: [baseline, other] } : undefined;
}

/** Addresses that no load of the plan has: orders from here on. */
const REFERENCE_ORDERS = 1_000_000;

/**
 * Load times of each profile, in turns, ms. Void loads are left out.
 * @param from - Number of the first load, so that none has an address that was used before.
 */
export async function referenceTimes(
  lane: StudyLane,
  { block, profiles }: ReferenceCell,
  { rounds, from, lanes, stopped }: { rounds: number; from: number; lanes: number; stopped: () => boolean },
): Promise<readonly (readonly number[])[]> {
  await lane.use(block.link);
  const times: readonly number[][] = profiles.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, profileId] of profiles.entries()) {
      if (stopped()) return times;
      const order = REFERENCE_ORDERS + (from + round) * profiles.length + index;
      const planned: PlannedLoad = { page: block.page.name, link: block.link.name, profileId, block: 0, order };
      const { load } = await lane.load({ page: block.page, link: block.link, planned, attempt: 0, lanes });
      if (load.validity.state === 'valid' && load.measures) times[index]?.push(load.measures.loadTimeMs);
    }
  }
  return times;
}
