/** When a run of loads ends, by how much loads vary and without regard to which profile is ahead. */
import { BLOCKS_PER_DRAW } from '../compare/block-order.ts';
import { SHARE_AT_LOOKS } from '../compare/interval-rule.ts';
import { DEFAULT_ALPHA, MEANINGFUL_CHANGE, MIN_BLOCKS, MIN_PAIRS, TARGET_CHANGE } from '../compare/thresholds.ts';
import type { ResidualSpread } from '../stats/additive-residual.ts';
import { studentTQuantile } from '../stats/distributions.ts';

/** The share of alpha that the last of five looks has: of the looks' own .0422 of .05 (`lookLevels`). */
export const LEVEL_AT_END = SHARE_AT_LOOKS * 0.845;

/**
 * z of a chance of 85 %: the best of five is dropped in 5 of 100 runs before, so that four of five find it. With 80 % the loads by which they do were the
 * most that a run makes (`tune-loads-10-...`).
 */
const FOUND_Z = 1.0364333894937898;

/**
 * z of a chance of 95 % that a normal value lies within a range around its mean: all candidates have to. Of 150 runs of five equal profiles that vary by
 * 2 %, 87 % then end with nothing to gain; with 80 % for each of them, 72 %.
 */
const WITHIN_Z = 1.959963984540054;

/** Pairs up to which a run goes on to show that there is no real difference, where it needs fewer to find `TARGET_CHANGE`. Chosen. */
const MAX_EQUAL_PAIRS = 48;

interface EndOptions {
  /** How ln efficiency of a load varies, with the effects of page, link, block and profile taken out: it is the same whichever profile is which. */
  readonly spread: ResidualSpread;
  /** Pages over links: pairs of a block. */
  readonly scenarios: number;
  /** Intervals that share alpha. */
  readonly intervals: number;
}

/**
 * The fewest blocks with which a verdict is possible: six pairs, and six draws of two blocks each on every page over every link, as with fewer draws no
 * way to swap profiles is rarer than one in twenty.
 */
export function minBlocks(scenarios: number): number {
  let blocks = MIN_BLOCKS;
  while (scenarios * blocks < MIN_PAIRS || scenarios * Math.ceil(blocks / BLOCKS_PER_DRAW) < MIN_PAIRS) blocks += 1;
  return blocks;
}

/**
 * Blocks after which a gain of `TARGET_CHANGE` is found in 85 of 100 runs, and where that takes few pairs, after which no real difference is shown of
 * all candidates in most. With n pairs of standard deviation s: (t + z) * s / sqrt(n) is at most ln(1 + change), or 3 %. An end chosen by a spread that does not depend
 * on which profile is which leaves the chance of a false verdict as it was (Gould & Shih, "Sample size re-estimation without unblinding for normally
 * distributed outcomes with unknown variance", Communications in Statistics A 21 (1992)).
 */
export function plannedEnd(options: EndOptions): number {
  const found = blocksFor(options, { distance: Math.log1p(TARGET_CHANGE), z: FOUND_Z });
  const equal = blocksFor(options, { distance: Math.log1p(MEANINGFUL_CHANGE), z: WITHIN_Z });
  return equal * options.scenarios <= MAX_EQUAL_PAIRS ? Math.max(found, equal) : found;
}

function blocksFor(
  { spread, scenarios, intervals }: EndOptions,
  { distance, z }: { readonly distance: number; readonly z: number },
): number {
  const level = (DEFAULT_ALPHA * LEVEL_AT_END) / intervals;
  const sd = Math.sqrt((2 * spread.squares) / Math.max(1, spread.degreesOfFreedom));
  let blocks = minBlocks(scenarios);
  while (blocks < MAX_END) {
    const pairs = blocks * scenarios;
    if ((studentTQuantile(1 - level / 2, pairs - scenarios) + z) * sd <= distance * Math.sqrt(pairs)) break;
    blocks += 1;
  }
  return blocks;
}

/** Blocks beyond which no run is planned: the caller has its own limit of time. */
const MAX_END = 1000;
