import { describe, expect, it } from 'vitest';
import type { CalibrationLine } from './line.ts';
import { type CalibrationRow, stateOf } from './row.ts';
import { shareRow } from './share-row.ts';
import { calibrationJson, calibrationText, missedRows } from './table.ts';

const ROWS: readonly CalibrationRow[] = [
  { what: 'false wins', unit: 'share', found: 0.051, error: 0.005, bar: { high: 0.06 } },
  { what: 'loads', unit: 'loads', found: 121, bar: { high: 120 } },
  { what: 'naive', unit: 'share', found: 0.245 },
  { what: 'p', unit: 'p', found: undefined, bar: { low: 0.001 } },
];

const LINE: CalibrationLine = { name: 'a-line', what: 'a world.', runs: 200, fewRuns: 10, simulate: () => true, rows: () => ROWS };

const CALIBRATION = { seed: 7, lines: [{ line: LINE, runs: 200, rows: ROWS }] };

describe('a row', () => {
  it('is met at the bar itself, and missed beyond it, without a figure, or with NaN', () => {
    expect(ROWS.map(stateOf)).toEqual(['met', 'missed', 'shown', 'missed']);
    const row = { what: '', unit: 'share', bar: { low: 0.1, high: 0.2 } } as const;
    expect([0.1, 0.2, 0.0999, 0.2001, Number.NaN].map((found) => stateOf({ ...row, found }))).toEqual([
      'met',
      'met',
      'missed',
      'missed',
      'missed',
    ]);
  });

  it('keeps the bar of a full count as it stands, and moves that of fewer runs by three standard errors', () => {
    const outcomes = Array.from({ length: 100 }, (_, at) => at < 7);
    const row = (full: boolean) => shareRow('', outcomes, { happened: (yes) => yes, bar: { atMost: 0.05, atLeast: 0.04 }, full });
    expect(row(true)).toMatchObject({ found: 0.07, bar: { high: 0.05, low: 0.04 } });
    // sqrt(0.05 * 0.95 / 100) = 0.021794, sqrt(0.04 * 0.96 / 100) = 0.019596.
    expect(row(false).bar?.high).toBeCloseTo(0.05 + 3 * 0.021794, 5);
    expect(row(false).bar?.low).toBeCloseTo(0.04 - 3 * 0.019596, 5);
    expect(row(true).error).toBeCloseTo(Math.sqrt((0.07 * 0.93) / 100), 12);
  });
});

describe('the table', () => {
  it('has the figures beside their bars, and says how many are missed', () => {
    expect(calibrationText(CALIBRATION)).toBe(
      [
        'Seed 7. +- is one Monte-Carlo standard error; rows without a bar are shown for comparison.',
        '',
        '  what                    bar   found     +-',
        '',
        'a-line: a world. 200 runs.',
        '  false wins    at most 6.0 %   5.1 %  0.5 %  pass',
        '  loads           at most 120     121         FAIL',
        '  naive                        24.5 %',
        '  p           at least 0.0010    none         FAIL',
        '',
        '2 of 3 bars missed.',
        '',
      ].join('\n'),
    );
    expect(missedRows(CALIBRATION).map(({ what }) => what)).toEqual(['loads', 'p']);
  });

  it('is the same for machines, null where nothing is known', () => {
    expect(calibrationJson(CALIBRATION)).toMatchObject({
      seed: 7,
      met: false,
      lines: [
        {
          line: 'a-line',
          runs: 200,
          fullCount: true,
          rows: [
            { what: 'false wins', bar: { low: null, high: 0.06 }, found: 0.051, monteCarloError: 0.005, state: 'met' },
            { state: 'missed' },
            { bar: null, monteCarloError: null, state: 'shown' },
            { found: null, state: 'missed' },
          ],
        },
      ],
    });
  });
});
