/** A profile that is 10 % better is found at the number of loads that was displayed as needed. */
import type { ComparableLoad, Looks } from '../../../src/core/compare/comparison.ts';
import { type EverydayLoads, planLoads } from '../../../src/core/compare/planned-loads.ts';
import type { Random } from '../../../src/core/random.ts';
import { DEFAULT_LOADS_PER_SLOT } from '../../../src/core/trial/trial-defaults.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { EVERYDAY } from '../simulate/browsing.ts';
import { counted, type EverydayDesign, everydayLoads } from '../simulate/everyday-loads.ts';
import { judge } from '../simulate/judge.ts';
import { LAB_CANDIDATE, LAB_SCENARIOS, labLoads } from '../simulate/lab-loads.ts';
import { CANDIDATE, EVERYDAY_TRUTH, twoArms } from '../simulate/truths.ts';

const CHANGE = 0.1;
/** Of a load, once page, link and block are allowed for. */
const LOG_SD = 0.25;
const POWER = 0.8;

/** What a slot has to itself is part of the spread within blocks, so here it has nothing: the spread is 0.25 as it stands. */
export const PLANTED: EverydayDesign = { ...EVERYDAY_TRUTH, arms: twoArms(Math.log1p(CHANGE)), slotSpread: 0, noiseSpread: LOG_SD };

interface Design {
  readonly loadsPerBlock: number;
  readonly candidate: string;
  readonly estimate: 'paired' | 'adjusted';
  /** What the comparison counts, and plans for: pairs of loads, or of slots. */
  readonly pairsPerBlock: number;
  readonly everyday?: EverydayLoads;
  readonly loads: (blocks: number, random: Random) => readonly ComparableLoad[];
}

/** Both profiles over the same pages and links in every block. */
const MATCHED: Design = {
  loadsPerBlock: LAB_SCENARIOS,
  candidate: LAB_CANDIDATE,
  estimate: 'paired',
  pairsPerBlock: LAB_SCENARIOS,
  loads: (blocks, random) => labLoads({ blocks, ratio: 1 + CHANGE, spreads: Array.from({ length: LAB_SCENARIOS }, () => LOG_SD) }, random),
};

const EVERYDAY_DESIGN: Design = {
  loadsPerBlock: DEFAULT_LOADS_PER_SLOT,
  candidate: CANDIDATE,
  estimate: 'adjusted',
  pairsPerBlock: 1,
  everyday: { loadsPerSlot: DEFAULT_LOADS_PER_SLOT, pages: EVERYDAY.pages * EVERYDAY.links.length },
  loads: (blocks, random) => counted(everydayLoads({ ...PLANTED, blocks }, random)),
};

interface PlantedOptions {
  readonly name: string;
  readonly what: string;
  readonly design: Design;
  readonly looks: Looks;
  /** Of the number displayed, where nothing but the loads' own spread is in the way. */
  readonly atMost?: number;
  readonly runs: number;
  readonly fewRuns: number;
}

function plantedLine({ name, what, design, looks, atMost, runs, fewRuns }: PlantedOptions): CalibrationLine<boolean> {
  const { everyday, pairsPerBlock: pairsPerLook } = design;
  const { loadsPerProfile } = planLoads({ logSd: LOG_SD, change: CHANGE, looks, pairsPerLook, ...(everyday && { everyday }) });
  const blocks = Math.ceil(loadsPerProfile / design.loadsPerBlock);
  const options = {
    candidates: [design.candidate],
    estimate: design.estimate,
    looks,
    plannedPairs: blocks * design.pairsPerBlock,
  };
  return {
    name,
    what,
    runs,
    fewRuns,
    simulate: (random) => {
      const loads = design.loads(blocks, random);
      const ends = looks === 'once' ? [blocks] : Array.from({ length: blocks }, (_, at) => at + 1);
      // A person stops at the first verdict.
      return ends.some((end) => {
        const seen = loads.filter(({ block }) => block < end);
        return judge(seen, options)[0]?.verdict === 'better';
      });
    },
    rows: (outcomes, { full }) => [
      {
        what: 'loads of each profile displayed as needed',
        unit: 'loads',
        found: loadsPerProfile,
        ...(atMost !== undefined && { bar: { high: atMost } }),
      },
      shareRow('the change is found by then', outcomes, { happened: (found) => found, bar: { atLeast: POWER }, full }),
    ],
  };
}

const ONCE = { looks: 'once', runs: 1000, fewRuns: 400 } as const;
const ANY = { looks: 'any', runs: 500, fewRuns: 40 } as const;

export const PLANTED_CHANGE = [
  plantedLine({
    name: 'planted-matched-once',
    what: '10 % better over the same pages and links, looked at once.',
    design: MATCHED,
    atMost: 120,
    ...ONCE,
  }),
  plantedLine({ name: 'planted-matched-any', what: 'the same, looked at after every block.', design: MATCHED, atMost: 200, ...ANY }),
  plantedLine({
    name: 'planted-everyday-once',
    what: '10 % better on everyday browsing, where 60 pages over links are fitted as well, looked at once.',
    design: EVERYDAY_DESIGN,
    ...ONCE,
  }),
  plantedLine({ name: 'planted-everyday-any', what: 'the same, looked at after every block.', design: EVERYDAY_DESIGN, ...ANY }),
];
