/**
 * How a search spends its loads: successive halving (Karnin, Koren & Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013), rounds
 * of about equal numbers of loads after each of which the better half stays, and a share that is kept for fresh blocks.
 */
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';

/** The share of all loads that is kept for the confirmation. Chosen by the calibration of searches (test/calibration). */
const SHARE_TO_CONFIRM = 0.45;
/** Blocks of a round: one load says little where chance decides losses, and more than six are better spent on another round. */
export const MIN_BLOCKS_EACH = 2;
const MAX_BLOCKS_EACH = 6;

/** Blocks of a confirmation. The fewest with which a verdict is likely: with one scenario, swaps within pairs decide from six blocks on.
 * The most: of simulated gains of 12 % among loads that vary by 13 %, 96 loads proved 72 % with 24 blocks, 83 % with 36, 85 % with 48. */
const MIN_TO_CONFIRM = { oneScenario: 6, several: 4 } as const;
const MAX_TO_CONFIRM = 48;
/** The share of a confirmation's time that is planned. Four fifths of alpha are spent at the planned end: where loads take a little longer than
 * those before, as many as time allows would end just before it. Chosen. */
const PLANNED_SHARE = 0.88;

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
  return Math.min(MAX_TO_CONFIRM, Math.max(minToConfirm(scenarios), Math.floor((PLANNED_SHARE * loads) / ((arms + 1) * scenarios))));
}

const minToConfirm = (scenarios: number): number => (scenarios === 1 ? MIN_TO_CONFIRM.oneScenario : MIN_TO_CONFIRM.several);

/** Loads of the shortest search: one arm beside Firefox's own settings, in one round and a confirmation. */
export const minLoads = (scenarios: number): number => (MIN_BLOCKS_EACH + minToConfirm(scenarios)) * 2 * scenarios;

/** Whether there is time for so many blocks of so many arms, Firefox's own settings counted. */
export const isTimeFor = (blocks: number, arms: number, { loads, scenarios }: Budget): boolean => blocks * arms * scenarios <= loads;

/** Arms with their speed over Firefox's own settings so far: the ratio, its interval's upper end, and the gain that four of five runs would show. */
interface RatedArm {
  readonly id: string;
  readonly ratio?: number | undefined;
  readonly high?: number | undefined;
  readonly detectableChange?: number | undefined;
}

export type HalvingOutcome = 'kept' | 'open' | 'slower-half' | 'not-ahead' | 'no-loads';

/** Less of a lead is not worth a confirmation: half of what a verdict asks for. */
export const MIN_LEAD = MEANINGFUL_CHANGE / 2;

/** While a gain of this share might not have shown, what is not ahead has another round: three times what a verdict asks for. Chosen. */
const WORTH_ANOTHER_ROUND = 0.1;

/**
 * What a round does with each arm: the better half stays, of equal ones the earlier, and none that is not ahead of Firefox's own settings. Where none
 * has a lead, the better half of those stays open of which too few loads were made to say so.
 */
export function halve(arms: readonly RatedArm[]): ReadonlyMap<string, HalvingOutcome> {
  const better = betterHalf(arms);
  const isNoneAhead = arms.every(({ ratio = 0 }) => ratio < 1 + MIN_LEAD);
  const open = isNoneAhead ? betterHalf(arms.filter(isOpen)) : undefined;
  const outcomeOf = ({ id, ratio }: RatedArm): HalvingOutcome => {
    if (ratio === undefined) return 'no-loads';
    if (open?.has(id) === true) return 'open';
    if (ratio <= 1) return 'not-ahead';
    return better.has(id) ? 'kept' : 'slower-half';
  };
  return new Map(arms.map((arm) => [arm.id, outcomeOf(arm)]));
}

function betterHalf(arms: readonly RatedArm[]): ReadonlySet<string> {
  const rated = arms.filter(({ ratio }) => ratio !== undefined).toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0));
  return new Set(rated.slice(0, Math.ceil(arms.length / 2)).map(({ id }) => id));
}

/** Without an interval nothing is ruled out. */
const isOpen = ({ ratio, high = Infinity, detectableChange = Infinity }: RatedArm): boolean =>
  ratio !== undefined && high > 1 + MEANINGFUL_CHANGE && detectableChange > WORTH_ANOTHER_ROUND;
