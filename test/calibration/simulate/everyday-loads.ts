/**
 * Loads of a trial on everyday browsing whose truth is known:
 *
 *     ln efficiency = page + link + time of day + drift + slot + slope * ln(prediction) + carry-over + profile + noise
 *
 * Profiles take turns in slots; a block is one slot of each, in an order drawn anew.
 */
import type { Random } from '../../../src/core/random.ts';
import type { TrialLoad } from '../../../src/core/trial/trial-load.ts';
import { type BrowsingHabits, browse, EVERYDAY, HOUR, type Visit } from './browsing.ts';
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
}

export interface EverydayTruth {
  readonly arms: readonly SimulatedArm[];
  readonly blocks: number;
  /** Counted ones: `SWITCH_WASHOUT` are made before them. `session`: as many as the browsing session has. */
  readonly loadsPerSlot: number | 'session';
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
  /** What is different about each load, and how much of it the prediction knows; no predictions are attached without it. */
  readonly variation?: { readonly spread: number; readonly slope: number; readonly predicted: boolean };
}

/** Loads after a switch that do not count. */
const SWITCH_WASHOUT = 1;
/** Of the loads on average; any value serves, as only ratios are compared. */
const MEAN_EFFICIENCY = 0.4;
const IDEAL_TIME_MS = 800;

interface Slot {
  readonly arm: SimulatedArm;
  readonly before: SimulatedArm | undefined;
  readonly block: number;
  readonly slot: number;
  readonly level: number;
}

/** In the order in which they begin; those of the washout are marked. */
export function everydayLoads(truth: EverydayTruth, random: Random): TrialLoad[] {
  const visits = browse(truth.habits ?? EVERYDAY, random);
  const next = () => visits.next().value;
  const loads: TrialLoad[] = [];
  let visit = next();
  for (const slot of slotsOf(truth, random)) {
    const { session } = visit;
    const washout = slot.before === undefined || slot.before.id === slot.arm.id ? 0 : SWITCH_WASHOUT;
    const perSlot = slot.arm.loadsPerSlot ?? truth.loadsPerSlot;
    for (let at = -washout; at < 0 || !slotIsOver(perSlot, { at, sameSession: visit.session === session }); at++) {
      loads.push(loadOf({ truth, slot, visit, at, washout, random }));
      visit = next();
    }
  }
  return loads;
}

function slotIsOver(loadsPerSlot: EverydayTruth['loadsPerSlot'], { at, sameSession }: { at: number; sameSession: boolean }): boolean {
  // A session of washout alone goes on with the next one: every slot has a load that counts.
  return loadsPerSlot === 'session' ? at > 0 && !sameSession : at >= loadsPerSlot;
}

function slotsOf({ arms, blocks, slotSpread = 0 }: EverydayTruth, random: Random): readonly Slot[] {
  const slots: Slot[] = [];
  for (let block = 0; block < blocks; block++) {
    for (const arm of random.shuffle(arms)) {
      slots.push({ arm, before: slots.at(-1)?.arm, block, slot: slots.length, level: slotSpread * normal(random) });
    }
  }
  return slots;
}

interface LoadPlace {
  readonly truth: EverydayTruth;
  readonly slot: Slot;
  readonly visit: Visit;
  /** Counted loads of the slot before this one; negative during the washout. */
  readonly at: number;
  /** Loads of it in this slot. */
  readonly washout: number;
  readonly random: Random;
}

function loadOf({ truth, slot, visit, at, washout, random }: LoadPlace): TrialLoad {
  const { noise = normal, noiseSpread = 0.25, timeOfDay = 0, driftPerHour = 0, variation } = truth;
  const hours = visit.startedAtMs / HOUR;
  const predicted = variation === undefined ? 0 : variation.spread * normal(random);
  const logEfficiency =
    Math.log(MEAN_EFFICIENCY) +
    visit.level +
    slot.level +
    timeOfDay * Math.sin((2 * Math.PI * hours) / 24) +
    driftPerHour * hours +
    (variation?.slope ?? 0) * predicted +
    carryOver(truth, slot, at) +
    slot.arm.effect +
    noiseSpread * (slot.arm.noisiness ?? 1) * noise(random);
  const efficiency = Math.exp(logEfficiency);
  const place = { profileId: slot.arm.id, block: slot.block, slot: slot.slot };
  return {
    ...place,
    mark: { ...place, trialId: 'simulated', position: at + washout, washout: at < 0 },
    startedAt: visit.startedAtMs,
    inEffect: true,
    page: visit.page,
    link: visit.link,
    valid: true,
    efficiency,
    loadTimeMs: IDEAL_TIME_MS / efficiency,
    ...(variation?.predicted && { prediction: MEAN_EFFICIENCY * Math.exp(visit.level + predicted) }),
  };
}

function carryOver({ carryOver: carried }: EverydayTruth, { arm, before }: Slot, at: number): number {
  if (carried === undefined || before === undefined || before.id === arm.id) return 0;
  if (carried.after !== undefined && carried.after !== before.id) return 0;
  return at + SWITCH_WASHOUT < carried.loads ? carried.effect : 0;
}

/** Without those of the washout. */
export function counted(loads: readonly TrialLoad[]): readonly TrialLoad[] {
  return loads.filter(({ mark }) => !mark.washout);
}
