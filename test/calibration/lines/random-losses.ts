/** Loads that are lost at random, as often under each of two equal profiles: harmless, so that a check which holds a verdict for it holds it needlessly. */
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import type { Random } from '../../../src/core/random.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { type ShareBar, shareRow } from '../harness/share-row.ts';
import { everydayTrial } from '../simulate/everyday-trial.ts';
import { BASELINE, claimed } from '../simulate/judge.ts';
import { CANDIDATE, EVERYDAY_TRUTH } from '../simulate/truths.ts';
import { plantedTruth, tuneBlock, tuneVerdicts } from '../simulate/tune-runs.ts';
import { ALPHA, MONTE_CARLO } from './equal-rows.ts';

/** A run of few blocks. */
const DEFAULT_BLOCKS = 3;

interface Held {
  /** No verdict at the planned end, for what was lost. */
  readonly held: boolean;
  readonly claimed: boolean;
}

const FALSE_WINS: ShareBar = { atMost: ALPHA, allowance: MONTE_CARLO };

function heldTuneLine(lost: number, blocks: number): CalibrationLine<Held> {
  const truth = plantedTruth({ profiles: 2, gains: [] });
  return {
    name: `tune-lost-random-${lost * 100}-${blocks}`,
    what: `two equal profiles, spreads of 3 to 10 %, ${lost * 100} % of the loads of each excluded at random, ${blocks} blocks planned and looked at once.`,
    runs: 2000,
    fewRuns: 60,
    simulate: (random) => {
      const loads = Array.from({ length: blocks }, (_, block) => tuneBlock(truth, block, random)).flat();
      const found = tuneVerdicts(
        loads.map((load) => lostAtRandom(load, lost, random)),
        blocks,
      )[0];
      return { held: found?.verdict === 'no-verdict', claimed: found !== undefined && claimed(found) };
    },
    rows: (outcomes, { full }) => [
      shareRow('no verdict for unequal exclusion', outcomes, { happened: ({ held }) => held, full }),
      shareRow('called better or worse', outcomes, { happened: (found) => found.claimed, bar: FALSE_WINS, full }),
    ],
  };
}

function lostAtRandom(load: ComparableLoad, share: number, random: Random): ComparableLoad {
  if (random.next() >= share) return load;
  return { ...load, valid: false, efficiency: undefined, loadTimeMs: undefined };
}

interface HeldTrial extends Held {
  /** At the end a check of the shares said that a profile loses more of its loads. */
  readonly failed: boolean;
}

const MOST_LOADS = 40_000;

function heldTrialLine(lost: number): CalibrationLine<HeldTrial> {
  const truth = { ...EVERYDAY_TRUTH, lost: { [BASELINE]: lost, [CANDIDATE]: lost } };
  return {
    name: `trial-lost-random-${lost * 100}`,
    what: `whole trials of equal profiles; ${lost * 100} % of the loads of each are lost at random.`,
    runs: 2000,
    fewRuns: 10,
    simulate: (random) => {
      const { state, progress } = everydayTrial({ truth, mostLoads: MOST_LOADS }, random);
      const shares = state.checks.filter(({ kind }) => kind === 'sample-ratio' || kind === 'lost-loads');
      return {
        held: shares.some(({ outcome }) => outcome === 'failed' || outcome === 'warning'),
        failed: shares.some(({ outcome }) => outcome === 'failed'),
        claimed: state.kind === 'confirmed' || progress.dropped.some(({ reason }) => reason === 'worse'),
      };
    },
    rows: (outcomes, { full }) => [
      shareRow('a check of the shares holds a verdict at the end', outcomes, { happened: ({ held }) => held, full }),
      shareRow('among them for good', outcomes, { happened: ({ failed }) => failed, bar: { atMost: 0.02, allowance: MONTE_CARLO }, full }),
      shareRow('called better or worse', outcomes, { happened: (found) => found.claimed, bar: FALSE_WINS, full }),
    ],
  };
}

/** Of more blocks than `tune` makes unless told, as the check counts loads. */
const MORE_BLOCKS = [10, 25];

export const RANDOM_LOSSES_OF_TRIALS: readonly CalibrationLine<HeldTrial>[] = [heldTrialLine(0.02), heldTrialLine(0.05)];

export const RANDOM_LOSSES_OF_TUNE: readonly CalibrationLine<Held>[] = [0.02, 0.05].flatMap((lost) =>
  [DEFAULT_BLOCKS, ...MORE_BLOCKS].map((blocks) => heldTuneLine(lost, blocks)),
);
