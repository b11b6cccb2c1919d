/** The loads of the 2008 study by scenario (one page over one link), and the places of the profiles there. Pure. */
import type { ComparedProfile, ProfileRanks, ScenarioComparison, ScenarioRanking } from '../../../core/compare/comparison.ts';
import { indexLoads } from '../../../core/compare/load-index.ts';
import { placeOf, rankScenarios } from '../../../core/compare/rank-scenarios.ts';
import { summariseScenarios } from '../../../core/compare/summaries.ts';
import { CONTROL_ID } from '../../../core/profiles/presets.ts';
import { BASELINE_ID } from '../../../core/profiles/profile.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { mean } from '../../../core/stats/mean.ts';
import { median } from '../../../core/stats/quantile.ts';
import { comparedProfile } from '../comparisons.ts';
import type { StudyData } from '../study.ts';

/** Efficiencies of one page over one link; a profile without a figure is left out. */
export interface StudyScenario {
  readonly page: string;
  readonly link: string;
  readonly efficiencies: ReadonlyMap<string, number>;
}

export interface RankedStudy {
  /** The profiles that have loads, the study's own only. */
  readonly profiles: readonly ComparedProfile[];
  /** With every profile, `control` and `firefox-default` included. */
  readonly scenarios: readonly StudyScenario[];
  readonly ranking: ScenarioRanking;
}

/** `undefined`: no load of the baseline yet, or of nothing else, so nothing can be ranked. */
export function rankStudy({ study, loads }: StudyData): RankedStudy | undefined {
  const measured = new Set(loads.map(({ profileId }) => profileId));
  const profiles = study.profiles.filter(({ id }) => measured.has(id)).map((profile) => comparedProfile(profile, study.baseline));
  if (profiles.length < 2 || !measured.has(study.baseline)) return undefined;
  const ids = [...new Set([...profiles.map(({ id }) => id), BASELINE_ID, CONTROL_ID])];
  const scenarios = summariseScenarios(indexLoads(comparableLoads(loads), ids)).map(studyScenario);
  const ranking = rankEfficiencies(scenarios, { baseline: study.baseline, profiles });
  return ranking.scenarios === 0 ? undefined : { profiles, scenarios, ranking };
}

export function rankEfficiencies(
  scenarios: readonly StudyScenario[],
  options: { readonly baseline: string; readonly profiles: readonly ComparedProfile[] },
): ScenarioRanking {
  const rankable = scenarios.map(({ efficiencies }) => ({
    profiles: [...efficiencies].map(([id, efficiencyMedian]) => ({ id, efficiencyMedian })),
  }));
  return rankScenarios(rankable, options);
}

function studyScenario({ page, link, profiles }: ScenarioComparison): StudyScenario {
  const figures = profiles.flatMap(({ id, efficiencyMedian }): [string, number][] =>
    efficiencyMedian === undefined ? [] : [[id, efficiencyMedian]],
  );
  return { page, link, efficiencies: new Map(figures) };
}

/** Only the study's own profiles, best first. */
export function orderedIn(
  { efficiencies }: StudyScenario,
  profiles: readonly { readonly id: string }[],
): readonly (readonly [string, number])[] {
  const own = profiles.flatMap(({ id }): [string, number][] => {
    const figure = efficiencies.get(id);
    return figure === undefined ? [] : [[id, figure]];
  });
  return own.sort((a, b) => b[1] - a[1]);
}

/** What is known of a scenario: a profile's efficiency, or that of the best, chosen after the fact. */
type FigureOf = (scenario: StudyScenario) => number | undefined;

const efficiencyIn =
  (profileId: string): FigureOf =>
  ({ efficiencies }) =>
    efficiencies.get(profileId);

const bestIn =
  (profiles: RankedStudy['profiles']): FigureOf =>
  (scenario) =>
    orderedIn(scenario, profiles)[0]?.[1];

/** One figure over another, in the scenarios that have both. */
const ratiosOf = (scenarios: readonly StudyScenario[], own: FigureOf, other: FigureOf): readonly number[] =>
  scenarios.flatMap((scenario) => {
    const [above, below] = [own(scenario), other(scenario)];
    return above === undefined || below === undefined ? [] : [above / below];
  });

const gainsOf = (ratios: readonly number[]): readonly number[] => ratios.map((ratio) => ratio - 1);

