/** The common effect of `tune`'s own path and defaults, under what might make it claim what is not there. */
import type { ComparableLoad, VersusBaseline } from '../../../src/core/compare/comparison.ts';
import type { Random } from '../../../src/core/random.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { separated } from '../simulate/judge.ts';
import { normal } from '../simulate/noise.ts';
import { SPREADS, type TuneTruth, tuneBlock, tuneVerdicts } from '../simulate/tune-runs.ts';
import { ALPHA, MONTE_CARLO } from './equal-rows.ts';

/** A run of few blocks. */
const DEFAULT_BLOCKS = 3;

interface CommonFound {
  /** Of any candidate, at any look. */
  readonly claimed: boolean;
  /** An interval without the truth. */
  readonly missed: boolean;
  /** The first candidate at the planned end. */
  readonly atEnd: VersusBaseline['verdict'] | 'withheld' | 'none';
  /** Half of the interval's width as a share, then. */
  readonly halfWidth: number | undefined;
}

const BEYOND_END = 2;

/** What may be done to the loads of a block after they were made. */
type Disturbance = (loads: readonly ComparableLoad[], random: Random) => readonly ComparableLoad[];

interface CommonTruth extends TuneTruth {
  /** ln of the ratio that all candidates have everywhere. */
  readonly effect?: number;
  /** Made anew for every run. */
  readonly disturbance?: () => Disturbance;
}

function commonFound(truth: CommonTruth, random: Random): CommonFound {
  const { effect = 0, disturbance = () => (made: readonly ComparableLoad[]) => made } = truth;
  const disturb = disturbance();
  const loads: ComparableLoad[] = [];
  const looks: (readonly VersusBaseline[])[] = [];
  for (let block = 0; block < DEFAULT_BLOCKS + BEYOND_END; block++) {
    loads.push(...disturb(tuneBlock(truth, block, random), random));
    looks.push(tuneVerdicts(loads, DEFAULT_BLOCKS));
  }
  const common = looks.flat().flatMap(({ commonEffect }) => (commonEffect?.state === 'estimated' ? [commonEffect] : []));
  const end = looks[DEFAULT_BLOCKS - 1]?.[0]?.commonEffect;
  return {
    claimed: common.some(({ verdict }) => verdict === 'better' || verdict === 'worse'),
    missed: common.some(({ low, high }) => separated({ low: low / Math.exp(effect), high: high / Math.exp(effect) } as VersusBaseline)),
    atEnd: end === undefined ? 'none' : end.state === 'withheld' ? 'withheld' : end.verdict,
    halfWidth: end?.state === 'estimated' ? Math.sqrt(end.high / end.low) - 1 : undefined,
  };
}

const RUNS = 2000;
const FEW_RUNS = 20;

interface CommonLineOptions {
  readonly name: string;
  readonly what: string;
  readonly truth: CommonTruth;
}

function commonLine({ name, what, truth }: CommonLineOptions): CalibrationLine<CommonFound> {
  const bar = { atMost: ALPHA, allowance: MONTE_CARLO };
  const isEqual = (truth.effect ?? 0) === 0;
  return {
    name,
    what: `common effect: ${what}`,
    runs: RUNS,
    fewRuns: FEW_RUNS,
    simulate: (random) => commonFound(truth, random),
    rows: (outcomes, { full }) => [
      ...(isEqual
        ? [
            shareRow('any called better or worse by the common effect at any look', outcomes, {
              happened: (found) => found.claimed,
              bar,
              full,
            }),
          ]
        : [shareRow('found at the planned end', outcomes, { happened: ({ atEnd }) => atEnd === 'better', full })]),
      shareRow('any of its intervals without the truth at any look', outcomes, { happened: (found) => found.missed, bar, full }),
      shareRow('withheld at the planned end', outcomes, { happened: ({ atEnd }) => atEnd === 'withheld', full }),
    ],
  };
}

const QUIET = 0.03;
/** As loads of modern-defaults repeat over its links (docs/results/modern-defaults): quiet ones, and those with losses or a trace. */
const LINK_SPREADS: readonly number[] = [0.015, 0.02, 0.03, 0.04, 0.2, 0.3, 0.4, 0.5];

const linkNoise = (random: Random, { scenario }: { readonly scenario: number }): number => (LINK_SPREADS[scenario] ?? 0) * normal(random);
const overLinks = (profiles: number): TuneTruth => ({ profiles, scenarios: LINK_SPREADS.length, logTime: linkNoise });

/** A load that takes 60 s, where it would have taken 1. */
const outliers: TuneTruth['logTime'] = (random, { scenario }) =>
  (SPREADS[scenario] ?? 0) * normal(random) + (random.next() < 0.03 ? Math.log(60) : 0);

