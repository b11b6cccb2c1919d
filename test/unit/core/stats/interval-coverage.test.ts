/** Whether intervals hold what they promise, on loading times as they are: lognormal, log-sd 0.8, 20 loads per profile. */
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../../src/core/random.ts';
import { bootstrapInterval } from '../../../../src/core/stats/bootstrap.ts';
import { normalQuantile } from '../../../../src/core/stats/distributions.ts';
import { hodgesLehmannInterval } from '../../../../src/core/stats/hodges-lehmann.ts';
import { mean } from '../../../../src/core/stats/mean.ts';
import { welchOnLogs } from '../../../support/stats/welch-on-logs.ts';

const RUNS = 4000;
const PER_GROUP = 20;
const LOG_SD = 0.8;
/** The first profile takes 1.3 times as long: the ratio that the intervals are to hold. */
const RATIO = 1.3;

function lognormal(random: Random, scale: number, count = PER_GROUP, logSd = LOG_SD): number[] {
  // 2^-33 keeps the quantile off 0.
  return Array.from({ length: count }, () => scale * Math.exp(logSd * normalQuantile(random.next() + 2 ** -33)));
}

function shareOf(runs: number, seed: number, holds: (random: Random) => boolean): number {
  const random = seededRandom(seed);
  let held = 0;
  for (let run = 0; run < runs; run++) if (holds(random)) held++;
  return held / runs;
}

describe('95 % intervals of a ratio', () => {
  it('hold it in 93 to 97 % of runs: Hodges and Lehmann on logs', () => {
    const held = shareOf(RUNS, 1, (random) => {
      const [a, b] = [lognormal(random, RATIO), lognormal(random, 1)];
      const interval = hodgesLehmannInterval(a.map(Math.log), b.map(Math.log));
      return interval !== undefined && interval.low <= Math.log(RATIO) && Math.log(RATIO) <= interval.high;
    });
    expect(held).toBeGreaterThan(0.93);
    expect(held).toBeLessThan(0.97);
  });

  it('hold it in 93 to 97 % of runs: Welch on logs', () => {
    const held = shareOf(RUNS, 2, (random) => {
      const { test } = welchOnLogs(lognormal(random, RATIO), lognormal(random, 1));
      return test !== undefined && test.low <= RATIO && RATIO <= test.high;
    });
    expect(held).toBeGreaterThan(0.93);
    expect(held).toBeLessThan(0.97);
  });
});

it('BCa of the raw difference of means does not, as its docstring warns', () => {
  const truth = (RATIO - 1) * Math.exp(LOG_SD ** 2 / 2);
  const held = shareOf(250, 3, (random) => {
    const samples = [lognormal(random, RATIO), lognormal(random, 1)] as const;
    const interval = bootstrapInterval(samples, (a, b) => mean(a) - mean(b), {
      seed: random.integer(2 ** 31),
      resamples: 399,
      method: 'bca',
    });
    return interval !== undefined && interval.low <= truth && truth <= interval.high;
  });
  expect(held).toBeLessThan(0.93);
});
