/** What is simulated where a line does not say otherwise. */
import { DEFAULT_LOADS_PER_SLOT, DEFAULT_MAX_LOADS_PER_ARM, DEFAULT_SLOTS_PER_TURN } from '../../../src/core/trial/trial-defaults.ts';
import type { EverydayDesign } from './everyday-loads.ts';
import type { SimulatedArm } from './everyday-truth.ts';
import { BASELINE } from './judge.ts';

export const CANDIDATE = 'c4-d6';

/** A baseline and a candidate. */
export function twoArms(effect = 0): readonly SimulatedArm[] {
  return [
    { id: BASELINE, effect: 0 },
    { id: CANDIDATE, effect },
  ];
}

/** All of them equal; the baseline is the first. */
export function equalArms(count: number): readonly SimulatedArm[] {
  return Array.from({ length: count }, (_, at) => ({ id: at === 0 ? BASELINE : `candidate-${at}`, effect: 0 }));
}

/** Counted loads of an arm in a block of a trial by default settings. */
export const LOADS_PER_BLOCK = DEFAULT_LOADS_PER_SLOT * DEFAULT_SLOTS_PER_TURN;

/**
 * Everyday browsing with a bit of everything that is no profile's doing: links, hours of the day, slots, and loads that differ by
 * what is on the page that time. As trials have it by their defaults: turns of three slots, the most loads of an arm. Sizes are our own choice; what other
 * sizes do is shown by the lines named `equal-...`.
 */
export const EVERYDAY_TRUTH: EverydayDesign = {
  arms: twoArms(),
  blocks: Math.ceil(DEFAULT_MAX_LOADS_PER_ARM / LOADS_PER_BLOCK),
  loadsPerSlot: DEFAULT_LOADS_PER_SLOT,
  slotsPerTurn: DEFAULT_SLOTS_PER_TURN,
  slotSpread: 0.05,
  timeOfDay: 0.1,
  contentSpread: 0.24,
};
