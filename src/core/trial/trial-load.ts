/** One load of a trial, as the checks and the verdict read it. */
import type { ComparableLoad } from '../compare/comparison.ts';
import type { TrialMark } from './trial-mark.ts';

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
