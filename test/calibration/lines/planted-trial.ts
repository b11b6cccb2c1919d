/** Whole trials of a profile that is 10 % better. */

import { median } from '../../../src/core/stats/quantile.ts';
import { isCounted } from '../../../src/core/trial/stage-loads.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { everydayTrial, type TrialTruth } from '../simulate/everyday-trial.ts';
import { CANDIDATE, EVERYDAY_TRUTH, twoArms } from '../simulate/truths.ts';

const MOST_LOADS = 5000;
const POWER = 0.8;
/** The spread that plans expect is that of the loads themselves; what a slot has to itself would come on top. */
const PLANTED: TrialTruth = { ...EVERYDAY_TRUTH, arms: twoArms(Math.log(1.1)), slotSpread: 0 };

interface Found {
  readonly displayed: number;
  /** Counted loads of the candidate in the confirming stage when it was confirmed; `undefined`: it was not. */
  readonly fresh: number | undefined;
  /** Of both profiles, with screening and washout. */
  readonly made: number;
}

export const plantedTrial: CalibrationLine<Found> = {
  name: 'planted-trial',
  what: 'whole trials of a profile that is 10 % better, by default settings.',
  runs: 2000,
  fewRuns: 15,
  simulate: (random) => {
    const { plan, state, progress, loads, made } = everydayTrial({ truth: PLANTED, mostLoads: MOST_LOADS }, random);
    const from = progress.stretches.find(({ stage }) => stage === 'confirming')?.fromSlot ?? Number.POSITIVE_INFINITY;
    const fresh = loads.filter((load) => load.profileId === CANDIDATE && load.mark.slot >= from && isCounted(load)).length;
    return { displayed: plan.plannedLoadsPerArm, fresh: state.kind === 'confirmed' ? fresh : undefined, made };
  },
  rows: (outcomes, { full }) => [
    {
      what: 'loads of each profile displayed as needed',
      unit: 'loads',
      found: median(outcomes.map(({ displayed }) => displayed)),
    },
    shareRow('confirmed by then, counting fresh loads', outcomes, {
      happened: ({ fresh, displayed }) => fresh !== undefined && fresh <= displayed,
      bar: { atLeast: POWER },
      full,
    }),
    shareRow('confirmed in the end', outcomes, { happened: ({ fresh }) => fresh !== undefined, full }),
    {
      what: 'loads made by then, of both, with screening and washout: median',
      unit: 'loads',
      found: median(outcomes.map(({ made }) => made)),
    },
  ],
};
