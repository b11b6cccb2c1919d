/** The loads of the 2008 study by scenario (one page over one link), and the places of the profiles there. Pure. */
import type { ComparedProfile, ProfileRanks, ScenarioComparison, ScenarioRanking } from '../../../core/compare/comparison.ts';
import { indexLoads } from '../../../core/compare/load-index.ts';
import { rankScenarios } from '../../../core/compare/rank-scenarios.ts';
import { summariseScenarios } from '../../../core/compare/summaries.ts';
import { BASELINE_ID, CONTROL_ID } from '../../../core/profiles/presets.ts';
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

/** The study's own profiles alone, best first. */
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

/** Efficiency of the best of each scenario, chosen after the fact, over that of a profile there: geometric mean; `undefined`: there is none. */
export function bestOfEachOver(
  { scenarios, profiles }: Pick<RankedStudy, 'scenarios' | 'profiles'>,
  profileId: string,
): number | undefined {
  return geometricMeanOf(
    scenarios.map((scenario) => {
      const [own, best] = [scenario.efficiencies.get(profileId), orderedIn(scenario, profiles)[0]?.[1]];
      return own === undefined || best === undefined ? undefined : best / own;
    }),
  );
}

/** Efficiency of one profile over that of another, geometric mean over the scenarios in which both have a figure. */
export function ratioOver(scenarios: readonly StudyScenario[], profileId: string, against: string): number | undefined {
  return geometricMeanOf(
    scenarios.map(({ efficiencies }) => {
      const [own, other] = [efficiencies.get(profileId), efficiencies.get(against)];
      return own === undefined || other === undefined ? undefined : own / other;
    }),
  );
}

/** Geometric mean over the scenarios in which the profile has a figure. */
export const efficiencyOf = (scenarios: readonly StudyScenario[], profileId: string): number | undefined =>
  geometricMeanOf(scenarios.map(({ efficiencies }) => efficiencies.get(profileId)));

/** Gain of the best of a scenario over a profile, arithmetic mean over the scenarios in which the profile has a figure; 0.58 is 58 %. */
export function averageGain({ scenarios, profiles }: Pick<RankedStudy, 'scenarios' | 'profiles'>, baseline: string): number | undefined {
  return meanOf(
    scenarios.map((scenario) => {
      const [own, best] = [scenario.efficiencies.get(baseline), orderedIn(scenario, profiles)[0]?.[1]];
      return own === undefined || best === undefined ? undefined : best / own - 1;
    }),
  );
}

/** Gain of a profile over another, arithmetic mean over the scenarios in which both have a figure. */
export function meanGainOver(scenarios: readonly StudyScenario[], profileId: string, against: string): number | undefined {
  return meanOf(
    scenarios.map(({ efficiencies }) => {
      const [own, other] = [efficiencies.get(profileId), efficiencies.get(against)];
      return own === undefined || other === undefined ? undefined : own / other - 1;
    }),
  );
}

/** Scenarios in which so many of the study's profiles are strictly worse, and somebody is better. */
export function timesWithWorse(
  { scenarios, profiles }: Pick<RankedStudy, 'scenarios' | 'profiles'>,
  profileId: string,
  worse: number,
): number {
  return scenarios.filter((scenario) => {
    const ordered = orderedIn(scenario, profiles);
    const own = scenario.efficiencies.get(profileId);
    if (own === undefined) return false;
    const better = ordered.some(([, figure]) => figure > own);
    return better && ordered.filter(([, figure]) => figure < own).length === worse;
  }).length;
}

/** Arithmetic, of those that are known; `undefined`: none is. */
function meanOf(figures: readonly (number | undefined)[]): number | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? undefined : mean(known);
}

function geometricMeanOf(figures: readonly (number | undefined)[]): number | undefined {
  const log = meanOf(figures.map((figure) => (figure === undefined ? undefined : Math.log(figure))));
  return log === undefined ? undefined : Math.exp(log);
}

/** Places of the 2008 study by connections per server, and how close neighbours are. Pure. */
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

/** The first so many by a count, and whoever is level with the last of them: `c4-d2 7, c6-d4 7, c5-d8 5, c2-d8 5`. */
export function mostOf(profiles: readonly ProfileRanks[], count: 'firsts' | 'topQuartile', named = 3): string {
  const ordered = [...profiles].sort((a, b) => b[count] - a[count]);
  const least = ordered[Math.min(named, ordered.length) - 1]?.[count] ?? 0;
  return ordered
    .filter((each) => each[count] >= least)
    .map((each) => `${each.id} ${each[count]}`)
    .join(', ');
}

/** Lead of the first of a scenario over the second, median over the scenarios; `undefined`: nobody is second. */
export function leadOf({ scenarios, profiles }: RankedStudy): number | undefined {
  const leads = scenarios.flatMap((scenario) => {
    const [first, second] = orderedIn(scenario, profiles);
    return first === undefined || second === undefined ? [] : [first[1] / second[1] - 1];
  });
  return median(leads);
}
