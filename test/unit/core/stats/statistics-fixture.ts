/** What SciPy and statsmodels say, written by test/fixtures/statistics.py. A null is a NaN of theirs, or what they have no answer to. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

type Numbers = readonly number[];
interface Statistics {
  readonly quantiles: readonly { readonly values: Numbers; readonly quantiles: Numbers }[];
  readonly welch: readonly {
    readonly a: Numbers;
    readonly b: Numbers;
    readonly alpha: number;
    readonly ratio: number;
    readonly test: readonly [low: number, high: number, t: number, df: number, p: number] | null;
  }[];
  readonly adjusted: readonly { readonly p: Numbers; readonly holm: Numbers }[];
  readonly binomial: readonly (readonly [k: number, n: number, p0: number, p: number])[];
  readonly uniform: readonly { readonly values: Numbers; readonly statistic: number; readonly p: number }[];
  readonly kolmogorov: readonly (readonly [n: number, d: number, p: number])[];
  readonly gamma: readonly (readonly [a: number, x: number, upper: number])[];
  readonly normal: readonly (readonly [z: number, upper: number])[];
  readonly normalQuantile: readonly (readonly [p: number, z: number])[];
}

export const scipy: Statistics = JSON.parse(readFileSync(new URL('../../../fixtures/statistics.json', import.meta.url), 'utf8'));

const RELATIVE = 1e-9;

let compared = 0;
/** How many values were found close so far. */
export const foundClose = (): number => compared;

/** Within 1e-9 of the value itself, however small it is; 0 is 0. */
export function expectClose(found: number | undefined, expected: number, about: string): void {
  expect(Math.abs((found ?? Number.NaN) - expected), `${about}: ${found}, not ${expected}`).toBeLessThanOrEqual(
    RELATIVE * Math.abs(expected),
  );
  compared += 1;
}
