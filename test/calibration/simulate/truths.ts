/** What is simulated where a line does not say otherwise. */
import { DEFAULT_LOADS_PER_SLOT } from '../../../src/core/trial/trial-defaults.ts';
import type { EverydayDesign } from './everyday-loads.ts';
import type { TrialTruth } from './everyday-trial.ts';
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

/**
 * Everyday browsing with a bit of everything that is no profile's doing: links, hours of the day, slots, and loads that differ by
 * what is on the page that time, of which a prediction knows. Two arms of 120 loads each, in slots as trials have them. Sizes are our own choice; what other
 * sizes do is shown by the lines named `equal-...`.
 */
export const EVERYDAY_TRUTH: EverydayDesign = {
  arms: twoArms(),
  blocks: 120 / DEFAULT_LOADS_PER_SLOT,
  loadsPerSlot: DEFAULT_LOADS_PER_SLOT,
  slotSpread: 0.05,
  timeOfDay: 0.1,
  variation: { spread: 0.3, slope: 0.8, predicted: true },
};

/** The same as trials have it: the extension attaches no predictions to their loads (`trialLoads` of the background). */
export const TRIAL_TRUTH: TrialTruth = { ...EVERYDAY_TRUTH, variation: { spread: 0.3, slope: 0.8, predicted: false } };
