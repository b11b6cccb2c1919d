/**
 * One profile against another before any rule is applied to it: log efficiency ratios, paired within page, link and block, and the mean of them
 * with its uncertainty.
 */
import { additiveResidual, type ResidualSpread } from '../stats/additive-residual.ts';
import { mean } from '../stats/mean.ts';
import { median } from '../stats/quantile.ts';
import { type StratifiedMean, stratifiedMean } from '../stats/stratified-mean.ts';
import { BLOCKS_PER_DRAW } from './block-order.ts';
import { type LoadIndex, type ScenarioLoads, scenarioKeys } from './load-index.ts';

/** The pairs of an estimate; where it is adjusted, the draws in which both profiles have loads. */
export interface PairCounts {
  readonly pairs: number;
  /** Pairs in which the profile did better. */
  readonly pairsAhead: number;
  /** Pairs left out because only one of the two profiles has a usable load. */
  readonly incomplete: number;
  /** Blocks with a pair in any scenario. */
  readonly blocks: number;
}

export interface PairedRatios extends PairCounts {
  /** One sample of log ratios per scenario that has any. */
  readonly strata: readonly (readonly number[])[];
  readonly scenarios: readonly number[];
  /** What the clock by itself adds to the variance of a ratio, in the same order. */
  readonly clockVariances: readonly number[];
  readonly draws: readonly Draw[];
  /** Blocks of a scenario where both have a load, usable or not. */
  readonly tried: number;
  readonly scenariosTried: number;
}

/** Pairs of a scenario whose order was drawn together: those of two blocks, the second with the order of the first reversed (`block-order.ts`). */
export interface Draw {
  readonly stratum: number;
  /** Their log ratios added up. */
  readonly sum: number;
  readonly pairs: number;
}

/** What the mean over the scenarios consists of, draw by draw: had the draw come out the other way, its term would have the other sign. */
export function drawTerms(
  { strata, draws }: Pick<PairedRatios, 'strata' | 'draws'>,
  { change = 0, weights }: { readonly change?: number; readonly weights?: readonly number[] | undefined } = {},
): readonly number[] {
  return draws.map(({ stratum, sum, pairs }) => ((weights?.[stratum] ?? 1) * (sum - pairs * change)) / (strata[stratum]?.length ?? 1));
}

export interface EffectEstimate extends PairCounts {
  /** The mean log ratio; `undefined`: there is none yet. */
  readonly summary: StratifiedMean | undefined;
  /** Loads of one profile in a pair, on average. */
  readonly loadsPerPair: number;
  /** Pairs (adjusted: draws) for which both profiles made a load, usable or not. */
  readonly tried: number;
  /** Pairs of one block, were all made: one for each scenario in which both have loads; adjusted: 1. */
  readonly pairsPerBlock: number;
  /** The pairs, for the test by randomisation; absent where the estimate is not made of pairs. */
  readonly paired?: Pick<PairedRatios, 'strata' | 'draws'>;
}

/** Pairs of loads from the same page, link and block; a page over a link counts as much as any other. */
export function pairedEstimate(paired: PairedRatios, noise: BlockNoise): EffectEstimate {
  const { pairs, pairsAhead, incomplete, blocks, tried, scenariosTried } = paired;
  const summary = stratifiedMean(paired.strata, { prior: pooledVariance(paired, noise), minVariances: paired.clockVariances });
  return { summary, pairs, pairsAhead, incomplete, loadsPerPair: 1, blocks, tried, pairsPerBlock: scenariosTried, paired };
}

export type BlockNoise = ReadonlyMap<number, ResidualSpread>;

/**
 * How much loads of the run vary once profile and block are allowed for. In randomised complete blocks the log efficiency in
 * a scenario is profile + block + noise, so every profile of the run informs the noise of any pair: (P - 1)(B - 1) degrees
 * of freedom from P profiles and B blocks, where the pair alone has B - 1.
 */
