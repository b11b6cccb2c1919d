import { expect, it } from 'vitest';
import { normalCdf } from '../../../src/core/stats/distributions.ts';
import { loadsAtPower } from './power-curve.ts';

/** Of a test that needs (1.96 + 0.8416)^2 / shift^2 loads. */
const point = (loads: number, shift: number) => ({
  loads,
  runs: 1e6,
  found: Math.round(1e6 * normalCdf(shift * Math.sqrt(loads) - 1.959964)),
});

it('is where the line of a test passes the power', () => {
  // ((1.959964 + 0.841621) / 0.25)^2 = 125.58.
  const found = loadsAtPower(
    [60, 100, 140].map((loads) => point(loads, 0.25)),
    0.8,
  );
  expect(found?.loads).toBeCloseTo(125.58, 1);
});

it('has the error of one share over the slope of the curve', () => {
  // At 125.58 loads the share rises by phi(0.8416) * 0.25 / (2 * 11.206) = 0.27996 * 0.011154 = 0.0031228 per load;
  // with a million runs its error is sqrt(0.16 / 1e6) = 0.0004, so the loads' is 0.128.
  const found = loadsAtPower(
    [60, 100, 140].map((loads) => point(loads, 0.25)),
    0.8,
  );
  expect(found?.error).toBeCloseTo(0.128, 3);
});

it('is not known where nothing, everything or one number of loads tells of it', () => {
  expect(loadsAtPower([], 0.8)).toBeUndefined();
  expect(loadsAtPower([{ loads: 10, runs: 100, found: 80 }], 0.8)).toBeUndefined();
  expect(
    loadsAtPower(
      [10, 20].map((loads) => ({ loads, runs: 100, found: 100 })),
      0.8,
    ),
  ).toBeUndefined();
  expect(
    loadsAtPower(
      [10, 20].map((loads) => ({ loads, runs: 100, found: 100 - 3 * loads })),
      0.8,
    ),
  ).toBeUndefined();
});
