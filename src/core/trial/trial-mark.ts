/** What ties a load to its place in a trial. */
import type { PageLoad } from '../measure/page-load.ts';

export interface TrialMark {
  readonly trialId: string;
  /** From 0. */
  readonly block: number;
  /** Number of the slot in the whole trial, from 0; the slot's profile is drawn from it (`assignmentAt`). */
  readonly slot: number;
  readonly profileId: string;
  /** Order in which loads began since the profile was put in effect: 0 for the first. */
  readonly position: number;
  /** The first load after a switch, and any that began before it had ended: measured, but not counted. */
  readonly washout: boolean;
}

/** A page load that may have a place in one of our trials. */
export type MarkedPageLoad = PageLoad<TrialMark>;