const bimodal: TuneTruth['logTime'] = (random, { scenario }) =>
  (scenario > 0 ? 0 : Math.log(random.next() < 0.6 ? 1.2 : 3.4)) + QUIET * normal(random);

const TYPICAL_MS = 1000;

const slower = (load: ComparableLoad, logFactor: number): ComparableLoad => {
  const { efficiency = 0, loadTimeMs = 0 } = load;
  return { ...load, efficiency: efficiency / Math.exp(logFactor), loadTimeMs: loadTimeMs * Math.exp(logFactor) };
};

/** Everything drifts from load to load; profiles of a page take their turns in an order that is drawn. */
function randomWalk(): Disturbance {
  let level = 0;
  return (loads, random) => {
    const order = loads.map((load) => ({ load, key: random.next() })).sort((a, b) => a.key - b.key);
    return order.map(({ load }) => {
      level += 0.05 * normal(random);
      return slower(load, level);
    });
  };
}

/** The slowest of a candidate's loads are lost. */
const slowestLost =
  (sds: number): (() => Disturbance) =>
  () =>
  (loads) =>
    loads.map((load) => {
      const isCandidate = load.profileId !== 'firefox-default';
      return isCandidate && Math.log((load.loadTimeMs ?? 0) / TYPICAL_MS) > sds * 0.05 ? { ...load, valid: false } : load;
    });

const even =
  (spread: number): TuneTruth['logTime'] =>
  (random) =>
    spread * normal(random);

export const COMMON_EFFECT: readonly CalibrationLine<CommonFound>[] = [
  commonLine({ name: 'common-equal', what: 'two equal profiles, eight links as in modern-defaults.', truth: overLinks(2) }),
  commonLine({ name: 'common-equal-nine', what: 'nine equal profiles over them.', truth: overLinks(9) }),
  commonLine({
    name: 'common-bimodal',
    what: 'two equal profiles, one page of 1.2 s or 3.4 s among 3 quiet ones.',
    truth: { profiles: 2, scenarios: 4, logTime: bimodal },
  }),
  commonLine({
    name: 'common-outliers',
    what: 'two equal profiles, 3 % of loads take 60 s.',
    truth: { profiles: 2, scenarios: 4, logTime: outliers },
  }),
  commonLine({
    name: 'common-outliers-five',
    what: 'the same among five.',
    truth: { profiles: 5, scenarios: 4, logTime: outliers },
  }),
  commonLine({
    name: 'common-random-walk',
    what: 'two equal profiles, all loads drift by 5 % from one to the next.',
    truth: { profiles: 2, scenarios: 4, logTime: even(QUIET), disturbance: randomWalk },
  }),
  commonLine({
    name: 'common-baseline-noisy',
    what: 'five equal profiles, the baseline 10 times as noisy on one page of 4.',
    truth: {
      profiles: 5,
      scenarios: 4,
      logTime: (random, { profile, scenario }) => QUIET * (profile === 0 && scenario === 0 ? 10 : 1) * normal(random),
    },
  }),
  commonLine({
    name: 'common-candidate-noisy',
    what: 'two equal profiles, the candidate 3 times as noisy everywhere.',
    truth: { profiles: 2, scenarios: 4, logTime: (random, { profile }) => QUIET * (profile === 1 ? 3 : 1) * normal(random) },
  }),
  ...[0.85, 1.65].map((sds) =>
    commonLine({
      name: `common-slowest-lost-${sds < 1 ? 20 : 5}`,
      what: `two equal profiles, the slowest ${sds < 1 ? 20 : 5} % of one's loads are lost.`,
      truth: { profiles: 2, scenarios: 4, logTime: even(0.05), disturbance: slowestLost(sds) },
    }),
  ),
  commonLine({
    name: 'common-planted',
    what: 'two profiles, one 10 % better everywhere, eight links as in modern-defaults.',
    truth: {
      ...overLinks(2),
      effect: Math.log1p(0.1),
      logTime: (random, of) => linkNoise(random, of) - (of.profile === 1 ? Math.log1p(0.1) : 0),
    },
  }),
];

/** Where links differ. */
interface DifferFound {
  readonly state: CommonFound['atEnd'];
}

export const commonDiffers: CalibrationLine<DifferFound> = {
  name: 'common-differs',
  what: 'common effect: two profiles, one 30 % better on four of the eight links.',
  runs: RUNS,
  fewRuns: FEW_RUNS,
  simulate: (random) => {
    const truth: CommonTruth = {
      ...overLinks(2),
      logTime: (own, of) => linkNoise(own, of) - (of.profile === 1 && of.scenario % 2 === 0 ? Math.log(1.3) : 0),
    };
    return { state: commonFound(truth, random).atEnd };
  },
  rows: (outcomes, { full }) => [
    shareRow('withheld at the planned end', outcomes, { happened: ({ state }) => state === 'withheld', full }),
  ],
};
