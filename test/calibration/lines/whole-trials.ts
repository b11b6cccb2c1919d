/** Whole trials by default settings, from the first load to the state that a person reads, with every look that a trial takes by itself. */
import { median } from '../../../src/core/stats/quantile.ts';
import type { TrialState } from '../../../src/core/trial/trial-state.ts';
import type { CalibrationLine } from '../harness/line.ts';
import type { CalibrationRow } from '../harness/row.ts';
import { type ShareBar, shareRow } from '../harness/share-row.ts';
import { EVERYDAY, ONE_SITTING } from '../simulate/browsing.ts';
import { everydayTrial, type TrialTruth } from '../simulate/everyday-trial.ts';
import { BASELINE } from '../simulate/judge.ts';
import { CANDIDATE, EVERYDAY_TRUTH, equalArms, LOADS_PER_BLOCK, twoArms } from '../simulate/truths.ts';
import { ALPHA, MONTE_CARLO } from './equal-rows.ts';

interface Ended {
  readonly kind: TrialState['kind'];
  /** A candidate was dropped as worse, or by the harm stop. */
  readonly worse: boolean;
  readonly harmful: boolean;
  /** Page loads of all profiles. */
  readonly made: number;
}

interface EqualTrialOptions {
  readonly name: string;
  readonly what: string;
  readonly truth: TrialTruth;
  readonly bar: ShareBar;
  readonly fewRuns?: number;
}

/** Beyond what eighteen arms can take. */
const MOST_LOADS = 40_000;
const RUNS = 2_000;
const FEW_RUNS = 12;

function ended(truth: TrialTruth): CalibrationLine<Ended>['simulate'] {
  return (random) => {
    const { state, progress, made } = everydayTrial({ truth, mostLoads: MOST_LOADS }, random);
    const wasDropped = (as: 'worse' | 'harmful') => progress.dropped.some(({ reason }) => reason === as);
    return { kind: state.kind, worse: wasDropped('worse'), harmful: wasDropped('harmful'), made };
  };
}

function equalTrialLine({ truth, bar, fewRuns = FEW_RUNS, ...named }: EqualTrialOptions): CalibrationLine<Ended> {
  return { ...named, runs: RUNS, fewRuns, simulate: ended(truth), rows: (outcomes, { full }) => equalTrialRows(outcomes, bar, full) };
}

function equalTrialRows(outcomes: readonly Ended[], bar: ShareBar, full: boolean): readonly CalibrationRow[] {
  const share = (what: string, happened: (one: Ended) => boolean, held?: ShareBar) =>
    shareRow(what, outcomes, { happened, bar: held, full });
  return [
    share('false wins: a candidate confirmed as better, or dropped as worse', ({ kind, worse }) => kind === 'confirmed' || worse, bar),
    share('confirmed as better', ({ kind }) => kind === 'confirmed'),
    share('dropped by the harm stop', ({ harmful }) => harmful, HARM_BAR),
    share('ended without a difference', ({ kind }) => kind === 'no-difference'),
    share('a check failed at the end', ({ kind }) => kind === 'invalid'),
    {
      what: 'page loads made, of all profiles: mean',
      unit: 'loads',
      found: outcomes.reduce((sum, { made }) => sum + made, 0) / outcomes.length,
    },
  ];
}

/** Loads of a draw of two profiles by default settings: about a day of browsing. */
const LOADS_PER_DRAW = 2 * 2 * LOADS_PER_BLOCK;
const CARRY = Math.log(0.9);
const A_SLOT = Number.POSITIVE_INFINITY;
const EQUAL: ShareBar = { atMost: ALPHA, allowance: MONTE_CARLO };
const DISTURBED: ShareBar = { atMost: 0.06, allowance: MONTE_CARLO };
/** `HARM_ALPHA`. */
const HARM_BAR: ShareBar = { atMost: 0.01, allowance: MONTE_CARLO };

function carryOverLine(name: string, what: string, carryOver: NonNullable<TrialTruth['carryOver']>): CalibrationLine<Ended> {
  return equalTrialLine({
    name,
    what: `whole trials of equal profiles; ${what}.`,
    truth: { ...EVERYDAY_TRUTH, carryOver },
    bar: DISTURBED,
  });
}

