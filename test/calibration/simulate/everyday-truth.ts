/**
 * Loads of everyday browsing whose truth is known:
 *
 *     ln efficiency = page + link + time of day + drift + slot + content + carry-over + profile + noise
 */
import type { Random } from '../../../src/core/random.ts';
import type { TrialLoad } from '../../../src/core/trial/judged-loads.ts';
import { type BrowsingHabits, HOUR, type Visit } from './browsing.ts';
import { type Noise, normal } from './noise.ts';

export interface SimulatedArm {
  readonly id: string;
  /** Log efficiency over the baseline's. */
  readonly effect: number;
  /** Its noise over the others'; 1 unless said. */
  readonly noisiness?: number;
  /** Counted loads of its slots, where they are not those of the others. */
  readonly loadsPerSlot?: number;
}

export interface CarryOver {
  /** Loads after a switch that have it, that of the washout included. */
  readonly loads: number;
  readonly effect: number;
  /** Only after this arm; after every one unless said. */
  readonly after?: string;
  /** The whole turn has it, however many slots and loads that has; only the first slot unless said. */
  readonly wholeTurn?: true;
}

export interface EverydayTruth {
  readonly arms: readonly SimulatedArm[];
  readonly habits?: BrowsingHabits;
  readonly noise?: Noise;
  /** Standard deviation of a load's noise; 0.25 unless said. */
  readonly noiseSpread?: number;
  /** Of what the loads of a slot share, besides all that is known of them. */
  readonly slotSpread?: number;
  /** Half the difference of the best hour of the day to the worst. */
  readonly timeOfDay?: number;
  readonly driftPerHour?: number;
  readonly carryOver?: CarryOver | undefined;
  /** Standard deviation of what is on a page that time; 0 unless said. */
  readonly contentSpread?: number;
}

/** One turn of an arm. */
export interface SimulatedSlot {
  readonly arm: SimulatedArm;
  /** Of the slot before it. */
  readonly before: SimulatedArm | undefined;
  readonly block: number;
  /** Of the turn before its own. */
  readonly turnBefore: SimulatedArm | undefined;
  /** Log efficiency that its loads share. */
  readonly level: number;
}

export interface SimulatedLoad {
  readonly slot: SimulatedSlot;
  readonly visit: Visit;
  /** Loads of the slot before this one, the washout included. */
  readonly position: number;
}

/** Of the loads on average; any value serves, as only ratios are compared. */
export const MEAN_EFFICIENCY = 0.4;
const IDEAL_TIME_MS = 800;

export function armNamed({ arms }: EverydayTruth, id: string): SimulatedArm {
  const arm = arms.find((one) => one.id === id);
  if (arm === undefined) throw new Error(`no arm ${id}`);
  return arm;
}

export function slotLevel({ slotSpread = 0 }: EverydayTruth, random: Random): number {
  return slotSpread * normal(random);
}

export function measuredLoad(
  truth: EverydayTruth,
  { slot, visit, position }: SimulatedLoad,
  random: Random,
): Omit<TrialLoad, 'profileId' | 'block' | 'slot' | 'mark'> {
  const { noise = normal, noiseSpread = 0.25, timeOfDay = 0, driftPerHour = 0, contentSpread = 0 } = truth;
  const hours = visit.startedAtMs / HOUR;
  const logEfficiency =
    Math.log(MEAN_EFFICIENCY) +
    visit.level +
    slot.level +
    timeOfDay * Math.sin((2 * Math.PI * hours) / 24) +
    driftPerHour * hours +
    (contentSpread === 0 ? 0 : contentSpread * normal(random)) +
    carriedOver(truth, slot, position) +
    slot.arm.effect +
    noiseSpread * (slot.arm.noisiness ?? 1) * noise(random);
  const efficiency = Math.exp(logEfficiency);
  return {
    startedAt: visit.startedAtMs,
    inEffect: true,
    page: visit.page,
    link: visit.link,
    valid: true,
    efficiency,
    loadTimeMs: IDEAL_TIME_MS / efficiency,
  };
}

/** The turn before that of the slot after this one. A block has one turn of each arm. */
export function turnBefore(last: SimulatedSlot | undefined, block: number, arm: SimulatedArm): SimulatedArm | undefined {
  return last !== undefined && last.block === block && last.arm.id === arm.id ? last.turnBefore : last?.arm;
}

function carriedOver({ carryOver }: EverydayTruth, slot: SimulatedSlot, position: number): number {
  const { arm } = slot;
  const before = carryOver?.wholeTurn ? slot.turnBefore : slot.before;
  if (carryOver === undefined || before === undefined || before.id === arm.id) return 0;
  if (carryOver.after !== undefined && carryOver.after !== before.id) return 0;
  return carryOver.wholeTurn || position < carryOver.loads ? carryOver.effect : 0;
}
