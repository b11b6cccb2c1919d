/**
 * How far a trial is, as JSON: all that the extension stores of it, so that the event page may end between any two events. `advance` is the only
 * writer.
 */

import type { TrialProtocol } from './protocol-plan.ts';
import type { TrialMark } from './trial-mark.ts';

/** `screening` chooses a candidate; `confirming` tests it on loads that had no part in that. */
export type TrialStage = 'screening' | 'confirming';

type DropReason =
  /** Slower by 10 % or more, and its interval excludes no change. */
  | 'harmful'
  /** Slower by a meaningful change, and its interval excludes no change. */
  | 'worse'
  /** Not among the better half of a screening round, or not the one chosen for the confirmation. */
  | 'screened-out'
  | 'not-applicable';

/** Dropped for what its loads have shown. */
export interface SlowerArm {
  readonly profileId: string;
  readonly reason: Extract<DropReason, 'harmful' | 'worse'>;
  /** Absent only in trials of versions that kept words instead, in `because`. */
  readonly found?: ArmFinding;
  readonly because?: string;
  /** A check of the trial had failed: its turns end, and nothing is proven of it. */
  readonly checkFailed?: true;
}

interface ArmWithoutTurns {
  readonly profileId: string;
  readonly reason: Extract<DropReason, 'screened-out' | 'not-applicable'>;
  readonly because: string;
}

/** `block`: the first without it; with `harmful` and `not-applicable` already the rest of that block. */
export type DroppedArm = (SlowerArm | ArmWithoutTurns) & { readonly block: number };

export const isSlower = (arm: DroppedArm): arm is SlowerArm & { readonly block: number } =>
  arm.reason === 'harmful' || arm.reason === 'worse';

/** Loads of one arm without the washout. */
export interface ArmCounts {
  /** Loads that began in its slots and were not cut by a switch or a pause. */
  readonly attempted: number;
  readonly recorded: number;
  readonly lost: number;
}

/** Loads of one slot that settled, without the washout: losses are counted slot by slot. */
interface SlotCount {
  readonly slot: number;
  readonly settled: number;
}

/** Consecutive slots with the same arms in the same stage. */
export interface TrialStretch {
  readonly stage: TrialStage;
  /** The round of the screening, from 0; the confirmation has the next number. */
  readonly round: number;
  readonly fromSlot: number;
  /** The active arms, in the order of the plan. */
  readonly arms: readonly string[];
  /** By profile, for every arm of the stretch. */
  readonly counts: Readonly<Record<string, ArmCounts>>;
}

export interface CurrentSlot {
  readonly slot: number;
  readonly block: number;
  readonly profileId: string;
  /**
   * `switching`: its profile is to be put in effect (as soon as no load is under way); `in-effect`; `ended`: to be looked at
   * before the next has its turn.
   */
  readonly phase: 'switching' | 'in-effect' | 'ended';
  /** Wall clock, ms: when the phase began. */
  readonly since: number;
  /** Time in effect before an interruption. */
  readonly inEffectMs: number;
  /** Loads that began since the profile was put in effect, the washout among them. */
  readonly begun: number;
  /** Loads of the slot, without washout and void ones. */
  readonly attempted: number;
  readonly switchFailures: number;
  readonly failedAt?: number;
}

/** Slots by session: what is prepared for the next start of Firefox. */
interface PreparedSlot {
  readonly slot: number;
  readonly profileId: string;
  readonly state: 'written' | 'failed';
  /** The run of Firefox in which it was written, if known: it is in effect from the next run on. */
  readonly sessionId?: string;
}

/** A load under way, or settled not long ago, so that repeated events count once. */
export interface MarkedLoad {
  readonly id: string;
  readonly at: number;
  readonly mark: TrialMark;
  readonly state: 'under-way' | 'recorded' | 'lost';
  /** It began before its slot's profile was in effect, or a pause, a drop or a restart came in between: it is not of the trial. */
  readonly void: boolean;
}

/** Wall clock, ms since the epoch; without `to` it is going on. */
interface PausedSpan {
  readonly from: number;
  readonly to?: number;
}

/** `found`: the figures it ended with; its loads may be dropped from the store later, or be assigned to other links. */
export type TrialEnd =
  | { readonly kind: 'confirmed'; readonly found?: ArmFinding }
  | { readonly kind: 'no-difference'; readonly found?: ArmFinding }
  | { readonly kind: 'no-candidate-left' }
  /** A check failed until the loads were used up. */
  | { readonly kind: 'invalid' }
  | { readonly kind: 'baseline-not-applicable'; readonly because: string }
  | { readonly kind: 'stopped-by-person' }
  /** Begun by a version with another rule of turns and verdict. */
  | { readonly kind: 'outdated' };

export interface TrialProgress {
  readonly format: 1;
  readonly trialId: string;
  readonly status: 'planned' | 'running' | 'paused' | 'ended';
  /** When the status came to be, wall clock, ms. */
  readonly statusSince: number;
  readonly startedAt?: number;
  readonly end?: TrialEnd;
  /** Whether a profile of the trial may be in effect, and is to be undone when it pauses or ends. */
  readonly applied: boolean;
  readonly current: CurrentSlot;
  readonly prepared?: PreparedSlot;
  readonly session?: { readonly id: string; readonly since: number };
  /** From first to last; the last one is under way. */
  readonly stretches: readonly TrialStretch[];
  /** Slots in which a load has settled, in their order. */
  readonly slots: readonly SlotCount[];
  readonly dropped: readonly DroppedArm[];
  readonly pauses: readonly PausedSpan[];
  readonly loads: readonly MarkedLoad[];
  /** The latest beginning among settled loads that are no longer in `loads`. */
  readonly forgottenUntil?: number;
}

/** Efficiency of a candidate against the baseline's, or the control's (`against`); 1 = no change. Bounds hold at every look; `undefined`: not bounded yet. */
export interface ArmFinding {
  readonly profileId: string;
  readonly ratio: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly finding: 'better' | 'worse' | 'no-meaningful-difference' | 'undecided';
  /** The control, where the gateway by itself makes a difference and this figure is without it; absent: the baseline. */
  readonly against?: string | undefined;
  /** Given with `against`: efficiency against the baseline's, gateway included. */
  readonly gain?: number | undefined;
  /** The protocol of its pages; absent: all pages, as they have one protocol, or none is known. */
  readonly protocol?: TrialProtocol | undefined;
  /** Counted loads that can be used, of the candidate and of what it is compared with. */
  readonly loads: number;
  readonly baselineLoads: number;
}
