/** How well one real load predicts others like it: what no prediction can be asked to beat by much. */
import { median } from '../stats/median.ts';
import type { PredictedAndMeasured, ScenarioToScore } from './accuracy.ts';

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
 * Every turn that all profiles took, once, in the role of a prediction: the load of each profile in that turn against the median of that
 * profile's other loads. Turns of some profiles only are left out as predictions, or what was measured more often because it was
 * unsteady would count for more; a profile with a single load takes no part.
 * @returns as many scenarios to score as there were such turns.
 */
export function repeatsAsPredictions({ name, profiles }: RepeatedScenario): readonly ScenarioToScore[] {
  const repeated = profiles.filter(({ loadTimesMs }) => loadTimesMs.length > 1);
  if (repeated.length === 0) return [];
  const turns = Math.min(...repeated.map(({ loadTimesMs }) => loadTimesMs.length));
  return Array.from({ length: turns }, (_, turn) => ({
    name: `${name}, turn ${turn + 1}`,
    profiles: repeated.flatMap(({ profileId, loadTimesMs }): PredictedAndMeasured[] => {
      const predictedMs = loadTimesMs[turn];
      const measuredMs = median(loadTimesMs.toSpliced(turn, 1));
      return predictedMs === undefined || measuredMs === undefined ? [] : [{ profileId, predictedMs, measuredMs }];
    }),
  }));
}
