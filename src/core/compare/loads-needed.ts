/** How many more loads per profile of the same run a verdict takes, if the spread stays as it was seen. */
import { normalUpperTail, truncatedMean } from '../stats/distributions.ts';
import type { StratifiedMean } from '../stats/stratified-mean.ts';
import { criticalValue, type IntervalRule, lookAt } from './interval-rule.ts';
import { MEANINGFUL_CHANGE, MIN_BLOCKS, TARGET_CHANGE } from './thresholds.ts';

export interface LoadsNeeded {
  /** Loads per profile beyond those made, in whole blocks of every scenario. Half of the runs are decided by then. */
  readonly more: number;
  readonly blocks: number;
  /** Likewise, at least `more` and at most three times as many: enough for most runs (docs/statistics.md). */
  readonly atMost: number;
}

/** z of the planned power, 80 %: the standard normal quantile at 0.8. */
export const POWER_Z = 0.8416212335729143;
/** Beyond this the answer is not a number of loads but "too small to tell". */
const MAX_LOADS = 10_000;
/** `atMost` is no more than this times `more`: a wider span says nothing. */
const MAX_SPAN = 3;

/** A forecast of how a run goes on, found by simulation of tune's own rule (docs/decisions/006-loads-still-needed.md). */
interface Forecast {
  /** Chance of an estimate up to the one seen, which the assumed change is read from. */
  readonly chance: number;
  /** Bound of the change, in multiples of what would have decided: a larger one would have been found. */
  readonly largest: number;
  /** Standard deviations by which the estimate lags behind its mean; below 0: ahead, as the first of many looks decides. */
  readonly lag: number;
}

const TYPICAL: Forecast = { chance: 0.5, largest: 1.4, lag: -0.45 };
const CAUTIOUS: Forecast = { chance: 0.7, largest: 1, lag: POWER_Z };

/**
 * The run goes on: of B0 blocks the mean log ratio was m, of B it is expected at (B0 * m + (B - B0) * change) / B, with a standard deviation of
 * sqrt(v / S * (B - B0)) / B; v is the mean over S scenarios of the variance of a pair's log ratio. The answer is the first B at which that,
 * `lag` standard deviations off, gives a verdict by `interval-rule.ts`: beyond critical(B) * sqrt(v / (S * B)) and 3 %, or with the interval within
 * +-3 %. So beyond the planned end it counts on the part of alpha that is left there. Critical(B) has k * (B - 1 + l(B)) degrees of freedom: k <= S
 * falling with how unequally the scenarios vary, l(B) what a scenario gains from the other profiles (see `moderatedVariances`).
 *
 * The change is not the one seen: runs that are still open are those whose estimate came out small by chance, so it is the median-unbiased one
 * among open runs. `undefined`: spread not known yet, or more than 10,000 loads.
 */
export function loadsNeeded(seen: StratifiedMean, rule: IntervalRule): LoadsNeeded | undefined {
  const run = runSoFar(seen, rule);
  const typical = run && firstVerdict(run, TYPICAL);
  if (run === undefined || typical === undefined) return undefined;
  const inLoads = (blocks: number) => blocks * seen.strata - seen.count;
  const more = inLoads(typical);
  if (more > MAX_LOADS) return undefined;
  const cautious = firstVerdict(run, CAUTIOUS);
  const atMost = Math.min(MAX_SPAN * more, cautious === undefined ? Number.POSITIVE_INFINITY : Math.max(more, inLoads(cautious)));
  return { more, blocks: Math.ceil(more / seen.strata), atMost };
}

/** Chances that the planned end brings a verdict, by what the run has seen so far. */
export interface ChancesAtEnd {
  /** That the profile is better there, were it better by `TARGET_CHANGE` from now on. */
  readonly better: number;
  /** That there is no real difference, were there none from now on. */
  readonly same: number;
}

/**
 * Conditional power: of B planned blocks b are made, with a mean log ratio of m; the mean at the end is normal around (b * m + (B - b) * change) / B,
 * with a standard deviation of sd * sqrt(B - b) / B (Lan, Simon & Halperin, "Stochastically curtailed tests in long-term clinical trials",
 * Communications in Statistics C 1 (1982)). `undefined`: nothing is planned, the end has come, or the spread is not known.
 */
export function chancesAtEnd(seen: StratifiedMean, rule: IntervalRule): ChancesAtEnd | undefined {
  const run = runSoFar(seen, rule);
  const end = run?.plannedBlocks;
  if (run === undefined || end === undefined || run.blocks >= end) return undefined;
  const half = run.halfWidth(end);
  if (half === undefined) return undefined;
  const made = run.blocks / end;
  const sd = (run.sd * Math.sqrt(end - run.blocks)) / end;
  const chanceBeyond = (bound: number, change: number) => normalUpperTail((bound - made * seen.mean - (1 - made) * change) / sd);
  const room = SMALLEST - half;
  return {
    better: chanceBeyond(Math.max(half, SMALLEST), Math.log1p(TARGET_CHANGE)),
    same: room <= 0 ? 0 : Math.max(0, chanceBeyond(-room, 0) - chanceBeyond(room, 0)),
  };
}

