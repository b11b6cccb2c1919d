/** Log efficiency ratios of one profile against another, paired within page, link and block. */
import { mean } from '../stats/mean.ts';
import { median } from '../stats/quantile.ts';
import type { LoadIndex, ScenarioLoads } from './load-index.ts';

export interface PairedRatios {
  /** One sample of log ratios per scenario that has any. */
  readonly strata: readonly (readonly number[])[];
  /** Their scenarios, in the same order. */
  readonly scenarios: readonly number[];
  /** What the clock alone adds to the variance of a ratio, in the same order. */
  readonly clockVariances: readonly number[];
  /** Pairs in which the profile did better. */
  readonly pairsAhead: number;
  readonly pairs: number;
  /** Blocks of a scenario where only one of the two has a usable load. */
  readonly incomplete: number;
  /** Blocks with a pair in any scenario. */
  readonly blocks: number;
  /** Blocks of a scenario where both have a load, usable or not. */
  readonly tried: number;
  /** Scenarios where that is so. */
  readonly scenariosTried: number;
}

/**
 * A block in which a profile has several usable loads counts once, with the mean of their logs.
 * @param clockStepMs of `clockStepMs`, found in all loads of the run; `undefined`: not known.
 */
export function pairLoads(
  index: LoadIndex,
  {
    profileId,
    against: againstId,
    clockStepMs,
  }: { readonly profileId: string; readonly against: string; readonly clockStepMs?: number | undefined },
): PairedRatios {
  const strata: (readonly number[])[] = [];
  const scenarios: number[] = [];
  const clockVariances: number[] = [];
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
    strata.push(ratios);
    scenarios.push(key);
    clockVariances.push(clockVarianceOf(own, clockStepMs) + clockVarianceOf(other, clockStepMs));
    pairs += ratios.length;
  }
  return { strata, scenarios, clockVariances, pairsAhead, pairs, incomplete, blocks: blocks.size, tried, scenariosTried };
}

export interface TypicalTimes {
  readonly ownMs: number;
  readonly againstMs: number;
}

/**
 * Typical load times of two profiles over the loads that their ratio rests on: geometric mean over scenarios of that in each. Without
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

function clockVarianceOf(loads: ScenarioLoads | undefined, clockStepMs: number | undefined): number {
  const typical = loads && median(loads.loadTimesMs);
  return clockStepMs === undefined || typical === undefined ? 0 : clockVariance(clockStepMs, typical);
}

/** Positions of the numbers that both lists have: both ascend. */
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

/** Times closer than this part of themselves are the same reading, written with other roundings of a double. */
const SAME_READING = 1e-9;

/**
 * The step of the clock that load times were read from, and what it adds to their noise. Firefox's clocks have steps of 1 ms, or 100 ms where
 * `privacy.resistFingerprinting` is on; a load time is the difference of two readings.
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

/** Variance of the logarithm of a load time that is the difference of two readings, each off by an even chance within a step: (g^2 / 12 + g^2 / 12) / t^2. */
function clockVariance(stepMs: number, loadTimeMs: number): number {
  return (stepMs / loadTimeMs) ** 2 / 6;
}
