/**
 * The cell by which lanes are told to disturb each other or not: the largest page over the quickest link of the study, which asks most of the
 * processors, and has least time of its own for a delay to hide in.
 */
import type { PlannedLoad } from '../../core/compare/block-order.ts';
import { bodyBytes } from '../pages/page-recipe.ts';
import type { OthersAtWork } from './others-at-work.ts';
import type { StudyLane } from './study-lane.ts';
import { expectedLoadMs, type StudyBlock, type StudyPlan } from './study-plan.ts';

export interface ReferenceCell {
  readonly block: StudyBlock;
  /** The baseline, and the profile that is likely the quickest there. */
  readonly profiles: readonly [string, string];
}

/** `undefined` where the plan has fewer than two profiles, or nothing to do. */
export function referenceCell({ blocks, profiles }: StudyPlan, baseline: string): ReferenceCell | undefined {
  const [hardest] = blocks.toSorted(
    (a, b) =>
      bodyBytes(b.page.recipe) - bodyBytes(a.page.recipe) ||
      b.link.downKbps - a.link.downKbps ||
      a.link.rttMs - b.link.rttMs ||
      a.repeat - b.repeat,
  );
  const other = hardest && [...expectedLoadMs(hardest, profiles)].filter(([id]) => id !== baseline).sort((a, b) => a[1] - b[1])[0]?.[0];
  return hardest && other !== undefined ? { block: hardest, profiles: [baseline, other] } : undefined;
}

/** Addresses that no load of the plan has: orders from here on. */
const REFERENCE_ORDERS = 1_000_000;

/** Rounds that are measured, at most, for each that is wanted: void loads, and rounds that were not beside all others, do not count. */
export const ROUNDS_FOR_ONE = 2;

export interface ReferenceOrder {
  /** Loads of each profile that are wanted. */
  readonly rounds: number;
  /** Number of the first round, so that no load has an address that was used before. */
  readonly from: number;
  readonly lanes: number;
  readonly stopped: () => boolean;
  /** Those at work beside it; absent: it is alone. */
  readonly others?: Pick<OthersAtWork, 'all' | 'lapses'>;
}

export interface ReferenceTimes {
  /** Load times of each profile, ms, without void loads. */
  readonly times: readonly (readonly number[])[];
  /** Rounds from beginning to end of which all others were at work. */
  readonly rounds: number;
}

/** Load times of each profile, in turns. @throws PlumbfoxError when a load comes to no end, or the lane broke. */
export async function referenceTimes(lane: StudyLane, cell: ReferenceCell, order: ReferenceOrder): Promise<ReferenceTimes> {
  const { rounds: wanted, others, stopped } = order;
  await lane.use(cell.block.link);
  const times: readonly number[][] = cell.profiles.map(() => []);
  let rounds = 0;
  for (let round = 0; round < wanted * ROUNDS_FOR_ONE && times.some(({ length }) => length < wanted); round++) {
    if (others && !(await others.all())) break;
    const lapses = others?.lapses();
    const made = await oneRound(lane, cell, { ...order, round });
    if (stopped()) break;
    if (others?.lapses() !== lapses) continue;
    rounds += 1;
    for (const [index, ms] of made.entries()) if (ms !== undefined) times[index]?.push(ms);
  }
  return { times, rounds };
}

/** `undefined`: that load was void, or not begun. */
async function oneRound(
  lane: StudyLane,
  { block, profiles }: ReferenceCell,
  { from, round, lanes, stopped }: ReferenceOrder & { readonly round: number },
): Promise<readonly (number | undefined)[]> {
  const made: (number | undefined)[] = [];
  for (const [index, profileId] of profiles.entries()) {
    if (stopped()) break;
    const order = REFERENCE_ORDERS + (from + round) * profiles.length + index;
    // The same weather alone and beside the others, round by round.
    const planned: PlannedLoad = { page: block.page.name, link: block.link.name, profileId, block: round, order };
    const { load } = await lane.load({ page: block.page, link: block.link, planned, attempt: 0, lanes });
    made.push(load.validity.state === 'valid' ? load.measures?.loadTimeMs : undefined);
  }
  return made;
}
