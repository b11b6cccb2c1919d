/** One line of the calibration: a simulation that is run many times, and the figures found in it beside their bars. */
import type { Random } from '../../../src/core/random.ts';
import type { CalibrationRow } from './row.ts';

export interface CalibrationLine<Outcome = unknown> {
  /** As `--only` names it; kebab case. */
  readonly name: string;
  /** What is simulated, in one sentence. */
  readonly what: string;
  /** Runs of the full count. */
  readonly runs: number;
  /** Runs in the test suite, where the full count would take too long. */
  readonly fewRuns: number;
  /** One run. What it returns goes from a worker thread to the main one: plain data. */
  simulate(random: Random): Outcome;
  /** The figures of all runs; `full`: none was left out, so that the bars are to be met as they stand. */
  rows(outcomes: readonly Outcome[], counts: { readonly full: boolean }): readonly CalibrationRow[];
}
