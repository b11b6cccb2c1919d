/**
 * How far predictions are off as everybody is shown them (`predictTypical`, no machine known), by regime and by where the loads are published: load
 * times, and the ratios of two profiles.
 */

import { MIN_GATEWAY_RTT_MS } from '../../../src/core/gateway-policy.ts';
import {
  type Margins,
  MIN_HELD,
  type PredictionError,
  type Regime,
  type RegimeError,
  ratioRegimes,
  regimesOf,
  timeScale,
  widened,
} from '../../../src/core/predict/model-error.ts';
import { predictTypical } from '../../../src/core/predict/predict.ts';
import { type Band, bandOf } from '../../../src/core/predict/run-band.ts';
import { BASELINE_ID } from '../../../src/core/profiles/profile.ts';
import { CARRIAGES, LOSS_KINDS, type Prediction } from '../../../src/core/simulate/prediction.ts';
import { median } from '../../../src/core/stats/quantile.ts';
import { KNOWN_SITES } from './predict-scenario.ts';
import type { ProductScenario } from './product-scenarios.ts';

export const FIGURES = ['loadTime', 'ratio', 'pacing'] as const satisfies readonly (keyof RegimeError)[];

/** A predicted figure beside the measured one. */
export interface JudgedPair {
  readonly source: string;
  readonly regime: Regime;
  /** `pacing`: a ratio to a load whose requests were paced in another way. */
  readonly figure: (typeof FIGURES)[number];
  /** Of the link, ms. */
  readonly rttMs: number;
  readonly predicted: number;
  readonly measured: number;
  /** Of the simulated loads, not widened. */
  readonly band: Band;
}

/** Fewer pairs say nothing of nine in ten. Our own choice; with fewer than ten the largest error stands for the 90th percentile. */
export const MIN_PAIRS = 5;
/** A source with fewer pairs counts for less than one with as many or more: chance decides about its largest error. Our own choice. */
const FULL_SOURCE = 10;
/** One in twenty may lie beyond either end. */
const WITHIN_END = 0.95;
const SHARE_HELD = 0.9;
const STEPS_TO_DOUBLE = 20;
/** Wider bands would say nothing. Our own choice. */
const MAX_FACTOR = 3;
/** Bands of a regime, judged by margins of other sources, without which nothing is said of their share. Our own choice. */
const MIN_JUDGED = 20;

interface Predicted {
  readonly prediction: Prediction;
  readonly measuredMs: number;
}

/** Profiles that are predicted alike are one: what was measured of them differs by chance alone, and is the median of all their loads. */
function distinct({ page, link, profiles }: ProductScenario): readonly Predicted[] {
  const { predictions } = predictTypical({ page, link, profiles: profiles.map(({ profile }) => profile), model: KNOWN_SITES });
  const byTimes = new Map<string, { prediction: Prediction; loadTimesMs: number[] }>();
  for (const [at, prediction] of predictions.entries()) {
    const key = (prediction.runsMs ?? []).map((ms) => ms.toFixed(3)).join(' ');
    const loadTimesMs = profiles[at]?.loadTimesMs ?? [];
    const known = byTimes.get(key);
    if (known === undefined) byTimes.set(key, { prediction, loadTimesMs: [...loadTimesMs] });
    else {
      known.loadTimesMs.push(...loadTimesMs);
      if (prediction.profileId === BASELINE_ID) known.prediction = prediction;
    }
  }
  return [...byTimes.values()].map(({ prediction, loadTimesMs }) => ({ prediction, measuredMs: median(loadTimesMs) as number }));
}

export function judgedPairs(scenario: ProductScenario): readonly JudgedPair[] {
  const { source } = scenario;
  const { rttMs } = scenario.link;
  const all = distinct(scenario);
  const baseline = all.find(({ prediction }) => prediction.profileId === BASELINE_ID);
  return all.flatMap((own): readonly JudgedPair[] => {
    const { prediction, measuredMs } = own;
    const [regime, ...others] = regimesOf(prediction);
    const { loadTimeMs, runsMs = [] } = prediction;
    const band = bandOf(runsMs);
    if (regime === undefined || others.length > 0 || band === undefined) return [];
    const loadTime = { source, rttMs, regime, figure: 'loadTime', predicted: loadTimeMs, measured: measuredMs, band } as const;
    if (baseline === undefined || baseline === own) return [loadTime];
    const predicted = baseline.prediction.loadTimeMs / loadTimeMs;
    const ratios = bandOf(runsMs.map((ms, run) => ((baseline.prediction.runsMs ?? [])[run] as number) / ms)) as Band;
    const ratioBand = { low: Math.min(ratios.low, predicted), high: Math.max(ratios.high, predicted) };
    return [
      loadTime,
      ...ratioRegimes([prediction], { baseline: [baseline.prediction], actsOnHttp1Alone: true }).map(({ figure, ...ratioRegime }) => ({
        ...{ source, rttMs, regime: ratioRegime, figure, predicted, measured: baseline.measuredMs / measuredMs, band: ratioBand },
      })),
    ];
  });
}

