/** Equal profiles under what may make one of them look better: each is made anew for a run, as some remember the loads before. */
import type { Random } from '../../../src/core/random.ts';
import { normal, studentT3 } from './noise.ts';
import { type DrawnLoad, SPREADS, type TuneTruth, TYPICAL_MS } from './tune-runs.ts';

type LogTime = TuneTruth['logTime'];
type Added = (random: Random, load: DrawnLoad) => number | undefined;

const FOUR = 4;
const FIVE = 5;
const QUIET = 0.03;

const even =
  (spread: number): LogTime =>
  (random) =>
    spread * normal(random);
const mixed = (random: Random, { scenario }: DrawnLoad): number => (SPREADS[scenario % SPREADS.length] ?? 0) * normal(random);

/** What comes on top of loads that vary by 3 %. */
const plus =
  (added: Added, spread = QUIET): LogTime =>
  (random, load) => {
    const more = added(random, load);
    return more === undefined ? undefined : spread * normal(random) + more;
  };

const truth = (profiles: number, scenarios: number, logTime: LogTime): TuneTruth => ({ profiles, scenarios, logTime });

/** 60 % of the first page's loads take 1.2 s, the others 3.4. */
const twoModes: Added = (random, { scenario }) => (scenario > 0 ? 0 : Math.log(random.next() < 0.6 ? 1.2 : 3.4));
const noisyBaseline =
  (factor: number): LogTime =>
  (random, { profile, scenario }) =>
    QUIET * (profile === 0 && scenario === 0 ? factor : 1) * normal(random);
const outliers =
  (share: number): Added =>
  (random) =>
    random.next() < share ? Math.log(60) : 0;
/** Student's t with 2 degrees of freedom; Cauchy's distribution, its ratio of two normals bounded where a load would time out. */
const studentT2: Added = (random) => (0.05 * normal(random)) / Math.sqrt(-Math.log(1 - random.next()));
const cauchy: Added = (random) => Math.max(-3, Math.min(4, (0.05 * normal(random)) / normal(random)));
/** A delay of which no mean exists. */
const pareto: Added = (random) => Math.log1p(Math.min(60, 0.02 * ((1 - random.next()) ** (-1 / 1.1) - 1)));

const clock =
  (stepMs: number, round: (steps: number) => number): LogTime =>
  (random) =>
    Math.log((stepMs * Math.max(1, round((TYPICAL_MS * Math.exp(0.05 * normal(random))) / stepMs))) / TYPICAL_MS);

/** Slower and faster again every `period` loads, by 30 % at most; the phase is drawn. */
function sine(period: number): Added {
  let phase: number | undefined;
  return (random, { order }) => {
    phase ??= 2 * Math.PI * random.next();
    return 0.3 * Math.sin((2 * Math.PI * order) / period + phase);
  };
}

/** What a load inherits of the one before, or a block of the block before. */
function autoregressive({ keep, spread, of }: { readonly keep: number; readonly spread: number; readonly of: 'order' | 'block' }): Added {
  let [level, at] = [0, -1];
  return (random, load) => {
    if (load[of] !== at) level = keep * level + spread * normal(random);
    at = load[of];
    return level;
  };
}

const warmInBlock =
  (share: number): Added =>
  (_, { place }) =>
    place > 0 ? -Math.log1p(share) : 0;
const firstSlow =
  (share: number): Added =>
  (_, { place }) =>
    place === 0 ? Math.log1p(share) : 0;
/** The first loads take half as long again, those after 100 hardly any longer. */
const learning: Added = (_, { order }) => Math.log1p(0.5 * Math.exp(-order / 20));

/** Loads of one profile that are excluded: its slowest or fastest. */
const excluded =
  ({ profile, beyond }: { readonly profile: number; readonly beyond: number }): LogTime =>
  (random, load) => {
    const z = normal(random);
    const isOut = load.profile === profile && (beyond > 0 ? z > beyond : z < beyond);
    return isOut ? undefined : 0.05 * z;
  };

