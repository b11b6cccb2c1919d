/** Whole trials of a profile that is 10 % better. */

import { median } from '../../../src/core/stats/quantile.ts';
import { expectedLoads } from '../../../src/core/trial/course.ts';
import type { TrialState } from '../../../src/core/trial/trial-state.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { everydayTrial, type TrialTruth } from '../simulate/everyday-trial.ts';
import { EVERYDAY_TRUTH, twoArms } from '../simulate/truths.ts';

const MOST_LOADS = 5000;
const POWER = 0.8;
/** The spread that plans expect is that of the loads themselves; what a slot has to itself would come on top. */
const PLANTED: TrialTruth = { ...EVERYDAY_TRUTH, arms: twoArms(Math.log(1.1)), slotSpread: 0 };

interface Found {
  /** Of all profiles, named before the trial begins. */
  readonly displayed: number;
  readonly kind: TrialState['kind'];
  /** Page loads of both profiles. */
  readonly made: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param share of the expected spread. */
function plantedLine(
  name: string,
  what: string,
  { share, most }: { readonly share: number; readonly most: number },
): CalibrationLine<Found> {
  const truth: TrialTruth = { ...PLANTED, noiseSpread: share * 0.25, contentSpread: share * 0.24 };
  return {
    name,
    what,
    runs: 2000,
    fewRuns: 15,
    simulate: (random) => {
      const { plan, state, made } = everydayTrial({ truth, mostLoads: MOST_LOADS }, random);
      return { displayed: expectedLoads(plan), kind: state.kind, made };
    },
    rows: (outcomes, { full }) => [
      { what: 'page loads named before it begins', unit: 'loads', found: outcomes[0]?.displayed },
      shareRow('proven', outcomes, { happened: ({ kind }) => kind === 'confirmed', bar: { atLeast: POWER }, full }),
      shareRow('no difference found', outcomes, { happened: ({ kind }) => kind === 'no-difference', full }),
      { what: 'page loads made, of both: mean', unit: 'loads', found: mean(outcomes.map(({ made }) => made)), bar: { high: most } },
      { what: 'the same: median', unit: 'loads', found: median(outcomes.map(({ made }) => made)) },
    ],
  };
}

export const PLANTED_TRIALS = [
  plantedLine('planted-trial', 'whole trials of a profile that is 10 % better, loads varying by 35 %.', { share: 1, most: 600 }),
  plantedLine('planted-trial-quiet', 'the same, loads varying by 20 %.', { share: 0.2 / 0.35, most: 320 }),
  plantedLine('planted-trial-noisy', 'the same, loads varying by 50 %.', { share: 0.5 / 0.35, most: 1200 }),
];
