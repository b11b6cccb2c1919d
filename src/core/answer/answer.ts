/**
 * The one answer to "which settings are faster here?": what a trial on this person's own loads has found, else what is predicted where the
 * prediction is sure of a gain, else how much connection settings can reach at all. Popup, Apply and export show this one.
 */

import * as v from 'valibot';
import { TRIAL_PROTOCOLS } from '../compare/comparison.ts';
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { carrierSchema } from '../profiles/profile.ts';
import { profileIdSchema } from '../profiles/profile-id.ts';
import { count, finite, type Shape } from '../schema.ts';

const share = v.pipe(finite, v.minValue(-1));
const profileId = profileIdSchema;
const loads = count;
const trial = v.literal('trial');

/** `undefined`, and absent in JSON: not bounded. */
const bound = v.optional(share, () => undefined);
const changeSchema = v.object({ gain: share, low: bound, high: bound });
/** Change of speed against Firefox's own settings, as a share: 0.42 is 42 % faster. `undefined`: not bounded. */
export type Change = Shape<typeof changeSchema>;

export const predictedChangeSchema = v.object({ gain: share, low: share, high: share });
/** A prediction always has both bounds, and only where such bands are known to hold (`MIN_HELD`). */
export type PredictedChange = Shape<typeof predictedChangeSchema>;

export const predictedFasterSchema = v.object({
  profileId,
  /** `dearer`: less than 3 % faster, at a higher cost in connections, memory, privacy or changed preferences. `unsure`: the gain may be none. */
  why: v.picklist(['dearer', 'unsure']),
});
/** The settings that are predicted to be faster than the recommended ones, and why they are not recommended. */
export type PredictedFaster = Shape<typeof predictedFasterSchema>;

/** See `TriedPreferences`. */
export const triedSchema = v.object({ preferences: count, of: count, requests: count });

const answeredProfileSchema = v.object({
  profileId,
  carrier: carrierSchema,
  change: changeSchema,
  /** The protocol of the pages that a trial has judged; absent: all pages. */
  protocol: v.exactOptional(v.picklist(TRIAL_PROTOCOLS)),
});
/** A profile, what carries its requests per connection, and how it did against Firefox's own settings. */
export type AnsweredProfile = Shape<typeof answeredProfileSchema>;

/**
 * Why nothing can be answered. `not-predicted`: no prediction was there when the answer was kept. `unreadable`: what is stored cannot be read.
 * `few-pages`: too few are predicted yet. `not-matching`: the simulation matches none of the pages.
 */
export const UNANSWERED = [
  'working',
  'failed',
  'not-predicted',
  'unreadable',
  'no-loads',
  'link-not-known',
  'rate-not-known',
  'nothing-to-predict',
  'few-pages',
  'not-matching',
] as const;
export type Unanswered = (typeof UNANSWERED)[number];

/** What a prediction rests on. */
const predictedFor = {
  /** Recent pages that were looked at besides, and could not be simulated; absent: none. */
  outside: v.exactOptional(count),
  /** The network that it is of, where the newest load's is not known yet; absent: it is of that one. `isGiven`: the person's own name. */
  former: v.exactOptional(v.object({ name: v.string(), isGiven: v.boolean() })),
  /** Loads recorded since it was predicted; absent: none. */
  loadsSince: v.exactOptional(count),
};
export type PredictedFor = Shape<v.ObjectSchema<typeof predictedFor, undefined>>;

/** `loads`, of a trial: page loads that count, of all its profiles. */
export const answerSchema = v.union([
  /** Faster. `alone`: against Firefox's own settings sent through the gateway, where the gateway itself makes a difference. */
  v.object({
    from: trial,
    state: v.literal('confirmed'),
    loads,
    ...answeredProfileSchema.entries,
    alone: v.exactOptional(changeSchema),
  }),
  /** Shown to differ by less than `within`, a share. */
  v.object({
    from: trial,
    state: v.literal('no-difference'),
    loads,
    within: share,
    ...answeredProfileSchema.entries,
    alone: v.exactOptional(changeSchema),
  }),
  /** All planned loads are made, and they leave it open. */
  v.object({ from: trial, state: v.literal('open'), loads, closest: v.exactOptional(answeredProfileSchema) }),
  /** Every candidate was slower, or could not be put in effect; the slower ones. */
  v.object({ from: trial, state: v.literal('slower'), profiles: v.array(answeredProfileSchema) }),
  v.object({
    from: trial,
    state: v.literal('running'),
    /** `held`: a check of the trial fails, so that it says nothing. */
    stage: v.picklist(['collecting', 'checking', 'leading', 'held']),
    isPaused: v.boolean(),
    loads,
    /** Ahead, not proven yet; present exactly while somebody is. */
    leader: v.exactOptional(answeredProfileSchema),
    /** While nobody is ahead: the best of those whose interval is bounded; absent: none is. */
    best: v.exactOptional(answeredProfileSchema),
  }),
  /** A gain that is larger than the error of its prediction, for `pages` recent pages. */
  v.object({
    from: v.literal('prediction'),
    profileId,
    carrier: carrierSchema,
    change: predictedChangeSchema,
    pages: count,
    ...predictedFor,
  }),
  /**
   * No gain is sure. Connection settings act on `byConnections` of `requests`; no modelled setting gains more than `atMost`, a share (absent: not
   * known).
   */
  v.object({
    from: v.literal('reach'),
    requests: count,
    byConnections: count,
    /** Recent pages that have these requests; absent: an earlier version did not keep it. */
    pages: v.exactOptional(count),
    atMost: v.exactOptional(v.pipe(finite, v.minValue(0))),
    /** What this rests on. */
    tried: triedSchema,
    ...predictedFor,
  }),
  v.object({ from: v.literal('nothing'), why: v.picklist(UNANSWERED) }),
]);
/** One finding, as data; `format-answer.ts` makes the words. */
export type Answer = Shape<typeof answerSchema>;
/** The answer of a trial. */
export type TrialAnswer = Extract<Answer, { from: 'trial' }>;
/** A trial that has not ended. */
export type RunningTrial = Extract<TrialAnswer, { state: 'running' }>;

