/**
 * Which profile has its turn: randomised complete blocks. Slots are numbered through, as many to a block as the plan has
 * arms; each block's order is drawn from the seed and the block's number alone, so that it can be drawn again whatever
 * happened to the event page. An arm that was dropped leaves its slots empty: the others keep their numbers and their order
 * (a random order without one member is a random order of the rest).
 */
import { PlumbfoxError } from '../errors.ts';
import { seededRandom } from '../random.ts';
import type { TrialPlan } from './trial-plan.ts';

export interface Assignment {
  /** From 0. */
  readonly block: number;
  /** From 0, in the whole trial. */
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
  const arms = plan.profiles.length;
  for (let at = slot; ; ) {
    const block = blockOfSlot(plan, at);
    const order = blockArms(plan, block);
    for (; at < (block + 1) * arms; at++) {
      const profileId = order[at - block * arms];
      if (profileId !== undefined && activeArms.includes(profileId)) return { block, slot: at, profileId };
    }
  }
}

/** The order of all arms of the plan in one block, dropped or not. */
export function blockArms({ seed, profiles }: TrialPlan, block: number): readonly string[] {
  return seededRandom(blockSeed(seed, block)).shuffle(profiles.map(({ id }) => id));
}

export function blockOfSlot({ profiles }: TrialPlan, slot: number): number {
  return Math.floor(slot / profiles.length);
}

/**
 * One seed of 32 bits from two numbers: the seed's low and high words and the block, each mixed by the finaliser of
 * MurmurHash3 (Appleby, public domain), so that neighbouring blocks and seeds share nothing.
 */
function blockSeed(seed: number, block: number): number {
  const high = Math.floor(seed / 2 ** 32);
  return mixed(mixed(mixed(seed | 0) ^ (high | 0)) ^ (block | 0));
}

function mixed(value: number): number {
  let hash = (value + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