/** Ratios of which nothing is predicted: through the gateway, over short round trips. */
export const isWithheld = ({ figure, regime, rttMs }: JudgedPair): boolean =>
  figure !== 'loadTime' && regime.carriage === 'gateway' && rttMs < MIN_GATEWAY_RTT_MS;

/** In the order of the table; a regime without enough load times is left out. */
export function regimeErrors(pairs: readonly JudgedPair[]): readonly RegimeError[] {
  const regimes = CARRIAGES.flatMap((carriage) => LOSS_KINDS.map((loss) => ({ carriage, loss })));
  return regimes.flatMap((regime): readonly RegimeError[] => {
    const own = pairs.filter((pair) => isOf(pair, regime) && !isWithheld(pair));
    const [loadTime, ratio, pacing] = FIGURES.map((figure) => errorsOf(own.filter((pair) => pair.figure === figure)));
    return loadTime === undefined ? [] : [{ ...regime, loadTime, ...(ratio && { ratio }), ...(pacing && { pacing }) }];
  });
}

const isOf = ({ regime }: JudgedPair, { carriage, loss }: Regime): boolean => regime.carriage === carriage && regime.loss === loss;
export const sourcesOf = (pairs: readonly JudgedPair[]): readonly string[] => [...new Set(pairs.map(({ source }) => source))].sort();

/** `undefined`: too few. */
function errorsOf(own: readonly JudgedPair[]): PredictionError | undefined {
  if (own.length < MIN_PAIRS) return undefined;
  const held = shareHeld(judgedByOthers(own));
  const { below, above } = marginsOf(own);
  return {
    pairs: own.length,
    errorP50: rounded(weightedQuantile(own, sizeOf, 0.5)),
    errorP90: rounded(weightedQuantile(own, sizeOf, 0.9)),
    below: rounded(below),
    above: rounded(above),
    ...(held !== undefined && { held: rounded(held) }),
  };
}

export const sizeOf = ({ predicted, measured }: Pick<JudgedPair, 'predicted' | 'measured'>): number => Math.abs(predicted / measured - 1);

const scaleOf = ({ figure, predicted }: JudgedPair): number => (figure === 'loadTime' ? timeScale(predicted) : 1);
/** How far the measured figure lies beyond the ends of the band, as margins count it; below 0: within. */
const below = (pair: JudgedPair): number => (pair.band.low / pair.measured - 1) / scaleOf(pair);
const above = (pair: JudgedPair): number => (pair.measured / pair.band.high - 1) / scaleOf(pair);

/**
 * By how much bands have to be wider at either end to hold nineteen in twenty there, the next pair counted: split conformal prediction with two ends
 * (Romano, Patterson & Candes, "Conformalized quantile regression", 2019).
 */
function marginsOfPairs(pairs: readonly JudgedPair[]): Margins {
  const share = Math.min(1, (WITHIN_END * (pairs.length + 1)) / pairs.length);
  return { below: Math.max(0, weightedQuantile(pairs, below, share)), above: Math.max(0, weightedQuantile(pairs, above, share)) };
}

const times = (margins: Margins, factor: number): Margins => ({ below: margins.below * factor, above: margins.above * factor });

/** The same as many times as it takes for nine in ten to hold where each source is judged by the others: sources differ by more than their pairs do. */
function marginsOf(pairs: readonly JudgedPair[]): Margins {
  const judged = bySource(pairs, marginsOfPairs);
  for (let steps = 0; ; steps += 1) {
    const factor = 1 + steps / STEPS_TO_DOUBLE;
    const bands = judged.flatMap(({ own, margins }) => own.map((pair) => bandOfPair(pair, times(margins, factor))));
    if (factor === MAX_FACTOR || (shareHeld(bands) ?? 1) >= SHARE_HELD) return times(marginsOfPairs(pairs), factor);
  }
}

