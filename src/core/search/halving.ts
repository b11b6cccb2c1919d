/**
 * How a search spends its loads: successive halving (Karnin, Koren & Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013), rounds
 * of about equal numbers of loads after each of which the better half stays, and a share that is kept for fresh blocks.
 */

/** The share of all loads that is kept for the confirmation. Chosen by the calibration of searches (test/calibration). */
const SHARE_TO_CONFIRM = 0.45;
/** Blocks of a round: one load says little where chance decides losses, and more than six are better spent on another round. */
const MIN_BLOCKS_EACH = 2;
const MAX_BLOCKS_EACH = 6;

/** Blocks of a confirmation. The fewest with which a verdict is likely: with one scenario, swaps within pairs decide from six blocks on. */
const MIN_TO_CONFIRM = { oneScenario: 6, several: 4 } as const;
const MAX_TO_CONFIRM = 24;

interface Budget {
  /** Loads that can still be made. */
  readonly loads: number;
  /** Pages over links: a block of an arm has so many loads. */
  readonly scenarios: number;
}

/** Arms that a first round of that many loads can carry, Firefox's own settings not counted; at least one. */
export function affordableArms({ loads, scenarios }: Budget): number {
  let arms = 1;
  while (roundLoads(arms + 1, scenarios) <= roundShare(arms + 1, loads)) arms += 1;
  return arms;
}

const roundLoads = (arms: number, scenarios: number): number => MIN_BLOCKS_EACH * (arms + 1) * scenarios;
const roundShare = (arms: number, loads: number): number => (loads * (1 - SHARE_TO_CONFIRM)) / roundsFor(arms);

/** Rounds until one of so many arms is left; one arm has a round as well. */
export const roundsFor = (arms: number): number => Math.max(1, Math.ceil(Math.log2(arms)));

/** Blocks of a round of halving, Firefox's own settings measured beside the arms. */
export function roundBlocks(arms: number, { loads, scenarios }: Budget, kept: number): number {
  const share = Math.max(0, loads - kept) / roundsFor(arms);
  return Math.min(MAX_BLOCKS_EACH, Math.max(MIN_BLOCKS_EACH, Math.floor(share / ((arms + 1) * scenarios))));
}

/** Loads that halving leaves for the confirmation. */
export const keptToConfirm = ({ loads }: Budget): number => Math.floor(loads * SHARE_TO_CONFIRM);

/** Blocks planned for a confirmation of so many arms, Firefox's own settings not counted. */
export function confirmationBlocks(arms: number, { loads, scenarios }: Budget): number {
  return Math.min(MAX_TO_CONFIRM, Math.max(minToConfirm(scenarios), Math.floor(loads / ((arms + 1) * scenarios))));
}

const minToConfirm = (scenarios: number): number => (scenarios === 1 ? MIN_TO_CONFIRM.oneScenario : MIN_TO_CONFIRM.several);

/** Loads of the shortest search: one arm beside Firefox's own settings, in one round and a confirmation. */
export const minLoads = (scenarios: number): number => (MIN_BLOCKS_EACH + minToConfirm(scenarios)) * 2 * scenarios;

/** Whether there is time for so many blocks of so many arms, Firefox's own settings counted. */
export const isTimeFor = (blocks: number, arms: number, { loads, scenarios }: Budget): boolean => blocks * arms * scenarios <= loads;

/** Arms with their speed over Firefox's own settings so far. */
interface RatedArm {
  readonly id: string;
  readonly ratio: number | undefined;
}

export type HalvingOutcome = 'kept' | 'slower-half' | 'not-ahead' | 'no-loads';

/** What a round does with each arm: the better half stays, of equal ones the earlier, and none that is not ahead of Firefox's own settings. */
export function halve(arms: readonly RatedArm[]): ReadonlyMap<string, HalvingOutcome> {
  const rated = arms.filter((arm): arm is RatedArm & { readonly ratio: number } => arm.ratio !== undefined);
  const better = new Set(
    rated
      .toSorted((a, b) => b.ratio - a.ratio)
      .slice(0, Math.ceil(arms.length / 2))
      .map(({ id }) => id),
  );
  return new Map(
    arms.map(({ id, ratio }) => [
      id,
      ratio === undefined ? 'no-loads' : ratio <= 1 ? 'not-ahead' : better.has(id) ? 'kept' : 'slower-half',
    ]),
  );
}
