/**
 * The experiment that every measurement is: a conversation that orders loads, is given them, and ends when its question is answered. All profiles begin
 * together, losers are dropped on a schedule fixed before the loads can tell which they are, every load counts to the end, and one alpha is shared by
 * all that began. Pure: `tune` makes the loads in a real Firefox, the calibration draws them.
 */
import { judgeCandidates } from '../compare/compare-profiles.ts';
import type { ComparableLoad, ComparedProfile } from '../compare/comparison.ts';
import { lookBlocks } from '../compare/interval-rule.ts';
import { indexLoads } from '../compare/load-index.ts';
import { blockNoise } from '../compare/paired-estimate.ts';
import type { ResidualSpread } from '../stats/additive-residual.ts';
import { minBlocks, plannedEnd } from './planned-end.ts';
import { type RaceDrop, raceStep } from './race-step.ts';
import { dropSchedule, keptAfter, scheduledLoads } from './schedule.ts';

/** `answer`: until the question is answered, at most so many blocks. `loads`: the same with so many loads. `blocks`: as many, by all profiles. */
export type RaceLimit =
  | { readonly kind: 'answer'; readonly maxBlocks: number }
  | { readonly kind: 'loads'; readonly loads: number }
  | { readonly kind: 'blocks'; readonly blocks: number };

export interface RaceOptions {
  /** The baseline first. */
  readonly profiles: readonly ComparedProfile[];
  /** Pages over links. */
  readonly scenarios: number;
  readonly limit: RaceLimit;
}

/** Loads to be made: every profile once on every page over every link in each of these blocks. */
export interface RaceOrder {
  readonly profileIds: readonly string[];
  readonly firstBlock: number;
  readonly blocks: number;
  /** Loads that are still to come by the plan, these among them; `undefined`: the end is not planned yet. */
  readonly loadsLeft: number | undefined;
}

export interface RaceLoads {
  readonly loads: readonly ComparableLoad[];
  /** How many more can be made; absent: as many as it takes. */
  readonly loadsLeft?: number | undefined;
  readonly interrupted: boolean;
}

/** Blocks that were over when it was dropped. */
export type DroppedProfile = RaceDrop & { readonly afterBlocks: number };

export type RaceEnd = 'answered' | 'planned-end' | 'out-of-loads' | 'interrupted';

export interface RaceOutcome {
  readonly end: RaceEnd;
  /** Blocks that were begun. */
  readonly blocks: number;
  /** `undefined`: the run ended before it was planned. */
  readonly plannedBlocks: number | undefined;
  readonly dropped: readonly DroppedProfile[];
}

/** @throws PlumbfoxError as `compareProfiles` does. */
export function* race({ profiles, scenarios, limit }: RaceOptions): Generator<RaceOrder, RaceOutcome, RaceLoads> {
  const candidates = profiles.filter(({ role }) => role === 'candidate').length;
  const pilot = pilotBlocks(profiles.length, scenarios);
  const loads: ComparableLoad[] = [];
  const dropped: DroppedProfile[] = [];
  let active = profiles;
  let blocks = 0;
  let end = limit.kind === 'blocks' ? limit.blocks : undefined;
  let most: number | undefined;
  let left = limit.kind === 'loads' ? limit.loads : undefined;
  const outcome = (because: RaceEnd): RaceOutcome => ({ end: because, blocks, plannedBlocks: end, dropped });
  for (;;) {
    const perBlock = active.length * scenarios;
    const wanted = (end === undefined ? pilot : nextStop(blocks, { end, candidates, limit })) - blocks;
    const inTime = left === undefined ? wanted : Math.min(wanted, Math.floor(left / perBlock));
    if (inTime === 0) return outcome('out-of-loads');
    const loadsLeft = end === undefined ? undefined : scenarios * loadsToCome(active.length, { blocks, end, candidates, limit });
    const made = yield { profileIds: active.map(({ id }) => id), firstBlock: blocks, blocks: inTime, loadsLeft };
    loads.push(...made.loads);
    left = made.loadsLeft;
    blocks = made.interrupted ? Math.max(blocks, ...made.loads.map(({ block }) => block + 1)) : blocks + inTime;
    if (made.interrupted) return outcome('interrupted');
    if (limit.kind !== 'blocks' && blocks >= pilot && (end === undefined || blocks <= SETTLED * end)) {
      const planned = plannedEnd({ spread: spreadOf(loads, profiles), scenarios, intervals: Math.max(1, profiles.length - 1) });
      // Once, as what dropped profiles leave over depends on which they are.
      most ??= limit.kind === 'answer' ? limit.maxBlocks : affordableEnd({ loads: loads.length + (left ?? 0), scenarios, candidates });
      end = Math.max(blocks, Math.min(planned, most));
    }
    if (end !== undefined && limit.kind !== 'blocks') {
      const step = lookAtRace(loads, { profiles, active, end, keep: keptAfter(blocks, { end, candidates }) });
      dropped.push(...step.drops.map((drop) => ({ ...drop, afterBlocks: blocks })));
      active = withoutIdleControl(active.filter(({ id }) => step.drops.every(({ profileId }) => profileId !== id)));
      if (step.isOver) return outcome('answered');
    }
    if (end !== undefined && blocks >= end) return outcome('planned-end');
  }
}

