/**
 * What to try, by prediction alone: of the profiles within 3 % of the most efficient, and at least 3 % more efficient than the
 * baseline, the cheapest (see `compareCost`), if it gains more than the model is known to be wrong by, and the simulation comes out as the
 * record did. Else the baseline stays. The same thresholds as for measured loads.
 */
import { percent, signedPercent } from '../compare/plain-words.ts';
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { cheapestLevel } from '../profiles/compare-cost.ts';
import { secondsText } from '../report/figure-text.ts';
import { type BesideRecord, partsFromRecord } from './beside-record.ts';
import type { ModelError } from './model-error.ts';
import type { Band } from './predict-typical.ts';
import { costOf, type PredictedProfile } from './predicted-profiles.ts';
import type { ProfileReach } from './profile-reach.ts';

/**
 * `try`: a profile gains 3 % or more, and more than the model is known to be wrong by. `keep`: none gains 3 %. `within-error`: one does, but the
 * model may be wrong by as much. `within-band`: one does, but not in every run of nine of ten. `parts-from-record`: the simulation does not come out as the record did.
 */
export type PredictedRecommendationState = 'try' | 'keep' | 'within-error' | 'within-band' | 'parts-from-record';

export interface PredictedRecommendation {
  readonly state: PredictedRecommendationState;
  /** What to try; the baseline itself in every other state. */
  readonly profileId: string;
  /** All that is to be said, the command included. */
  readonly sentence: string;
  /** How to measure it. */
  readonly measure: string;
}

export interface RecommendPredictionFacts {
  /** As `predictedProfiles` gives them, the baseline among them. */
  readonly profiles: readonly PredictedProfile[];
  readonly baseline: string;
  readonly reach: ProfileReach;
  /** `undefined`: the model has not been held against real loads. */
  readonly error: ModelError | undefined;
  /** Predictions beside the loads of the same pages that were recorded; absent: no load was. */
  readonly beside?: readonly BesideRecord[];
  /** The command that measures these profiles; the baseline alone: whichever it measures by itself. */
  readonly measure: (profileIds: readonly string[]) => string;
}

/** A profile of which a part is not simulated is never recommended. @throws RangeError when the baseline is not among the profiles. */
export function recommendPrediction(facts: RecommendPredictionFacts): PredictedRecommendation {
  const { profiles, baseline, error, beside = [] } = facts;
  const own = profiles.find(({ profile }) => profile.id === baseline);
  if (own === undefined) throw new RangeError(`The baseline ${baseline} is not among the profiles`);
  const modelled = profiles.filter(({ coverage }) => coverage.state === 'modelled');
  const best = mostEfficient(modelled);
  const gaining = toTry(modelled.filter(isSupported)) ?? toTry(modelled);
  const other = gaining ?? (best !== undefined && best.ratio > 1 ? best : undefined);
  const measure = facts.measure([baseline, ...(other === undefined ? [] : [other.profile.id])]);
  const answer = (state: PredictedRecommendationState, chosen: PredictedProfile, sentences: readonly string[]) => ({
    state,
    profileId: chosen.profile.id,
    measure,
    sentence: [...sentences, 'This is a prediction, not a measurement.', `${TO_MEASURE}${measure}`].join(' '),
  });
  const parting = beside.filter(({ page, link }) => partsFromRecord({ page, link }, beside));
  if (parting.length > 0 && parting.length === beside.length) return answer('parts-from-record', own, [partsSentence(parting, error)]);
  if (gaining === undefined || best === undefined) return answer('keep', own, [keepSentence(own, best), ...allBelowError(facts)]);
  if (error !== undefined && gaining.ratio - 1 < error.errorP90)
    return answer('within-error', own, [withinErrorSentence(gaining, own, error)]);
  if (!isSupported(gaining)) return answer('within-band', own, [withinBandSentence(gaining, own)]);
  return answer('try', gaining, [
    trySentence({ chosen: gaining, best: mostEfficient(modelled.filter(isSupported)) ?? gaining, own, reach: facts.reach }),
    ...withoutGateway({ ...facts, profiles: modelled }, gaining),
  ]);
}

/** What comes before the command at the end of the sentence. */
export const TO_MEASURE = 'To measure: ';

/** By the rule of what is measured, on predictions: of those that gain 3 %, the cheapest of those within 3 % of the best. `undefined`: none gains 3 %. */
const toTry = (profiles: readonly PredictedProfile[]): PredictedProfile | undefined =>
  cheapestLevel(profiles.filter(isGain), { costOf, gainOf, isLevel: isWithin })?.chosen;

const gainOf = ({ efficiency }: PredictedProfile): number => efficiency;
const isGain = ({ ratio }: PredictedProfile): boolean => ratio - 1 >= MEANINGFUL_CHANGE;
/** A link that is a little different would not turn the gain into a loss. */
const isSupported = ({ ratioBand }: PredictedProfile): boolean => ratioBand === undefined || ratioBand.low > 1;
const isWithin = (each: PredictedProfile, best: PredictedProfile): boolean => 1 - each.efficiency / best.efficiency < MEANINGFUL_CHANGE;
const needsGateway = ({ carrier, profile }: PredictedProfile): boolean => carrier === 'gateway' && profile.depth > 1;

/** Of equally efficient ones the cheapest. */
const mostEfficient = (profiles: readonly PredictedProfile[]): PredictedProfile | undefined =>
  cheapestLevel(profiles, { costOf, gainOf, isLevel: () => false })?.best;

