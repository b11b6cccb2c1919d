/**
 * Which profile has its turn: randomised complete blocks. Slots are numbered through the trial. A block holds one turn of every arm of the plan,
 * and a turn is `slotsPerTurn` slots in a row: during the first, what the profile before has left behind wears off (`settledLoads`). Each
 * block's order follows from only the seed and the block's number, so that it can be drawn again whatever happened to the event page. The
 * order is drawn for every other block and reversed for the next (ABBA counterbalancing, Cox, "Planning of Experiments", 1958): even drift
 * cancels, and the two turns that meet in the middle are of the same arm. Of two arms, 3 turns in 8 follow one of their own. A dropped arm
 * leaves its slots empty; the others keep their numbers and their order (a random order without one member is a random order of the rest).
 */
import { drawOf } from '../compare/block-order.ts';
import { PlumbfoxError } from '../errors.ts';
import { seededRandom } from '../random.ts';
import type { TrialPlan } from './trial-plan.ts';

export interface Assignment {
  readonly block: number;
  /** From 0, through the whole trial. */
  readonly slot: number;
  readonly profileId: string;
}

/**
 * The first slot from `slot` on whose arm is active.
 * @throws PlumbfoxError bad-input unless `slot` is a whole number from 0 and an arm of the plan is active.
 */
export function assignmentAt(plan: TrialPlan, slot: number, activeArms: readonly string[]): Assignment {
  if (!(Number.isSafeInteger(slot) && slot >= 0)) throw new PlumbfoxError('bad-input', `A slot is a whole number from 0, not ${slot}`);
  if (!plan.profiles.some(({ id }) => activeArms.includes(id))) {
    throw new PlumbfoxError('bad-input', 'No arm of the trial is active, so no profile has the next turn');
  }
  const length = slotsPerBlock(plan);
  for (let at = slot; ; ) {
    const block = blockOfSlot(plan, at);
    const slots = blockSlots(plan, block);
    for (; at < (block + 1) * length; at++) {
      const profileId = slots[at - block * length];
      if (profileId !== undefined && activeArms.includes(profileId)) return { block, slot: at, profileId };
    }
  }
}

/** The arm of each slot of one block, dropped or not. */
export function blockSlots(plan: TrialPlan, block: number): readonly string[] {
  return blockArms(plan, block).flatMap((id) => Array.from({ length: plan.slotsPerTurn }, () => id));
}

/** The order of the turns of all arms of the plan in one block, dropped or not. */
export function blockArms({ seed, profiles }: TrialPlan, block: number): readonly string[] {
  const drawn = seededRandom(drawSeed(seed, drawOf(block))).shuffle(profiles.map(({ id }) => id));
  return block % 2 === 0 ? drawn : drawn.reverse();
}

/** Blocks keep their length where arms have been dropped. */
export const slotsPerBlock = ({ profiles, slotsPerTurn }: TrialPlan): number => profiles.length * slotsPerTurn;

/** Counted from 0, as slots are. */
export const blockOfSlot = (plan: TrialPlan, slot: number): number => Math.floor(slot / slotsPerBlock(plan));

/** The arm whose slot it is, dropped or not. */
export function armOfSlot(plan: TrialPlan, slot: number): string {
  const block = blockOfSlot(plan, slot);
  const turn = Math.floor((slot - block * slotsPerBlock(plan)) / plan.slotsPerTurn);
  return blockArms(plan, block)[turn] ?? plan.baseline;
}

/**
 * One seed of 32 bits from two numbers: the seed's low and high words and the draw, each mixed by the finaliser of
 * MurmurHash3 (Appleby, public domain), so that neighbouring draws and seeds share nothing.
 */
function drawSeed(seed: number, draw: number): number {
  const high = Math.floor(seed / 2 ** 32);
  return mixed(mixed(mixed(seed | 0) ^ (high | 0)) ^ (draw | 0));
}

function mixed(value: number): number {
  let hash = (value + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
