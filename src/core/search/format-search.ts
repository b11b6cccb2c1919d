/** A search in sentences: the answer first, then its proof, then what each preference does. */
import { bestOfSentence } from '../compare/format-recommendation.ts';
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { assertNever } from '../errors.ts';
import { isPluralLabel, profileLabel, profileLabelWithId } from '../profiles/presets.ts';
import { settingLabel } from '../profiles/settings-label.ts';
import { counted, formatRange, formatSeconds, percent, signedPercent } from '../text/figures.ts';
import { isProtocolKnob } from './protocol-knobs.ts';
import type { Screening } from './screen.ts';
import type { Contribution, Proof, SearchAnswer } from './search-record.ts';
import { pricesOf, type SearchSpace } from './search-space.ts';

/** The answer, its proof, and a sentence for each preference of settings that have several. @param isOutOfReach - No request can use another connection. */
export function formatSearchAnswer(answer: SearchAnswer, { isOutOfReach }: { readonly isOutOfReach: boolean }): readonly string[] {
  switch (answer.state) {
    case 'faster':
      return fasterSentences(answer);
    case 'nothing-beats':
      return [`${nothingClaim(answer)} ${whyNothing(answer, isOutOfReach)}`];
    case 'undecided':
      return [
        `${isOutOfReach ? `${OUT_OF_REACH} Of the others, nothing is proven yet.` : 'Not proven yet.'} ${undecidedSoFar(answer)} Search again with more --minutes.`,
      ];
    case 'no-verdict':
      return [`No answer. ${answer.reason}`];
    case 'interrupted':
      return [
        answer.closest === undefined
          ? 'Interrupted before anything was measured.'
          : `Interrupted before anything was proven. The most promising: ${figureOf(answer.closest)}.`,
      ];
    default:
      return assertNever(answer);
  }
}

function fasterSentences({
  best,
  cheapest,
  bestOf,
  contributions,
  notMeasured,
}: Extract<SearchAnswer, { readonly state: 'faster' }>): readonly string[] {
  const verb = isPluralLabel(best.profileId) ? 'are' : 'is';
  const times =
    best.loadTimeMs === undefined || best.baselineMs === undefined
      ? ''
      : `, ${formatSeconds(best.loadTimeMs)} instead of ${formatSeconds(best.baselineMs)}`;
  const cheaper =
    cheapest.profileId === best.profileId
      ? []
      : [`The cheapest that is not surely ${percent(MEANINGFUL_CHANGE)} slower: ${figureOf(cheapest)}.`];
  return [
    `${profileLabelWithId(best.profileId)} ${verb} faster than Firefox's own settings: ${ratioLabel(best)}${times}.`,
    ...(bestOf === undefined ? [] : [bestOfSentence(bestOf)]),
    ...costSentences(best.settings),
    ...cheaper,
    ...(contributions.length > 1 ? contributions.map(contributionSentence) : []),
    ...notMeasuredSentence(notMeasured),
    ...pricesOf(cheapest.settings).map(({ preference, price }) => `Not written to a file, because ${preference} has a price: ${price}`),
  ];
}

/** What settings about protocols cost in privacy or security; of others that is said where they are written. */
function costSentences(settings: Proof['settings']): readonly string[] {
  if (!Object.keys(settings).some(isProtocolKnob)) return [];
  const prices = pricesOf(settings);
  if (prices.length === 0) return ['Costs: nothing in privacy or security.'];
  return prices.map(({ preference, price }) => `Costs: ${preference}: ${price}`);
}

function undecidedSoFar({ closest, notMeasured }: Extract<SearchAnswer, { readonly state: 'undecided' }>): string {
  const soFar = closest === undefined ? 'Nothing that was measured was clearly ahead.' : `The most promising: ${figureOf(closest)}.`;
  return [soFar, ...notMeasuredSentence(notMeasured)].join(' ');
}

const notMeasuredSentence = (ids: readonly string[] = []): readonly string[] =>
  ids.length === 0 ? [] : [`Not measured: ${ids.map(profileLabelWithId).join('; ')}.`];

function contributionSentence({ preference, value, predicted, measured }: Contribution): string {
  const simulated =
    predicted === undefined ? 'not modelled' : predicted === 1 ? 'no simulated load changes' : `${signedPercent(predicted - 1)} predicted`;
  const own = measured === undefined ? 'not measured' : `${ratioLabel(measured)} measured`;
  return `Of that, ${settingLabel(preference, value)}: ${own}, ${simulated}.`;
}

type NothingBeats = Extract<SearchAnswer, { readonly state: 'nothing-beats' }>;