/** The least value below or at which lies that share, every source counting the same from `FULL_SOURCE` pairs on. */
function weightedQuantile(pairs: readonly JudgedPair[], figureOf: (pair: JudgedPair) => number, share: number): number {
  const counts = countBySource(pairs);
  const sorted = pairs
    .map((pair) => ({ value: figureOf(pair), weight: 1 / Math.max(FULL_SOURCE, counts.get(pair.source) ?? 0) }))
    .sort((a, b) => a.value - b.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  for (const { value, weight } of sorted) {
    reached += weight;
    if (reached >= share * total - 1e-9) return value;
  }
  throw new RangeError('There is no pair');
}

function countBySource(pairs: readonly { readonly source: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { source } of pairs) counts.set(source, (counts.get(source) ?? 0) + 1);
  return counts;
}

/** A band as its margins of all other sources make it. */
export interface JudgedBand {
  readonly source: string;
  readonly pair: JudgedPair;
  readonly isHeld: boolean;
  /** Whether it says that the profile changes the load time. */
  readonly isClaim: boolean;
}

function bandOfPair(pair: JudgedPair, margins: Margins): JudgedBand {
  const { low, high } = widened(pair.band, margins, scaleOf(pair));
  const isHeld = below(pair) <= margins.below + 1e-9 && above(pair) <= margins.above + 1e-9;
  return { source: pair.source, pair, isHeld, isClaim: low > 1 || high < 1 };
}

/** Of pairs of one regime and figure, those of each source with margins of all others; without those that no others can judge. */
const bySource = (pairs: readonly JudgedPair[], marginsOfOthers: (others: readonly JudgedPair[]) => Margins) =>
  sourcesOf(pairs).flatMap((source) => {
    const others = pairs.filter((pair) => pair.source !== source);
    return others.length < MIN_PAIRS ? [] : [{ own: pairs.filter((pair) => pair.source === source), margins: marginsOfOthers(others) }];
  });

/** Each band by margins that know nothing of its source. */
const judgedByOthers = (pairs: readonly JudgedPair[]): readonly JudgedBand[] =>
  bySource(pairs, marginsOf).flatMap(({ own, margins }) => own.map((pair) => bandOfPair(pair, margins)));

/** All bands that other sources can judge, regime by regime. */
export function bandsLeftOut(pairs: readonly JudgedPair[]): readonly JudgedBand[] {
  const groups = new Map<string, JudgedPair[]>();
  for (const pair of pairs.filter((each) => !isWithheld(each))) {
    const key = `${pair.figure} ${pair.regime.carriage} ${pair.regime.loss}`;
    groups.set(key, [...(groups.get(key) ?? []), pair]);
  }
  return [...groups.values()].flatMap(judgedByOthers);
}

/** Whether its regime is one whose bands have held, so that users see them. */
export const isShown = (pair: JudgedPair, errors: readonly RegimeError[]): boolean =>
  (errors.find((row) => isOf(pair, row))?.[pair.figure]?.held ?? 0) >= MIN_HELD;

export function shownBands(pairs: readonly JudgedPair[]): readonly JudgedBand[] {
  const errors = regimeErrors(pairs);
  return bandsLeftOut(pairs).filter(({ pair }) => isShown(pair, errors));
}

/** The smaller of the share of all bands, and that with every source counting the same. `undefined`: too few, or of one source. */
function shareHeld(bands: readonly JudgedBand[]): number | undefined {
  const counts = countBySource(bands);
  if (bands.length < MIN_JUDGED || counts.size < 2) return undefined;
  const held = bands.filter(({ isHeld }) => isHeld);
  const weightOf = ({ source }: JudgedBand) => 1 / Math.max(FULL_SOURCE, counts.get(source) ?? 0);
  const weight = (some: readonly JudgedBand[]) => some.reduce((sum, each) => sum + weightOf(each), 0);
  return Math.min(held.length / bands.length, weight(held) / weight(bands));
}

/** To a hundredth of a percent: finer would change with the machine. */
const rounded = (error: number): number => Number(error.toFixed(4));

/** What all of it rests on, for `ERROR_BASIS`. */
export function basisText(scenarios: readonly ProductScenario[]): string {
  const loads = scenarios.flatMap(({ profiles }) => profiles.flatMap(({ loadTimesMs }) => loadTimesMs)).length;
  const firefox = [...new Set(scenarios.flatMap((scenario) => scenario.firefox))].sort();
  const sources = new Set(scenarios.map(({ source }) => source)).size;
  return `${loads} loads of ${scenarios.length} pages over links in Firefox ${firefox.join(' and ')} (${sources} published sets, each counting the same; docs/accuracy.md)`;
}
