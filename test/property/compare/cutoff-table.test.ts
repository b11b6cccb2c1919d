import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCohort } from '../../../src/core/compare/cohort-tables.ts';
import { cutoffSpan, cutoffTable, MAIL_CUTOFFS } from '../../../src/core/compare/cutoff-table.ts';
import { exponentialBounds, histogramOf, mergeHistograms } from '../../../src/core/stats/histogram.ts';

const BOUNDS = exponentialBounds({ min: 2, max: 5000, bucketCount: 30 });
const histogram = fc.array(fc.integer({ min: 0, max: 4999 }), { minLength: 1, maxLength: 60 }).map((values) => histogramOf(BOUNDS, values));

describe('cutoffTable', () => {
  it('turned round has the opposite differences and the opposite outcome', () => {
    const opposite = { win: 'loss', loss: 'win', mixed: 'mixed', 'no-change': 'no-change', unknown: 'unknown' } as const;
    fc.assert(
      fc.property(histogram, histogram, (a, b) => {
        const there = cutoffTable(a, b, MAIL_CUTOFFS);
        const back = cutoffTable(b, a, MAIL_CUTOFFS);
        for (const [at, { valueDelta, meanDelta }] of there.rows.entries()) {
          expect(back.rows[at]?.valueDelta.absolute).toBeCloseTo(-(valueDelta.absolute ?? Number.NaN), 9);
          expect(back.rows[at]?.meanDelta.absolute).toBeCloseTo(-(meanDelta.absolute ?? Number.NaN), 9);
        }
        const [one, other] = [cutoffSpan(there).outcome, cutoffSpan(back).outcome];
        // A mean of 0 has no share, so the span may be unknown in one direction alone.
        if (one !== 'unknown' && other !== 'unknown') expect(other).toBe(opposite[one]);
      }),
    );
  });

  it('sees shapes, not numbers: twice the same values make the same rows', () => {
    fc.assert(
      fc.property(histogram, histogram, (a, b) => {
        const once = cutoffTable(a, b, MAIL_CUTOFFS);
        const twice = cutoffTable(mergeHistograms(a, a), b, MAIL_CUTOFFS);
        for (const [at, { first }] of once.rows.entries()) {
          expect(twice.rows[at]?.first.value).toBeCloseTo(first.value ?? Number.NaN, 6);
          expect(twice.rows[at]?.first.mean).toBeCloseTo(first.mean ?? Number.NaN, 6);
        }
      }),
    );
  });

  it('has values and means that rise with the cut-off', () => {
    fc.assert(
      fc.property(histogram, histogram, (a, b) => {
        const { rows } = cutoffTable(a, b, MAIL_CUTOFFS);
        for (const [at, { first }] of rows.entries()) {
          const before = rows[at - 1]?.first;
          if (before === undefined) continue;
          expect(first.value).toBeGreaterThanOrEqual(before.value ?? Number.NaN);
          expect(first.mean).toBeGreaterThanOrEqual((before.mean ?? Number.NaN) * (1 - 1e-12));
        }
      }),
    );
  });
});

describe('checkCohort', () => {
  it('compares whatever it lets pass, and never throws', () => {
    const broken = fc.record({
      bounds: fc.constantFrom(BOUNDS, exponentialBounds({ min: 2, max: 5000, bucketCount: 29 })),
      counts: fc.array(fc.oneof(fc.integer({ min: -1, max: 9 }), fc.constant(0.5), fc.constant(Number.NaN)), {
        minLength: 28,
        maxLength: 30,
      }),
      total: fc.integer({ min: 0, max: 200 }),
    });
    const recorded = fc.array(fc.oneof({ weight: 4, arbitrary: histogram }, { weight: 1, arbitrary: broken }), { maxLength: 3 });
    let passed = 0;
    fc.assert(
      fc.property(recorded, recorded, (first, second) => {
        const check = checkCohort({ first, second });
        if (check.state === 'corrupt') expect(check.corruptions).not.toEqual([]);
        else {
          passed += 1;
          expect(cutoffTable(check.first, check.second, MAIL_CUTOFFS).rows).toHaveLength(MAIL_CUTOFFS.length);
        }
      }),
    );
    expect(passed).toBeGreaterThan(0);
  });
});
