/** The usable loads in columns, for the analysis that fits them all together. */

import type { Factor } from '../stats/least-squares.ts';
import { positiveLog } from '../stats/log-ratio.ts';
import type { ComparableLoad } from './comparison.ts';
import { logEfficiencyOf, scenarioNumbers } from './load-index.ts';

export interface LoadColumns {
  readonly count: number;
  /** Position among the profiles asked for. */
  readonly profile: Int32Array;
  readonly scenario: Factor;
  readonly block: Factor;
  readonly logEfficiency: Float64Array;
  /** 1 where the load has a prediction. */
  readonly predicted: Float64Array;
  /** ln of the prediction, 0 where there is none. */
  readonly logPrediction: Float64Array;
}

/** @throws PlumbfoxError bad-input as `indexLoads`, and for a prediction that is not positive and finite. */
export function loadColumns(loads: readonly ComparableLoad[], profileIds: readonly string[]): LoadColumns {
  const positions = new Map(profileIds.map((id, at) => [id, at]));
  const usable = loads.filter(({ valid, efficiency, profileId }) => valid && efficiency !== undefined && positions.has(profileId));
  const scenarioOf = scenarioNumbers();
  const blocks = new Map<number, number>();
  const columns = {
    count: usable.length,
    profile: new Int32Array(usable.length),
    logEfficiency: new Float64Array(usable.length),
    predicted: new Float64Array(usable.length),
    logPrediction: new Float64Array(usable.length),
  };
  const scenarios = new Int32Array(usable.length);
  const blockLevels = new Int32Array(usable.length);
  let scenarioCount = 0;
  usable.forEach((load, at) => {
    const scenario = scenarioOf(load);
    scenarioCount = Math.max(scenarioCount, scenario + 1);
    scenarios[at] = scenario;
    const block = blocks.get(load.block) ?? blocks.size;
    blocks.set(load.block, block);
    blockLevels[at] = block;
    columns.profile[at] = positions.get(load.profileId) ?? 0;
    columns.logEfficiency[at] = logEfficiencyOf(load) ?? 0;
    if (load.prediction === undefined) return;
    columns.predicted[at] = 1;
    columns.logPrediction[at] = positiveLog(load.prediction);
  });
  return {
    ...columns,
    scenario: { levels: scenarios, count: scenarioCount },
    block: { levels: blockLevels, count: blocks.size },
  };
}
