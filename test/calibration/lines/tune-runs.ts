/** Whole runs of `tune`, looked at after every block, its planned end among them, and two blocks beyond it. */
import type { ComparableLoad, VersusBaseline } from '../../../src/core/compare/comparison.ts';
import type { Random } from '../../../src/core/random.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { type ShareBar, shareRow } from '../harness/share-row.ts';
import { claimed, separated } from '../simulate/judge.ts';
import { normal, studentT3 } from '../simulate/noise.ts';
import { plantedTruth, SPREADS, type TuneTruth, tuneBlock, tuneVerdicts } from '../simulate/tune-runs.ts';
import { ALPHA, MONTE_CARLO } from './equal-rows.ts';

/** A run of few blocks. */
const DEFAULT_BLOCKS = 3;

interface TuneFound {
  /** Of any candidate, at any look. */
  readonly claimed: boolean;
  readonly separated: boolean;
  /** The first candidate at the planned end. */
  readonly better: boolean;
}

const BEYOND_END = 2;

function tuneFound(
  truth: TuneTruth,
  { blocks, beyond = BEYOND_END }: { readonly blocks: number; readonly beyond?: number },
  random: Random,
): TuneFound {
  const loads: ComparableLoad[] = [];
  const looks: (readonly VersusBaseline[])[] = [];
  for (let block = 0; block < blocks + beyond; block++) {
    loads.push(...tuneBlock(truth, block, random));
    looks.push(tuneVerdicts(loads, blocks));
  }
  return {
    claimed: looks.flat().some(claimed),
    separated: looks.flat().some(separated),
    better: looks[blocks - 1]?.[0]?.verdict === 'better',
  };
}

interface EqualTuneOptions {
  readonly name: string;
  readonly what: string;
  readonly truth: TuneTruth;
  readonly blocks?: number;
  /** Of what is called better or worse; at most 5 % unless said. */
  readonly bar?: ShareBar;
}

const RUNS = 2000;
const FEW_RUNS = 60;
const FALSE_WINS: ShareBar = { atMost: ALPHA, allowance: MONTE_CARLO };
/** What spending most of alpha at the planned end may cost, and what it has to find, on pages that vary as those of the lab. */
const SPENT: ShareBar = { atLeast: 0.003, atMost: 0.022, allowance: MONTE_CARLO };
const FOUND: ShareBar = { atLeast: 0.615, allowance: MONTE_CARLO };

function equalTuneLine({ name, what, truth, blocks = DEFAULT_BLOCKS, bar = FALSE_WINS }: EqualTuneOptions): CalibrationLine<TuneFound> {
  return {
    name,
    what: `${what} ${blocks} blocks planned, looked at after each and ${BEYOND_END} beyond.`,
    runs: RUNS,
    fewRuns: FEW_RUNS,
    simulate: (random) => tuneFound(truth, { blocks }, random),
    rows: (outcomes, { full }) => [
      shareRow('any called better or worse at any look', outcomes, { happened: (found) => found.claimed, bar, full }),
      shareRow('any interval without no change at any look', outcomes, { happened: (found) => found.separated, full }),
    ],
  };
}

const QUIET = 0.03;
const noisyBaseline =
  (factor: number): TuneTruth['logTime'] =>
  (random, { profile, scenario }) =>
    QUIET * (profile === 0 && scenario === 0 ? factor : 1) * normal(random);

/** 60 % of the first page's loads take 1.2 s, the others 3.4. */
const oneBimodal: TuneTruth['logTime'] = (random, { scenario }) =>
  (scenario > 0 ? 0 : Math.log(random.next() < 0.6 ? 1.2 : 3.4)) + QUIET * normal(random);

interface PlantedTuneOptions {
  readonly name: string;
  readonly what: string;
  readonly profiles: number;
  readonly gains: readonly number[];
  readonly bar?: ShareBar;
}

function plantedTuneLine({ name, what, profiles, gains, bar }: PlantedTuneOptions): CalibrationLine<TuneFound> {
  const truth = plantedTruth({ profiles, gains });
  return {
    name,
    what,
    runs: RUNS,
    fewRuns: 100,
    simulate: (random) => tuneFound(truth, { blocks: DEFAULT_BLOCKS, beyond: 0 }, random),
    rows: (outcomes, { full }) => [shareRow('found at the planned end', outcomes, { happened: ({ better }) => better, bar, full })],
  };
}

export const TUNE_RUNS: readonly CalibrationLine<TuneFound>[] = [
  equalTuneLine({
    name: 'tune-equal',
    what: 'two equal profiles, spreads of 3, 5, 7 and 10 %.',
    truth: { profiles: 2, scenarios: 4, logTime: (random, { scenario }) => (SPREADS[scenario] ?? 0) * normal(random) },
  }),
  equalTuneLine({
    name: 'tune-equal-tails',
    what: "the same with tails of Student's t with 3 degrees of freedom.",
    truth: { profiles: 2, scenarios: 4, logTime: (random, { scenario }) => (SPREADS[scenario] ?? 0) * studentT3(random) },
    bar: SPENT,
  }),
  ...[3, 5].map((quiet) =>
    equalTuneLine({
      name: `tune-bimodal-among-${quiet}`,
      what: `two equal profiles, one page of 1.2 s or 3.4 s among ${quiet} quiet ones.`,
      truth: { profiles: 2, scenarios: quiet + 1, logTime: oneBimodal },
    }),
  ),
  equalTuneLine({
    name: 'tune-bimodal-ten-blocks',
    what: 'two equal profiles, one page of 1.2 s or 3.4 s among 3 quiet ones.',
    truth: { profiles: 2, scenarios: 4, logTime: oneBimodal },
    blocks: 10,
  }),
  ...[5, 10].map((factor) =>
    equalTuneLine({
      name: `tune-baseline-noisy-${factor}`,
      what: `five equal profiles, the baseline ${factor} times as noisy on one page of 4.`,
      truth: { profiles: 5, scenarios: 4, logTime: noisyBaseline(factor) },
    }),
  ),
  equalTuneLine({
    name: 'tune-two-baseline-noisy-10',
    what: 'two equal profiles, the baseline 10 times as noisy on one page of 4.',
    truth: { profiles: 2, scenarios: 4, logTime: noisyBaseline(10) },
  }),
  plantedTuneLine({
    name: 'tune-planted-two',
    what: '10 % better, two profiles, spreads of 3, 5, 7 and 10 %.',
    profiles: 2,
    gains: [0.1, 0.1, 0.1, 0.1],
    bar: FOUND,
  }),
  plantedTuneLine({ name: 'tune-planted-five', what: 'the same among five profiles.', profiles: 5, gains: [0.1, 0.1, 0.1, 0.1] }),
  plantedTuneLine({
    name: 'tune-planted-half',
    what: '21 % better on two pages of four, two profiles.',
    profiles: 2,
    gains: [0, 0, 0.21, 0.21],
  }),
  plantedTuneLine({
    name: 'tune-planted-one',
    what: '46 % better on one page of four, two profiles.',
    profiles: 2,
    gains: [0.46, 0, 0, 0],
  }),
];
