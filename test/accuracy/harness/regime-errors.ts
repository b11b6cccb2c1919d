/**
 * How far predictions are off as everybody is shown them (`predictTypical`, no machine known), by regime and by where the loads are published: load
 * times, and the ratios of two profiles.
 */

import { type PredictionError, type Regime, type RegimeError, regimesOf } from '../../../src/core/predict/model-error.ts';
import { type Band, bandOf, predictTypical } from '../../../src/core/predict/predict.ts';
import { BASELINE_ID } from '../../../src/core/profiles/profile.ts';
import { CARRIAGES, LOSS_KINDS, type Prediction } from '../../../src/core/simulate/prediction.ts';
import { median } from '../../../src/core/stats/quantile.ts';
import { KNOWN_SITES } from './predict-scenario.ts';
import type { ProductScenario } from './product-scenarios.ts';

/** A predicted figure beside the measured one. */
export interface JudgedPair {
  readonly source: string;
  readonly regime: Regime;
  readonly figure: 'load time' | 'ratio';
  /** Of the link, ms. */
  readonly rttMs: number;
  readonly predicted: number;
  readonly measured: number;
  /** Of the simulated loads, not widened. */
  readonly band: Band;
}

/** Fewer pairs say nothing of nine in ten. Our own choice; with fewer than ten the largest error stands for the 90th percentile. */
export const MIN_PAIRS = 5;
const SHARE_HELD = 0.9;

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
    const loadTime = { source, rttMs, regime, figure: 'load time', predicted: loadTimeMs, measured: measuredMs, band } as const;
    if (baseline === undefined || baseline === own) return [loadTime];
    const predicted = baseline.prediction.loadTimeMs / loadTimeMs;
    const ratios = bandOf(runsMs.map((ms, run) => ((baseline.prediction.runsMs ?? [])[run] as number) / ms)) as Band;
    const ratioBand = { low: Math.min(ratios.low, predicted), high: Math.max(ratios.high, predicted) };
    const loss = LOSS_KINDS[Math.max(LOSS_KINDS.indexOf(regime.loss), LOSS_KINDS.indexOf(baseline.prediction.loss))] as Regime['loss'];
    const ratioRegime = { ...regime, loss };
    return [
      loadTime,
      { source, rttMs, regime: ratioRegime, figure: 'ratio', predicted, measured: baseline.measuredMs / measuredMs, band: ratioBand },
    ];
  });
}

/** In the order of the table; a regime without enough load times is left out. */
export function regimeErrors(pairs: readonly JudgedPair[]): readonly RegimeError[] {
  const regimes = CARRIAGES.flatMap((carriage) => LOSS_KINDS.map((loss) => ({ carriage, loss })));
  return regimes.flatMap((regime): readonly RegimeError[] => {
    const own = pairs.filter((pair) => isOf(pair, regime));
    const [loadTime, ratio] = [errorsOf(own, 'load time'), errorsOf(own, 'ratio')];
    return loadTime === undefined ? [] : [{ ...regime, loadTime, ...(ratio && { ratio }), sources: sourcesOf(own) }];
  });
}

const isOf = ({ regime }: JudgedPair, { carriage, loss }: Regime): boolean => regime.carriage === carriage && regime.loss === loss;
export const sourcesOf = (pairs: readonly JudgedPair[]): readonly string[] => [...new Set(pairs.map(({ source }) => source))].sort();

/** `undefined`: too few. */
function errorsOf(pairs: readonly JudgedPair[], figure: JudgedPair['figure']): PredictionError | undefined {
  const own = pairs.filter((pair) => pair.figure === figure);
  if (own.length < MIN_PAIRS) return undefined;
  return {
    pairs: own.length,
    errorP50: rounded(weightedQuantile(own, sizeOf, 0.5)),
    errorP90: rounded(weightedQuantile(own, sizeOf, 0.9)),
    bandMargin: rounded(marginOf(own)),
  };
}

export const sizeOf = ({ predicted, measured }: Pick<JudgedPair, 'predicted' | 'measured'>): number => Math.abs(predicted / measured - 1);
/** How far the measured figure lies outside the band, as a share of its end; below 0: within. */
const outside = ({ band, measured }: JudgedPair): number => Math.max(band.low / measured, measured / band.high) - 1;

/** By how much bands have to be wider to hold nine in ten (Romano, Patterson & Candes, "Conformalized quantile regression", 2019). */
const marginOf = (pairs: readonly JudgedPair[]): number => Math.max(0, weightedQuantile(pairs, outside, SHARE_HELD));

/** The least value below or at which lies that share, every source counting the same however many pairs it has. */
function weightedQuantile(pairs: readonly JudgedPair[], figureOf: (pair: JudgedPair) => number, share: number): number {
  const counts = new Map<string, number>();
  for (const { source } of pairs) counts.set(source, (counts.get(source) ?? 0) + 1);
  const sorted = pairs
    .map((pair) => ({ value: figureOf(pair), weight: 1 / (counts.get(pair.source) as number) }))
    .sort((a, b) => a.value - b.value);
  let reached = 0;
  for (const { value, weight } of sorted) {
    reached += weight;
    if (reached >= share * counts.size - 1e-9) return value;
  }
  throw new RangeError('There is no pair');
}

/** How many measured figures lay within the band, and how many within it widened by the margin of all other sources. */
export interface Held {
  readonly pairs: number;
  readonly byBand: number;
  readonly byWidened: number;
}

/** Of one source, of which the margins know nothing. Pairs of a regime that no other source has are left out. */
export function heldOutOfSample(pairs: readonly JudgedPair[], { source, figure }: Pick<JudgedPair, 'source' | 'figure'>): Held {
  const own = pairs.filter((pair) => pair.source === source && pair.figure === figure);
  let [count, byBand, byWidened] = [0, 0, 0];
  for (const pair of own) {
    const others = pairs.filter((each) => each.source !== source && each.figure === figure && isOf(each, pair.regime));
    if (others.length < MIN_PAIRS) continue;
    count += 1;
    byBand += outside(pair) <= 0 ? 1 : 0;
    byWidened += outside(pair) <= marginOf(others) + 1e-9 ? 1 : 0;
  }
  return { pairs: count, byBand, byWidened };
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
