/** The loads of a trial that count, by stage. */
import { positiveLog } from '../stats/log-ratio.ts';
import { type ProtocolGroups, protocolGroups } from './protocol-groups.ts';
import { settledLoads } from './settled-loads.ts';
import type { TrialLoad } from './trial-load.ts';
import type { TrialPlan } from './trial-plan.ts';
import type { TrialProgress } from './trial-progress.ts';

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
