/**
 * The descriptive part of a comparison, which proves nothing: every profile's own figures, medians by page and link, and loads that fall into groups.
 */

import { positiveLog } from '../stats/positive-log.ts';
import { median, middleOf } from '../stats/quantile.ts';
import { meanOverStrata } from '../stats/stratified-mean.ts';
import type { DescribedLoads } from './by-protocol.ts';
import type { ComparedProfile, ProfileComparison, ScenarioComparison, ScenarioModes, SetAside } from './comparison.ts';
import { type LoadIndex, type ScenarioLoads, scenarioKeys } from './load-index.ts';
import { findModes, MIN_FOR_MODES } from './modes.ts';
import { rankScenarios } from './rank-scenarios.ts';

interface DescribeOptions {
  readonly baseline: string;
  readonly profiles: readonly ComparedProfile[];
  readonly modes?: 'left-out' | undefined;
}

/** Scenarios, places and groups, beside what the profiles' figures are. */
export function describedLoads(
  { index, aside }: { readonly index: LoadIndex; readonly aside: readonly SetAside[] },
  figures: Pick<DescribedLoads, 'method' | 'profiles'>,
  { baseline, profiles, modes }: DescribeOptions,
): DescribedLoads {
  const scenarios = summariseScenarios(index);
  return {
    baseline,
    ...figures,
    scenarios,
    modes: modes === 'left-out' ? [] : modesByScenario(index),
    ranking: rankScenarios(scenarios, { baseline, profiles }),
    ...(aside.length > 0 && { setAside: aside }),
  };
}

/** Scenarios in the order in which they first came; profiles in the order requested, those without loads included. */
export function summariseScenarios(index: LoadIndex): readonly ScenarioComparison[] {
  return scenarioKeys(index).map((key) => {
    const profiles = [...index].map(([id, scenarios]) => {
      const scenario = scenarios.get(key);
      return {
        id,
        loads: scenario?.valid ?? 0,
        efficiencyMedian: medianEfficiency(scenario?.logEfficiencies ?? []),
        loadTimeMsMedian: median(scenario?.loadTimesMs ?? []),
      };
    });
    const { page, link } = placeOf(index, key);
    return { page, link, profiles };
  });
}

function medianEfficiency(logEfficiencies: readonly number[]): number | undefined {
  const middle = middleOf(logEfficiencies);
  return middle && (Math.exp(middle[0]) + Math.exp(middle[1])) / 2;
}

function placeOf(index: LoadIndex, key: number): { readonly page: string; readonly link: string } {
  for (const scenarios of index.values()) {
    const scenario = scenarios.get(key);
    if (scenario !== undefined) return scenario;
  }
  return { page: '', link: '' };
}

type ProfileSummary = Pick<ProfileComparison, 'loads' | 'voidLoads' | 'efficiency' | 'loadTimeMs'>;

/**
 * A profile by itself. Efficiency and load time are geometric means over scenarios of the geometric mean within each, as the ratio of two profiles
 * is: where every load has its pair, the figures of two profiles differ by their ratio, which medians might contradict. There is no interval, as none
 * from so few loads of one profile holds its level. By simulation a nominal 95 % held 89 % with 3 loads in each of 4 scenarios of spreads 1, 3, 10
 * and 30 % (95 % with Satterthwaite's degrees of freedom), and 71 % by either where one scenario has two modes: all 3 loads of it are of one mode in
 * 28 of 100 runs, and then nothing in them shows the other.
 * @param without what is set aside for all: it counts as loads, but is in no figure, as the baseline has none to compare it with.
 */
export function summariseProfile(index: LoadIndex, profileId: string, without: readonly SetAside[]): ProfileSummary {
  const scenarios = [...(index.get(profileId)?.values() ?? [])];
  const compared = scenarios.filter(({ page, link }) => !without.some((aside) => aside.page === page && aside.link === link));
  const total = (count: (scenario: ScenarioLoads) => number) => scenarios.reduce((sum, scenario) => sum + count(scenario), 0);
  return {
    loads: total((scenario) => scenario.valid),
    voidLoads: total((scenario) => scenario.void),
    efficiency: efficiencyOf(compared.map(({ logEfficiencies }) => logEfficiencies)),
    loadTimeMs: { median: typicalLoadTime(compared) },
  };
}

function typicalLoadTime(scenarios: readonly ScenarioLoads[]): number | undefined {
  const mean = meanOverStrata(scenarios.map(({ loadTimesMs }) => loadTimesMs.map(positiveLog)));
  return mean === undefined ? undefined : Math.exp(mean);
}

function efficiencyOf(samples: readonly (readonly number[])[]): ProfileComparison['efficiency'] {
  const mean = meanOverStrata(samples);
  return { estimate: mean === undefined ? undefined : Math.exp(mean), low: undefined, high: undefined };
}

/**
 * The profiles whose loads of a page over a link fall into groups. Pages and links have load times of their own, so each is examined by itself;
 * of samples with one mode at most 5 % are named.
 */
export function modesByScenario(index: LoadIndex): readonly ScenarioModes[] {
  const found: ScenarioModes[] = [];
  for (const [profileId, scenarios] of index) {
    for (const { page, link, loadTimesMs } of scenarios.values()) {
      // Most pages of everyday browsing have few loads; the index has refused what is not positive and finite.
      if (loadTimesMs.length < MIN_FOR_MODES) continue;
      const modes = findModes(loadTimesMs);
      if (modes.modes === 'several') found.push({ profileId, page, link, modes });
    }
  }
  return found;
}
