/**
 * The profiles to try, by prediction only: of the profiles whose gain over the baseline is sure (at least 3 %, and a gain at the low end of its band
 * too) and within 3 % of the most efficient of these, the cheapest (see `compareCost`), if the simulation matches the recording. Each profile is judged
 * by its own regime: where bands are not known to hold, no gain is sure. Else the baseline stays. The same thresholds as for measured loads.
 */
import type { PredictedFaster } from '../answer/answer.ts';
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { assertNever } from '../errors.ts';
import { MIN_GATEWAY_RTT_MS } from '../gateway-policy.ts';
import { DEFAULT_ORIGIN, type PageGraph } from '../graph/page-graph.ts';
import { cheapestLevel } from '../profiles/compare-cost.ts';
import { isPluralLabel, profileLabelWithId } from '../profiles/presets.ts';
import { BASELINE_ID } from '../profiles/profile.ts';
import { formatSeconds, percent, signedPercent } from '../text/figures.ts';
import { type PredictedProfile, predictedCost } from './predicted-profiles.ts';
import { deviatesFromRecord, type RecordComparison } from './recorded-loads.ts';
import type { Band } from './run-band.ts';

/**
 * `try`: a profile gains 3 % or more, and gains over its whole band. `keep`: none gains 3 %. `within-band`: one does, but not over its whole band.
 * `unproven`: one does, but bands of such predictions are not known to hold. `parts-from-record`: the simulation does not match the recording.
 */
type PredictedRecommendationState = 'try' | 'keep' | 'within-band' | 'unproven' | 'parts-from-record';

export interface PredictedRecommendation {
  readonly state: PredictedRecommendationState;
  /** What to try; the baseline itself in every other state. */
  readonly profileId: string;
  /** The recommendation in words, the command included. */
  readonly sentence: string;
  /** How to measure it. */
  readonly measure: string;
}

interface PredictedRecommendationInput {
  /** Those of `predictedProfiles`, the baseline among them. */
  readonly profiles: readonly PredictedProfile[];
  readonly baseline: string;
  readonly reach: ProfileReach;
  /** Predictions compared with recorded loads of the same pages; absent: no load was recorded. */
  readonly beside?: readonly RecordComparison[];
  /** The profile that was named before, which stays as long as its gain is sure and no other is 3 % better; absent: none was. */
  readonly named?: string | undefined;
  /** The command that measures these profiles; only the baseline: whichever it measures by itself. */
  readonly measure: (profileIds: readonly string[]) => string;
}

/** A profile of which a part is not simulated is never recommended. @throws RangeError when the baseline is not among the profiles. */
export function recommendPrediction(input: PredictedRecommendationInput): PredictedRecommendation {
  const { profiles, baseline, beside = [], named } = input;
  const own = profiles.find(({ profile }) => profile.id === baseline);
  if (own === undefined) throw new RangeError(`The baseline ${baseline} is not among the profiles`);
  const modelled = profiles.filter(({ coverage, withheld }) => coverage.state === 'modelled' && withheld === undefined);
  const best = mostEfficient(modelled);
  const gaining = stillNamed(modelled.filter(isSure), named) ?? toTry(modelled.filter(isSure)) ?? toTry(modelled);
  const other = gaining ?? (best !== undefined && best.ratio > 1 ? best : undefined);
  const measure = input.measure([baseline, ...(other === undefined ? [] : [other.profile.id])]);
  const answer = (state: PredictedRecommendationState, chosen: PredictedProfile, sentences: readonly string[]) => ({
    state,
    profileId: chosen.profile.id,
    measure,
    sentence: [...sentences, ...withheldSentence(profiles), 'This is a prediction, not a measurement.', `${TO_MEASURE}${measure}`].join(
      ' ',
    ),
  });
  const parting = beside.filter(({ page, link }) => deviatesFromRecord({ page, link }, beside));
  if (parting.length > 0 && parting.length === beside.length) return answer('parts-from-record', own, [partsSentence(parting)]);
  if (gaining === undefined || best === undefined) return answer('keep', own, [keepSentence(own, best)]);
  const doubt = doubtOf(gaining);
  if (doubt !== undefined) return answer(doubt, own, [doubtSentence(gaining, own, doubt)]);
  return answer('try', gaining, [
    trySentence({ chosen: gaining, best: mostEfficient(modelled.filter(isSure)) ?? gaining, own, reach: input.reach }),
    ...withoutGateway({ ...input, profiles: modelled }, gaining),
  ]);
}

/** Empty: every change is predicted. */
const withheldSentence = (profiles: readonly PredictedProfile[]): readonly string[] =>
  profiles.some(({ withheld }) => withheld !== undefined)
    ? [`What goes through the gateway is not predicted over short round trips, under ${MIN_GATEWAY_RTT_MS} ms.`]
    : [];

/** Precedes the command at the end of the sentence. */
export const TO_MEASURE = 'To measure: ';

/** The rule for measured loads, applied to predictions: of those that gain 3 %, the cheapest within 3 % of the best. `undefined`: none gains 3 %. */
const toTry = (profiles: readonly PredictedProfile[]): PredictedProfile | undefined =>
  cheapestLevel(profiles.filter(isGain), { costOf: predictedCost, gainOf, isLevel: isWithin })?.chosen;

function stillNamed(sure: readonly PredictedProfile[], named: string | undefined): PredictedProfile | undefined {
  const best = mostEfficient(sure);
  return best && sure.find((each) => each.profile.id === named && isGain(each) && isWithin(each, best));
}

