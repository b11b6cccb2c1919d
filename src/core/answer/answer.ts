/**
 * The one answer to "which settings are faster here?": what a trial on this person's own loads has found, else what is predicted where the
 * prediction is sure of a gain, else how much connection settings can reach at all. Popup, Apply and export show this one.
 */
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import type { Carrier } from '../profiles/profile.ts';
import type { TrialProtocol } from '../trial/protocol-plan.ts';

/** Change of speed against Firefox's own settings, as a share: 0.42 is 42 % faster. `undefined`: not bounded. */
export interface Change {
  readonly gain: number;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** A prediction always has both bounds: it is within them in nine of ten cases. */
export interface PredictedChange extends Change {
  readonly low: number;
  readonly high: number;
}

/** A profile, what carries its requests per connection, and how it did against Firefox's own settings. */
export interface AnsweredProfile {
  readonly profileId: string;
  readonly carrier: Carrier;
  readonly change: Change;
  /** Of the pages that a trial has judged; absent: of all. */
  readonly protocol?: TrialProtocol;
}

/** What a trial answers. `loads`: page loads that count, of all its profiles. */
export type TrialAnswer =
  /** Faster, on fresh loads. `alone`: against Firefox's own settings sent through the gateway, where the gateway itself makes a difference. */
  | ({ readonly from: 'trial'; readonly state: 'confirmed'; readonly loads: number; readonly alone?: Change } & AnsweredProfile)
  /** Shown to differ by less than `within`, a share. */
  | ({
      readonly from: 'trial';
      readonly state: 'no-difference';
      readonly loads: number;
      readonly within: number;
      readonly alone?: Change;
    } & AnsweredProfile)
  /** All planned loads are made, and they leave it open. */
  | { readonly from: 'trial'; readonly state: 'open'; readonly loads: number; readonly closest?: AnsweredProfile }
  /** Every candidate was slower, or could not be put in effect; the slower ones. */
  | { readonly from: 'trial'; readonly state: 'slower'; readonly profiles: readonly AnsweredProfile[] }
  | RunningTrial;

/** A trial that has not ended. */
export interface RunningTrial {
  readonly from: 'trial';
  readonly state: 'running';
  /** `held`: a check of the trial fails, so that it says nothing. */
  readonly stage: 'collecting' | 'checking' | 'confirming' | 'held';
  readonly isPaused: boolean;
  readonly loads: number;
  /** Looks best so far; present exactly while it is being confirmed. */
  readonly leader?: AnsweredProfile;
  /** While it is being confirmed: its fresh loads so far, and how many of it are expected to be needed. */
  readonly fresh?: { readonly loads: number; readonly planned: number };
}

/** Why nothing can be answered. `not-predicted`: no prediction was there when the answer was kept. `unreadable`: what is stored cannot be read. */
export const UNANSWERED = [
  'working',
  'failed',
  'not-predicted',
  'unreadable',
  'no-loads',
  'link-not-known',
  'rate-not-known',
  'nothing-to-predict',
] as const;
export type Unanswered = (typeof UNANSWERED)[number];

/** One finding, as data; `format-answer.ts` makes the words. */
export type Answer =
  | TrialAnswer
  /** A gain that is larger than the error of its prediction, for `pages` recent pages. */
  | {
      readonly from: 'prediction';
      readonly profileId: string;
      readonly carrier: Carrier;
      readonly change: PredictedChange;
      readonly pages: number;
      /** Loads recorded since it was predicted; absent: none. */
      readonly loadsSince?: number;
    }
  /** No gain is sure. Connection settings act on `byConnections` of `requests`; no modelled setting gains more than `atMost`, a share (absent: not known). */
  | {
      readonly from: 'reach';
      readonly requests: number;
      readonly byConnections: number;
      readonly atMost?: number;
      readonly loadsSince?: number;
    }
  | { readonly from: 'nothing'; readonly why: Unanswered };

/** What is predicted for the pages a person has loaded of late, as far as the answer needs it. */
export type AnswerablePrediction =
  | { readonly state: Unanswered }
  | {
      readonly state: 'predicted';
      readonly pages: number;
      /** The profile to try, where one is. */
      readonly recommended?: { readonly id: string; readonly change: PredictedChange } | undefined;
      /** The highest upper bound of all modelled settings, a share; absent: not known. */
      readonly atMost?: number | undefined;
      readonly reach: { readonly requests: number; readonly byConnections: number };
      /** Loads recorded since; 0 or absent: none. */
      readonly loadsSince?: number | undefined;
    };

export interface AnswerInput {
  /** Absent: no trial has found anything, and none is under way. */
  readonly trial?: TrialAnswer | undefined;
  /** Found to be slower by a trial, by id: never answered with again. */
  readonly slower?: readonly string[] | undefined;
  readonly prediction: AnswerablePrediction;
}

/** The trial's verdict or state, else the prediction where the whole band is a gain, else the reach. */
export function answerOf({ trial, slower = [], prediction }: AnswerInput): Answer {
  if (trial !== undefined) return trial;
  if (prediction.state !== 'predicted') return { from: 'nothing', why: prediction.state };
  const { pages, recommended, atMost, reach, loadsSince = 0 } = prediction;
  const since = loadsSince > 0 && { loadsSince };
  if (recommended !== undefined && recommended.change.low > 0 && !slower.includes(recommended.id)) {
    return { from: 'prediction', profileId: recommended.id, carrier: 'none', change: recommended.change, pages, ...since };
  }
  return { from: 'reach', requests: reach.requests, byConnections: reach.byConnections, ...(atMost !== undefined && { atMost }), ...since };
}

/** Whether Firefox's own settings are right: no modelled setting gains what means something to a person. */
export const isNothingToGain = ({ atMost }: Extract<Answer, { from: 'reach' }>): boolean =>
  atMost !== undefined && atMost < MEANINGFUL_CHANGE;

/** The profile that can be applied by settings alone; `undefined`: none is answered with, or it needs the gateway. */
export function settingsToApply(answer: Answer): string | undefined {
  const isFaster = answer.from === 'prediction' || (answer.from === 'trial' && answer.state === 'confirmed');
  return isFaster && answer.carrier === 'none' ? answer.profileId : undefined;
}

/** The profile that a trial has proven and the gateway carries; `undefined`: there is none. */
export function gatewayToSwitchOn(answer: Answer): string | undefined {
  const isFaster = answer.from === 'trial' && answer.state === 'confirmed';
  return isFaster && answer.carrier === 'gateway' ? answer.profileId : undefined;
}
