/** What every line is made of: the product's defaults, and runs enough for its bars. */
import { describe, expect, it } from 'vitest';
import { groupBy } from '../../../src/core/group-by.ts';
import { seededRandom } from '../../../src/core/random.ts';
import { DEFAULT_MAX_LOADS_PER_ARM } from '../../../src/core/trial/trial-defaults.ts';
import { everydayLoads } from '../simulate/everyday-loads.ts';
import { EVERYDAY_TRUTH } from '../simulate/truths.ts';
import { LINES } from './lines.ts';

/** A rate of 5 % is then found to half a percent. */
const FEWEST_RUNS = 2000;

describe('lines', () => {
  it('make 2,000 runs at least, and have names of their own', () => {
    expect(LINES.filter(({ runs }) => runs < FEWEST_RUNS).map(({ name }) => name)).toEqual([]);
    expect(new Set(LINES.map(({ name }) => name)).size).toBe(LINES.length);
  });

  it('have everyday loads as trials have them: the most of an arm, in turns whose first slot wears off', () => {
    const loads = everydayLoads(EVERYDAY_TRUTH, seededRandom(1));
    for (const own of groupBy(loads, ({ profileId }) => profileId).values()) {
      expect(own.length).toBeGreaterThanOrEqual(DEFAULT_MAX_LOADS_PER_ARM);
      const counted = own.filter(({ mark }) => !mark.washout).length / own.length;
      // 19 of 24 on average.
      expect(counted).toBeGreaterThan(0.75);
      expect(counted).toBeLessThan(0.84);
    }
  });
});
