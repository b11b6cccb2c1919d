/**
 * Profiles ranked within every scenario (one page on one link) and their places counted, as P. McManus did for Fennec
 * ("Performance Observations of Fennec Development on Mobile Networks", 31 July 2008): firsts, places in the top quartile,
 * lasts, mean efficiency, the spread between best and worst, and what tuning gains over the default.
 *
 * Places describe and prove nothing. The best of each scenario is chosen after the fact, so spread and gain hold some luck:
 * with 18 equal profiles and noisy loads there is a best one too. Proof is the intervals of the comparison.
 */
import { PlumbfoxError } from '../errors.ts';
import { compareCost } from '../profiles/compare-cost.ts';
import { mean } from '../stats/mean.ts';
import type { ComparedProfile, ProfileRanks, ScenarioComparison, ScenarioRanking } from './comparison.ts';

interface RankOptions {
  readonly baseline: string;
  /** The control is left out: it shows the gateway's own cost and is no choice. */
  readonly profiles: readonly ComparedProfile[];
}

export interface RankableScenario {
  readonly profiles: readonly Pick<ScenarioComparison['profiles'][number], 'id' | 'efficiencyMedian'>[];
}

/**
 * Places are shared ("1224" ranking): a place is one more than the number of strictly better profiles. So equal figures get
 * equal counts whatever their order, a tie for first is a first for each, a tie across the edge of the top quartile is in it,
 * and the counts may add up to more than the slots. Where all are equal each is first and no profile is last.
 *
 * A profile without a figure in a scenario has no place there: n is the number of profiles that have one, the top quartile has
 * ceil(n / 4) slots. The memo counted 224 = 56 x 4 slots for 18 profiles, which is 18 / 4 rounded down; rounded up it is 280 =
 * 56 x 5. Rounding down would leave no slot to fewer than four profiles.
 *
 * @param scenarios efficiencies in (0, 1], or `undefined` where there is none.
 * @throws PlumbfoxError bad-input: baseline not among the profiles, or an efficiency that is not positive and finite.
 */
export function rankScenarios(scenarios: readonly RankableScenario[], options: RankOptions): ScenarioRanking {
  const { baseline } = options;
  const profiles = options.profiles.filter(({ role }) => role !== 'control');
  if (!profiles.some(({ id }) => id === baseline)) {
    throw new PlumbfoxError('bad-input', `The baseline ${baseline} is not among the profiles to be ranked`);
  }
  const figures = scenarios.map((scenario) => efficienciesIn(scenario, profiles)).filter(({ size }) => size >= MIN_RANKED);
  const ranks = profiles.map(({ id }) => ranksOf(id, figures));
  const costOf = new Map(profiles.map((profile) => [profile.id, profile]));
  const byPlaces = (a: ProfileRanks, b: ProfileRanks): number => {
    const [costA, costB] = [costOf.get(a.id), costOf.get(b.id)];
    return byCounts(a, b) || (costA && costB ? compareCost(costA, costB) : 0);
  };
  const ordered = [...ranks].sort(byPlaces);
  return {
    baseline,
    scenarios: figures.length,
    slots: figures.reduce((total, scenario) => total + slotsOf(scenario), 0),
    profiles: ordered,
    meanSpread: figures.length === 0 ? undefined : mean(figures.map((scenario) => highest(scenario) - lowest(scenario))),
    ...againstBaseline(baseline, figures),
  };
}

type Efficiencies = ReadonlyMap<string, number>;

/** A single profile has no place among others. */
const MIN_RANKED = 2;

function efficienciesIn(scenario: RankableScenario, profiles: readonly ComparedProfile[]): Efficiencies {
  const ids = new Set(profiles.map(({ id }) => id));
  const figures = new Map<string, number>();
  for (const { id, efficiencyMedian } of scenario.profiles) {
    if (efficiencyMedian === undefined || !ids.has(id)) continue;
    if (!(efficiencyMedian > 0 && efficiencyMedian < Number.POSITIVE_INFINITY)) {
      throw new PlumbfoxError('bad-input', `${id} has the efficiency ${efficiencyMedian} in a scenario: it must be positive and finite`);
    }
    figures.set(id, efficiencyMedian);
  }
  return figures;
}

function ranksOf(id: string, scenarios: readonly Efficiencies[]): ProfileRanks {
  const own: number[] = [];
  const counts = { firsts: 0, topQuartile: 0, lasts: 0 };
  for (const scenario of scenarios) {
    const figure = scenario.get(id);
    if (figure === undefined) continue;
    own.push(figure);
    const place = placeOf(figure, scenario.values());
    if (place.better === 0) counts.firsts += 1;
    if (place.better < slotsOf(scenario)) counts.topQuartile += 1;
    if (place.last === 0) counts.lasts += 1;
  }
  return { id, ranked: own.length, ...counts, meanEfficiency: own.length === 0 ? undefined : mean(own) };
}

/** Where a profile stands in a scenario. */
interface Place {
  /** Profiles that are strictly better. */
  readonly better: number;
  /** Places from the last: 0 is the last, which others may share. `undefined`: it is first, and so not last, even if all are equal. */
  readonly last: number | undefined;
}

/** @param figures - Efficiencies of all profiles of the scenario. */
export function placeOf(figure: number, figures: Iterable<number>): Place {
  let [better, worse] = [0, 0];
  for (const other of figures) {
    if (other > figure) better += 1;
    else if (other < figure) worse += 1;
  }
  return { better, last: better === 0 ? undefined : worse };
}

function byCounts(a: ProfileRanks, b: ProfileRanks): number {
  return b.topQuartile - a.topQuartile || b.firsts - a.firsts || (b.meanEfficiency ?? 0) - (a.meanEfficiency ?? 0);
}

/**
 * The memo's arithmetic: a mean difference of .26 over a mean of .45 is its 58 %. The baseline was nearly always last there,
 * so its spread was its gain; here the gain is counted from the baseline itself.
 */
function againstBaseline(baseline: string, scenarios: readonly Efficiencies[]): Pick<ScenarioRanking, 'baselineEfficiency' | 'gain'> {
  const own: number[] = [];
  const best: number[] = [];
  for (const scenario of scenarios) {
    const figure = scenario.get(baseline);
    if (figure === undefined) continue;
    own.push(figure);
    best.push(highest(scenario));
  }
  if (own.length === 0) return { baselineEfficiency: undefined, gain: undefined };
  return { baselineEfficiency: mean(own), gain: mean(best) / mean(own) - 1 };
}

const slotsOf = (scenario: Efficiencies): number => Math.ceil(scenario.size / 4);
const highest = (scenario: Efficiencies): number => Math.max(...scenario.values());
const lowest = (scenario: Efficiencies): number => Math.min(...scenario.values());
