/**
 * What to try, by prediction alone: of the profiles whose gain over the baseline is sure (at least 3 %, no less than what nine of ten such
 * predicted gains are off by, and a gain at the low end of its band too) and within 3 % of the most efficient of these, the cheapest (see
 * `compareCost`), if the simulation comes out as the record did. Each profile is judged by its own regime. Else the baseline stays. The same
 * thresholds as for measured loads.
 */

import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { assertNever } from '../errors.ts';
import { DEFAULT_ORIGIN, type PageGraph } from '../graph/page-graph.ts';
import { cheapestLevel } from '../profiles/compare-cost.ts';
import { formatSeconds, percent, signedPercent } from '../text/figures.ts';
import type { Band } from './predict-typical.ts';
import { isUnchanged, type PredictedProfile, predictedCost } from './predicted-profiles.ts';
import { deviatesFromRecord, type RecordComparison } from './recorded-loads.ts';

/**
 * `try`: a profile gains 3 % or more, and more than such predictions are off by. `keep`: none gains 3 %. `within-error`: one does, but such
 * predictions are off by as much. `within-band`: one does, but not over its whole band. `unmeasured`: one does, but how far such predictions are
 * off was never measured. `parts-from-record`: the simulation does not come out as the record did.
 */
type PredictedRecommendationState = 'try' | 'keep' | 'within-error' | 'within-band' | 'unmeasured' | 'parts-from-record';

export interface PredictedRecommendation {
  readonly state: PredictedRecommendationState;
  /** What to try; the baseline itself in every other state. */
  readonly profileId: string;
  /** The recommendation in words, the command included. */
  readonly sentence: string;
  /** How to measure it. */
  readonly measure: string;
}

export interface PredictedRecommendationInput {
  /** Those of `predictedProfiles`, the baseline among them. */
  readonly profiles: readonly PredictedProfile[];
  readonly baseline: string;
  readonly reach: ProfileReach;
  /** Predictions compared with recorded loads of the same pages; absent: no load was recorded. */
  readonly beside?: readonly RecordComparison[];
  /** The command that measures these profiles; the baseline alone: whichever it measures by itself. */
  readonly measure: (profileIds: readonly string[]) => string;
}

/** A profile of which a part is not simulated is never recommended. @throws RangeError when the baseline is not among the profiles. */
export function recommendPrediction(facts: PredictedRecommendationInput): PredictedRecommendation {
  const { profiles, baseline, beside = [] } = facts;
  const own = profiles.find(({ profile }) => profile.id === baseline);
  if (own === undefined) throw new RangeError(`The baseline ${baseline} is not among the profiles`);
  const modelled = profiles.filter(({ coverage }) => coverage.state === 'modelled');
  const best = mostEfficient(modelled);
  const gaining = toTry(modelled.filter(isSure)) ?? toTry(modelled);
  const other = gaining ?? (best !== undefined && best.ratio > 1 ? best : undefined);
  const measure = facts.measure([baseline, ...(other === undefined ? [] : [other.profile.id])]);
  const answer = (state: PredictedRecommendationState, chosen: PredictedProfile, sentences: readonly string[]) => ({
    state,
    profileId: chosen.profile.id,
    measure,
    sentence: [...sentences, 'This is a prediction, not a measurement.', `${TO_MEASURE}${measure}`].join(' '),
  });
  const parting = beside.filter(({ page, link }) => deviatesFromRecord({ page, link }, beside));
  if (parting.length > 0 && parting.length === beside.length) return answer('parts-from-record', own, [partsSentence(parting)]);
  if (gaining === undefined || best === undefined) return answer('keep', own, [keepSentence(own, best), ...allBelowError(facts)]);
  const doubt = doubtOf(gaining);
  if (doubt !== undefined) return answer(doubt, own, [doubtSentence(gaining, own, doubt)]);
  return answer('try', gaining, [
    trySentence({ chosen: gaining, best: mostEfficient(modelled.filter(isSure)) ?? gaining, own, reach: facts.reach }),
    ...withoutGateway({ ...facts, profiles: modelled }, gaining),
  ]);
}

/** Precedes the command at the end of the sentence. */
export const TO_MEASURE = 'To measure: ';

