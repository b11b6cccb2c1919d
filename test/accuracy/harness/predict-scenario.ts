/** A scenario of the corpus as the simulator is asked for it. */
import type { BrowserModel } from '../../../src/core/simulate/browser-model.ts';
import { predict } from '../../../src/core/simulate/predict.ts';
import type { Prediction } from '../../../src/core/simulate/prediction.ts';
import { JITTER_MS, LAB_MACHINE, onLabMachine } from './lab-machine.ts';
import type { MeasuredScenario } from './measured-scenario.ts';

/** What was measured is the median of two to five loads; this is odd, so that one load is in the middle, and few enough for a test. */
const LOADS = 9;

/**
 * Of each profile, in their order, the simulated load whose load time is the median.
 * @param model what is tried in place of what the lab's machine was found to be.
 */
export function predictScenario(scenario: MeasuredScenario, model: Partial<BrowserModel> = {}): readonly Prediction[] {
  const { graph, simulated, profiles } = scenario;
  const runs = Array.from({ length: LOADS }, (_, seed) =>
    predict({
      page: onLabMachine(graph),
      link: { ...simulated, jitterMs: JITTER_MS },
      profiles: profiles.map(({ profileId }) => profileId),
      model: { ...LAB_MACHINE, ...model },
      seed,
    }),
  );
  return profiles.flatMap((_, index) => middleOf(runs.flatMap((run) => run[index] ?? [])));
}

const middleOf = (loads: readonly Prediction[]): readonly Prediction[] =>
  loads.toSorted((a, b) => a.loadTimeMs - b.loadTimeMs).slice((loads.length - 1) / 2, (loads.length + 1) / 2);
