/** What the popup is told where profiles are put in effect while Firefox runs (Experiment API), as facts; its view turns them into words. */
import type { Reverted } from '../core/profiles/applier.ts';
import type { PreferenceValue } from '../core/profiles/knob.ts';

export interface LivePreference {
  readonly name: string;
  readonly intended: PreferenceValue;
  /** As Firefox holds it now; absent: it has no value. */
  readonly found?: PreferenceValue;
  readonly locked: boolean;
}

export interface LiveFacts {
  /** The profile that was put in effect from here; absent: none. */
  readonly applied?: { readonly profileId: string; readonly preferences: readonly LivePreference[] };
  /** Whether anything is to be put back; also where it is not known of which profile, because Firefox ended in the middle. */
  readonly canRevert: boolean;
  /** What has preferences in hand instead of the person; absent: nothing. `trial-restoring`: it has ended and puts back what it set. */
  readonly heldBy?: 'trial' | 'trial-restoring' | 'gateway';
}

/** What became of the preferences, and what is in effect then. */
export interface LiveReverted extends Reverted {
  readonly live: LiveFacts;
}
