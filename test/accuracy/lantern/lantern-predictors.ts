/** Lantern in the role of a predictor: whatever the profile, it says the same. */
import type { Predictor } from '../harness/evaluate.ts';
import type { Lantern } from './lantern.ts';
import { lanternGraph } from './lantern-graph.ts';
import { type LanternNames, lanternPredict, withNames } from './lantern-predict.ts';

const LANTERN = 'Lantern';

/** `Lantern`: told that names need no lookup, which is true of the lab. `Lantern as shipped`: with its 2 round trips for each. */
export function lanternPredictors(lantern: Lantern): ReadonlyMap<string, Predictor> {
  return new Map([
    [LANTERN, predictor(lantern, 'known')],
    [`${LANTERN} as shipped`, predictor(lantern, 'as-shipped')],
  ]);
}

function predictor(lantern: Lantern, names: LanternNames): Predictor {
  return ({ graph, simulated, profiles }) => {
    const ms = withNames(lantern, names, () => lanternPredict(lantern, lanternGraph(lantern, graph), simulated));
    return new Map(profiles.map(({ profileId }) => [profileId, ms]));
  };
}