/** The rule for measured loads, applied to predictions: of those that gain 3 %, the cheapest within 3 % of the best. `undefined`: none gains 3 %. */
const toTry = (profiles: readonly PredictedProfile[]): PredictedProfile | undefined =>
  cheapestLevel(profiles.filter(isGain), { costOf: predictedCost, gainOf, isLevel: isWithin })?.chosen;

const gainOf = ({ efficiency }: PredictedProfile): number => efficiency;
const isGain = ({ ratio }: PredictedProfile): boolean => ratio - 1 >= MEANINGFUL_CHANGE;
/** Why a predicted gain cannot be relied on; `undefined`: it can. */
function doubtOf({ ratio, ratioBand, ratioError }: PredictedProfile): 'unmeasured' | 'within-error' | 'within-band' | undefined {
  if (ratioError === undefined || ratioBand === undefined) return 'unmeasured';
  if (ratio - 1 < ratioError.errorP90) return 'within-error';
  return ratioBand.low > 1 ? undefined : 'within-band';
}
const isSure = (each: PredictedProfile): boolean => doubtOf(each) === undefined;
const isWithin = (each: PredictedProfile, best: PredictedProfile): boolean => 1 - each.efficiency / best.efficiency < MEANINGFUL_CHANGE;
const needsGateway = ({ carrier, profile }: PredictedProfile): boolean => carrier === 'gateway' && profile.depth > 1;

/** The most efficient; of equally efficient ones the cheapest. */
const mostEfficient = (profiles: readonly PredictedProfile[]): PredictedProfile | undefined =>
  cheapestLevel(profiles, { costOf: predictedCost, gainOf, isLevel: () => false })?.best;

interface Choice {
  readonly chosen: PredictedProfile;
  readonly best: PredictedProfile;
  readonly own: PredictedProfile;
  readonly reach: ProfileReach;
}

function trySentence({ chosen, best, own, reach }: Choice): string {
  const times = `load time ${formatSeconds(chosen.loadTimeMs)} against ${formatSeconds(own.loadTimeMs)}`;
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
  const times = `load time ${formatSeconds(best.loadTimeMs)} against ${formatSeconds(own.loadTimeMs)}`;
  const gain = fasterLabel(Math.min(best.ratio, JUST_BELOW), own.profile.id);
  return `${keep}: no profile is predicted to be 3 % faster; the best of the others, ${best.profile.id}, is ${gain}, ${times}.`;
}

/** What to try without the gateway, which has to be switched on and carries plain http alone. */
function withoutGateway({ profiles, baseline, reach }: PredictedRecommendationInput, chosen: PredictedProfile): readonly string[] {
  if (!needsGateway(chosen) || reach.byDepth === 0) return [];
  const others = profiles.filter(({ carrier, profile }) => carrier !== 'gateway' && profile.id !== baseline);
  if (others.length === 0) return [];
  const those = "Of the profiles that do without the gateway (the popup's, or plumbfox gateway),";
  const next = toTry(others.filter(isSure)) ?? toTry(others);
  if (next === undefined) return [`${those} none is predicted to be 3 % faster than ${baseline}.`];
  if (!isSure(next)) return [`${those} none has a gain that a prediction could show.`];
  return [`${those} ${next.profile.id} is the one to try, predicted ${fasterLabel(next.ratio, baseline)}.`];
}

/** Where every difference is smaller than what such predictions are off by. */
function allBelowError({ profiles, baseline, reach }: PredictedRecommendationInput): readonly string[] {
  const others = profiles.filter((each) => each.profile.id !== baseline && !isUnchanged(each));
  const limits = others.flatMap(({ ratioError }) => ratioError?.errorP90 ?? []);
  if (reach.byConnections === 0 || others.length === 0 || limits.length < others.length) return [];
  if (others.some(({ ratio }, at) => Math.abs(ratio - 1) >= (limits[at] as number))) return [];
  return [`All predicted differences are below ${ratioErrorLabel(Math.max(...limits))}, so only a measurement can tell.`];
}

const ratioErrorLabel = (errorP90: number): string => `the error of such predictions (${percent(errorP90)} at its 90th percentile)`;

