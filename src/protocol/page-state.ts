/** Everything the popup shows, as facts; its view model turns them into words. */
import type { Comparison } from '../core/compare/comparison.ts';
import type { LongestCause } from '../core/measure/load-causes.ts';
import type { LoadMeasures } from '../core/measure/load-measures.ts';
import type { Platform, PreferenceValue } from '../core/profiles/knob.ts';
import type { ApplierKind, Carrier, Reverted } from '../core/profiles/profile.ts';
import type { FieldAnswer, ShownLink } from './field-answer.ts';
import type { OwnProfile } from './own-profile.ts';
import type { RecordLoss, Standstill } from './record-mirror.ts';
import type { TrialFacts } from './trial-state.ts';

export type RecordingState =
  | { readonly state: 'recording' }
  /** Host permission missing or revoked: nothing is recorded. */
  | { readonly state: 'no-permission' }
  /** Firefox never remembers history: nothing may be stored. */
  | { readonly state: 'private-browsing' }
  /** A newer Plumbfox has changed the records: they are shown, and nothing is added to them. */
  | { readonly state: 'version-too-new' }
  /** A page of an older Plumbfox holds the records, so that they cannot be brought up to date. */
  | { readonly state: 'held-by-another' }
  /** Firefox has lost the list of sites never recorded: nothing is recorded until the person says that it is complete again. */
  | { readonly state: 'list-lost' }
  /** The store cannot be written. */
  | { readonly state: 'store-failed'; readonly message: string };

export interface ActiveProfile {
  readonly profileId: string;
  readonly title: string;
  /** `browser`: Plumbfox applied nothing; Firefox's own values are in effect. */
  readonly appliedBy: ApplierKind | 'browser';
  readonly carrier: Carrier;
  /** Requests per connection that the profile asks for; absent: not known here (an applied profile carries only its id). */
  readonly depth?: number;
  readonly mismatches: readonly string[];
  /** When it came into effect, wall clock, ms since the epoch; absent: Plumbfox applied nothing. */
  readonly since?: number;
}

/** Why something without a waiting caller could not be noted. */
export interface LateFailure {
  /** `gateway`: what became of it. `health`: whether Firefox is well with what the helper applied. */
  readonly of: 'gateway' | 'health';
  readonly message: string;
}

export interface PopupState {
  readonly recording: RecordingState;
  readonly active: ActiveProfile;
  /** What failed when Firefox or the event page started; absent: nothing. */
  readonly startFailures?: readonly StartFailure[];
  /** What failed since without a waiting caller; absent: nothing. */
  readonly lateFailures?: readonly LateFailure[];
  readonly lastLoad:
    | {
        readonly url: string;
        readonly startedAt: number;
        readonly measures: LoadMeasures;
        readonly link: ShownLink | undefined;
        /** The link is being estimated from the loads; until then nothing that rests on it is known. */
        readonly linkPending?: true;
      }
    | undefined;
  readonly loads: number;
  /** Navigations that began, how many of them were recorded, and how many failed; the rest is missing. */
  readonly navigations?: { readonly attempted: number; readonly recorded: number; readonly failed: number };
  /** The background gives none: the popup's worker makes it. */
  readonly comparison: Comparison | undefined;
  /**
   * Under way; the figures of `missing` of `loads` loads have to be worked out first (0 of 0: not known yet). `newest`: the comparison that is shown
   * meanwhile is of that many of the newest loads.
   */
  readonly comparing?: { readonly missing: number; readonly loads: number; readonly newest?: number };
  /** What Firefox has lost of the records; absent: nothing, or the person has read it. */
  readonly recordLoss?: RecordLoss;
  /** When Firefox had stopped the extension, the oldest first; absent: never, or the person has read it. */
  readonly standstills?: readonly Standstill[];
  /** Why the loads could not be compared. */
  readonly comparisonFailure?: string;
  /** Loads whose record cannot be read; they are left out. */
  readonly unreadable?: number;
  /** Loads that are in no figure of the comparison, by cause, and those whose link cannot be estimated. */
  readonly excluded?: FieldAnswer['excluded'];
  readonly withoutLink?: number;
  /** Absent where the store cannot be read: then the recording's state says so. */
  readonly trial?: TrialFacts;
  /** Absent where something else can put profiles in place. */
  readonly byHand?: ManualFacts;
  /** Absent where profiles cannot be put in effect while Firefox runs. */
  readonly live?: LiveFacts;
  /** The profiles that the person has made; absent: none. */
  readonly ownProfiles?: readonly OwnProfile[];
}

/** Where only the person can set a profile: what can be set, and what they said they did. */
export interface ManualFacts {
  readonly platform: Platform;
  readonly offered: readonly { readonly id: string; readonly title: string }[];
  /** What the person said they set or reverted; absent: nothing. */
  readonly said?: {
    readonly profileId: string;
    /**
     * `waits`: Firefox has not been started since, so that open connections are as before; `in-effect`; `going-back`: reverted, and
     * Firefox has not been started since.
     */
    readonly state: 'waits' | 'in-effect' | 'going-back';
  };
}

/** The state where profiles can be applied while Firefox runs (Experiment API). */
export interface LivePreference {
  readonly name: string;
  readonly intended: PreferenceValue;
  /** The value that Firefox holds now; absent: it has none. */
  readonly found?: PreferenceValue;
  readonly locked: boolean;
}

export interface LiveFacts {
  /** The profile that was put in effect from here; absent: none. */
  readonly applied?: {
    readonly profileId: string;
    readonly preferences: readonly LivePreference[];
    /** When it came into effect, wall clock, ms since the epoch. */
    readonly since?: number;
  };
  /** Whether anything can be reverted; also where it is not known of which profile, because Firefox ended in the middle. */
  readonly canRevert: boolean;
  /** Who controls the preferences instead of the user; absent: nothing. `trial-restoring`: it has ended and puts back what it set. */
  readonly heldBy?: 'trial' | 'trial-restoring' | 'gateway';
}

/** The outcome of the revert by preference, and the profile in effect afterwards. */
export interface LiveReverted extends Reverted {
  readonly live: LiveFacts;
}

/** The parts that can fail when Firefox or the event page starts, in the order in which it is shown. */
export const START_PARTS = ['route', 'gateway', 'byHand', 'policy', 'managedTrial', 'helper'] as const;

/** A part that is started with Firefox or the event page. */
export type StartPart = (typeof START_PARTS)[number];

/** One part that failed. */
export interface StartFailure {
  readonly part: StartPart;
  /** The message as it was thrown. */
  readonly why: string;
}

/** What the card shows besides the popup's state. */
export interface CardFacts {
  /** The load of the page in front; absent: none is known to be its own. */
  readonly thisPage?: {
    readonly url: string;
    readonly startedAt: number;
    readonly measures: LoadMeasures;
    /** What took the longest part of its time; absent: that is not known. */
    readonly longest?: LongestCause;
  };
  /** The pace of the newest page loads; absent: it is not known yet. */
  readonly perDay?: number;
  /** The hosts of the loads that were asked for, by the ids of these; a load that is gone has none. */
  readonly hosts?: Readonly<Record<string, string>>;
}

/** Its answer is computed from the same members as the popup's. */
export interface DashboardState
  extends Pick<PopupState, 'recording' | 'recordLoss' | 'standstills' | 'active' | 'trial' | 'loads' | 'ownProfiles'> {
  /** Profiles that take effect in this Firefox, the baseline aside: what is predicted. */
  readonly candidates: readonly string[];
  /** Absent: none is stored. */
  readonly lastLoad?: Pick<NonNullable<PopupState['lastLoad']>, 'startedAt'>;
}
