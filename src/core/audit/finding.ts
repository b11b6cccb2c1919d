/** What an audit finds about one line of a list: data, without a sentence. */
import type { Verdict } from '../compare/comparison.ts';
import type { KnobProtocol, PreferenceValue } from '../profiles/knob.ts';
import type { BuildPlatform } from './build-facts.ts';
import type { PublishedConditions, PublishedId } from './published-conditions.ts';

/** A change of speed against Firefox's own settings: 1.12 is 12 % faster. */
export interface SpeedChange {
  readonly ratio: number;
  /** 95 % interval of a measurement, or the band of a prediction; absent: not known. */
  readonly low?: number;
  readonly high?: number;
}

/** Why nothing reads a preference any more, where somebody wrote it down. */
export interface GoneSince {
  /** Major version of Firefox that no longer read it. */
  readonly version: number;
  readonly source?: string;
}

export type Finding =
  /** A line that a list sets to see how far Firefox read it; no preference. */
  | { readonly kind: 'marker' }
  /** A later line sets the same preference. */
  | { readonly kind: 'superseded'; readonly byLine: number; readonly value: PreferenceValue }
  /** No default value, and the name stands in no file or library of the build. */
  | {
      readonly kind: 'dead';
      readonly platform: BuildPlatform;
      readonly version: string;
      readonly gone?: GoneSince;
      /** An older version in which it had a default value. */
      readonly lastSeen?: string;
      /** A preference that this build has, with a name that is nearly the same and the same type of value. */
      readonly meant?: string;
      /** What Firefox calls it since. */
      readonly renamed?: { readonly to: string; readonly source: string };
    }
  /** No default value, but the build names it: code may read it. */
  | { readonly kind: 'hidden' }
  /** The build's code may put the name together as it runs, from this begin. */
  | { readonly kind: 'joined'; readonly branch: string }
  /** No preference of the build begins so: a style sheet, a script or an extension may read it. */
  | { readonly kind: 'foreign' }
  /** Firefox's own value is not known: no such build was read, or a policy of the machine may have set another. */
  | { readonly kind: 'own-unknown' }
  /** `underPolicy`: a policy of the machine is in force, which may set another value. */
  | { readonly kind: 'default'; readonly version: string; readonly underPolicy?: true }
  | { readonly kind: 'wrong-type'; readonly expected: 'integer' | 'boolean' | 'string' }
  | { readonly kind: 'clamped'; readonly actsAs: number; readonly source?: string }
  /** Outside the values that Firefox takes: it keeps its own. */
  | { readonly kind: 'refused-value'; readonly keeps: PreferenceValue | undefined; readonly source?: string }
  /** Locked by a policy or a configuration of this machine. */
  | { readonly kind: 'overridden'; readonly to: PreferenceValue }
  /** A policy of this name is ignored by Firefox. */
  | { readonly kind: 'policy-ignores' }
  /** A policy takes 0 and 1 for these where the preference is no number. */
  | { readonly kind: 'policy-converts'; readonly from: number }
  /** A policy holds it by a name of its own. */
  | { readonly kind: 'policy-named'; readonly policy: string }
  /** A policy locks it, also where the value is Firefox's own. */
  | { readonly kind: 'policy-locks' }
  /** It acts on a protocol that none of the requests uses: nothing is predicted. */
  | { readonly kind: 'cannot-act'; readonly protocol: KnobProtocol; readonly requests: number }
  /** `on`: the pages on which it acts, and by what they differ from the others; absent: all. */
  | {
      readonly kind: 'predicted';
      readonly change: SpeedChange;
      readonly verdict: PredictedVerdict;
      readonly on?: { readonly protocol: KnobProtocol; readonly pages: readonly string[] };
    }
  /** The simulator has a model of it, and by itself it changes no simulated load. */
  | { readonly kind: 'unchanged' }
  /** It acts, and the simulator has no model of it. `isMeasured`: a study measured it. */
  | { readonly kind: 'not-modelled'; readonly isMeasured: boolean }
  /** Neither measured nor predicted, where nothing is predicted at all. */
  | { readonly kind: 'not-known' }
  | {
      readonly kind: 'measured';
      readonly study: PublishedId;
      readonly link: string;
      readonly sentence: string;
      readonly harmful: boolean;
      /** When and with what. */
      readonly made: PublishedConditions;
    }
  /** Measured in this audit, by the verdict rule of every comparison; `ratio` is absent where no load counted. */
  | {
      readonly kind: 'timed';
      readonly change: SpeedChange | undefined;
      readonly verdict: Verdict;
      readonly pairs: number;
      /** No effect of two lines together can show in it. */
      readonly clear: boolean;
    }
  | { readonly kind: 'not-timed'; readonly why: NotTimed }
  | { readonly kind: 'costs'; readonly price: string }
  /** The catalogue does not hold it, so nothing is said of what it does to page loads. */
  | { readonly kind: 'not-catalogued' }
  /** It changes Firefox's own value. */
  | { readonly kind: 'changes'; readonly from: PreferenceValue };

/**
 * `too-many`: the design takes no more lines. `not-settable`: the lab sets no such value. `at-start`: Firefox reads it as it starts, and the lab sets
 * it later. `not-read`: no request of the measured pages reads it.
 */
export type NotTimed = 'too-many' | 'not-settable' | 'at-start' | 'not-read';

/** Whether the prediction is sure: a change of at least 3 % that the whole range agrees on. */
export type PredictedVerdict = 'faster' | 'slower' | 'no-difference' | 'unsure';

export type FindingKind = Finding['kind'];

/** A line with all that was found, what decides about it first. */
export interface AuditedLine {
  /** The file it is in, where a list has several. */
  readonly file?: string;
  readonly line: number;
  readonly name: string;
  readonly value: PreferenceValue;
  readonly group: LineGroup;
  readonly findings: readonly [Finding, ...Finding[]];
}

/** Where a line stands in a report. */
export const LINE_GROUPS = ['acts', 'no-effect', 'default', 'dead', 'other', 'marker'] as const;
/** `acts`: can change how pages load; `no-effect`: catalogued, and without effect as it stands; `other`: outside the catalogue. */
export type LineGroup = (typeof LINE_GROUPS)[number];