/** What is predicted for the pages a person has loaded of late, as far as the answer needs it. */
type AnswerablePrediction =
  | { readonly state: Unanswered }
  | {
      readonly state: 'predicted';
      readonly pages: number;
      /** The profile to try, where one is. */
      readonly recommended?: { readonly id: string; readonly change: PredictedChange } | undefined;
      /** The highest upper bound of all modelled settings, a share; absent: bands of such predictions are not known to hold. */
      readonly atMost?: number | undefined;
      readonly reach: { readonly requests: number; readonly byConnections: number };
      readonly tried: Shape<typeof triedSchema>;
      /** The simulation matches none of the pages that it could be compared with; absent: it does. */
      readonly isMismatched?: boolean | undefined;
      readonly outside?: number | undefined;
      readonly former?: PredictedFor['former'] | undefined;
      /** Loads recorded since; 0 or absent: none. */
      readonly loadsSince?: number | undefined;
    };

export interface AnswerInput {
  /** Absent: no trial has found anything, and none is in progress. */
  readonly trial?: TrialAnswer | undefined;
  /** Found to be slower by a trial, by id: never answered with again. */
  readonly slower?: readonly string[] | undefined;
  readonly prediction: AnswerablePrediction;
  /** Recorded page loads; absent: enough. */
  readonly loads?: number | undefined;
}

/** Page loads after which Plumbfox says whether tuning is worth it: as many pages as a prediction is made for (`predicted-pages.ts`). */
export const ENOUGH_LOADS = 20;
/** Where fewer pages than these were looked at, there is no answer before there are enough loads: the three sites of the first run. */
const MIN_PREDICTED_PAGES = 3;

/** The trial's verdict or state, else the prediction where the whole band is a gain, else the reach. */
export function answerOf({ trial, slower = [], prediction, loads = ENOUGH_LOADS }: AnswerInput): Answer {
  if (trial !== undefined) return trial;
  if (prediction.state !== 'predicted') return { from: 'nothing', why: prediction.state };
  const { pages, recommended, atMost, reach, tried, isMismatched, outside = 0, former, loadsSince = 0 } = prediction;
  if (isMismatched) return { from: 'nothing', why: 'not-matching' };
  if (pages + outside < MIN_PREDICTED_PAGES && loads < ENOUGH_LOADS) return { from: 'nothing', why: 'few-pages' };
  const its = { ...(outside > 0 && { outside }), ...(former && { former }), ...(loadsSince > 0 && { loadsSince }) };
  if (recommended !== undefined && recommended.change.low > 0 && !slower.includes(recommended.id)) {
    return { from: 'prediction', profileId: recommended.id, carrier: 'none', change: recommended.change, pages, ...its };
  }
  const { requests, byConnections } = reach;
  return { from: 'reach', requests, byConnections, pages, ...(atMost !== undefined && { atMost }), tried, ...its };
}

type Reach = Extract<Answer, { from: 'reach' }>;

/** Whether Firefox's own settings are right: no modelled setting gains what means something to a person, and what matters to most requests is modelled. */
export const isNothingToGain = (reach: Reach): boolean =>
  reach.atMost !== undefined && reach.atMost < MEANINGFUL_CHANGE && untriedShare(reach) <= 0.5;

/** The share of requests over a version of HTTP of which no setting was simulated. */
export const untriedShare = ({ requests, tried }: Reach): number => (requests === 0 ? 0 : 1 - tried.requests / requests);

/** The profile that can be applied without the gateway; `undefined`: none is answered with, or it needs the gateway. */
export function settingsToApply(answer: Answer): string | undefined {
  const isFaster = answer.from === 'prediction' || (answer.from === 'trial' && answer.state === 'confirmed');
  return isFaster && answer.carrier === 'none' ? answer.profileId : undefined;
}

/** The profile that a trial has proven and the gateway carries; `undefined`: there is none. */
export function gatewayToSwitchOn(answer: Answer): string | undefined {
  const isFaster = answer.from === 'trial' && answer.state === 'confirmed';
  return isFaster && answer.carrier === 'gateway' ? answer.profileId : undefined;
}
