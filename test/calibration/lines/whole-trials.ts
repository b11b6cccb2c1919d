/** Whole trials, from the first load to the state that a person reads, with every look that a trial takes by itself. */
import type { TrialState } from '../../../src/core/trial/trial-state.ts';
import type { CalibrationLine } from '../harness/line.ts';
import type { CalibrationRow } from '../harness/row.ts';
import { type ShareBar, shareRow } from '../harness/share-row.ts';
import { ONE_SITTING } from '../simulate/browsing.ts';
import { everydayTrial, type TrialTruth } from '../simulate/everyday-trial.ts';
import { BASELINE } from '../simulate/judge.ts';
import { EVERYDAY_TRUTH, equalArms } from '../simulate/truths.ts';
import { ALPHA, MONTE_CARLO } from './equal-rows.ts';

interface Ended {
  readonly kind: TrialState['kind'];
  /** A candidate was dropped as worse. */
  readonly droppedAsWorse: boolean;
  readonly carryOverAlarm: boolean;
}

interface EqualTrialOptions {
  readonly name: string;
  readonly what: string;
  readonly truth: TrialTruth;
  readonly bar?: ShareBar;
  readonly runs: number;
  readonly fewRuns: number;
}

const LOADS_PER_ARM = 120;
/** Beyond what screening, washout and confirmation of eighteen arms can take. */
const MOST_LOADS = 20_000;

function equalTrialLine({ name, what, truth, bar, runs, fewRuns }: EqualTrialOptions): CalibrationLine<Ended> {
  return {
    name,
    what,
    runs,
    fewRuns,
    simulate: (random) => {
      const { state, progress } = everydayTrial({ truth, plan: { mostLoadsPerArm: LOADS_PER_ARM }, mostLoads: MOST_LOADS }, random);
      return {
        kind: state.kind,
        droppedAsWorse: progress.dropped.some(({ reason }) => reason === 'worse' || reason === 'harmful'),
        carryOverAlarm: state.checks.some(({ kind, outcome }) => kind === 'carry-over' && outcome === 'failed'),
      };
    },
    rows: (outcomes, { full }) => equalTrialRows(outcomes, bar, full),
  };
}

function equalTrialRows(outcomes: readonly Ended[], bar: ShareBar | undefined, full: boolean): readonly CalibrationRow[] {
  const share = (what: string, happened: (ended: Ended) => boolean) => shareRow(what, outcomes, { happened, full });
  return [
    shareRow('false wins: a candidate confirmed as better, or dropped as worse', outcomes, {
      happened: ({ kind, droppedAsWorse }) => kind === 'confirmed' || droppedAsWorse,
      bar,
      full,
    }),
    share('confirmed as better', ({ kind }) => kind === 'confirmed'),
    share('ended without a difference', ({ kind }) => kind === 'no-difference'),
    share('a check failed at the end', ({ kind }) => kind === 'invalid'),
    share('among them carry-over', ({ carryOverAlarm }) => carryOverAlarm),
  ];
}

const DRIFT = Math.log(1.1) / 3;
const CARRY = Math.log(0.9);
const DISTURBED = { atMost: 0.06 };

export const EQUAL_TRIALS = [
  equalTrialLine({
    name: 'trial-equal',
    what: 'whole trials of two equal profiles, 120 loads each at most per stage.',
    truth: EVERYDAY_TRUTH,
    bar: { atMost: ALPHA, allowance: MONTE_CARLO },
    runs: 300,
    fewRuns: 30,
  }),
  equalTrialLine({
    name: 'trial-equal-eighteen',
    what: 'whole trials of eighteen equal profiles, from screening to confirmation.',
    truth: { ...EVERYDAY_TRUTH, arms: equalArms(18) },
    bar: { atMost: ALPHA, allowance: MONTE_CARLO },
    runs: 30,
    fewRuns: 3,
  }),
  equalTrialLine({
    name: 'trial-drift',
    what: 'whole trials of equal profiles while everything gets better by a third of 10 % per hour.',
    truth: { ...EVERYDAY_TRUTH, driftPerHour: DRIFT, habits: ONE_SITTING },
    bar: DISTURBED,
    runs: 200,
    fewRuns: 15,
  }),
  equalTrialLine({
    name: 'trial-carry-over',
    what: 'whole trials of equal profiles whose first three loads after the baseline are 10 % less efficient.',
    truth: { ...EVERYDAY_TRUTH, carryOver: { loads: 3, effect: CARRY, after: BASELINE } },
    bar: DISTURBED,
    runs: 200,
    fewRuns: 15,
  }),
];