/** Gains that differ by page and are none in the mean. */
const simpson: LogTime = (random, { profile, scenario }) =>
  QUIET * normal(random) + (profile === 1 ? ([0.2, -0.2, 0.1, -0.1][scenario] ?? 0) : 0);

const drift =
  (perLoad: number): Added =>
  (_, { order }) =>
    perLoad * order;
/** Loads vary by other amounts than when the end was planned, after two blocks. */
const spreading: LogTime = (random, { block }) => QUIET * 1.25 ** Math.min(block, 12) * normal(random);
const settling: LogTime = (random, { block }) => (block < 2 ? 0.15 : 0.03) * normal(random);
const quietAtFirst: LogTime = (random, { block }) => (block < 2 ? 0.02 : 0.15) * normal(random);

export interface Adversary {
  readonly name: string;
  readonly what: string;
  readonly truth: () => TuneTruth;
  /** A fixed number of blocks; until it is answered unless said. */
  readonly blocks?: number;
  /** All candidates are slower, so that "slower" is true. */
  readonly isBaselineBest?: true;
}

const adversary = (name: string, what: string, make: () => TuneTruth, blocks?: number): Adversary => ({
  ...{ name, what, truth: make },
  ...(blocks !== undefined && { blocks }),
});

/** Two equal profiles on four pages unless said. */
export const ADVERSARIES: readonly Adversary[] = [
  adversary('equal', 'spreads of 3 to 10 %', () => truth(2, FOUR, mixed)),
  adversary('equal-five', 'five profiles', () => truth(FIVE, FOUR, mixed)),
  adversary('equal-eighteen', 'nineteen profiles', () => truth(19, FOUR, even(0.05))),
  adversary('tails', "tails of Student's t with 3 degrees of freedom", () =>
    truth(2, FOUR, (random, { scenario }) => (SPREADS[scenario] ?? 0) * studentT3(random)),
  ),
  adversary('t2', "Student's t with 2", () => truth(FIVE, FOUR, plus(studentT2))),
  adversary('cauchy', "Cauchy's distribution", () => truth(2, FOUR, plus(cauchy))),
  adversary('cauchy-one', 'the same on one page', () => truth(2, 1, plus(cauchy))),
  adversary('pareto', 'five profiles, delays without a mean', () => truth(FIVE, FOUR, plus(pareto))),
  adversary('outliers', 'five profiles, 3 % of loads take 60 times as long', () => truth(FIVE, FOUR, plus(outliers(0.03)))),
  adversary('bimodal', 'one page of 1.2 or 3.4 s among three', () => truth(2, FOUR, plus(twoModes))),
  adversary('bimodal-six', 'among five', () => truth(2, 6, plus(twoModes))),
  adversary('bimodal-one', 'that page alone', () => truth(2, 1, plus(twoModes))),
  adversary('bimodal-five', 'five profiles, among three', () => truth(FIVE, FOUR, plus(twoModes))),
  adversary('baseline-noisy-10', 'five profiles, the baseline 10 times as noisy on one page', () => truth(FIVE, FOUR, noisyBaseline(10))),
  adversary('baseline-noisy-30', '30 times', () => truth(FIVE, FOUR, noisyBaseline(30))),
  adversary('baseline-noisy-two', 'two profiles, 10 times', () => truth(2, FOUR, noisyBaseline(10))),
  adversary('baseline-noisy-one', 'one page alone, 10 times', () => truth(2, 1, noisyBaseline(10))),
  adversary('clock', 'a clock of 100 ms', () => truth(2, 2, clock(100, Math.round))),
  adversary('clock-floor', 'rounded down, one page', () => truth(2, 1, clock(100, Math.floor))),
  adversary('random-walk', 'all drift by 5 % from load to load', () =>
    truth(2, FOUR, plus(autoregressive({ keep: 1, spread: 0.05, of: 'order' }))),
  ),
  adversary('weather', 'blocks inherit .95 of their weather', () =>
    truth(2, FOUR, plus(autoregressive({ keep: 0.95, spread: 0.1, of: 'block' }))),
  ),
  adversary('sine-block', 'a sine with the period of a block', () => truth(2, FOUR, plus(sine(8)))),
  adversary('sine-two-blocks', 'of two blocks', () => truth(2, FOUR, plus(sine(16)))),
  adversary('sine-two-blocks-one', 'of two blocks, one page', () => truth(2, 1, plus(sine(4)))),
  adversary('sine-two', 'of two loads', () => truth(2, FOUR, plus(sine(2)))),
  adversary('sine-two-one', 'of two loads, one page', () => truth(2, 1, plus(sine(2)))),
  adversary('sine-two-one-6', 'the same in 6 fixed blocks', () => truth(2, 1, plus(sine(2))), 6),
  adversary('sine-two-one-12', 'in 12', () => truth(2, 1, plus(sine(2))), 12),
  adversary('warm-20', '20 % faster but for the first of its block', () => truth(2, FOUR, plus(warmInBlock(0.2)))),
  adversary('warm-20-one', 'the same on one page', () => truth(2, 1, plus(warmInBlock(0.2)))),
  adversary('warm-20-five', 'five profiles, one page', () => truth(FIVE, 1, plus(warmInBlock(0.2)))),
  adversary('warm-5-one', '5 %, noise of 2 %, one page', () => truth(2, 1, plus(warmInBlock(0.05), 0.02))),
  adversary('warm-20-one-6', '20 %, one page, 6 fixed blocks', () => truth(2, 1, plus(warmInBlock(0.2))), 6),
  adversary('warm-20-one-12', '12', () => truth(2, 1, plus(warmInBlock(0.2))), 12),
  adversary('first-of-block', 'five profiles, the first of a block 20 % slower', () => truth(FIVE, FOUR, plus(firstSlow(0.2)))),
  adversary('first-of-run', 'the first load of all takes three times as long', () =>
    truth(
      2,
      FOUR,
      plus((_, { order }) => (order === 0 ? Math.log(3) : 0)),
    ),
  ),
  adversary('learning', 'loads get 50 % faster over the run', () => truth(2, FOUR, plus(learning))),
  adversary('learning-one', 'the same on one page', () => truth(2, 1, plus(learning))),
  adversary('zero-variance', 'three pages never vary, one has two modes', () => truth(2, FOUR, twoModes)),
  adversary('one-varies', 'three pages never vary', () =>
    truth(2, FOUR, (random, { scenario }) => (scenario === 0 ? 0.1 * normal(random) : 0)),
  ),
  adversary('twice', 'every load stands twice in its block', () => ({ ...truth(2, FOUR, mixed), copies: 2 })),
  adversary('slowest-excluded', "the candidate's slowest 20 % are excluded", () => truth(2, FOUR, excluded({ profile: 1, beyond: 0.85 }))),
  adversary('fastest-excluded', "the baseline's fastest 5 %", () => truth(2, FOUR, excluded({ profile: 0, beyond: -1.65 }))),
  adversary('fastest-excluded-25', 'the same in 25 fixed blocks', () => truth(2, FOUR, excluded({ profile: 0, beyond: -1.65 })), 25),
  {
    ...{ name: 'baseline-best', what: 'five profiles, all but the baseline 5 % slower', isBaselineBest: true },
    truth: () => truth(FIVE, FOUR, (random, load) => mixed(random, load) + (load.profile === 0 ? 0 : 0.05)),
  },
  adversary('simpson', '+20, -20, +10, -10 % by page', () => truth(2, FOUR, simpson)),
  adversary('drift', 'five profiles, every load 0.5 % slower than the one before', () => truth(FIVE, FOUR, plus(drift(0.005)))),
  adversary('spreading', 'five profiles, loads vary by a quarter more each block', () => truth(FIVE, FOUR, spreading)),
  adversary('settling', 'five profiles, by 15 % until the end is planned, then by 3 %', () => truth(FIVE, FOUR, settling)),
  adversary('unsettled', 'by 2 % until then, then by 15 %', () => truth(FIVE, FOUR, quietAtFirst)),
  adversary('fixed-6-one', 'one page, 6 fixed blocks', () => truth(2, 1, even(0.05)), 6),
  adversary('fixed-12-one', '12', () => truth(2, 1, even(0.05)), 12),
];
