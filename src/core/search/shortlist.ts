/**
 * The settings that are worth a load in Firefox: of what the screening supports, the simplest of those that are predicted to be as fast, and no two
 * that are nearly the same.
 */
import { seededRandom } from '../random.ts';
import { type SearchKnob, type Settings, settingsKey, settingsKind, withoutPreference } from './factorial.ts';
import { agreedProtocol, choosesProtocol, isProtocolKnob } from './protocol-knobs.ts';
import type { Screened, Screening } from './screen.ts';

/** `curious`: of a preference that is not modelled, so that nothing is predicted. */
export type Entry =
  | { readonly why: 'predicted'; readonly settings: Settings; readonly screened: Screened }
  | { readonly why: 'curious'; readonly settings: Settings };

/** A preference that gains less than this share is left out of a combination: an eighth of the model's usual error. */
const NEGLIGIBLE = 0.01;
/** Two values of a preference are nearly the same below this factor. */
const DISTINCT_FACTOR = 1.5;
/** Combinations of the same preferences with other values. */
const MAX_OF_A_KIND = 2;

/** The most arms of a first round, Firefox's own settings not counted, and how many of them nothing is predicted of, unless it is asked for by name. */
export const MAX_ENTRIES = 7;
export const MAX_CURIOUS = 2;
/** Values of such preferences that may be asked for by name: three times as many arms as fit into the usual six minutes. Chosen. */
export const MAX_CURIOUS_ASKED = 21;

interface ShortlistOptions {
  /** Measured one at a time, drawn at random where there are more than `MAX_CURIOUS`, those about protocols first. */
  readonly curious: readonly SearchKnob[];
  /** Whether all of `curious` are to be measured, as they are where they were asked for by name, however many the time allows. */
  readonly allCurious: boolean;
  readonly seed: number;
}

/**
 * Predicted ones first, fastest first. Where the band supports none, those that it leaves possible: the measurement decides. How far the simulator is
 * off between protocols was not measured, so of each protocol the best that is possible goes on.
 */
export function shortlist({ screened }: Pick<Screening, 'screened'>, options: ShortlistOptions): readonly Entry[] {
  const own = screened.filter(({ settings }) => !leavesProtocol(settings));
  const supported = own.filter(({ support }) => support === 'supported');
  const from = supported.length > 0 ? supported : own.filter(({ support }) => support === 'possible');
  const curious = curiousEntries(options);
  const distinct = withParts(distinctBest(from, own), from);
  const predicted = [...bestOfOtherProtocols(screened), ...distinct].slice(0, MAX_ENTRIES - Math.min(curious.length, MAX_CURIOUS));
  return [...predicted.map((each): Entry => ({ why: 'predicted', settings: each.settings, screened: each })), ...curious];
}

const leavesProtocol = (settings: Settings): boolean => Object.keys(settings).some(choosesProtocol);

/** Fastest first, one of each. */
function bestOfOtherProtocols(screened: readonly Screened[]): readonly Screened[] {
  const others = screened.filter(({ settings }) => leavesProtocol(settings));
  const protocols = new Set(others.map(({ settings }) => agreedProtocol(settings)));
  return [...protocols].flatMap((protocol) => {
    const alike = others.filter(({ settings }) => agreedProtocol(settings) === protocol);
    const possible = alike.filter(({ support }) => support === 'supported' || support === 'possible');
    return distinctBest(possible, alike).slice(0, 1);
  });
}

/** @param from - Fastest first. @param all - Where the simpler forms of each are found. */
export function distinctBest(from: readonly Screened[], all: readonly Screened[]): readonly Screened[] {
  const known = new Map(all.map((each) => [settingsKey(each.settings), each]));
  const chosen: Screened[] = [];
  for (const each of from.toSorted(fastThenSimple)) {
    const simple = simplest(each, known);
    if (chosen.some((other) => isSamePrediction(other, simple))) continue;
    const alike = chosen.filter(({ settings }) => settingsKind(settings) === settingsKind(simple.settings));
    if (alike.length < MAX_OF_A_KIND && alike.every((other) => isDistinct(other.settings, simple.settings))) chosen.push(simple);
  }
  return chosen;
}

/** Predictions that differ by less than this share count as equally fast: then what sets least goes first. */
const EQUALLY_FAST = 0.02;

const speedStep = ({ predicted }: Screened): number => Math.round(Math.log(predicted.ratio) / Math.log1p(EQUALLY_FAST));
const fastThenSimple = (a: Screened, b: Screened): number =>
  speedStep(b) - speedStep(a) || Object.keys(a.settings).length - Object.keys(b.settings).length || b.predicted.ratio - a.predicted.ratio;

/** Other preferences with the same effect: the median of simulated loads is the same to its last digit. */
const isSamePrediction = ({ predicted: a }: Screened, { predicted: b }: Screened): boolean => a.ratio === b.ratio;

/** Parts of the best by themselves, right after it: what is simpler is less likely to be a mistake of the model, and shows what each preference does. */
const MAX_PARTS = 2;

function withParts(distinct: readonly Screened[], from: readonly Screened[]): readonly Screened[] {
  const [best, ...others] = distinct;
  if (best === undefined) return [];
  const parts = from.filter((each) => isPart(each.settings, best.settings)).slice(0, MAX_PARTS);
  return [best, ...parts, ...others.filter((each) => parts.every((part) => settingsKey(part.settings) !== settingsKey(each.settings)))];
}

const isPart = (settings: Settings, whole: Settings): boolean =>
  Object.keys(settings).length < Object.keys(whole).length &&
  Object.entries(settings).every(([preference, value]) => whole[preference] === value);

/** Leaves out one preference after another, the least useful first, as long as that loses next to nothing. */
function simplest(screened: Screened, known: ReadonlyMap<string, Screened>): Screened {
  const enough = screened.predicted.ratio * (1 - NEGLIGIBLE);
  let simple = screened;
  for (;;) {
    const simpler = Object.keys(simple.settings)
      .flatMap((preference) => known.get(settingsKey(withoutPreference(simple.settings, preference))) ?? [])
      .filter(({ predicted }) => predicted.ratio >= enough)
      .sort((a, b) => b.predicted.ratio - a.predicted.ratio);
    const [next] = simpler;
    if (next === undefined) return simple;
    simple = next;
  }
}

function isDistinct(one: Settings, other: Settings): boolean {
  return Object.entries(one).some(([preference, value]) => {
    const theirs = other[preference];
    if (typeof value !== 'number' || typeof theirs !== 'number') return value !== theirs;
    const [low, high] = [Math.min(value, theirs), Math.max(value, theirs)];
    return high >= low * DISTINCT_FACTOR && high > low;
  });
}

function curiousEntries({ curious, allCurious, seed }: ShortlistOptions): readonly Entry[] {
  const single = curious.flatMap(({ preference, values }) =>
    values.map((value): Entry => ({ why: 'curious', settings: { [preference]: value } })),
  );
  if (allCurious) return single;
  const isOfProtocol = ({ settings }: Entry) => Object.keys(settings).some(isProtocolKnob);
  const drawn = seededRandom(seed).shuffle(single);
  return [...drawn.filter(isOfProtocol), ...drawn.filter((each) => !isOfProtocol(each))].slice(0, MAX_CURIOUS);
}
