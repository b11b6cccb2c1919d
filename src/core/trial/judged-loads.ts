/** The loads of a trial that count, and the protocol of their pages. */
import { type ComparableLoad, type LoadProtocol, TRIAL_PROTOCOLS, type TrialProtocol } from '../compare/comparison.ts';
import { MIN_PAIRS } from '../compare/thresholds.ts';
import { positiveLog } from '../stats/positive-log.ts';
import { armOfSlot, slotsPerBlock } from './assignment.ts';
import { mostOf } from './protocol-plan.ts';
import { slotBefore } from './stretches.ts';
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

export interface JudgedLoads {
  /** All loads of the trial, the washout and what cannot be used among them. */
  readonly marked: readonly TrialLoad[];
  readonly groups: ProtocolGroups;
  /** Those that findings rest on (`settledLoads`), counted and usable. */
  readonly settled: readonly TrialLoad[];
}

export function judgedLoads(plan: TrialPlan, progress: TrialProgress, loads: readonly TrialLoad[]): JudgedLoads {
  const marked = loads.filter(({ mark, profileId }) => mark.trialId === plan.id && mark.profileId === profileId);
  return { marked, groups: protocolGroups(plan, marked), settled: settledLoads(plan, progress, marked).filter(isCounted) };
}

/** The first slot after the draws that come before any verdict: they say which protocols there are. */
export const protocolsUntilSlot = (plan: TrialPlan): number => 2 * MIN_PAIRS * slotsPerBlock(plan);

/** Whether the load may be compared: valid, measured, under its profile, and no washout. */
export function isCounted({ valid, efficiency, inEffect, mark }: TrialLoad): boolean {
  return valid && inEffect && efficiency !== undefined && !mark.washout;
}

/** @param load that is counted, and so has an efficiency. */
export const logEfficiencyOf = ({ efficiency }: TrialLoad): number => positiveLog(efficiency ?? 1);

const TOGETHER: ProtocolGroups = { judged: undefined, others: [], of: () => 'unknown' };

/** What is not known when the trial is planned is decided by its first draws, before there can be a verdict. */
function protocolGroups(plan: TrialPlan, loads: readonly TrialLoad[]): ProtocolGroups {
  const { protocols } = plan;
  const known = [...new Set(loads.flatMap(({ protocol }) => protocol ?? []))];
  if (known.length === 0) return TOGETHER;
  const first = loads.filter(({ mark }) => mark.slot < protocolsUntilSlot(plan));
  const judged = protocols.judged === 'unknown' ? mostOf(protocolsOf(first), protocols.reached) : protocols.judged;
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
