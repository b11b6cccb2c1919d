/** How well one real load predicts others like it: what no prediction can be asked to beat by much. */
import { median } from '../stats/median.ts';
import type { PredictedAndMeasured, ScenarioToScore } from './accuracy-score.ts';

/** One page over one link, each profile loaded several times. */
export interface RepeatedScenario {
  readonly name: string;
  readonly profiles: readonly {
    readonly profileId: string;
    /** In the order of the loads: what stands at one place was measured in one turn. */
    readonly loadTimesMs: readonly number[];
  }[];
}

/**
 * Every turn once in the role of a prediction: the load of each profile in that turn against the median of that profile's other loads.
 * A profile with a single load takes no part.
 * @returns as many scenarios to score as there were turns, at most.
 */
export function repeatsAsPredictions({ name, profiles }: RepeatedScenario): readonly ScenarioToScore[] {
  const turns = Math.max(0, ...profiles.map(({ loadTimesMs }) => loadTimesMs.length));
  return Array.from({ length: turns }, (_, turn) => ({
    name: `${name}, turn ${turn + 1}`,
    profiles: profiles.flatMap(({ profileId, loadTimesMs }): PredictedAndMeasured[] => {
      const predictedMs = loadTimesMs[turn];
      const measuredMs = median(loadTimesMs.toSpliced(turn, 1));
      return predictedMs === undefined || measuredMs === undefined ? [] : [{ profileId, predictedMs, measuredMs }];
    }),
  })).filter((scenario) => scenario.profiles.length > 0);
}