export function blockNoise(index: LoadIndex): BlockNoise {
  return new Map(
    scenarioKeys(index).map((key) => {
      const rows = [...index.values()].flatMap((scenarios) => scenarios.get(key) ?? []);
      return [key, additiveResidual(rows.map(({ blocks, blockMeans }) => ({ columns: blocks, values: blockMeans })))];
    }),
  );
}

/**
 * The noise of a pair as estimated from the rest of the run, stratum by stratum. A ratio is the difference of two loads, so its
 * variance is twice theirs. The pair's own squares are part of the residual (its complete blocks are a part of the table);
 * taken out, the rest is independent of them, as what further cells add to a least-squares fit always is.
 */
export function pooledVariance({ strata, scenarios }: PairedRatios, noise: BlockNoise): readonly (ResidualSpread | undefined)[] {
  return strata.map((ratios, at) => {
    const residual = noise.get(scenarios[at] ?? -1);
    if (residual === undefined || ratios.length === 0) return undefined;
    const centre = mean(ratios);
    const own = ratios.reduce((sum, ratio) => sum + (ratio - centre) ** 2, 0);
    return {
      squares: Math.max(0, 2 * residual.squares - own),
      degreesOfFreedom: residual.degreesOfFreedom - (ratios.length - 1),
    };
  });
}

interface PairOptions {
  readonly profileId: string;
  readonly against: string;
  /** Found in all loads of the run (`clockStepMs`); `undefined`: not known. */
  readonly clockStepMs?: number | undefined;
  /** Default: 2. */
  readonly blocksPerDraw?: number;
}

/** A block in which a profile has several usable loads counts once, with the mean of their logs. */
export function pairLoads(
  index: LoadIndex,
  { profileId, against: againstId, clockStepMs, blocksPerDraw = BLOCKS_PER_DRAW }: PairOptions,
): PairedRatios {
  const strata: (readonly number[])[] = [];
  const scenarios: number[] = [];
  const clockVariances: number[] = [];
  const draws: Draw[] = [];
  const blocks = new Set<number>();
  let [pairs, pairsAhead, incomplete, tried, scenariosTried] = [0, 0, 0, 0, 0];
  const against = index.get(againstId);
  for (const [key, own] of index.get(profileId) ?? []) {
    const other = against?.get(key);
    const shared = other === undefined ? [] : common(own.blocks, other.blocks);
    const ratios = shared.map(([at, theirs]) => (own.blockMeans[at] ?? 0) - (other?.blockMeans[theirs] ?? 0));
    for (const [at] of shared) blocks.add(own.blocks[at] ?? 0);
    for (const ratio of ratios) if (ratio > 0) pairsAhead += 1;
    incomplete += own.blocks.length + (other?.blocks.length ?? 0) - 2 * ratios.length;
    const triedHere = other === undefined ? 0 : common(own.triedBlocks, other.triedBlocks).length;
    tried += triedHere;
    if (triedHere > 0) scenariosTried += 1;
    draws.push(
      ...drawsOf(ratios, { draws: shared.map(([at]) => Math.floor((own.blocks[at] ?? 0) / blocksPerDraw)), stratum: strata.length }),
    );
    strata.push(ratios);
    scenarios.push(key);
    clockVariances.push(clockVariance(own, clockStepMs) + clockVariance(other, clockStepMs));
    pairs += ratios.length;
  }
  return { strata, scenarios, clockVariances, draws, pairsAhead, pairs, incomplete, blocks: blocks.size, tried, scenariosTried };
}

function drawsOf(
  ratios: readonly number[],
  { draws: numbers, stratum }: { readonly draws: readonly number[]; readonly stratum: number },
): readonly Draw[] {
  const draws = new Map<number, Draw>();
  ratios.forEach((ratio, at) => {
    const draw = numbers[at] ?? 0;
    const before = draws.get(draw);
    draws.set(draw, { stratum, sum: ratio + (before?.sum ?? 0), pairs: 1 + (before?.pairs ?? 0) });
  });
  return [...draws.values()];
}

