/** A scenario of the corpus as the simulator is asked for it. */

import { predict, predictTypical } from '../../../src/core/predict/predict.ts';
import { resolveProfiles } from '../../../src/core/profiles/resolve-profiles.ts';
import type { BrowserModel } from '../../../src/core/simulate/browser-model.ts';
import type { Prediction } from '../../../src/core/simulate/prediction.ts';
import { type LabMachine, machineOf, onLabMachine } from './lab-machine.ts';
import type { MeasuredScenario } from './measured-scenario.ts';

/** What is published was measured through a gateway without probation. */
export const KNOWN_SITES = { gatewayVisit: 'known-site' } as const satisfies Partial<BrowserModel>;

/** What was measured is the median of two or more loads; this is odd, so that one load is in the middle, and few enough for a test. */
const LOADS = 9;

/** Of each profile, in their order, the simulated load whose load time is the median. */
export function predictScenario(scenario: MeasuredScenario, machine: LabMachine = machineOf(scenario)): readonly Prediction[] {
  const { graph, simulated, profiles } = scenario;
  const runs = Array.from({ length: LOADS }, (_, seed) =>
    predict({
      page: onLabMachine(graph, machine),
      link: { ...simulated, jitterMs: machine.jitterMs },
      profiles: profiles.map(({ profileId }) => profileId),
      model: { ...KNOWN_SITES, ...machine.model },
      seed,
    }),
  );
  return profiles.flatMap((_, index) => middleOf(runs.flatMap((run) => run[index] ?? [])));
}

/** The same without anything known of the machine: as `plumbfox predict` predicts a recipe, by loads whose link is shaken. */
export const predictOnAnyMachine = ({ graph, simulated, profiles }: MeasuredScenario): readonly Prediction[] =>
  predictTypical({
    page: graph,
    link: simulated,
    profiles: resolveProfiles(profiles.map(({ profileId }) => profileId)),
    model: KNOWN_SITES,
  }).predictions;

const middleOf = (loads: readonly Prediction[]): readonly Prediction[] =>
  loads.toSorted((a, b) => a.loadTimeMs - b.loadTimeMs).slice((loads.length - 1) / 2, (loads.length + 1) / 2);
