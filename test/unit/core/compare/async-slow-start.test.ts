/**
 * The tables of the AsyncSlowStart mail, reproduced. Every printed figure is tested, those the histograms were constructed from
 * and the differences alike; none of them had to be left out, because no cell of the mail contradicts another.
 */
import { describe, expect, it } from 'vitest';
import { cutoffSpan, cutoffTable } from '../../../../src/core/compare/cutoff-table.ts';
import {
  columnsOf,
  corruptWeeks,
  halfUnitsOff,
  MAIL_TAIL_FROM,
  PRINTED_COLUMNS,
  publishedWeeks,
  TRANSACTION_BOUNDS,
} from './async-slow-start.ts';

const weeks = publishedWeeks();

it('has ten weeks with figures and four that the mail marks corrupt', () => {
  expect(weeks.map(({ from }) => from)).toEqual([
    ...['08/30', '09/06', '09/13', '09/20', '09/27', '10/04', '10/11'],
    ...['11/08', '11/15', '11/29'],
  ]);
  expect(corruptWeeks).toEqual(['10/18', '10/25', '11/01', '11/22']);
});

describe.each(weeks)('the week from $from', ({ first, second, rows, line }) => {
  const table = cutoffTable(
    first,
    second,
    rows.map(([cutoff]) => Number(cutoff)),
  );

  it('has the published figures, each within half a unit of its last digit', () => {
    const wrong = table.rows.flatMap((row, at) =>
      columnsOf(row).flatMap((found, column) => {
        const printed = rows[at]?.[column + 1] ?? '';
        return halfUnitsOff(found, printed) <= 1 ? [] : [`${row.cutoffPercent} % ${PRINTED_COLUMNS[column]}: ${found}, printed ${printed}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('has the published line: a win, from the first cut-off to the last below the skew at 50 s', () => {
    const span = cutoffSpan(table, { tailFrom: MAIL_TAIL_FROM });
    if (span.outcome === 'unknown') throw new Error(span.reason);
    expect(span.outcome).toBe('win');
    const off = [span.from, span.to].map(({ relative }, at) => halfUnitsOff(relative * 100, line[at] ?? ''));
    expect(Math.max(...off)).toBeLessThanOrEqual(1);
  });
});

describe('what the mail does not say of its formulas', () => {
  /** Delta, its percentage, and the two figures it is between, all as printed. */
  const deltas = weeks.flatMap(({ rows }) =>
    rows.flatMap((row) => [
      { delta: Number(row[9]), percent: row[10] ?? '', first: Number(row[1]), second: Number(row[5]) },
      { delta: Number(row[11]), percent: row[12] ?? '', first: Number(row[3]), second: Number(row[7]) },
    ]),
  );

  it('is relative to the second: to the first, a third of the percentages would be others', () => {
    // 50 % in the first week: 11.42 / 249.0 is 4.59 %, 11.42 / 260.5 is 4.38 %; printed is 4.59 %. Figures already rounded may
    // be off by half a unit more.
    const others = (base: 'first' | 'second') => deltas.filter((of) => halfUnitsOff((of.delta / of[base]) * 100, of.percent) > 1.5).length;
    expect(deltas).toHaveLength(156);
    expect(others('second')).toBe(0);
    expect(others('first')).toBeGreaterThan(52);
  });

  it('interpolates the mean within a bucket: 98, 99 and 99.5 % share one in nine weeks, and 99 % is two thirds of the way', () => {
    const last = weeks.flatMap(({ from, rows }) => {
      const [at98, at99, at995] = rows.slice(-3).map((row) => Number(row[2]));
      // The first week's 98 % lies in a lower bucket.
      return at98 === undefined || at99 === undefined || at995 === undefined || from === '08/30' ? [] : [{ at98, at99, at995 }];
    });
    expect(last).toHaveLength(9);
    // Counted, the sums q * mean would rise evenly with q, whatever the bucket: on 09/06 (0.98 * 1056 + 2 * 0.995 * 1795) / 3 /
    // 0.99 = 1551; printed is 1548, each to half a unit.
    const interpolated = last.map(({ at98, at99, at995 }) => Math.abs((at98 + 2 * at995) / 3 - at99));
    const counted = last.map(({ at98, at99, at995 }) => Math.abs((0.98 * at98 + 2 * 0.995 * at995) / 3 / 0.99 - at99));
    expect(Math.max(...interpolated)).toBeLessThanOrEqual(1);
    expect(Math.min(...counted)).toBeGreaterThan(1.5);
  });

  it('ends a bucket 1 ms below the next: otherwise max mean and min mean would be further apart than printed', () => {
    // Were a bucket's largest value the next limit, the two means would differ by the mean width of the buckets. Every width is
    // at least 0.13 times the lower limit less 0.43 (as in 11 to 12: 1.43 - 0.43), so the means would differ by at least 0.13 *
    // 108.95 - 0.43 = 13.73. Printed are 109.0 and 122.5: at most 13.6.
    const { lowerLimits } = TRANSACTION_BOUNDS;
    const spare = lowerLimits.slice(0, -1).map((low, bucket) => (lowerLimits[bucket + 1] ?? Number.NaN) - low - (0.13 * low - 0.43));
    expect(Math.min(...spare)).toBeGreaterThan(-1e-9);
    expect(weeks[0]?.rows[0]?.slice(2, 5)).toEqual(['109.0', '115.7', '122.5']);
    expect(0.13 * 108.95 - 0.43).toBeGreaterThan(122.55 - 108.95);
  });
});

describe('where the mail’s words are not its figures', () => {
  const shares = weeks.flatMap(({ line }) => line.map(Number));

  it('says 0.8 % to 6.32 %: its lines go from 0.61 % (10/04) to 6.42 % (09/20)', () => {
    expect(Math.min(...shares)).toBe(0.61);
    expect(Math.max(...shares)).toBe(6.42);
  });

  it('dates one week 11/15-11/22, which has eight days', () => {
    expect(weeks.find(({ from }) => from === '11/15')?.to).toBe('11/22');
    expect(weeks.filter(({ from, to }) => daysFrom(from, to) !== 6).map(({ from }) => from)).toEqual(['11/15']);
  });
});

const daysFrom = (from: string, to: string): number => (Date.parse(`2009/${to} UTC`) - Date.parse(`2009/${from} UTC`)) / 86_400_000;
