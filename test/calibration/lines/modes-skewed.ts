/** Samples of load times with one peak and a long tail, of which few are called several groups. */
import { findModes } from '../../../src/core/compare/modes.ts';
import type { Random } from '../../../src/core/random.ts';
import type { CalibrationLine } from '../harness/line.ts';
import { shareRow } from '../harness/share-row.ts';
import { exponential, normal, skewed } from '../simulate/noise.ts';
import { MONTE_CARLO } from './equal-rows.ts';

const MEAN_MS = 1000;

/** In whole ms, as browsers tell times. Of gamma and shifted exponential samples those that are called several most often, and a log-normal beside them. */
const ONE_PEAK: Readonly<Record<string, (random: Random) => number>> = {
  'exponential beyond 0.2 of its mean': (random) => Math.round(0.2 * MEAN_MS + exponential(random, MEAN_MS)),
  'exponential beyond 0.5 of its mean': (random) => Math.round(0.5 * MEAN_MS + exponential(random, MEAN_MS)),
  'exponential beyond its mean': (random) => Math.round(MEAN_MS + exponential(random, MEAN_MS)),
  'gamma of shape 2 beyond a quarter of its mean': (random) =>
    Math.round(0.5 * MEAN_MS + exponential(random, MEAN_MS) + exponential(random, MEAN_MS)),
  'log-normal of log-sd 0.8': (random) => Math.round(MEAN_MS * Math.exp(0.8 * normal(random))),
  'logarithms log-normal': (random) => Math.round(MEAN_MS * Math.exp(0.1 * skewed(random))),
};
const SIZES = [20, 25, 40, 60, 100, 200];
const BAR = { atMost: 0.05, allowance: MONTE_CARLO };

/** 60 % around 1.2 s, the others around 3.4, each 15 % wide. */
const twoPeaks = (random: Random) => (random.next() < 0.6 ? 1200 : 3400) * Math.exp(0.15 * normal(random));

interface Called {
  readonly falsely: Readonly<Record<string, boolean>>;
  readonly rightly: boolean;
}

const sampleNamed = (shape: string, size: number) => `${shape}, ${size} values`;

function isSeveral(draw: (random: Random) => number, size: number, random: Random): boolean {
  return findModes(Array.from({ length: size }, () => draw(random))).modes === 'several';
}

export const modesSkewed: CalibrationLine<Called> = {
  name: 'modes-skewed',
  what: 'samples with one peak and a long tail that are called several groups.',
  runs: 2000,
  fewRuns: 200,
  simulate: (random) => ({
    falsely: Object.fromEntries(
      Object.entries(ONE_PEAK).flatMap(([shape, draw]) => SIZES.map((size) => [sampleNamed(shape, size), isSeveral(draw, size, random)])),
    ),
    rightly: isSeveral(twoPeaks, Math.min(...SIZES), random),
  }),
  rows: (outcomes, { full }) => [
    ...Object.keys(ONE_PEAK).flatMap((shape) =>
      SIZES.map((size) => {
        const name = sampleNamed(shape, size);
        return shareRow(name, outcomes, { happened: ({ falsely }) => falsely[name] === true, bar: BAR, full });
      }),
    ),
    shareRow('two groups, of 1.2 and 3.4 s: found with 20 values', outcomes, { happened: ({ rightly }) => rightly, full }),
  ],
};
