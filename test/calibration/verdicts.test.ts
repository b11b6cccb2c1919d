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
import { naiveLooks } from './lines/naive-looks.ts';

const FULL = process.env.PLUMBFOX_FULL === '1';

const rowsOf = (line: (typeof LINES)[number]) => runLine(line, { seed: DEFAULT_SEED, runs: line.fewRuns });
/** One of the lines, and needed once more for what it shows; it takes a tenth of them all. */
let naive: ReturnType<typeof rowsOf> | undefined;

describe('verdicts', () => {
  for (const line of LINES.filter((each, at) => FULL || at % 3 === 0 || each.name === naiveLooks.name)) {
    it(`meet their bars: ${line.name}`, () => {
      const rows = rowsOf(line);
      if (line.name === naiveLooks.name) naive = rows;
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter((row) => stateOf(row) === 'missed')).toEqual([]);
      countBar(30, 'bars of calibration met with few runs', rows.length, rows.length);
    });
  }

  it('would be found out if looks were naive', () => {
    const rows = naive ?? rowsOf(naiveLooks);
    // As the comparison is held: 5 %, and three standard errors of 200 runs.
    expect(rows.map((row) => stateOf({ ...row, bar: { high: 0.05 + 3 * 0.0154 } }))).toEqual(['met', 'missed', 'met', 'missed']);
  });
});
