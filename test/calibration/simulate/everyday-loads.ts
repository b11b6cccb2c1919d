/** Loads of everyday browsing in so many blocks: every profile has one turn in each, in the order that a trial gives them. */
import type { Random } from '../../../src/core/random.ts';
import { blockSlots } from '../../../src/core/trial/assignment.ts';
import type { TrialLoad } from '../../../src/core/trial/judged-loads.ts';
import { browse, EVERYDAY } from './browsing.ts';
import { armNamed, type EverydayTruth, measuredLoad, type SimulatedSlot, slotLevel, turnBefore } from './everyday-truth.ts';
import { plannedTrial } from './planned-trial.ts';

export interface EverydayDesign extends EverydayTruth {
  readonly blocks: number;
  /** `SWITCH_WASHOUT` among them after another profile's slot. `session`: as many as the browsing session has. */
  readonly loadsPerSlot: number | 'session';
  /** 1 unless said; from 2 on the first slot of a turn after another arm's is washout as a whole, as in a trial (`settledLoads`). */
  readonly slotsPerTurn?: number;
}

/** Loads after a switch that do not count, as in a trial. */
const SWITCH_WASHOUT = 1;
interface Slot extends SimulatedSlot {
  readonly slot: number;
}

/** In the order in which they begin; those of the washout are marked. */
export function everydayLoads(design: EverydayDesign, random: Random): TrialLoad[] {
  const visits = browse(design.habits ?? EVERYDAY, random);
  const next = () => visits.next().value;
  const loads: TrialLoad[] = [];
  let visit = next();
  const { slotsPerTurn = 1 } = design;
  for (const slot of slotsOf(design, random)) {
    const { session } = visit;
    const isOwn = slot.before?.id === slot.arm.id;
    const washout = slot.before === undefined || isOwn ? 0 : SWITCH_WASHOUT;
    const perSlot = slot.arm.loadsPerSlot ?? design.loadsPerSlot;
    for (let at = -washout; at < 0 || !slotIsOver(perSlot, { at, washout, sameSession: visit.session === session }); at++) {
      const place = { profileId: slot.arm.id, block: slot.block, slot: slot.slot };
      const position = at + washout;
      const mark = { ...place, trialId: 'simulated', position, washout: at < 0 || (slotsPerTurn > 1 && !isOwn) };
      loads.push({ ...place, mark, ...measuredLoad(design, { slot, visit, position }, random) });
      visit = next();
    }
  }
  return loads;
}

function slotIsOver(
  loadsPerSlot: EverydayDesign['loadsPerSlot'],
  { at, washout, sameSession }: { at: number; washout: number; sameSession: boolean },
): boolean {
  // A session of washout alone goes on with the next one: every slot has a load that counts.
  return loadsPerSlot === 'session' ? at > 0 && !sameSession : at >= Math.max(1, loadsPerSlot - washout);
}

function slotsOf(design: EverydayDesign, random: Random): readonly Slot[] {
  const slots: Slot[] = [];
  const plan = plannedTrial(design.arms, random, { slotsPerTurn: design.slotsPerTurn ?? 1 });
  for (let block = 0; block < design.blocks; block++) {
    for (const profileId of blockSlots(plan, block)) {
      const arm = armNamed(design, profileId);
      const last = slots.at(-1);
      const level = slotLevel(design, random);
      slots.push({ arm, before: last?.arm, turnBefore: turnBefore(last, block, arm), block, slot: slots.length, level });
    }
  }
  return slots;
}

/** Without those of the washout. */
export function counted(loads: readonly TrialLoad[]): readonly TrialLoad[] {
  return loads.filter(({ mark }) => !mark.washout);
}