const isRuledOut = (high: number | undefined): boolean => high !== undefined && high <= 1 + MEANINGFUL_CHANGE;

/** Whether a gain that means something is ruled out; else it was only not found. */
export const isNothingSure = ({ because, highest, closest }: NothingBeats): boolean =>
  because === 'out-of-reach' || (because !== 'none-predicted' && (isRuledOut(highest) || isRuledOut(closest?.high)));

/** The answer of a search in one sentence: that nothing beats Firefox's own settings is said only where that is sure. */
export function nothingClaim(answer: NothingBeats): string {
  if (isNothingSure(answer)) return "Nothing beats Firefox's own settings here.";
  return answer.because === 'none-predicted'
    ? "Nothing is predicted to beat Firefox's own settings here."
    : "Nothing that was measured was clearly ahead of Firefox's own settings.";
}

/** Empty where a gain that means something is ruled out for all that was measured. */
function unseenSentence({ highest, unseenBelow }: NothingBeats): string {
  if (isRuledOut(highest)) return '';
  if (unseenBelow === undefined) return 'The loads are too few to say which gains would have shown.';
  return unseenBelow > LARGE_GAIN
    ? 'So few loads could not have shown even large gains.'
    : `Gains below ${percent(unseenBelow)} might not have shown.`;
}

/** Above it, the figure says only that the loads are few and noisy. Chosen, not measured. */
const LARGE_GAIN = 0.5;

function whyNothing(answer: NothingBeats, isOutOfReach: boolean): string {
  const { because, closest, highest } = answer;
  const figure = closest === undefined ? '' : ` The closest: ${figureOf(closest)}.`;
  const reach = isOutOfReach ? `${OUT_OF_REACH} ` : '';
  switch (because) {
    case 'out-of-reach':
      return 'None of the preferences that were searched acts on a request of these pages.';
    case 'none-predicted':
      return `${reach}No load was made: no combination is predicted to gain ${percent(MEANINGFUL_CHANGE)}.${
        highest === undefined || isRuledOut(highest) ? '' : ` The bands of the predictions reach up to ${signedPercent(highest - 1)}.`
      }`;
    case 'none-ahead':
      return `${reach}${isRuledOut(highest) ? RULED_OUT : unseenSentence(answer)}${figure}`;
    case 'not-proven':
      return `${reach}A gain is no longer likely to be proven.${figure} ${isRuledOut(highest) ? RULED_OUT : unseenSentence(answer)}`.trimEnd();
    default:
      return assertNever(because);
  }
}

const RULED_OUT = `For all that was measured, a gain of ${percent(MEANINGFUL_CHANGE)} is ruled out.`;

const OUT_OF_REACH = 'Connection settings have no effect here: every server uses HTTP/2 or HTTP/3.';

/** What the simulation came to, said before Firefox starts. */
export function formatScreening(
  { combinations, simulatedLoads, screened }: Screening,
  { space, goingOn, isOutOfReach }: { readonly space: SearchSpace; readonly goingOn: readonly string[]; readonly isOutOfReach: boolean },
): readonly string[] {
  const supported = screened.filter(({ support }) => support === 'supported').length;
  const found = combinations > 1 ? `Simulated ${counted(combinations, 'combination')} (${counted(simulatedLoads, 'load')}): ` : '';
  const gain = percent(MEANINGFUL_CHANGE);
  const result =
    combinations === 1
      ? 'None of the modelled preferences acts on a request of these pages.'
      : supported > 0
        ? `${supported} gain ${gain} or more, and more than such predictions are off by.`
        : `none gains ${gain} for certain.`;
  const unread =
    space.outOfReach.length === 0
      ? []
      : [`No request of these pages reads: ${space.outOfReach.map(({ preference }) => preference).join(', ')}.`];
  const next = goingOn.length === 0 ? 'Nothing is left to measure.' : `To Firefox: ${goingOn.map(profileLabel).join('; ')}.`;
  return [...(isOutOfReach ? [OUT_OF_REACH] : []), `${found}${result}`, ...unread, next];
}

/** `16 connections (c16-d1), +13 % (+0.2 % to +28 %, 48 pairs of loads)`. */
const figureOf = (proof: Proof): string => `${profileLabelWithId(proof.profileId)}, ${ratioLabel(proof)}`;

function ratioLabel({ ratio, low, high, pairs }: Pick<Proof, 'pairs'> & Partial<Pick<Proof, 'ratio' | 'low' | 'high'>>): string {
  if (ratio === undefined) return 'not measured';
  const range = low === undefined || high === undefined ? '' : `${formatRange(low, high)}, `;
  return `${signedPercent(ratio - 1)} (${range}${counted(pairs, 'pair')} of loads)`;
}
