/** Log efficiencies of a made-up run as the comparison indexes them, block by block; faster than loads one by one. */
import type { LoadIndex, ScenarioLoads } from '../../../../src/core/compare/load-index.ts';
import type { Random } from '../../../../src/core/random.ts';

export interface SimulatedLoad {
  /** 0 is the baseline, the last one the control. */
  readonly profile: number;
  readonly scenario: number;
}

export interface RunShape {
  readonly profiles: number;
  readonly scenarios: number;
  /** Log efficiency of a load over its block's. */
  readonly load: (random: Random, of: SimulatedLoad) => number;
  /** Of a block in a scenario, the same for all profiles. */
  readonly block?: (random: Random) => number;
}

export interface SimulatedIndex {
  readonly index: LoadIndex;
  readonly addBlock: () => void;
}

export function simulatedIndex({ profiles, scenarios, load, block = () => 0 }: RunShape, random: Random): SimulatedIndex {
  const tables = Array.from({ length: profiles }, () => Array.from({ length: scenarios }, emptyScenario));
  const index = new Map(tables.map((table, profile) => [String(profile), new Map(table.map((one, at) => [at, one]))]));
  let blocks = 0;
  const addBlock = (): void => {
    for (let scenario = 0; scenario < scenarios; scenario++) {
      const level = block(random);
      tables.forEach((table, profile) => {
        const own = table[scenario];
        own?.blocks.push(blocks);
        own?.triedBlocks.push(blocks);
        own?.blockMeans.push(level + load(random, { profile, scenario }));
      });
    }
    blocks += 1;
  };
  return { index, addBlock };
}

interface GrowingScenario extends ScenarioLoads {
  readonly blocks: number[];
  readonly triedBlocks: number[];
  readonly blockMeans: number[];
}

function emptyScenario(): GrowingScenario {
  return {
    page: 'page',
    link: 'link',
    blocks: [],
    triedBlocks: [],
    blockMeans: [],
    blockTimesMs: [],
    logEfficiencies: [],
    loadTimesMs: [],
    valid: 0,
    void: 0,
    voidUnrelated: 0,
    usable: 0,
  };
}
