/**
 * What the intervals and verdicts are worth, by simulation with seeds. Every run is looked at after every block, and counts
 * as wrong if any look is. Bounds: nominal plus three Monte-Carlo standard errors. Rates found when written, over 3000 runs
 * of 40 blocks x 4 scenarios at alpha = 5 %: normal noise 0.8 %, spreads 1:2:4:8 2.3 %, spreads 1:1:1:10 4.9 %, stray loads
 * 0.5 %, log-normal differences 0.7 %, a scenario with a quarter of the loads 1.6 %.
 */
import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../src/core/compare/compare-profiles.ts';
import { loadsNeeded } from '../../src/core/compare/loads-needed.ts';
import { EFFECT_PRECISION } from '../../src/core/compare/thresholds.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { stratifiedMean } from '../../src/core/stats/stratified-mean.ts';
import { sequentialTInterval } from '../support/stats/sequential-t-interval.ts';
import { BASELINE, baseline, direct, gaussian, simulate } from '../unit/core/compare/simulated-run.ts';

const ALPHA = 0.05;
const SCENARIOS = 4;

type Noise = (random: Random, scenario: number) => number;

/** Log ratios of pairs under no difference. */
const NOISES: Readonly<Record<string, Noise>> = {
  'normal noise': (random) => 0.1 * gaussian(random),
  'spreads 1:2:4:8': (random, scenario) => 0.03 * 2 ** scenario * gaussian(random),
  'spreads 1:1:1:10': (random, scenario) => (scenario === 3 ? 0.3 : 0.03) * gaussian(random),
  'one load in twenty twice as slow': (random) =>
    0.03 * gaussian(random) + (random.next() < 0.05 ? Math.sign(random.next() - 0.5) * Math.LN2 : 0),
  'differences of log-normals': (random) => Math.exp(0.8 * gaussian(random)) - Math.exp(0.8 * gaussian(random)),
};

function limit(nominal: number, runs: number): number {
  return nominal + 3 * Math.sqrt((nominal * (1 - nominal)) / runs);
}

/** Share of runs in which any look at the interval excludes the truth. */
function missRate(noise: Noise, { runs, blocks, truth }: { runs: number; blocks: number; truth: number }): number {
  const random = seededRandom(20_260_101);
  let misses = 0;
  for (let run = 0; run < runs; run++) {
    const strata: number[][] = Array.from({ length: SCENARIOS }, () => []);
    for (let block = 0; block < blocks; block++) {
      // Scenarios differ in their own effect; the truth is the mean over them.
      strata.forEach((stratum, scenario) => {
        stratum.push(truth + 0.05 * (scenario - 1.5) + noise(random, scenario));
      });
      const sample = stratifiedMean(strata);
      const interval = sample && sequentialTInterval(sample, { alpha: ALPHA, precision: EFFECT_PRECISION });
      if (interval !== undefined && (truth < interval.low || truth > interval.high)) {
        misses += 1;
        break;
      }
    }
  }
  return misses / runs;
}

describe('the anytime-valid interval', () => {
  it.each(Object.entries(NOISES))('misses the truth at any of 25 looks in at most 5 %% of runs: %s', (_, noise) => {
    const runs = 1500;
    expect(missRate(noise, { runs, blocks: 25, truth: 0.2 })).toBeLessThanOrEqual(limit(ALPHA, runs));
  });

  it('is not valid by being endless: it finds 20 % at a spread of 5 % within three blocks', () => {
    const random = seededRandom(4);
    let found = 0;
    for (let run = 0; run < 200; run++) {
      const strata = Array.from({ length: SCENARIOS }, () => Array.from({ length: 3 }, () => Math.log(1.2) + 0.05 * gaussian(random)));
      const sample = stratifiedMean(strata);
      const interval = sample && sequentialTInterval(sample, { alpha: ALPHA / 6, precision: EFFECT_PRECISION });
      if (interval !== undefined && interval.low > 0) found += 1;
    }
    expect(found).toBeGreaterThan(170);
  });
});

describe('the comparison', () => {
  it('calls one of four equal profiles better or worse at any look in at most 5 % of runs', () => {
    const profiles = [baseline(), direct(2, 0.5), direct(4, 0.5), direct(8, 0.5)];
    const runs = 250;
    let wrong = 0;
    for (let seed = 0; seed < runs; seed++) {
      const loads = simulate({ profiles, blocks: 6, seed, noise: (random, scenario) => (scenario === 0 ? 0.1 : 0.03) * gaussian(random) });
      const looks = [2, 3, 4, 5, 6].map((blocks) =>
        compareProfiles(
          loads.filter(({ block }) => block < blocks),
          { baseline: BASELINE, profiles },
        ),
      );
      const claims = looks.flatMap((look) => look.profiles).map(({ versusBaseline }) => versusBaseline.verdict);
      if (claims.includes('better') || claims.includes('worse')) wrong += 1;
    }
    expect(wrong / runs).toBeLessThanOrEqual(limit(ALPHA, runs));
  });
});

describe('the loads still needed', () => {
  it('decide about half of the runs, and most by the largest number', () => {
    // Pairs with a log spread of 10 %, 8 % better: the number is taken from the truth, and the interval looked at once.
    const alpha = 0.01;
    const exact = [-1, 1].map((sign) => (sign * 0.1) / Math.SQRT2);
    const pilot = stratifiedMean(Array.from({ length: SCENARIOS }, () => exact.map((noise) => Math.log(1.08) + noise)));
    const needed = pilot && loadsNeeded(pilot, { alpha, looks: 'any', precision: EFFECT_PRECISION });
    if (pilot === undefined || needed === undefined) throw new Error('a number of loads');
    const decidedBy = (blocks: number): number => {
      const random = seededRandom(77);
      const runs = 400;
      let decided = 0;
      for (let run = 0; run < runs; run++) {
        const strata = Array.from({ length: SCENARIOS }, () =>
          Array.from({ length: blocks }, () => Math.log(1.08) + 0.1 * gaussian(random)),
        );
        const sample = stratifiedMean(strata);
        const interval = sample && sequentialTInterval(sample, { alpha, precision: EFFECT_PRECISION });
        if (interval !== undefined && interval.low > 0) decided += 1;
      }
      return decided / runs;
    };
    expect(needed.more).toBe(needed.blocks * SCENARIOS);
    expect(Math.abs(decidedBy(2 + needed.blocks) - 0.5)).toBeLessThan(0.15);
    expect(decidedBy(2 + needed.atMost / SCENARIOS)).toBeGreaterThan(0.75);
  });
});
