/** Made-up histograms; the published ones are in async-slow-start.test.ts. */
import { describe, expect, it } from 'vitest';
import { type CutoffSpan, cutoffSpan, cutoffTable } from '../../../../src/core/compare/cutoff-table.ts';
import { exponentialBounds, histogramOf } from '../../../../src/core/stats/histogram.ts';
import { cutoffTableText, spanText } from './format-cutoff-table.ts';

/** 0, 1, 2 to 3, 4 to 7, 8 to 15, 16 to 31, 32 to 63, 64 and more. */
const POWERS = exponentialBounds({ min: 1, max: 64, bucketCount: 8 });
const counted = (...values: readonly number[]) => histogramOf(POWERS, values);

describe('cutoffTable', () => {
  it('has values, means and differences, first minus second, relative to the second', () => {
    // 50 %: value 7 is the end of 4 to 7, its ~mean 5.5; the second's are 1 and 1. All: ~mean (2 * 5.5 + 2 * 11.5) / 4 = 8.5
    // against (2 * 1 + 2 * 5.5) / 4 = 3.25.
    const { rows, samples } = cutoffTable(counted(4, 7, 8, 15), counted(1, 1, 5, 6), [50, 100]);
    expect(samples).toEqual({ first: 4, second: 4 });
    expect(rows).toEqual([
      {
        cutoffPercent: 50,
        first: { value: 7, minMean: 4, mean: 5.5, maxMean: 7 },
        second: { value: 1, minMean: 1, mean: 1, maxMean: 1 },
        valueDelta: { absolute: 6, relative: 6 },
        meanDelta: { absolute: 4.5, relative: 4.5 },
      },
      {
        cutoffPercent: 100,
        first: { value: 15, minMean: 6, mean: 8.5, maxMean: 11 },
        second: { value: 7, minMean: 2.5, mean: 3.25, maxMean: 4 },
        valueDelta: { absolute: 8, relative: 8 / 7 },
        meanDelta: { absolute: 5.25, relative: 5.25 / 3.25 },
      },
    ]);
  });

  it('does not know what overflowed, nor a share of nothing', () => {
    const [row] = cutoffTable(counted(3, 99), counted(0, 99), [100]).rows;
    expect(row?.first).toEqual({ value: undefined, minMean: 33, mean: undefined, maxMean: undefined });
    expect(row?.valueDelta).toEqual({ absolute: undefined, relative: undefined });
    expect(cutoffTable(counted(1), counted(0), [50]).rows[0]?.valueDelta).toEqual({ absolute: 1, relative: undefined });
  });

  it.each([[[]], [[0.5]], [[0]], [[101]], [[90, 50]], [[50, 50]], [[Number.NaN]]])('refuses the cut-offs %j', (cutoffs) => {
    expect(() => cutoffTable(counted(1), counted(1), cutoffs)).toThrow(expect.objectContaining({ kind: 'bad-input' }));
  });

  it('refuses an empty histogram, another one’s buckets, and a corrupt one', () => {
    expect(() => cutoffTable(counted(), counted(1), [50])).toThrow('empty');
    expect(() => cutoffTable(counted(1), histogramOf({ ...POWERS, values: 'real' }, [1]), [50])).toThrow('different buckets');
    expect(() => cutoffTable(counted(1), { ...counted(1), total: 2 }, [50])).toThrow('total-disagrees');
  });
});

describe('cutoffSpan', () => {
  const outcome = (...of: Parameters<typeof cutoffSpan>) => cutoffSpan(...of).outcome;

  it('is a win for the smaller second, a loss for the larger, and mixed where it is both', () => {
    expect(outcome(cutoffTable(counted(20, 20), counted(5, 5), [50, 100]))).toBe('win');
    expect(outcome(cutoffTable(counted(5, 5), counted(20, 20), [50, 100]))).toBe('loss');
    expect(outcome(cutoffTable(counted(5, 5), counted(5, 5), [50, 100]))).toBe('no-change');
    // Lower half: 1 against 5; all: (1 + 40) / 2 against 5.
    expect(outcome(cutoffTable(counted(1, 40), counted(5, 5), [50, 100]))).toBe('mixed');
    // A win that includes no change is mixed too.
    expect(outcome(cutoffTable(counted(5, 40), counted(5, 5), [50, 100]))).toBe('mixed');
  });

  it('ends before the first cut-off at which either arm reaches the tail', () => {
    const table = cutoffTable(counted(5, 5, 20, 40), counted(1, 1, 1, 1), [50, 75, 100]);
    expect(table.rows.map(({ first }) => first.value)).toEqual([7, 31, 63]);
    const end = (tailFrom: number) => {
      const span = cutoffSpan(table, { tailFrom });
      return span.outcome === 'unknown' ? undefined : span.to.cutoffPercent;
    };
    expect([64, 63, 32, 31, 8].map(end)).toEqual([100, 75, 75, 50, 50]);
    expect(cutoffSpan(table, { tailFrom: 7 })).toEqual({ outcome: 'unknown', reason: 'every cut-off lies in the tail' });
    const swapped = cutoffTable(counted(1, 1, 1, 1), counted(5, 5, 20, 40), [50, 75, 100]);
    expect(cutoffSpan(swapped, { tailFrom: 31 })).toMatchObject({ outcome: 'loss', to: { cutoffPercent: 50 } });
  });

  it('leaves out what overflowed, and says where a mean has no share', () => {
    expect(cutoffSpan(cutoffTable(counted(5, 99), counted(1, 2), [50, 100]))).toMatchObject({ outcome: 'win', to: { cutoffPercent: 50 } });
    expect(cutoffSpan(cutoffTable(counted(5), counted(0), [50]))).toEqual({
      outcome: 'unknown',
      reason: 'the means below 50 % cannot be compared',
    });
  });
});

describe('the text', () => {
  const ends = (from: number, to: number) => ({ from: { cutoffPercent: 50, relative: from }, to: { cutoffPercent: 99.5, relative: to } });

  it.each<[CutoffSpan, string]>([
    [
      { outcome: 'win', ...ends(0.049, 0.0373) },
      'WIN for on, 4.90 % to 3.73 %: off has the higher ~mean at every cut-off from 50 % to 99.5 %.',
    ],
    [
      { outcome: 'loss', ...ends(-0.01, -0.2) },
      'LOSS for on, −1.00 % to −20.00 %: off has the lower ~mean at every cut-off from 50 % to 99.5 %.',
    ],
    [{ outcome: 'no-change', ...ends(0, 0) }, 'NO CHANGE: off and on have the same ~mean at every cut-off from 50 % to 99.5 %.'],
    [
      { outcome: 'mixed', ...ends(0.01, -0.00001) },
      'MIXED, 1.00 % to 0.00 %: off does not have the higher, nor the lower, ~mean at every cut-off from 50 % to 99.5 %.',
    ],
    [{ outcome: 'unknown', reason: 'every cut-off lies in the tail' }, 'UNKNOWN: every cut-off lies in the tail.'],
  ])('says %j', (span, words) => {
    expect(spanText(span, { first: 'off', second: 'on' })).toBe(words);
  });

  it('names the unit and shows a dash for what is not known', () => {
    const text = cutoffTableText(cutoffTable(counted(3, 99), counted(1, 99), [50, 100]), { unit: 'kB' });
    expect(text).toContain('first (kB)');
    expect(
      text
        .split('\n')
        .find((line) => line.startsWith('  100 %'))
        ?.match(/–/g),
    ).toHaveLength(10);
    expect(text).not.toMatch(/NaN|undefined|Infinity| \n/);
  });
});
