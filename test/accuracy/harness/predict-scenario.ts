/** A scenario of the corpus as the simulator is asked for it. */
import type { BrowserModel } from '../../../src/core/simulate/browser-model.ts';
import { predict } from '../../../src/core/simulate/predict.ts';
import type { Prediction } from '../../../src/core/simulate/prediction.ts';
import { LAB_MACHINE } from './lab-machine.ts';
import type { MeasuredScenario } from './measured-scenario.ts';

/**
 * One prediction per profile, in their order.
 * @param model what is tried in place of what the lab's machine was found to be.
 */
export function predictScenario(scenario: MeasuredScenario, model: Partial<BrowserModel> = {}): readonly Prediction[] {
  const { graph, simulated, profiles } = scenario;
  return predict({
    page: graph,
    link: simulated,
    profiles: profiles.map(({ profileId }) => profileId),
    model: { ...LAB_MACHINE, ...model },
  });
}
