import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjustedEstimate } from '../../../../src/core/compare/adjusted-estimate.ts';
import { adjustedFit, loadColumns } from '../../../../src/core/compare/adjusted-fit.ts';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad } from '../../../../src/core/compare/comparison.ts';

/** Profile, page, block, ln efficiency. */
type Row = readonly [number, number, number, number];

interface Reference {
  readonly cases: readonly {
    readonly profiles: number;
    readonly loads: readonly Row[];
    readonly coefficients: readonly number[];
    /** Of every profile against the first; then, of three or more, of the third against the second. */
    readonly variances: readonly number[];
  }[];
}

const reference: Reference = JSON.parse(readFileSync(new URL('../../../fixtures/adjusted-fit.json', import.meta.url), 'utf8'));

/** Every block is a draw of its own. */
const loadsOf = (rows: readonly Row[]): readonly ComparableLoad[] =>
  rows.map(([profile, page, block, log]) => ({
    profileId: `p${profile}`,
    page: `page-${page}`,
    link: 'l',
    block: 2 * block,
    slot: block * 10 + profile,
    valid: true,
    efficiency: Math.exp(log),
    loadTimeMs: 1000,
  }));

function fitOf(rows: readonly Row[], profiles: number) {
  const columns = loadColumns(
    loadsOf(rows),
    Array.from({ length: profiles }, (_, at) => `p${at}`),
  );
  const fit = adjustedFit(columns, profiles);
  return { fit, between: (profile: number, against: number) => adjustedEstimate(fit, columns, { profile, against }) };
}

describe('adjustedFit', () => {
  it.each(reference.cases.map((one, at) => ({ at, ...one })))(
    'is least squares with the score test over blocks: case $at of statsmodels',
    (given) => {
      const { fit, between } = fitOf(given.loads, given.profiles);
      given.coefficients.forEach((coefficient, at) => {
        expect(fit.coefficients[at]).toBeCloseTo(coefficient, 6);
        const { summary } = between(at + 1, 0);
        expect(summary?.mean).toBeCloseTo(coefficient, 6);
        expect((summary?.separate?.standardError ?? 0) ** 2).toBeCloseTo(given.variances[at] ?? Number.NaN, 7);
      });
      if (given.profiles < 3) return;
      const contrast = between(2, 1).summary;
      expect((contrast?.separate?.standardError ?? 0) ** 2).toBeCloseTo(given.variances.at(-1) ?? Number.NaN, 7);
    },
  );

  it('is the mean difference of pairs where every block has one load of each on one page', () => {
    // Differences 1, 3, 2: mean 2, squares around it 2, so the mean has variance 2 / 2 / 3.
    const rows: readonly Row[] = [
      [0, 0, 0, 0],
      [1, 0, 0, 1],
      [0, 0, 1, 5],
      [1, 0, 1, 8],
      [0, 0, 2, -4],
      [1, 0, 2, -2],
    ];
    const { summary, pairs, pairsAhead, incomplete, loadsPerPair } = fitOf(rows, 2).between(1, 0);
    expect(summary?.mean).toBeCloseTo(2, 9);
    expect((summary?.separate?.standardError ?? 0) ** 2).toBeCloseTo(1 / 3, 9);
    expect(summary?.effectiveCount).toBeCloseTo(3, 9);
    expect(summary?.separate?.degreesOfFreedom).toBeCloseTo(2, 9);
    expect({ pairs, pairsAhead, incomplete, loadsPerPair }).toEqual({ pairs: 3, pairsAhead: 3, incomplete: 0, loadsPerPair: 1 });
  });

  it('does not count a block in which only one profile has loads', () => {
    const pairs = [0, 1, 2].flatMap((block): Row[] => [
      [0, 0, block, 0],
      [1, 0, block, [1, 3, 2][block] ?? 0],
    ]);
    const alone: readonly Row[] = [0.1, 0.2, 0.3].map((value): Row => [1, 0, 3, value]);
    const told = fitOf(pairs, 2).between(1, 0).summary?.separate?.standardError;
    expect(fitOf([...pairs, ...alone], 2).between(1, 0).summary?.separate?.standardError).toBeCloseTo(told ?? Number.NaN, 9);
  });

  it('says nothing of a profile without loads, or that shares neither page nor block with the other', () => {
    const apart: readonly Row[] = [
      [0, 0, 0, 0],
      [0, 0, 0, 1],
      [1, 1, 1, 3],
      [1, 1, 1, 5],
    ];
    expect(fitOf(apart, 2).between(1, 0)).toMatchObject({ summary: undefined, pairs: 0, incomplete: 2 });
    expect(fitOf(apart, 3).between(2, 0)).toMatchObject({ summary: undefined, pairs: 0 });
  });

  it('tells no effect from pages that only one profile ever loaded', () => {
    const rows: readonly Row[] = [0, 1, 2, 3].flatMap((block): Row[] => [
      [0, 0, block, block],
      [1, 1, block, block + 7],
    ]);
    expect(fitOf(rows, 2).between(1, 0).summary).toBeUndefined();
  });
});

