/** The loads of a trial that count, by stage, and by the protocol of their pages. */
import type { ComparableLoad, LoadProtocol } from '../compare/comparison.ts';
import { positiveLog } from '../stats/sample-checks.ts';
import { armOfSlot } from './assignment.ts';
import { mostOf, TRIAL_PROTOCOLS, type TrialProtocol } from './protocol-plan.ts';
import { stretchOf } from './stretches.ts';
import type { TrialMark } from './trial-mark.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';

/** One load of a trial, as the checks and the verdict read it. */
export interface TrialLoad extends ComparableLoad {
  readonly mark: TrialMark;
  /** When the load began, wall clock, ms since the epoch. */
  readonly startedAt: number;
  /**
   * Whether what was read back when the load began was the profile of its slot. A load of which it is not so is to be given
   * with `valid: false`, and with the profile of its slot as `profileId`.
   */
  readonly inEffect: boolean;
}

/** Loads by the protocol of their pages: those that the verdict is about, and the others. */
export interface ProtocolGroups {
  /** `undefined`: all loads are judged together, as there is one protocol or none is known. */
  readonly judged: TrialProtocol | undefined;
  /** Of which there are loads beside the judged one, in a fixed order. */
  readonly others: readonly TrialProtocol[];
  readonly of: (load: TrialLoad) => TrialProtocol;
}

export interface StageLoads {
  /** All loads of the trial, the washout and what cannot be used among them. */
  readonly marked: readonly TrialLoad[];
  /** Counted and usable, of the screening. */
  readonly screened: readonly TrialLoad[];
  /** Counted and usable, from after it: they had no part in choosing the candidate. */
  readonly fresh: readonly TrialLoad[];
  /** By the protocol of their pages. */
  readonly groups: ProtocolGroups;
  /** Of these, the ones that findings rest on (`settledLoads`). */
  readonly settled: { readonly screened: readonly TrialLoad[]; readonly fresh: readonly TrialLoad[] };
}

export function stageLoads(plan: TrialPlan, progress: TrialProgress, loads: readonly TrialLoad[]): StageLoads {
  const marked = loads.filter(({ mark, profileId }) => mark.trialId === plan.id && mark.profileId === profileId);
  const usable = marked.filter(isCounted);
  const from = confirmingFrom(progress);
  const fresh = from === undefined ? [] : usable.filter(({ mark }) => mark.slot >= from);
  const screened = from === undefined ? usable : usable.filter(({ mark }) => mark.slot < from);
  const settled = new Set(settledLoads(plan, progress, marked));
  const among = (loadsOfStage: readonly TrialLoad[]) => loadsOfStage.filter((load) => settled.has(load));
  const ofScreening = from === undefined ? marked : marked.filter(({ mark }) => mark.slot < from);
  const groups = protocolGroups(plan, marked, ofScreening);
  return { marked, screened, fresh, groups, settled: { screened: among(screened), fresh: among(fresh) } };
}

/** First slot of the confirming stage; `undefined`: it has not begun. */
export function confirmingFrom({ stretches }: TrialProgress): number | undefined {
  return stretches.find(({ stage }) => stage === 'confirming')?.fromSlot;
}

/** Whether the load may be compared: valid, measured, under its profile, and no washout. */
export function isCounted({ valid, efficiency, inEffect, mark }: TrialLoad): boolean {
  return valid && inEffect && efficiency !== undefined && !mark.washout;
}

/** @throws PlumbfoxError internal never: only counted loads come here, and those have an efficiency. */
export function logEfficiencyOf({ efficiency }: TrialLoad): number {
  return positiveLog(efficiency ?? 1);
}

const TOGETHER: ProtocolGroups = { judged: undefined, others: [], of: () => 'unknown' };

/** @param loads all of the trial. @param screened of them, those of the screening. */
function protocolGroups({ format, protocols }: TrialPlan, loads: readonly TrialLoad[], screened: readonly TrialLoad[]): ProtocolGroups {
  const known = [...new Set(loads.flatMap(({ protocol }) => protocol ?? []))];
  // Before the third format all loads were judged together.
  if (format !== 3 || known.length === 0) return TOGETHER;
  const planned = protocols.judged === 'unknown' ? mostOf(protocolsOf(screened), protocols.reached) : protocols.judged;
  const judged = planned ?? mostOf(protocolsOf(loads), protocols.reached);
  if (judged === undefined || (known.length === 1 && known[0] === judged)) return TOGETHER;
  // Loads that do not tell are with the only protocol that the others have.
  const [only] = known;
  const silent = known.length === 1 && only !== undefined ? only : 'unknown';
  const of = ({ protocol }: TrialLoad): TrialProtocol => protocol ?? silent;
  const there = new Set(loads.map(of));
  return { judged, others: TRIAL_PROTOCOLS.filter((one) => one !== judged && there.has(one)), of };
}

const protocolsOf = (loads: readonly TrialLoad[]): readonly LoadProtocol[] => loads.flatMap(({ protocol }) => protocol ?? []);

/**
 * The loads that a verdict rests on: those of slots that follow a slot of the same profile. What the profile before has left behind, be it
 * for some loads or for a whole slot, is in none of them, whatever its size: a washout as long as a slot. A term for it in the model would
 * need as many loads: each profile may leave something of its own behind for each other, and then only slots that follow their own show
 * what a profile does by itself (Senn, "Cross-over Trials in Clinical Research", 2nd edition 2002, chapter 10). Whether something lasts longer
 * than that is checked (`slot-checks.ts`).
 *
 * @param marked all loads of the trial, the washout among them: they show since when a slot's profile has been in effect.
 */
export function settledLoads(plan: TrialPlan, progress: TrialProgress, marked: readonly TrialLoad[]): readonly TrialLoad[] {
  const began = new Map<number, number>();
  for (const { mark, startedAt } of marked) began.set(mark.slot, Math.min(began.get(mark.slot) ?? startedAt, startedAt));
  // When the profile of the slot had its first load in the slot before; of slots that follow one of their own.
  const since = new Map<number, number>();
  for (const slot of began.keys()) {
    const before = slotBefore(plan, progress, slot);
    const from = before && began.get(before.slot);
    if (from !== undefined && before?.profileId === armOfSlot(plan, slot)) since.set(slot, from);
  }
  return marked.filter(({ mark, startedAt }) => {
    const from = since.get(mark.slot);
    return from !== undefined && !progress.pauses.some(({ to }) => to !== undefined && to > from && to <= startedAt);
  });
}

/** The slot that had its turn before this one in the same stretch; `undefined`: it is the first of it. */
export function slotBefore(
  plan: TrialPlan,
  progress: TrialProgress,
  slot: number,
): { readonly slot: number; readonly profileId: string } | undefined {
  const stretch = progress.stretches[stretchOf(progress, slot)];
  if (stretch === undefined) return undefined;
  for (let at = slot - 1; at >= stretch.fromSlot; at--) {
    const profileId = armOfSlot(plan, at);
    if (stretch.arms.includes(profileId)) return { slot: at, profileId };
  }
  return undefined;
}