/** Efficiency of the best of each scenario over that of a profile there: geometric mean; `undefined`: there is none. */
export const bestOfEachOver = (
  { scenarios, profiles }: Pick<RankedStudy, 'scenarios' | 'profiles'>,
  profileId: string,
): number | undefined => geometricMeanOf(ratiosOf(scenarios, bestIn(profiles), efficiencyIn(profileId)));

/** Efficiency of one profile over that of another, geometric mean over the scenarios in which both have a figure. */
export const ratioOver = (scenarios: readonly StudyScenario[], profileId: string, against: string): number | undefined =>
  geometricMeanOf(ratiosOf(scenarios, efficiencyIn(profileId), efficiencyIn(against)));

/** Geometric mean over the scenarios in which the profile has a figure. */
export const efficiencyOf = (scenarios: readonly StudyScenario[], profileId: string): number | undefined =>
  geometricMeanOf(scenarios.flatMap((scenario) => efficiencyIn(profileId)(scenario) ?? []));

/** Gain of the best of a scenario over a profile, arithmetic mean over the scenarios in which the profile has a figure; 0.58 is 58 %. */
export const averageGain = ({ scenarios, profiles }: Pick<RankedStudy, 'scenarios' | 'profiles'>, baseline: string): number | undefined =>
  meanOf(gainsOf(ratiosOf(scenarios, bestIn(profiles), efficiencyIn(baseline))));

/** Gain of a profile over another, arithmetic mean over the scenarios in which both have a figure. */
export const meanGainOver = (scenarios: readonly StudyScenario[], profileId: string, against: string): number | undefined =>
  meanOf(gainsOf(ratiosOf(scenarios, efficiencyIn(profileId), efficiencyIn(against))));

/** Scenarios in which `worse` of the study's profiles are strictly worse, and some profile is better. */
export function timesWithWorse(
  { scenarios, profiles }: Pick<RankedStudy, 'scenarios' | 'profiles'>,
  profileId: string,
  worse: number,
): number {
  return scenarios.filter((scenario) => {
    const own = scenario.efficiencies.get(profileId);
    const figures = orderedIn(scenario, profiles).map(([, figure]) => figure);
    return own !== undefined && placeOf(own, figures).last === worse;
  }).length;
}

const meanOf = (figures: readonly number[]): number | undefined => (figures.length === 0 ? undefined : mean(figures));

function geometricMeanOf(figures: readonly number[]): number | undefined {
  const log = meanOf(figures.map(Math.log));
  return log === undefined ? undefined : Math.exp(log);
}

interface ConnectionPlaces {
  readonly connections: number;
  readonly profiles: number;
  /** Top-quartile places of a profile, arithmetic mean. */
  readonly placesEach: number;
}

/** Fewest connections first. A sum would count profiles as well: there are four with 2 to 5 connections each, and one with 1 and with 6. */
export function placesByConnections({ profiles, ranking }: RankedStudy): readonly ConnectionPlaces[] {
  const placesOf = new Map<number, number[]>();
  for (const { id, topQuartile } of ranking.profiles) {
    const connections = profiles.find((profile) => profile.id === id)?.connections;
    if (connections !== undefined) placesOf.set(connections, [...(placesOf.get(connections) ?? []), topQuartile]);
  }
  return [...placesOf]
    .sort(([a], [b]) => a - b)
    .map(([connections, places]) => ({ connections, profiles: places.length, placesEach: mean(places) }));
}

/** The first by a count, and whoever is level with the last of them: `c4-d2 7, c6-d4 7, c5-d8 5, c2-d8 5`. */
export function mostOf(profiles: readonly ProfileRanks[], count: 'firsts' | 'topQuartile', named = 3): string {
  const ordered = [...profiles].sort((a, b) => b[count] - a[count]);
  const least = ordered[Math.min(named, ordered.length) - 1]?.[count] ?? 0;
  return ordered
    .filter((each) => each[count] >= least)
    .map((each) => `${each.id} ${each[count]}`)
    .join(', ');
}

/** Lead of the first of a scenario over the second, median over the scenarios; `undefined`: no profile is second. */
export const leadOf = ({ scenarios, profiles }: RankedStudy): number | undefined =>
  median(gainsOf(ratiosOf(scenarios, bestIn(profiles), (scenario) => orderedIn(scenario, profiles)[1]?.[1])));
