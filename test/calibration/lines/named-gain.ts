/** The gain that a comparison says it finds in four of five runs, planted in the same runs. */
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { plantedTruth, tuneBlock, tuneVerdicts } from '../simulate/tune-runs.ts';
import { MONTE_CARLO } from './equal-rows.ts';

interface NamedGain {
  readonly named: number | undefined;
  readonly found: boolean;
}

/** Four of five, as it is to hold with any number of blocks and profiles. */
const POWER = { atLeast: 0.75, atMost: 0.88, allowance: MONTE_CARLO };
/** The gain planted is the median of those named, within the error of 500 runs that it was found with. */
const MEDIAN = { atLeast: 0.42, atMost: 0.58, allowance: MONTE_CARLO };

/** @param gain median of what runs of this size name. */
function namedGainLine({
  profiles,
  blocks,
  gain,
}: {
  readonly profiles: number;
  readonly blocks: number;
  readonly gain: number;
}): CalibrationLine<NamedGain> {
  const truth = plantedTruth({ profiles, gains: [gain, gain, gain, gain] });
  return {
    name: `tune-named-gain-${profiles}-${blocks}`,
    what: `${profiles} profiles, the second ${(gain * 100).toFixed(1)} % better, as ${blocks} blocks say they find it; spreads of 3 to 10 %.`,
    runs: 2000,
    fewRuns: 80,
    simulate: (random) => {
      const loads: ComparableLoad[] = [];
      for (let block = 0; block < blocks; block++) loads.push(...tuneBlock(truth, block, random));
      const found = tuneVerdicts(loads, blocks)[0];
      return { named: found?.detectableChange, found: found?.verdict === 'better' };
    },
    rows: (outcomes, { full }) => [
      shareRow('named a smaller gain than planted', outcomes, {
        happened: ({ named = Number.MAX_VALUE }) => named < gain,
        bar: MEDIAN,
        full,
      }),
      shareRow('found', outcomes, { happened: ({ found }) => found, bar: POWER, full }),
    ],
  };
}

export const NAMED_GAIN: readonly CalibrationLine<NamedGain>[] = [
  namedGainLine({ profiles: 2, blocks: 3, gain: 0.115 }),
  namedGainLine({ profiles: 5, blocks: 3, gain: 0.1265 }),
  namedGainLine({ profiles: 2, blocks: 10, gain: 0.0491 }),
  namedGainLine({ profiles: 2, blocks: 25, gain: 0.0402 }),
];
