/** A profile that loses its loads is noticed, and nothing is said about it meanwhile. */
import type { TrialCheck, TrialState } from '../../../src/core/trial/trial-state.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { everydayTrial } from '../simulate/everyday-trial.ts';
import { BASELINE } from '../simulate/judge.ts';
import { CANDIDATE, EVERYDAY_TRUTH, twoArms } from '../simulate/truths.ts';
import { PEEKS } from './equal-arms.ts';
import { MONTE_CARLO } from './equal-rows.ts';

/** All that were made, of both profiles together. */
const LOADS = 240;
const LOOK_EVERY = LOADS / PEEKS;
/** So much better that a verdict would be shown soon. */
const EFFECT = Math.log(1.3);

interface Noticed {
  /** At each look. */
  readonly alarms: readonly boolean[];
  /** Something was said about the profiles while an alarm was up. */
  readonly saidMeanwhile: boolean;
}

const isAlarm = ({ kind, outcome }: TrialCheck) => (kind === 'sample-ratio' || kind === 'lost-loads') && outcome === 'failed';

/** A verdict, or a figure that it would rest on. */
function says({ kind, figures }: TrialState): boolean {
  return kind === 'leading' || kind === 'confirmed' || kind === 'no-difference' || figures.findings.length > 0;
}

function lossLine(
  options: Pick<CalibrationLine, 'name' | 'what' | 'runs' | 'fewRuns'> & { lost: Record<string, number>; effect: number },
): CalibrationLine<Noticed> {
  const { lost, effect, ...line } = options;
  const truth = { ...EVERYDAY_TRUTH, arms: twoArms(effect), lost };
  return {
    ...line,
    simulate: (random) => {
      const { looks } = everydayTrial({ truth, mostLoads: LOADS, lookEvery: LOOK_EVERY }, random);
      const seen = looks.map(({ state }) => ({ alarm: state.checks.some(isAlarm), says: says(state) }));
      return { alarms: seen.map(({ alarm }) => alarm), saidMeanwhile: seen.some((look) => look.alarm && look.says) };
    },
    rows: () => [],
  };
}

const anyUpTo =
  (looks: number) =>
  ({ alarms }: Noticed) =>
    alarms.slice(0, looks).includes(true);

export const halfLost: CalibrationLine<Noticed> = {
  ...lossLine({
    name: 'half-lost',
    what: 'trials of a profile that is 30 % better and loses half its loads.',
    lost: { [CANDIDATE]: 0.5 },
    effect: EFFECT,
    runs: 2000,
    fewRuns: 20,
  }),
  rows: (outcomes, { full }) => [
    ...[5, 10, 15, PEEKS].map((looks) =>
      shareRow(`alarm by ${looks * LOOK_EVERY} loads of both profiles together`, outcomes, {
        happened: anyUpTo(looks),
        full,
        ...(looks === PEEKS && { bar: { atLeast: 0.95 } }),
      }),
    ),
    shareRow('a verdict or a figure was shown during an alarm', outcomes, {
      happened: ({ saidMeanwhile }) => saidMeanwhile,
      bar: { atMost: 0 },
      full,
    }),
  ],
};

export const fewLost: CalibrationLine<Noticed> = {
  ...lossLine({
    name: 'few-lost',
    what: 'trials in which either profile loses a twentieth of its loads.',
    lost: { [BASELINE]: 0.05, [CANDIDATE]: 0.05 },
    effect: 0,
    runs: 2000,
    fewRuns: 20,
  }),
  rows: (outcomes, { full }) => [
    shareRow(`false alarm at any of ${PEEKS} looks`, outcomes, {
      happened: anyUpTo(PEEKS),
      bar: { atMost: 0.05, allowance: MONTE_CARLO },
      full,
    }),
  ],
};