interface Choice {
  readonly chosen: PredictedProfile;
  readonly best: PredictedProfile;
  readonly own: PredictedProfile;
  readonly reach: ProfileReach;
}

function trySentence({ chosen, best, own, reach }: Choice): string {
  const times = `load time ${secondsText(chosen.loadTimeMs)} against ${secondsText(own.loadTimeMs)}`;
  const dearer = best === chosen ? '' : `; within 3 % of ${best.profile.id}, the fastest, and cheaper`;
  const needs = reach.byDepth === 0 ? '; its depth has no effect here' : '; its depth needs the gateway';
  const depth = needsGateway(chosen) ? needs : '';
  return `Try ${chosen.profile.id}: predicted ${fasterLabel(chosen.ratio, own.profile.id)}${chosen.ratioBand === undefined ? '' : ` (${bandLabel(chosen.ratioBand)})`}, ${times}${dearer}${depth}.`;
}

/** `24 % faster than firefox-default`: speed is the inverse of load time. @param ratio - Above 1. */
const fasterLabel = (ratio: number, than: string): string => `${percent(ratio - 1)} faster than ${than}`;

/** Else a gain of 2.96 % would read as 3 %, and yet as less. */
const JUST_BELOW = 1 + MEANINGFUL_CHANGE - 0.001;

function keepSentence(own: PredictedProfile, best: PredictedProfile | undefined): string {
  const keep = `Keep ${own.profile.id}`;
  if (best === undefined || best.ratio <= 1) return `${keep}: no profile is predicted to be faster.`;
  const times = `load time ${secondsText(best.loadTimeMs)} against ${secondsText(own.loadTimeMs)}`;
  const gain = fasterLabel(Math.min(best.ratio, JUST_BELOW), own.profile.id);
  return `${keep}: no profile is predicted to be 3 % faster; the best of the others, ${best.profile.id}, is ${gain}, ${times}.`;
}

/** What to try without the gateway, which has to be switched on and carries plain http alone. */
function withoutGateway({ profiles, baseline, reach, error }: RecommendPredictionFacts, chosen: PredictedProfile): readonly string[] {
  if (!needsGateway(chosen) || reach.byDepth === 0) return [];
  const others = profiles.filter(({ carrier, profile }) => carrier !== 'gateway' && profile.id !== baseline);
  if (others.length === 0) return [];
  const those = "Of the profiles that do without the gateway (the popup's, or plumbfox gateway),";
  const next = toTry(others.filter(isSupported));
  if (next === undefined) return [`${those} none is predicted to be 3 % faster than ${baseline}.`];
  if (error !== undefined && next.ratio - 1 < error.errorP90) return [`${those} none is predicted to gain more than ${ownError(error)}.`];
  return [`${those} ${next.profile.id} is the one to try, predicted ${fasterLabel(next.ratio, baseline)}.`];
}

/** Where every difference is smaller than what the model is known to be wrong by. */
function allBelowError({ profiles, error, reach }: RecommendPredictionFacts): readonly string[] {
  if (error === undefined || reach.byConnections === 0) return [];
  const efficiencies = profiles.map(({ efficiency }) => efficiency);
  const spread = Math.max(...efficiencies) / Math.min(...efficiencies) - 1;
  if (spread >= error.errorP90) return [];
  return [`All predicted differences are below ${ownError(error)}, so only a measurement can tell.`];
}

const ownError = ({ errorP90 }: ModelError): string => `the model's own error (${percent(errorP90)} at its 90th percentile)`;

function withinErrorSentence({ profile, ratio, loadTimeMs }: PredictedProfile, own: PredictedProfile, error: ModelError): string {
  const times = `load time ${secondsText(loadTimeMs)} against ${secondsText(own.loadTimeMs)}`;
  return `No gain that a prediction could show: ${profile.id} is predicted ${fasterLabel(ratio, own.profile.id)}, ${times}, which is below ${ownError(error)}. Only a measurement can tell.`;
}

function withinBandSentence({ profile, ratio, loadTimeMs, ratioBand }: PredictedProfile, own: PredictedProfile): string {
  const times = `load time ${secondsText(loadTimeMs)} against ${secondsText(own.loadTimeMs)}`;
  const band = ratioBand === undefined ? '' : ` (${bandLabel(ratioBand)})`;
  return `No gain that a prediction could show: ${profile.id} is predicted ${fasterLabel(ratio, own.profile.id)}${band}, ${times}, and a link that is a little different turns it into a loss. Only a measurement can tell.`;
}

/** `−3 to +20 %`: change of speed. */
export const bandLabel = ({ low, high }: Band): string => `${signedPercent(low - 1).replace(' %', '')} to ${signedPercent(high - 1)}`;

/** The worst is named: of one record it is all. */
function partsSentence(beside: readonly BesideRecord[], error: ModelError | undefined): string {
  const [worst] = [...beside].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  const where = beside.length > 1 && worst !== undefined ? ` of ${worst.page}` : '';
  const times =
    worst === undefined ? '' : ` (recorded ${secondsText(worst.recordedMs)}${where}, simulated ${secondsText(worst.simulatedMs)})`;
  const more = error === undefined ? '' : `, by more than ${ownError(error)}`;
  return `No recommendation: the simulation does not come out as the record did${times}${more}.`;
}
