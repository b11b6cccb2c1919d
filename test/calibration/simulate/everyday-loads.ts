/** Loads of everyday browsing in a design of blocks that is fixed: every profile has one slot in each, in an order drawn anew. */
import type { Random } from '../../../src/core/random.ts';
import type { TrialLoad } from '../../../src/core/trial/trial-load.ts';
import { browse, EVERYDAY } from './browsing.ts';
import { type EverydayTruth, measuredLoad, type SimulatedSlot, slotLevel } from './everyday-truth.ts';

export interface EverydayDesign extends EverydayTruth {
  readonly blocks: number;
  /** Counted ones: `SWITCH_WASHOUT` are made before them. `session`: as many as the browsing session has. */
  readonly loadsPerSlot: number | 'session';
}

/** Loads after a switch that do not count, as in a trial. */
const SWITCH_WASHOUT = 1;
interface Slot extends SimulatedSlot {
  readonly block: number;
  readonly slot: number;
}

/** In the order in which they begin; those of the washout are marked. */
export function everydayLoads(design: EverydayDesign, random: Random): TrialLoad[] {
  const visits = browse(design.habits ?? EVERYDAY, random);
  const next = () => visits.next().value;
  const loads: TrialLoad[] = [];
  let visit = next();
  for (const slot of slotsOf(design, random)) {
    const { session } = visit;
    const washout = slot.before === undefined || slot.before.id === slot.arm.id ? 0 : SWITCH_WASHOUT;
    const perSlot = slot.arm.loadsPerSlot ?? design.loadsPerSlot;
    for (let at = -washout; at < 0 || !slotIsOver(perSlot, { at, sameSession: visit.session === session }); at++) {
      const place = { profileId: slot.arm.id, block: slot.block, slot: slot.slot };
      const position = at + washout;
      const mark = { ...place, trialId: 'simulated', position, washout: at < 0 };
      loads.push({ ...place, mark, ...measuredLoad(design, { slot, visit, position }, random) });
      visit = next();
    }
  }
  return loads;
}

function slotIsOver(loadsPerSlot: EverydayDesign['loadsPerSlot'], { at, sameSession }: { at: number; sameSession: boolean }): boolean {
  // A session of washout alone goes on with the next one: every slot has a load that counts.
  return loadsPerSlot === 'session' ? at > 0 && !sameSession : at >= loadsPerSlot;
}

function slotsOf(design: EverydayDesign, random: Random): readonly Slot[] {
  const slots: Slot[] = [];
  for (let block = 0; block < design.blocks; block++) {
    for (const arm of random.shuffle(design.arms)) {
      slots.push({ arm, before: slots.at(-1)?.arm, block, slot: slots.length, level: slotLevel(design, random) });
    }
  }
  return slots;
}

/** Without those of the washout. */
export function counted(loads: readonly TrialLoad[]): readonly TrialLoad[] {
  return loads.filter(({ mark }) => !mark.washout);
}