/** The mean at the planned end, as far as the spread seen tells. */
export interface EndOfRun {
  /** Half the interval's width. */
  readonly half: number;
  readonly standardError: number;
  readonly degreesOfFreedom: number;
}

/** `undefined`: nothing is planned, or the end has passed. */
export function endOfRun(seen: StratifiedMean, rule: IntervalRule): EndOfRun | undefined {
  const run = runSoFar(seen, rule);
  const end = run?.plannedBlocks;
  if (run === undefined || end === undefined || run.blocks > end) return undefined;
  const half = run.halfWidth(end);
  return half === undefined ? undefined : { half, standardError: run.sd / Math.sqrt(end), degreesOfFreedom: run.degreesOfFreedom(end) };
}

interface RunSoFar {
  readonly scenarios: number;
  /** Part of a block where one was interrupted. */
  readonly blocks: number;
  /** |mean log ratio|, as the change may go either way. */
  readonly distance: number;
  /** Standard deviation of the mean over one block. */
  readonly sd: number;
  /** Half the interval's width; `undefined`: not bounded. */
  readonly halfWidth: (blocks: number) => number | undefined;
  readonly degreesOfFreedom: (blocks: number) => number;
  readonly plannedBlocks: number | undefined;
}

function runSoFar(seen: StratifiedMean, rule: IntervalRule): RunSoFar | undefined {
  const { separate, strata } = seen;
  if (separate === undefined) return undefined;
  const sd = Math.sqrt(separate.variance / strata);
  const known = new Map<number, number | undefined>();
  const degreesAfter = (blocks: number) => separate.alikeStrata * (blocks - 1 + borrowedAt(seen, blocks));
  const halfWidth = (blocks: number): number | undefined => {
    if (known.has(blocks)) return known.get(blocks);
    const look = lookAt({ tried: strata * blocks, pairsPerBlock: strata }, rule);
    const critical = criticalValue({ effectiveCount: strata * blocks, degreesOfFreedom: degreesAfter(blocks) }, { ...rule, look });
    const half = critical === undefined ? undefined : (critical * sd) / Math.sqrt(blocks);
    known.set(blocks, half);
    return half;
  };
  const { plan } = rule;
  const plannedBlocks = plan && ('blocks' in plan ? plan.blocks : Math.floor(plan.pairs / strata));
  return {
    scenarios: strata,
    blocks: seen.count / strata,
    distance: Math.abs(seen.mean),
    sd,
    halfWidth,
    degreesOfFreedom: degreesAfter,
    plannedBlocks,
  };
}

/** Blocks, those there are included. */
function firstVerdict(run: RunSoFar, forecast: Forecast): number | undefined {
  const { blocks: before, distance, sd, plannedBlocks = 0 } = run;
  const change = assumedChange(run, forecast);
  // The verdict is not there yet, so at least one more block, whatever the formula says of the blocks there are.
  let blocks = Math.max(MIN_BLOCKS, Math.floor(before) + 1);
  while (blocks * run.scenarios <= MAX_LOADS + before * run.scenarios) {
    const half = run.halfWidth(blocks);
    const expected = (before * distance + (blocks - before) * change) / blocks;
    const chance = (sd * Math.sqrt(blocks - before)) / blocks;
    if (half !== undefined && expected - forecast.lag * chance >= Math.max(half, SMALLEST)) return blocks;
    if (half !== undefined && expected + forecast.lag * chance <= SMALLEST - half) return blocks;
    const next = Math.max(blocks + 1, Math.ceil(blocks * STRIDE));
    blocks = blocks < plannedBlocks ? Math.min(plannedBlocks, next) : next;
  }
  return undefined;
}

/** |ln ratio| of the smallest change that is called better; in the other direction it is 0.0009 more, which no forecast can tell apart. */
const SMALLEST = Math.log1p(MEANINGFUL_CHANGE);
/** Beyond 50 blocks in steps of 2 %, far within the forecast's own chance. */
const STRIDE = 1.02;

function assumedChange({ blocks, distance, sd, halfWidth }: RunSoFar, { chance, largest }: Forecast): number {
  const half = halfWidth(blocks);
  const limit = Math.max(half ?? Number.POSITIVE_INFINITY, SMALLEST);
  // Open for another reason than its estimate: too few blocks, or the test by swaps.
  if (distance >= limit || limit === Number.POSITIVE_INFINITY || sd === 0) return distance;
  return truncatedMean({ value: distance, limit, sd: sd / Math.sqrt(blocks) }, { chance, most: largest * limit });
}

/** The degrees of freedom that a scenario gains from the other profiles after this number of blocks. */
function borrowedAt({ separate, count, strata }: StratifiedMean, blocks: number): number {
  if (separate === undefined) return 0;
  const { priorDegrees, maxPriorDegrees } = separate;
  const grown = (blocks - 1) / Math.max(1, count / strata - 1);
  return Math.max(priorDegrees, Math.min(maxPriorDegrees, priorDegrees * grown));
}