const gainOf = ({ efficiency }: PredictedProfile): number => efficiency;
const isGain = ({ ratio }: PredictedProfile): boolean => ratio - 1 >= MEANINGFUL_CHANGE;
/** Why a predicted gain cannot be relied on; `undefined`: it can. */
export function doubtOf({ ratioBand }: Pick<PredictedProfile, 'ratioBand'>): 'unproven' | 'within-band' | undefined {
  if (ratioBand === undefined) return 'unproven';
  return ratioBand.low > 1 ? undefined : 'within-band';
}
const isSure = (each: PredictedProfile): boolean => doubtOf(each) === undefined;

/** The one of `others` that is predicted to be faster than the recommended profile, and why it is not recommended; `undefined`: none is. */
export function fasterThanRecommended(chosen: PredictedProfile, others: readonly PredictedProfile[]): PredictedFaster | undefined {
  const faster = others.filter(
    ({ coverage, withheld, ratio }) => coverage.state === 'modelled' && withheld === undefined && ratio > chosen.ratio,
  );
  // The rule takes the cheapest of those that are sure and within 3 % of the fastest of them.
  const dearer = mostEfficient(faster.filter(isSure));
  if (dearer !== undefined) return { profileId: dearer.profile.id, why: 'dearer' };
  const unsure = mostEfficient(faster);
  return unsure && { profileId: unsure.profile.id, why: 'unsure' };
}

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
  const { id } = chosen.profile;
  const verb = isPluralLabel(id) ? 'are' : 'is';
  const band = chosen.ratioBand === undefined ? '' : ` (${bandLabel(chosen.ratioBand)})`;
  const than = own.profile.id === BASELINE_ID ? '' : ` than ${own.profile.id}`;
  return [
    `${profileLabelWithId(id)} ${verb} predicted to be faster${than}: ${signedPercent(chosen.ratio - 1)}${band}, ${timesOf(chosen, own)}.`,
    ...(best === chosen ? [] : [`${best.profile.id}, the fastest, is less than 3 % faster than that, and costs more.`]),
    ...(needsGateway(chosen) ? [reach.byDepth === 0 ? 'Depth has no effect here.' : 'Depth needs the gateway.'] : []),
  ].join(' ');
}

const timesOf = ({ loadTimeMs }: PredictedProfile, own: PredictedProfile): string =>
  `${formatSeconds(loadTimeMs)} instead of ${formatSeconds(own.loadTimeMs)}`;

/** Else a gain of 2.96 % would read as 3 %, and yet as less. */
const JUST_BELOW = 1 + MEANINGFUL_CHANGE - 0.001;

function keepSentence(own: PredictedProfile, best: PredictedProfile | undefined): string {
  const keep = `Keep ${own.profile.id}`;
  if (best === undefined || best.ratio <= 1) return `${keep}: no profile is predicted to be faster.`;
  const gain = signedPercent(Math.min(best.ratio, JUST_BELOW) - 1);
  return `${keep}: no profile is predicted to be 3 % faster. The closest is ${profileLabelWithId(best.profile.id)}: ${gain}, ${timesOf(best, own)}.`;
}

/** What to try without the gateway, which has to be switched on and carries only plain http. */
function withoutGateway({ profiles, baseline, reach }: PredictedRecommendationInput, chosen: PredictedProfile): readonly string[] {
  if (!needsGateway(chosen) || reach.byDepth === 0) return [];
  const others = profiles.filter(({ carrier, profile }) => carrier !== 'gateway' && profile.id !== baseline);
  if (others.length === 0) return [];
  const next = toTry(others.filter(isSure)) ?? toTry(others);
  if (next === undefined) return ['Without the gateway, no profile is predicted to be 3 % faster.'];
  if (!isSure(next)) return ['Without the gateway, no predicted gain is sure.'];
  const verb = isPluralLabel(next.profile.id) ? 'are' : 'is';
  return [`Without the gateway, ${profileLabelWithId(next.profile.id)} ${verb} predicted to be faster: ${signedPercent(next.ratio - 1)}.`];
}

function doubtSentence(gaining: PredictedProfile, own: PredictedProfile, doubt: NonNullable<ReturnType<typeof doubtOf>>): string {
  const { profile, ratio, ratioBand, unproven } = gaining;
  const band = ratioBand === undefined ? '' : ` (${bandLabel(ratioBand)})`;
  const verb = isPluralLabel(profile.id) ? 'are' : 'is';
  const gain = `${signedPercent(ratio - 1)}${band}, ${timesOf(gaining, own)}`;
  return `No sure gain. ${profileLabelWithId(profile.id)} ${verb} predicted to be faster: ${gain}. ${why()}`;

  function why(): string {
    switch (doubt) {
      case 'unproven':
        return `But the ranges of such predictions are not known to hold${unproven.length === 0 ? '' : ` (${unproven.join('; ')})`}.`;
      case 'within-band':
        return 'But it may be slower.';
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
  const more =
    worst?.limit === undefined
      ? ''
      : ` The difference is larger than the usual error of the model (${percent(worst.limit)} at its 90th percentile).`;
  return `No recommendation: the simulation does not match the recording${times}.${more}`;
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

/** The part of the page that is out of reach, in a sentence or two; `undefined`: none is. */
export function reachSentence({ requests, byConnections, byDepth }: ProfileReach): string | undefined {
  if (byConnections === 0) return 'Connection settings have no effect here: every server uses HTTP/2 or HTTP/3.';
  if (byDepth === requests) return undefined;
  const reached =
    byConnections < requests ? `Connection settings act on ${byConnections} of ${requests} requests; the others use HTTP/2 or HTTP/3.` : '';
  if (byDepth === byConnections) return `${reached} So does depth, through the gateway.`;
  const depth =
    byDepth === 0
      ? 'Depth has no effect here: the gateway pipelines plain http only.'
      : `Depth acts on ${byDepth} of ${requests} requests, those over plain http.`;
  return `${reached} ${depth}`.trim();
}
