/**
 * Every third line of `npm run calibrate` with fewer runs each, or with `PLUMBFOX_FULL=1` every line: their bars are moved by three Monte-Carlo
 * errors. All of them took 11 minutes of a processor.
 */
import { describe, expect, it } from 'vitest';
import { countBar } from '../support/bar-count.ts';
import { DEFAULT_SEED } from './harness/calibrate-arguments.ts';
import { stateOf } from './harness/row.ts';
import { runLine } from './harness/run-line.ts';
import { LINES } from './lines/lines.ts';

const FULL = process.env.PLUMBFOX_FULL === '1';

const rowsOf = (line: (typeof LINES)[number]) => runLine(line, { seed: DEFAULT_SEED, runs: line.fewRuns });

describe('verdicts', () => {
  for (const line of LINES.filter((_, at) => FULL || at % 3 === 0)) {
    it(`meet their bars: ${line.name}`, () => {
      const rows = rowsOf(line);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter((row) => stateOf(row) === 'missed')).toEqual([]);
      countBar(30, 'bars of calibration met with few runs', rows.length, rows.length);
    });
  }
});