const rows = fc.array(fc.tuple(fc.nat(2), fc.nat(4), fc.nat(4), fc.double({ min: -3, max: 3, noNaN: true })), {
  minLength: 12,
  maxLength: 60,
});
const shifts = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 10, maxLength: 10 });

describe('the adjusted comparison', () => {
  it('does not see what belongs to a page or to a block', () => {
    fc.assert(
      fc.property(rows, shifts, (some, by) => {
        const moved = some.map(([profile, page, block, log]): Row => [profile, page, block, log + (by[page] ?? 0) + (by[5 + block] ?? 0)]);
        const [before, after] = [some, moved].map((one) => fitOf(one, 3).between(1, 0).summary);
        expect(after?.mean === undefined).toBe(before?.mean === undefined);
        if (before !== undefined && after !== undefined) expect(after.mean).toBeCloseTo(before.mean, 4);
      }),
    );
  });

  it('turns its sign where the two are exchanged', () => {
    fc.assert(
      fc.property(rows, (some) => {
        const { between } = fitOf(some, 3);
        const [one, other] = [between(2, 1).summary, between(1, 2).summary];
        expect(one === undefined).toBe(other === undefined);
        if (one !== undefined && other !== undefined) expect(one.mean).toBeCloseTo(-other.mean, 9);
      }),
    );
  });

  it('is chosen where loads have slots, and says so', () => {
    const loads = loadsOf([0, 1, 2, 3].flatMap((block): Row[] => [0, 1].map((profile): Row => [profile, 0, block, profile * 0.2 + block])));
    expect(compareProfiles(loads, { baseline: 'p0' }).method).toEqual({ estimate: 'adjusted', looks: 'any', alpha: 0.05, intervals: 1 });
    const { slot: _, ...rest } = loads[0] as ComparableLoad;
    expect(compareProfiles([rest], { baseline: 'p0' }).method.estimate).toBe('paired');
  });

  it('takes from earlier loads what their pages take, and counts them nowhere', () => {
    // Each profile has one load of either page, in blocks the other way round; the second page takes e times as long, which earlier loads show.
    const rows: readonly Row[] = [0, 1, 2, 3, 4, 5].flatMap((block): Row[] => [
      [0, block % 2, block, (block % 2) + 0.01 * block],
      [1, (block + 1) % 2, block, ((block + 1) % 2) + 0.1 + 0.02 * (block % 3)],
    ]);
    const earlier = loadsOf([0, 1, 2, 3].flatMap((block): Row[] => [0, 1].flatMap((page): Row[] => [[0, page, -1 - block, page]])));
    const [plain, known] = [undefined, earlier].map(
      (given) => compareProfiles(loadsOf(rows), { baseline: 'p0', looks: 'once', earlier: given }).profiles[1],
    );
    expect(known?.loads).toBe(plain?.loads);
    expect(known?.versusBaseline.pairs).toBe(plain?.versusBaseline.pairs);
    const width = ({ low = 0, high = Number.POSITIVE_INFINITY }: { low?: number | undefined; high?: number | undefined } = {}) =>
      high / low;
    expect(width(known?.versusBaseline)).toBeLessThan(width(plain?.versusBaseline));
  });
});
