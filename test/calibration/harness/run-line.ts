/** A line, run in this thread. */
import { seededRandom } from '../../../src/core/random.ts';
import type { CalibrationLine } from './line.ts';
import type { CalibrationRow } from './row.ts';
import { runSeed } from './run-seed.ts';

export interface RunRange {
  readonly seed: number;
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

export function outcomesOf<Outcome>(line: CalibrationLine<Outcome>, { seed, from, to }: RunRange): readonly Outcome[] {
  return Array.from({ length: to - from }, (_, at) => line.simulate(seededRandom(runSeed({ seed, line: line.name, run: from + at }))));
}

/** The rows of results that were kept in a file before, as those of a calibration that goes on are. */
export function runLine(
  line: CalibrationLine,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): readonly CalibrationRow[] {
  const kept: unknown[] = JSON.parse(JSON.stringify(outcomesOf(line, { seed, from: 0, to: runs })));
  return line.rows(kept, { full: runs >= line.runs });
}
