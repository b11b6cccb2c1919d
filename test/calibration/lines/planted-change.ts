/** A profile that is 10 % better is found by its planned end, which tune and trials look at as they do by themselves. */
import type { ComparableLoad, VersusBaseline } from '../../../src/core/compare/comparison.ts';
import { SHARE_AT_LOOKS } from '../../../src/core/compare/interval-rule.ts';
import { planLoads } from '../../../src/core/compare/planned-loads.ts';
import type { Random } from '../../../src/core/random.ts';
import { EXPECTED_LOG_SD } from '../../../src/core/trial/trial-defaults.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { counted, type EverydayDesign, everydayLoads } from '../simulate/everyday-loads.ts';
import { firstBlocks, judge } from '../simulate/judge.ts';
import { LAB_SCENARIOS, labLoads } from '../simulate/lab-loads.ts';
import { plannedTrial } from '../simulate/planned-trial.ts';
import { CANDIDATE, EVERYDAY_TRUTH, LOADS_PER_BLOCK, twoArms } from '../simulate/truths.ts';
import { tuneVerdicts } from '../simulate/tune-runs.ts';
import { ALPHA } from './equal-rows.ts';

const CHANGE = 0.1;
/** Of a load over the same pages, once page, link and block are allowed for. */
const LOG_SD = 0.25;
const POWER = 0.8;

/**
 * The spread that trials expect (`EXPECTED_LOG_SD`) is that of the loads themselves: what is on a page each time makes 0.24 of it. What a slot has to
 * itself would come on top, so here it has nothing.
 */
export const PLANTED: EverydayDesign = { ...EVERYDAY_TRUTH, arms: twoArms(Math.log1p(CHANGE)), slotSpread: 0, noiseSpread: LOG_SD };

interface Design {
  /** Its planned end. */
  readonly blocks: number;
  /** Blocks between two looks. */
  readonly step: number;
  readonly loadsPerProfile: number;
  readonly loads: (random: Random) => readonly ComparableLoad[];
  readonly verdict: (seen: readonly ComparableLoad[]) => VersusBaseline['verdict'] | undefined;
}

/** As `tune` compares: both profiles over the same pages and links in every block. */
function matched(): Design {
  const { loadsPerProfile } = planLoads({ logSd: LOG_SD, change: CHANGE, alpha: ALPHA * SHARE_AT_LOOKS });
  const blocks = Math.ceil(loadsPerProfile / LAB_SCENARIOS);
  const spreads = Array.from({ length: LAB_SCENARIOS }, () => LOG_SD);
  return {
    blocks,
    step: 1,
    loadsPerProfile: blocks * LAB_SCENARIOS,
    loads: (random) => labLoads({ blocks, ratio: 1 + CHANGE, spreads }, random),
    verdict: (seen) => tuneVerdicts(seen, blocks)[0]?.verdict,
  };
}

/** As a trial compares, by the plan that it makes by default. */
function everyday(random: Random): Design {
  const plan = plannedTrial(PLANTED.arms, random);
  const blocks = 2 * plan.plannedDraws;
  return {
    blocks,
    step: 2,
    loadsPerProfile: blocks * LOADS_PER_BLOCK,
    loads: (own) => counted(everydayLoads({ ...PLANTED, blocks }, own)),
    verdict: (seen) =>
      judge(seen, { candidates: [CANDIDATE], estimate: 'adjusted', looks: 'planned', plannedPairs: plan.plannedDraws })[0]?.verdict,
  };
}

interface Planted {
  readonly displayed: number;
  readonly found: boolean;
}

interface PlantedOptions {
  readonly name: string;
  readonly what: string;
  readonly design: (random: Random) => Design;
  /** Looked at after every block up to the planned end, and not there alone; a person stops at the first verdict. */
  readonly everyBlock?: boolean;
  /** Of the number of loads, where nothing but their own spread is in the way. */
  readonly atMost?: number;
  readonly fewRuns: number;
}

function plantedLine({ name, what, design, everyBlock = false, atMost, fewRuns }: PlantedOptions): CalibrationLine<Planted> {
  return {
    name,
    what,
    runs: 2000,
    fewRuns,
    simulate: (random) => {
      const { blocks, step, loadsPerProfile, loads: made, verdict } = design(random);
      const loads = made(random);
      const ends = everyBlock ? Array.from({ length: blocks / step }, (_, at) => step * (at + 1)) : [blocks];
      return { displayed: loadsPerProfile, found: ends.some((end) => verdict(firstBlocks(loads, end)) === 'better') };
    },
    rows: (outcomes, { full }) => [
      {
        what: 'loads of each profile by the planned end',
        unit: 'loads',
        found: outcomes[0]?.displayed,
        ...(atMost !== undefined && { bar: { high: atMost } }),
      },
      shareRow('the change is found by then', outcomes, { happened: ({ found }) => found, bar: { atLeast: POWER }, full }),
    ],
  };
}

const MATCHED = { design: matched, fewRuns: 200 };
const EVERYDAY = { design: everyday, fewRuns: 100 };

export const PLANTED_CHANGE = [
  plantedLine({
    name: 'planted-matched-once',
    what: '10 % better over the same pages and links, loads varying by 25 %, looked at once at the planned end.',
    atMost: 120,
    ...MATCHED,
  }),
  plantedLine({
    name: 'planted-matched-any',
    what: 'the same, looked at after every block.',
    atMost: 200,
    everyBlock: true,
    ...MATCHED,
    fewRuns: 40,
  }),
  plantedLine({
    name: 'planted-everyday-once',
    what: `10 % better on everyday browsing, loads varying by ${EXPECTED_LOG_SD * 100} %, looked at once at the planned end.`,
    ...EVERYDAY,
  }),
  plantedLine({
    name: 'planted-everyday-any',
    what: 'the same, looked at after every block.',
    everyBlock: true,
    ...EVERYDAY,
    fewRuns: 20,
  }),
];