/**
 * The share of the planned blocks up to which the end is planned anew, before the look that is due: the looks before that spend under 1 % of alpha. With
 * `LAST_DROP` and `FOUND_Z` it took five profiles, one 10 % better, spread .1, from 132 to 104 loads to its recommendation in four of five of 100 and 150
 * runs (`tune-loads-10-0.1`).
 */
const SETTLED = 0.6;

/** Degrees of freedom of the spread that the end is first planned by: a standard deviation is then known to a third. */
const PILOT_DEGREES = 6;

/** Blocks before the end is planned. */
function pilotBlocks(profiles: number, scenarios: number): number {
  return Math.max(2, 1 + Math.ceil(PILOT_DEGREES / (scenarios * Math.max(1, profiles - 1))));
}

interface RacePlan {
  readonly end: number;
  readonly candidates: number;
  readonly limit: RaceLimit;
}

function nextStop(blocks: number, { end, candidates, limit }: RacePlan): number {
  if (limit.kind === 'blocks') return end;
  const stops = [...lookBlocks(end), ...dropSchedule(candidates, end).map(({ after }) => after)];
  return Math.min(end, ...stops.filter((stop) => stop > blocks));
}

/** Loads of one page over one link that are still to come, if nobody is dropped but by the schedule. */
function loadsToCome(active: number, { blocks, end, candidates, limit }: RacePlan & { readonly blocks: number }): number {
  if (limit.kind === 'blocks') return active * (end - blocks);
  let loads = 0;
  for (let block = blocks; block < end; block++) loads += Math.min(active, 1 + keptAfter(block, { end, candidates }));
  return loads;
}

/** The share of the loads there is time for that is planned: what is longer than expected would end just before most of alpha is spent. Chosen. */
const PLANNED_SHARE = 0.88;

interface Budget {
  readonly loads: number;
  readonly scenarios: number;
  readonly candidates: number;
}

function affordableEnd({ loads, scenarios, candidates }: Budget): number {
  let end = 1;
  while (scenarios * scheduledLoads(candidates, end + 1) <= PLANNED_SHARE * loads) end += 1;
  return end;
}

/** How many of the candidates can come to a verdict; at least one. */
export function affordableCandidates({ loads, scenarios, candidates }: Budget): number {
  let affordable = candidates;
  while (affordable > 1 && affordableEnd({ loads, scenarios, candidates: affordable }) < minBlocks(scenarios)) affordable -= 1;
  return affordable;
}

/** Loads of the shortest race: one candidate beside the baseline. */
export const minRaceLoads = (scenarios: number): number => Math.ceil((2 * scenarios * minBlocks(scenarios)) / PLANNED_SHARE);

/** Pooled over pages and links; profiles and blocks allowed for. */
function spreadOf(loads: readonly ComparableLoad[], profiles: readonly ComparedProfile[]): ResidualSpread {
  const noise = blockNoise(
    indexLoads(
      loads,
      profiles.map(({ id }) => id),
    ),
  );
  let [squares, degreesOfFreedom] = [0, 0];
  for (const each of noise.values()) {
    squares += each.squares;
    degreesOfFreedom += each.degreesOfFreedom;
  }
  return { squares, degreesOfFreedom };
}

interface RaceLook {
  readonly profiles: readonly ComparedProfile[];
  readonly active: readonly ComparedProfile[];
  readonly end: number;
  readonly keep: number;
}

/** Pages of several protocols are two questions, which are not answered by one look: such a run goes on to its end. */
function lookAtRace(loads: readonly ComparableLoad[], { profiles, active, end, keep }: RaceLook): ReturnType<typeof raceStep> {
  if (new Set(loads.map(({ protocol }) => protocol)).size > 1) return { drops: [], isOver: false };
  const baseline = profiles.find(({ role }) => role === 'baseline')?.id ?? '';
  const { candidates, recommended } = judgeCandidates(loads, { baseline, profiles, plannedBlocks: end, forecast: 'left-out' });
  const ids = new Set(active.map(({ id }) => id));
  return raceStep({ active: candidates.filter(({ profile }) => ids.has(profile.id)), recommended, keep });
}

/** What the gateway does by itself is measured as long as a candidate goes through it. */
function withoutIdleControl(active: readonly ComparedProfile[]): readonly ComparedProfile[] {
  const isNeeded = active.some(({ carrier, role }) => carrier === 'gateway' && role === 'candidate');
  return isNeeded ? active : active.filter(({ role }) => role !== 'control');
}
