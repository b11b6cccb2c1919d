/** Whole runs of `tune`: what they say falsely at any look and at their end, and how many loads they take. */
import { quantile } from '../../../src/core/stats/quantile.ts';
import type { CalibrationLine } from '../harness/line.ts';
import type { CalibrationRow } from '../harness/row.ts';
import { type ShareBar, shareRow } from '../harness/share-row.ts';
import { ADVERSARIES, type Adversary } from '../simulate/adversaries.ts';
import { plantedTruth, recommendedOf, SPREADS, type TuneRun, tuneRun, UNTIL_ANSWERED } from '../simulate/tune-runs.ts';
import { ALPHA, MONTE_CARLO } from './equal-rows.ts';

const RUNS = 2000;
const FALSE_WINS: ShareBar = { atMost: ALPHA, allowance: MONTE_CARLO };

interface EqualRun {
  readonly isFalse: boolean;
  readonly isRecommended: boolean;
  readonly loads: number;
}

function adversaryLine({ name, what, truth, blocks, isBaselineBest }: Adversary): CalibrationLine<EqualRun> {
  const limit = blocks === undefined ? UNTIL_ANSWERED : ({ kind: 'blocks', blocks } as const);
  return {
    name: `tune-${name}`,
    what: `equal profiles: ${what}.`,
    runs: RUNS,
    fewRuns: 6,
    simulate: (random) => {
      const own = truth();
      const worse = isBaselineBest === undefined ? [] : Array.from({ length: own.profiles }, (_, at) => at);
      const run = tuneRun(own, { limit, worse }, random);
      return { isFalse: run.isFalse, isRecommended: recommendedOf(run) !== undefined, loads: run.loads };
    },
    rows: (outcomes, { full }) => [
      shareRow('any called better or worse falsely, at any look', outcomes, { happened: ({ isFalse }) => isFalse, bar: FALSE_WINS, full }),
      shareRow('something is recommended', outcomes, { happened: ({ isRecommended }) => isRecommended, bar: FALSE_WINS, full }),
      meanRow(
        'loads',
        outcomes.map(({ loads }) => loads),
      ),
    ],
  };
}

interface PlantedRun {
  readonly loads: number;
  /** The one that is better, if any is, is recommended. */
  readonly isFound: boolean;
  readonly isFalse: boolean;
  /** "No real difference" is said of every candidate. */
  readonly isSame: boolean;
}

interface Planted {
  readonly gain: number;
  readonly spreads: readonly number[];
  /** On average. */
  readonly mostLoads?: number;
}

const PROFILES = 5;
/** More loads than any run makes: what lies beyond is a run that did not find it. */
const UNFOUND = 1e9;
const POWER = 0.8;

const spreadText = (spreads: readonly number[]): string => (spreads.length > 1 && spreads[0] !== spreads[1] ? 'mixed' : String(spreads[0]));

function plantedLine({ gain, spreads, mostLoads }: Planted): CalibrationLine<PlantedRun> {
  const truth = plantedTruth({ profiles: PROFILES, gains: spreads.map(() => gain), spreads });
  const isEqual = gain === 0;
  return {
    name: `tune-loads-${gain * 100}-${spreadText(spreads)}`,
    what: `five profiles, one ${gain * 100} % better on four pages, whose loads vary by ${spreads.map((spread) => spread * 100).join(', ')} %.`,
    runs: RUNS,
    fewRuns: 4,
    simulate: (random) => {
      const run = tuneRun(truth, { better: isEqual ? [] : [1] }, random);
      return { loads: run.loads, isFound: recommendedOf(run) === 1 && !isEqual, isFalse: run.isFalse, isSame: saysSame(run) };
    },
    rows: (outcomes, { full }) => [
      loadsRow('loads, mean', outcomes, { most: mostLoads, full }),
      ...(isEqual ? [] : [foundBy(outcomes, 0.5), foundBy(outcomes, POWER)]),
      ...(isEqual ? [] : [shareRow('the better one is recommended', outcomes, { happened: ({ isFound }) => isFound, full })]),
      ...(isEqual
        ? [
            shareRow('no real difference said of all', outcomes, {
              happened: ({ isSame }) => isSame,
              full,
              ...(Math.max(...spreads) <= MOST_FOR_SAME && { bar: { atLeast: POWER, allowance: MONTE_CARLO } }),
            }),
          ]
        : []),
      shareRow('any called better or worse falsely, at any look', outcomes, { happened: ({ isFalse }) => isFalse, bar: FALSE_WINS, full }),
    ],
  };
}

/** Where loads vary more, "no real difference" takes more of them than a run is planned with. */
const MOST_FOR_SAME = 0.03;

const saysSame = ({ verdicts }: TuneRun): boolean => verdicts.every(({ verdict }) => verdict === 'no-meaningful-difference');

function loadsRow(
  what: string,
  outcomes: readonly { readonly loads: number }[],
  { most, full }: { readonly most: number | undefined; readonly full: boolean },
): CalibrationRow {
  const row = meanRow(
    what,
    outcomes.map(({ loads }) => loads),
  );
  return most === undefined ? row : { ...row, bar: { high: most + (full ? MONTE_CARLO : ALLOWANCE_OF_FEW) * (row.error ?? 0) } };
}

/** With fewer runs than the full count a bar is moved by so many standard errors. */
const ALLOWANCE_OF_FEW = 3;

function meanRow(what: string, values: readonly number[]): CalibrationRow {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { what, unit: 'loads', found: mean, error: Math.sqrt(squares) / values.length };
}

/** Loads by which it is recommended in this share of all runs; none: it never is in as many. */
function foundBy(outcomes: readonly PlantedRun[], share: number): CalibrationRow {
  const loads = outcomes.map(({ isFound, loads: made }) => (isFound ? made : Number.MAX_VALUE)).toSorted((a, b) => a - b);
  const found = quantile(loads, share);
  return { what: `recommended in ${share * 100} % by`, unit: 'loads', found: found < UNFOUND ? found : undefined };
}

const four = (spread: number): readonly number[] => Array.from({ length: SPREADS.length }, () => spread);
const SPREADS_TRIED = [SPREADS, ...[0.05, 0.1, 0.2, 0.4].map(four)];
/** What a run may take on average to find 10 %. */
const MOST_LOADS: Readonly<Record<string, number>> = { mixed: 60, '0.1': 90, '0.2': 330 };

export const TUNE_RUNS: readonly CalibrationLine[] = [
  ...ADVERSARIES.map(adversaryLine),
  ...[0.02, 0.03].map((spread) => plantedLine({ gain: 0, spreads: four(spread) })),
  ...SPREADS_TRIED.flatMap((spreads) =>
    [0, 0.03, 0.05, 0.1, 0.2].map((gain) => {
      const mostLoads = gain === 0.1 ? MOST_LOADS[spreadText(spreads)] : undefined;
      return plantedLine({ gain, spreads, ...(mostLoads !== undefined && { mostLoads }) });
    }),
  ),
];
