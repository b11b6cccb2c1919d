/**
 * What to try, by prediction alone: of the profiles within 3 % of the most efficient, and at least 3 % more efficient than the
 * baseline, the cheapest (see `compareCost`). Where no profile is, the baseline stays. The same thresholds as for measured loads.
 */
import { comparisonInWords, percent } from '../compare/plain-words.ts';
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { compareCost } from '../profiles/compare-cost.ts';
import { secondsText } from '../report/figure-text.ts';
import type { ModelError } from './model-error.ts';
import { costOf, type PredictedProfile } from './predicted-profiles.ts';
import type { ProfileReach } from './profile-reach.ts';

export interface PredictedRecommendation {
  /** The baseline itself where it should be kept. */
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
  /** The command that measures these profiles; the baseline alone: whichever it measures by itself. */
  readonly measure: (profileIds: readonly string[]) => string;
}

/** @throws RangeError when the baseline is not among the profiles. */
export function recommendPrediction(facts: RecommendPredictionFacts): PredictedRecommendation {
  const { profiles, baseline } = facts;
  const own = profiles.find(({ profile }) => profile.id === baseline);
  if (own === undefined) throw new RangeError(`The baseline ${baseline} is not among the profiles`);
  const best = mostEfficient(profiles);
  const chosen = toTry(profiles);
  const other = chosen ?? (best !== undefined && best.ratio > 1 ? best : undefined);
  const measure = facts.measure([baseline, ...(other === undefined ? [] : [other.profile.id])]);
  const sentences =
    chosen === undefined || best === undefined
      ? [keepSentence(own, best)]
      : [trySentence({ chosen, best, own, reach: facts.reach }), ...withoutGateway(facts, chosen)];
  return {
    profileId: (chosen ?? own).profile.id,
    measure,
    sentence: [...sentences, 'This is a prediction, not a measurement.', ...doubt(facts, chosen), `${TO_MEASURE}${measure}`].join(' '),
  };
}

/** What comes before the command at the end of the sentence. */
export const TO_MEASURE = 'To measure: ';

/** `undefined`: none gains 3 %. */
function toTry(profiles: readonly PredictedProfile[]): PredictedProfile | undefined {
  const best = mostEfficient(profiles);
  return best && cheapest(profiles.filter((each) => isGain(each) && isWithin(each, best)));
}

const isGain = ({ ratio }: PredictedProfile): boolean => ratio - 1 >= MEANINGFUL_CHANGE;
const isWithin = (each: PredictedProfile, best: PredictedProfile): boolean => 1 - each.efficiency / best.efficiency < MEANINGFUL_CHANGE;
const needsGateway = ({ carrier, profile }: PredictedProfile): boolean => carrier === 'gateway' && profile.depth > 1;

/** Of equally efficient ones the cheapest. */
function mostEfficient(profiles: readonly PredictedProfile[]): PredictedProfile | undefined {
  return [...profiles].sort((a, b) => b.efficiency - a.efficiency || compareCost(costOf(a), costOf(b)))[0];
}

/** Of equally cheap ones the most efficient. */
function cheapest(profiles: readonly PredictedProfile[]): PredictedProfile | undefined {
  return [...profiles].sort((a, b) => compareCost(costOf(a), costOf(b)) || b.efficiency - a.efficiency)[0];
}

interface Choice {
  readonly chosen: PredictedProfile;
  readonly best: PredictedProfile;
  readonly own: PredictedProfile;
  readonly reach: ProfileReach;
}

function trySentence({ chosen, best, own, reach }: Choice): string {
  const times = `load time ${secondsText(chosen.loadTimeMs)} against ${secondsText(own.loadTimeMs)}`;
  const dearer = best === chosen ? '' : `; within 3 % of ${best.profile.id}, the most efficient, and cheaper`;
  const needs = reach.byDepth === 0 ? '; its depth has no effect here' : '; its depth needs the gateway';
  const depth = needsGateway(chosen) ? needs : '';
  return `Try ${chosen.profile.id}: predicted ${comparisonInWords(chosen.ratio, own.profile.id)}, ${times}${dearer}${depth}.`;
}

/** Else a gain of 2.96 % would read as 3 %, and yet as less. */
const JUST_BELOW = 1 + MEANINGFUL_CHANGE - 0.001;

function keepSentence(own: PredictedProfile, best: PredictedProfile | undefined): string {
  const keep = `Keep ${own.profile.id}`;
  if (best === undefined || best.ratio <= 1) return `${keep}: no profile is predicted to be more efficient.`;
  const times = `load time ${secondsText(best.loadTimeMs)} against ${secondsText(own.loadTimeMs)}`;
  const gain = comparisonInWords(Math.min(best.ratio, JUST_BELOW), own.profile.id);
  return `${keep}: no profile is predicted to be 3 % more efficient; the best of the others, ${best.profile.id}, is ${gain}, ${times}.`;
}

/** What to try without the gateway, which has to be switched on and carries plain http alone. */
function withoutGateway({ profiles, baseline, reach }: RecommendPredictionFacts, chosen: PredictedProfile): readonly string[] {
  if (!needsGateway(chosen) || reach.byDepth === 0) return [];
  const others = profiles.filter(({ carrier, profile }) => carrier !== 'gateway' && profile.id !== baseline);
  if (others.length === 0) return [];
  const those = "Of the profiles that do without the gateway (the popup's, or plumbfox gateway),";
  const next = toTry(others);
  if (next === undefined) return [`${those} none is predicted to be 3 % more efficient than ${baseline}.`];
  return [`${those} ${next.profile.id} is the one to try, predicted ${comparisonInWords(next.ratio, baseline)}.`];
}

/** Where the differences are smaller than what the model is known to be wrong by. */
function doubt({ profiles, error, reach }: RecommendPredictionFacts, chosen: PredictedProfile | undefined): readonly string[] {
  if (error === undefined || reach.byConnections === 0) return [];
  const efficiencies = profiles.map(({ efficiency }) => efficiency);
  const spread = Math.max(...efficiencies) / Math.min(...efficiencies) - 1;
  const limit = `the model's own error (${percent(error.errorP90)} at its 90th percentile), so only a measurement can tell`;
  if (spread < error.errorP90) return [`All predicted differences are below ${limit}.`];
  return chosen !== undefined && chosen.ratio - 1 < error.errorP90 ? [`The predicted gain is below ${limit}.`] : [];
}