function doubtSentence(gaining: PredictedProfile, own: PredictedProfile, doubt: NonNullable<ReturnType<typeof doubtOf>>): string {
  const { profile, ratio, ratioBand, loadTimeMs, ratioError: ofRatio, unmeasured } = gaining;
  const times = `load time ${formatSeconds(loadTimeMs)} against ${formatSeconds(own.loadTimeMs)}`;
  const band = ratioBand === undefined || doubt === 'within-error' ? '' : ` (${bandLabel(ratioBand)})`;
  return `No gain that a prediction could show: ${profile.id} is predicted ${fasterLabel(ratio, own.profile.id)}${band}, ${times}, ${why()}. Only a measurement can tell.`;

  function why(): string {
    switch (doubt) {
      case 'unmeasured':
        return `but the error of such a gain was not measured${unmeasured.length === 0 ? '' : ` for ${unmeasured.join('; ')}`}`;
      case 'within-error':
        return `which is below ${ratioErrorLabel(ofRatio?.errorP90 ?? 0)}`;
      case 'within-band':
        return 'and it may be slower';
      default:
        return assertNever(doubt);
    }
  }
}

/** `−3 to +20 %`: change of speed. */
export const bandLabel = ({ low, high }: Band): string => `${signedPercent(low - 1).replace(' %', '')} to ${signedPercent(high - 1)}`;

/** The worst is named: of one record it is all. */
function partsSentence(beside: readonly RecordComparison[]): string {
  const [worst] = [...beside].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  const where = beside.length > 1 && worst !== undefined ? ` of ${worst.page}` : '';
  const times =
    worst === undefined ? '' : ` (recorded ${formatSeconds(worst.recordedMs)}${where}, simulated ${formatSeconds(worst.simulatedMs)})`;
  const more = worst?.limit === undefined ? '' : `, by more than the model's own error (${percent(worst.limit)} at its 90th percentile)`;
  return `No recommendation: the simulation does not come out as the record did${times}${more}.`;
}

/** Which requests of a page a profile's two numbers can reach at all. */
export interface ProfileReach {
  readonly requests: number;
  /** HTTP/1.1, plain or with TLS: the number of connections acts on them. */
  readonly byConnections: number;
  /** Plain HTTP/1.1: the gateway can carry a depth for them; https passes through it untouched. */
  readonly byDepth: number;
}

/** Counts the requests of a page that a profile's two numbers can reach. */
export function profileReach(pages: readonly PageGraph[]): ProfileReach {
  let [requests, byConnections, byDepth] = [0, 0, 0];
  for (const page of pages) {
    for (const { origin = DEFAULT_ORIGIN } of page.requests) {
      const { protocol = 'http/1.1', tls = 'none' } = factsOf(page, origin);
      requests += 1;
      if (protocol !== 'http/1.1') continue;
      byConnections += 1;
      if (tls === 'none') byDepth += 1;
    }
  }
  return { requests, byConnections, byDepth };
}

const factsOf = ({ origins = {} }: PageGraph, origin: string) => (Object.hasOwn(origins, origin) ? (origins[origin] ?? {}) : {});

/** One sentence where part of the page is out of reach; `undefined`: every request is within. */
export function reachSentence({ requests, byConnections, byDepth }: ProfileReach): string | undefined {
  if (byConnections === 0) {
    return 'Neither connections nor depth has an effect here: every server speaks HTTP/2 or HTTP/3, where one connection carries all requests.';
  }
  if (byDepth === requests) return undefined;
  const rest = 'as the others go to HTTP/2 or HTTP/3';
  if (byDepth === byConnections) return `Connections and depth have an effect on ${byDepth} of ${requests} requests, ${rest}.`;
  const others = byConnections < requests ? `; connections have one on ${byConnections} of ${requests} requests, ${rest}` : '';
  if (byDepth === 0) {
    return `Depth has no effect here: no request goes to a plain-http HTTP/1.1 server, and https passes through the gateway untouched${others}.`;
  }
  return `Depth has an effect on ${byDepth} of ${requests} requests, those to plain-http HTTP/1.1 servers${others}.`;
}
