/** What the recommendation is made from. */
import type { ComparedProfile } from './compared-profile.ts';
import type { VersusBaseline } from './comparison.ts';
import type { Separation } from './separation.ts';

export interface Candidate {
  readonly profile: ComparedProfile;
  /** The verdict shown: against the baseline, or against the control where the gateway costs more than 3 %. */
  readonly shown: VersusBaseline;
  /** What the person gains: always against the baseline itself. */
  readonly gain: Separation;
  readonly medianLoadTimeMs: number | undefined;
}

export interface RecommendationFacts {
  readonly baseline: string;
  readonly baselineMedianLoadTimeMs: number | undefined;
  /** A check of the baseline that failed. */
  readonly baselineFault: string | undefined;
  /** Candidates only: no baseline, no control. */
  readonly candidates: readonly Candidate[];
  /** The same kind of interval between two profiles. */
  readonly separate: (profileId: string, against: string) => Separation;
}
