/** The state of a trial as it is shown, and what follows for its course. */
import type { ControlFinding } from '../compare/verdict.ts';
import type { ArmFinding, DroppedArm, LosingArm } from './trial-progress.ts';

export interface TrialFigures {
  /** Counted loads that can be used, of all arms. */
  readonly loads: number;
  /** One for each candidate, on the loads of the judged protocol. */
  readonly findings: readonly ArmFinding[];
  /** The same for every other protocol by itself; they prove nothing. Absent: there is none. */
  readonly others?: readonly ArmFinding[];
  /** What the gateway does by itself; absent: no profile of the trial goes through it. */
  readonly control?: ControlFinding | undefined;
}

/** A check that the trial is sound. `too-early`: too few loads to say anything. */
export type TrialCheck = SampleRatioCheck | LostLoadsCheck | NotInEffectCheck | CarryOverCheck;

/** The finding of a check, before it is put into words. */
export type Finding<Check extends TrialCheck> = Check extends TrialCheck ? Omit<Check, 'sentence'> : never;

interface CheckOutcome {
  readonly outcome: 'passed' | 'too-early' | 'warning' | 'failed';
  readonly sentence: string;
}

/** Usable loads per arm against the share planned for it. */
export interface SampleRatioCheck extends CheckOutcome {
  readonly kind: 'sample-ratio';
  readonly arms: readonly {
    readonly profileId: string;
    readonly usable: number;
    readonly attempted: number;
    /** Usable loads, if each arm kept as many of its loads as the others. */
    readonly expected: number;
    /** Exact binomial, two-sided, adjusted for the number of arms by Holm; for one look. */
    readonly adjustedP: number;
    /** Holds at every look: 100 raises the alarm. */
    readonly evidence: number;
  }[];
}

/** Loads that began against loads that can be used. */
export interface LostLoadsCheck extends CheckOutcome {
  readonly kind: 'lost-loads';
  readonly arms: readonly {
    readonly profileId: string;
    readonly attempted: number;
    readonly usable: number;
    readonly lost: number;
    readonly evidence: number;
  }[];
}

/** Loads whose read-back was not the profile of their slot. */
export interface NotInEffectCheck extends CheckOutcome {
  readonly kind: 'not-in-effect';
  readonly arms: readonly { readonly profileId: string; readonly recorded: number; readonly mismatched: number }[];
}

/** Whether what an arm leaves behind for the next lasts longer than the slot in which it may wear off. */
export interface CarryOverCheck extends CheckOutcome {
  readonly kind: 'carry-over';
  /** The previous arm that stands out most; `undefined`: too few slots. */
  readonly after: string | undefined;
  /** Efficiency in slots that follow it with one slot between, against slots that follow the others so. */
  readonly ratio: number | undefined;
  readonly evidence: number | undefined;
}

/** A check that failed, so that there is no verdict. */
export interface InvalidReason {
  readonly kind: TrialCheck['kind'];
  readonly check: TrialCheck;
}

interface Shown {
  readonly sentence: string;
  readonly figures: TrialFigures;
  readonly checks: readonly TrialCheck[];
}

export type TrialState =
  | (Shown & { readonly kind: 'collecting' })
  /** There is a finding, but the checks have too few loads to vouch for it; it is not shown. */
  | (Shown & { readonly kind: 'checking'; readonly waitingFor: readonly TrialCheck['kind'][] })
  /** A candidate is ahead by what means something; that is not proven yet. */
  | (Shown & { readonly kind: 'leading'; readonly leader: ArmFinding })
  | (Shown & { readonly kind: 'confirmed'; readonly verdict: ArmFinding })
  | (Shown & { readonly kind: 'no-difference'; readonly reason: NoDifferenceReason })
  | (Shown & {
      readonly kind: 'invalid';
      /** Checks that fail now. */
      readonly reasons: readonly InvalidReason[];
      /** Candidates that the harm stop dropped while a check failed. */
      readonly unproven: readonly string[];
    })
  | (Shown & { readonly kind: 'stopped'; readonly reason: StoppedReason });

/** The state before it is put into words. */
export type TrialFinding = TrialState extends infer State ? (State extends TrialState ? Omit<State, 'sentence'> : never) : never;

export type NoDifferenceReason =
  /** The whole interval lies within the smallest change that means something. */
  | { readonly kind: 'within-meaningful-change'; readonly verdict: ArmFinding }
  /** No change was found: all planned loads are made, or more would hardly find a gain of 10 % (`isFutile`). */
  | { readonly kind: 'not-found'; readonly isFutile: boolean; readonly closest: ArmFinding | undefined };

/** The trial ended without a verdict, and without a check that failed. */
export type StoppedReason =
  | { readonly kind: 'by-person' }
  | { readonly kind: 'no-candidate-left'; readonly dropped: readonly DroppedArm[] }
  | { readonly kind: 'baseline-not-applicable'; readonly because: string };

/** An arm that has no more turns from the next slot on. */
export type LosingStep = Omit<LosingArm, 'block'>;

/**
 * The decision of a look about the trial's course. `slot` and `stretch` (their number) are what was looked at: an answer to an older state is not
 * followed.
 */
export interface TrialDecision {
  readonly slot: number;
  readonly stretch: number;
  /** Draws with which the trial ends from now on; absent: as before. */
  readonly plannedDraws?: number;
  readonly step:
    | { readonly kind: 'go-on' }
    | { readonly kind: 'drop'; readonly arms: readonly LosingStep[] }
    | { readonly kind: 'end'; readonly as: 'confirmed' | 'no-difference'; readonly found?: ArmFinding }
    | { readonly kind: 'end'; readonly as: 'invalid' };
}
