/** Medians of every profile on every page over every link. */
import { median, middleOf } from '../stats/quantile.ts';
import type { ScenarioComparison } from './comparison.ts';
import { type LoadIndex, scenarioKeys } from './load-index.ts';

/** Scenarios in the order in which they first came; profiles in the order asked for, those without loads included. */
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