export interface TypicalTimes {
  readonly ownMs: number;
  readonly againstMs: number;
}

/**
 * Typical load times of two profiles over the loads that their ratio rests on: the geometric mean over scenarios of that in each. Without
 * `pairsOnly`, over all loads of the scenarios that both have. `undefined`: no scenario has a time of both.
 */
export function typicalTimes(
  index: LoadIndex,
  { profileId, against, pairsOnly }: { readonly profileId: string; readonly against: string; readonly pairsOnly: boolean },
): TypicalTimes | undefined {
  const logs = [...(index.get(profileId) ?? [])].flatMap(([key, own]) => {
    const other = index.get(against)?.get(key);
    if (other === undefined) return [];
    const times = pairsOnly ? pairedTimes(own, other) : ([own.loadTimesMs, other.loadTimesMs] as const);
    return times[0].length === 0 || times[1].length === 0 ? [] : [[meanLog(times[0]), meanLog(times[1])] as const];
  });
  if (logs.length === 0) return undefined;
  const typical = (side: 0 | 1) => Math.exp(mean(logs.map((both) => both[side])));
  return { ownMs: typical(0), againstMs: typical(1) };
}

const meanLog = (timesMs: readonly number[]): number => mean(timesMs.map((time) => Math.log(time)));

function pairedTimes(own: ScenarioLoads, other: ScenarioLoads): readonly [readonly number[], readonly number[]] {
  const pairs = common(own.blocks, other.blocks).flatMap(([at, theirs]) => {
    const [mine, yours] = [own.blockTimesMs[at], other.blockTimesMs[theirs]];
    return mine === undefined || yours === undefined ? [] : [[mine, yours] as const];
  });
  return [pairs.map(([mine]) => mine), pairs.map(([, yours]) => yours)];
}

/** Positions of the numbers that both ascending lists have. */
function common(own: readonly number[], other: readonly number[]): readonly (readonly [number, number])[] {
  const shared: (readonly [number, number])[] = [];
  let theirs = 0;
  for (let at = 0; at < own.length; at++) {
    const block = own[at] ?? 0;
    while ((other[theirs] ?? Number.POSITIVE_INFINITY) < block) theirs += 1;
    if (other[theirs] === block) shared.push([at, theirs]);
  }
  return shared;
}

/** Times that differ by a smaller share are the same reading, rounded differently in a double. */
const SAME_READING = 1e-9;

/**
 * The step of the clock that load times were read from. Firefox's clocks have steps of 1 ms, or 100 ms where `privacy.resistFingerprinting`
 * is on; a load time is the difference of two readings.
 *
 * It is the smallest distance between two different load times: on a grid its step or a multiple of it; without one it falls with the square of
 * the number of loads, so that it soon means nothing beside their spread. `undefined`: all load times are the same, or there are none.
 */
export function clockStepMs(index: LoadIndex): number | undefined {
  const times: number[] = [];
  for (const scenarios of index.values())
    for (const { loadTimesMs } of scenarios.values()) for (const time of loadTimesMs) times.push(time);
  const sorted = Float64Array.from(times).sort();
  let step: number | undefined;
  for (let at = 1; at < sorted.length; at++) {
    const [before, time] = [sorted[at - 1] ?? 0, sorted[at] ?? 0];
    const gap = time - before;
    if (gap > time * SAME_READING && (step === undefined || gap < step)) step = gap;
  }
  return step;
}

/**
 * The variance that the clock adds to the logarithm of a load time t: the difference of two readings, each off by an even chance within a step g,
 * (g^2 / 12 + g^2 / 12) / t^2.
 */
function clockVariance(loads: ScenarioLoads | undefined, stepMs: number | undefined): number {
  const typical = loads && median(loads.loadTimesMs);
  return stepMs === undefined || typical === undefined ? 0 : (stepMs / typical) ** 2 / 6;
}
