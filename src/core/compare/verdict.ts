/** The verdict on a profile, as data: what its separation from another shows, unless a check of its loads failed. The sentences are in `format-verdict.ts`. */
import type { SetAside, Verdict } from './comparison.ts';
import type { Separation } from './separation.ts';
import { MEANINGFUL_CHANGE } from './thresholds.ts';

/** Loads of a profile that were lost for causes that may depend on how long they took. */
export interface Losses {
  readonly lost: number;
  readonly attempted: number;
}

/** Why a profile gets no verdict. */
export type VerdictFault =
  | ({ readonly kind: 'most-loads-lost'; readonly profileId: string } & Losses)
  | { readonly kind: 'page-lost'; readonly profileId: string; readonly page: string; readonly link: string }
  | {
      readonly kind: 'unequal-losses';
      readonly profileId: string;
      readonly against: string;
      readonly own: Losses;
      readonly others: Losses;
    }
  /**
   * The profiles did not take turns at random: what looks like the profile may be the day. With the default on one day and a profile without
   * any effect on the next, and days that differ by 10 %, 30 % of simulated comparisons would have called it better or worse.
   */
  | { readonly kind: 'unrandomised' }
  | { readonly kind: 'gateway-cost-not-known'; readonly controlId: string };

export interface VerdictInput {
  readonly profileId: string;
  readonly against: string;
  readonly separation: Separation;
  /** A check that failed; then there is no verdict, whatever the figures say. */
  readonly fault: VerdictFault | undefined;
  /** Pages over links that are set aside in this comparison. */
  readonly without: readonly SetAside[];
}

export interface VerdictFinding extends VerdictInput {
  readonly verdict: Exclude<Verdict, 'baseline'>;
}

export function verdictOf(input: VerdictInput): VerdictFinding {
  const { finding } = input.separation;
  const verdict = finding === 'undecided' ? 'need-more-loads' : finding;
  return { ...input, verdict: input.fault === undefined ? verdict : 'no-verdict' };
}

export interface ControlInput {
  readonly controlId: string;
  readonly baselineId: string;
  readonly separation: Separation;
  /** Why the control's figure cannot be trusted, where it cannot. */
  readonly fault: VerdictFault | undefined;
}

/** `used`: gateway profiles are compared with the control. */
export interface ControlFinding extends ControlInput {
  readonly used: boolean;
}

/**
 * The gateway's own cost is never taken for the profile's: the control (c6-d1, which is what Firefox does by itself, but
 * through the gateway) is compared with the baseline direct; where it differs by more than 3 %, gateway profiles are
 * compared with the control.
 */
export function controlFinding(input: ControlInput): ControlFinding {
  const { ratio } = input.separation;
  return { ...input, used: input.fault === undefined && ratio !== undefined && Math.abs(ratio - 1) > MEANINGFUL_CHANGE };
}