export const EQUAL_TRIALS = [
  equalTrialLine({ name: 'trial-equal', what: 'whole trials of two equal profiles.', truth: EVERYDAY_TRUTH, bar: EQUAL }),
  equalTrialLine({
    name: 'trial-equal-eighteen',
    what: 'whole trials of eighteen equal profiles.',
    truth: { ...EVERYDAY_TRUTH, arms: equalArms(18) },
    bar: EQUAL,
    fewRuns: 2,
  }),
  equalTrialLine({
    name: 'trial-drift',
    what: 'whole trials of equal profiles while everything gets better by a third of 10 % per hour.',
    truth: { ...EVERYDAY_TRUTH, driftPerHour: Math.log(1.1) / 3, habits: ONE_SITTING },
    bar: DISTURBED,
  }),
  equalTrialLine({
    name: 'trial-two-blocks',
    what: 'whole trials of equal profiles while efficiency goes up and down by 15 % with the period of two blocks.',
    truth: { ...EVERYDAY_TRUTH, wave: { loads: LOADS_PER_DRAW, half: Math.log(1.15) } },
    bar: EQUAL,
  }),
  equalTrialLine({
    name: 'trial-evenings',
    what: 'whole trials of equal profiles where every evening, a third of a day, is 40 % slower, at 40 page loads a day.',
    truth: { ...EVERYDAY_TRUTH, evenings: { loadsPerDay: 40, effect: Math.log(0.6) } },
    bar: EQUAL,
  }),
  equalTrialLine({
    name: 'trial-weather',
    what: 'whole trials of equal profiles while the network comes and goes over hours, by 15 %.',
    truth: { ...EVERYDAY_TRUTH, weather: { spread: 0.15, hours: 8 } },
    bar: EQUAL,
  }),
  equalTrialLine({
    name: 'trial-learning',
    what: 'whole trials of equal profiles whose pages get up to 50 % faster with each time they are loaded.',
    truth: { ...EVERYDAY_TRUTH, learning: Math.log(1.5) },
    bar: EQUAL,
  }),
  equalTrialLine({
    name: 'trial-page-mix',
    what: 'whole trials of equal profiles by somebody who loads every page once or twice.',
    truth: { ...EVERYDAY_TRUTH, habits: { ...EVERYDAY, pages: 1_000, popularity: 0 } },
    bar: EQUAL,
  }),
  carryOverLine('trial-carry-over', 'the first three loads of the baseline after the candidate are 10 % less efficient', {
    loads: 3,
    effect: CARRY,
    after: CANDIDATE,
  }),
  carryOverLine('trial-carry-over-slot', 'the whole slot of the baseline after the candidate is 10 % less efficient', {
    loads: A_SLOT,
    effect: CARRY,
    after: CANDIDATE,
  }),
  carryOverLine('trial-carry-over-baseline', 'the first three loads of the candidate after the baseline are 10 % less efficient', {
    loads: 3,
    effect: CARRY,
    after: BASELINE,
  }),
  carryOverLine('trial-carry-over-slot-baseline', 'the whole slot of the candidate after the baseline is 10 % more efficient', {
    loads: A_SLOT,
    effect: -CARRY,
    after: BASELINE,
  }),
  carryOverLine('trial-carry-over-turn', 'the whole turn of the baseline after the candidate is 10 % less efficient', {
    loads: A_SLOT,
    effect: CARRY,
    after: CANDIDATE,
    wholeTurn: true,
  }),
  carryOverLine('trial-carry-over-turn-baseline', 'the whole turn of the candidate after the baseline is 10 % more efficient', {
    loads: A_SLOT,
    effect: -CARRY,
    after: BASELINE,
    wholeTurn: true,
  }),
  equalTrialLine({
    name: 'trial-lost-slowest',
    what: "whole trials of equal profiles; the slowest 20 % of the candidate's loads are lost.",
    truth: { ...EVERYDAY_TRUTH, lostSlowest: { [CANDIDATE]: 0.2 } },
    bar: EQUAL,
  }),
  equalTrialLine({
    name: 'trial-lost-some-slowest',
    what: "the same with the candidate's slowest 5 %, which is too few for a check to notice soon.",
    truth: { ...EVERYDAY_TRUTH, lostSlowest: { [CANDIDATE]: 0.05 } },
    bar: EQUAL,
  }),
];

/** A quarter less efficient: a person would notice at once. */
const HARM = Math.log(0.75);

export const harmfulTrial: CalibrationLine<Ended> = {
  name: 'trial-harm',
  what: 'whole trials of a profile that is 25 % less efficient.',
  runs: RUNS,
  fewRuns: FEW_RUNS,
  simulate: ended({ ...EVERYDAY_TRUTH, arms: twoArms(HARM) }),
  rows: (outcomes, { full }) => [
    shareRow('dropped by the harm stop, or as worse at the planned end', outcomes, {
      happened: ({ harmful, worse }) => harmful || worse,
      bar: { atLeast: 0.95 },
      full,
    }),
    shareRow('among them by the harm stop', outcomes, { happened: ({ harmful }) => harmful, full }),
    shareRow('confirmed as better', outcomes, { happened: ({ kind }) => kind === 'confirmed', bar: { atMost: 0 }, full }),
    { what: 'loads made by then, of both profiles: median', unit: 'loads', found: median(outcomes.map(({ made }) => made)) },
  ],
};
