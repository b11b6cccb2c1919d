/** The loads of a trial that count, by stage, and by the protocol of their pages. */
import { type ComparableLoad, type LoadProtocol, TRIAL_PROTOCOLS, type TrialProtocol } from '../compare/comparison.ts';
import { positiveLog } from '../stats/positive-log.ts';
import { armOfSlot } from './assignment.ts';
import { mostOf } from './protocol-plan.ts';
import { stretchOf } from './stretches.ts';
import type { TrialMark } from './trial-mark.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';

/** A load of a trial as checks and verdict read it. */
export interface TrialLoad extends ComparableLoad {
  readonly mark: TrialMark;
  readonly startedAt: number;
  /** Whether the profile read back as the load began was that of its slot. If not, the load has `valid: false`, and the slot's `profileId`. */
  readonly inEffect: boolean;
}

interface ProtocolGroups {
  /** What the verdict is about; `undefined`: all loads together, as there is one protocol or none is known. */
  readonly judged: TrialProtocol | undefined;
  /** The other protocols that loads have, in a fixed order. */
  readonly others: readonly TrialProtocol[];
  readonly of: (load: TrialLoad) => TrialProtocol;
}

export interface StageLoads {
  /** All loads of the trial, the washout and what cannot be used among them. */
  readonly marked: readonly TrialLoad[];
  /** Counted and usable loads of the screening. */
  readonly screened: readonly TrialLoad[];
  /** Counted and usable loads since: they had no part in choosing the candidate. */
  readonly fresh: readonly TrialLoad[];
  readonly groups: ProtocolGroups;
  /** Those of them that findings rest on (`settledLoads`). */
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

/** @param load that is counted, and so has an efficiency. */
export const logEfficiencyOf = ({ efficiency }: TrialLoad): number => positiveLog(efficiency ?? 1);

const TOGETHER: ProtocolGroups = { judged: undefined, others: [], of: () => 'unknown' };

/** @param screened those of the loads that are of the screening. */
function protocolGroups({ format, protocols }: TrialPlan, loads: readonly TrialLoad[], screened: readonly TrialLoad[]): ProtocolGroups {
  const known = [...new Set(loads.flatMap(({ protocol }) => protocol ?? []))];
  // Before the third format all loads were judged together.
  if (format !== 3 || known.length === 0) return TOGETHER;
  const planned = protocols.judged === 'unknown' ? mostOf(protocolsOf(screened), protocols.reached) : protocols.judged;
  const judged = planned ?? mostOf(protocolsOf(loads), protocols.reached);
  if (judged === undefined || (known.length === 1 && known[0] === judged)) return TOGETHER;
  // Loads of an unknown protocol are with the only one that the others have.
  const [only] = known;
  const silent = known.length === 1 && only !== undefined ? only : 'unknown';
  const of = ({ protocol }: TrialLoad): TrialProtocol => protocol ?? silent;
  const there = new Set(loads.map(of));
  return { judged, others: TRIAL_PROTOCOLS.filter((one) => one !== judged && there.has(one)), of };
}

const protocolsOf = (loads: readonly TrialLoad[]): readonly LoadProtocol[] => loads.flatMap(({ protocol }) => protocol ?? []);

/**
 * The loads that a verdict rests on: those of slots that follow a slot of the same profile, a washout as long as a slot. What the profile
 * before has left behind is in none of them, unless it lasts longer, which is checked (`slot-checks.ts`). A term for it in the model would need
 * as many loads: each profile may leave something of its own behind for each other, and then only slots that follow their own show what a
 * profile does by itself (Senn, "Cross-over Trials in Clinical Research", 2nd edition 2002, chapter 10).
 *
 * @param marked all loads of the trial, the washout among them: they show since when a slot's profile has been in effect.
 */
export function settledLoads(plan: TrialPlan, progress: TrialProgress, marked: readonly TrialLoad[]): readonly TrialLoad[] {
  const began = new Map<number, number>();
  for (const { mark, startedAt } of marked) began.set(mark.slot, Math.min(began.get(mark.slot) ?? startedAt, startedAt));
  // For slots that follow one of their own: when the profile had its first load in the slot before.
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

/** The slot before this one in the same stretch; `undefined`: it is the first of the stretch. */
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
