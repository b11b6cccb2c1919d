import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad } from '../../../../src/core/compare/comparison.ts';
import { lookAt } from '../../../../src/core/compare/interval-rule.ts';

/** Load times in ms of two profiles, page by page, block by block. */
type Times = Readonly<Record<string, readonly (readonly [number, number])[]>>;

function loadsOf(times: Times): readonly ComparableLoad[] {
  return Object.entries(times).flatMap(([page, blocks]) =>
    blocks.flatMap((both, block) =>
      both.map((loadTimeMs, at) => ({
        profileId: at === 0 ? 'firefox-default' : 'c8-d1',
        page,
        link: 'link',
        block,
        valid: true,
        efficiency: 300 / loadTimeMs,
        loadTimeMs,
      })),
    ),
  );
}

const versus = (times: Times, options: { readonly plannedBlocks?: number; readonly plannedPairs?: number } = {}) => {
  const [, candidate] = compareProfiles(loadsOf(times), { baseline: 'firefox-default', ...options }).profiles;
  if (candidate === undefined) throw new Error('a candidate');
  return candidate.versusBaseline;
};

const repeated = (pair: readonly [number, number], count: number) => Array.from({ length: count }, () => pair);

describe('where alpha is spent', () => {
  const rule = { alpha: 0.05, looks: 'planned', plan: { blocks: 3 } } as const;

  it('is at the planned end for four fifths, before and after it for one', () => {
    const lookAfter = (tried: number) => lookAt({ tried, pairsPerBlock: 4 }, rule);
    expect(lookAfter(11)).toEqual({ alpha: expect.closeTo(0.01, 12), by: 'sequence' });
    expect(lookAfter(12)).toEqual({ alpha: expect.closeTo(0.04, 12), by: 'student-t' });
    expect(lookAfter(13)).toEqual({ alpha: expect.closeTo(0.01, 12), by: 'sequence' });
    expect(lookAt({ tried: 12, pairsPerBlock: 1 }, { ...rule, plan: { pairs: 12 } }).by).toBe('student-t');
  });

  it("makes Student's interval at the end: by hand", () => {
    // ln ratios of one page 0.2, 0.3, 0.4: mean 0.3, standard error 0.1 / sqrt(3), t of 2 degrees of freedom at 1 - 0.02: 4.84873.
    const page = [0.2, 0.3, 0.4].map((log): readonly [number, number] => [1000, 1000 * Math.exp(-log)]);
    const { low, high, p } = versus({ page }, { plannedBlocks: 3 });
    expect(Math.log(low ?? Number.NaN)).toBeCloseTo(0.3 - (4.84873 * 0.1) / Math.sqrt(3), 4);
    expect(Math.log(high ?? Number.NaN)).toBeCloseTo(0.3 + (4.84873 * 0.1) / Math.sqrt(3), 4);
    // T = 0.3 sqrt(3) / 0.1 = 5.19615: for 2 degrees of freedom p = 1 - T / sqrt(2 + T^2) = 0.035098, over the share 0.8.
    expect(p).toBeCloseTo(0.0350987 / 0.8, 6);
  });

  it('stays where it was planned when a load is excluded', () => {
    const page = [0.2, 0.3, 0.4, 0.35].map((log): readonly [number, number] => [1000, 1000 * Math.exp(-log)]);
    const loads = loadsOf({ page }).map((load) => (load.block === 3 && load.profileId === 'c8-d1' ? { ...load, valid: false } : load));
    const at = (plannedBlocks: number) =>
      compareProfiles(loads, { baseline: 'firefox-default', plannedBlocks }).profiles[1]?.versusBaseline.low ?? Number.NaN;
    expect(at(4)).toBeGreaterThan(1);
    // Three pairs, but four were tried: the end at three has passed.
    expect(at(3)).toBeLessThan(1);
  });
});

describe('no verdict', () => {
  it('comes before the third block, however sure the interval is', () => {
    const pages = (blocks: number): Times =>
      Object.fromEntries(
        Array.from({ length: 8 }, (_, page) => [
          `page-${page}`,
          Array.from({ length: blocks }, (__, block): readonly [number, number] => [
            1000 + 7 * page + 3 * block,
            700 + 5 * page + 4 * block,
          ]),
        ]),
      );
    const two = versus(pages(2));
    expect(two.low).toBeGreaterThan(1);
    expect(two.verdict).toBe('need-more-loads');
    expect(two.reason).toMatch(/third block/);
    expect(versus(pages(3)).verdict).toBe('better');
  });

  it('comes from an interval without width: 600 ms against 600, 600, 700, 700', () => {
    for (const blocks of [2, 3, 10]) {
      const { verdict, p } = versus({ a: repeated([600, 600], blocks), b: repeated([600, 700], blocks) });
      expect(verdict).toBe('need-more-loads');
      expect(p ?? 1).toBeGreaterThan(0.05);
    }
    // The very same times throughout: there is no step to be seen, and no interval.
    expect(versus({ a: repeated([600, 600], 5) })).toMatchObject({
      low: undefined,
      high: undefined,
      p: undefined,
      verdict: 'need-more-loads',
    });
  });

  it('comes from the steps of a clock of 100 ms, though they are the same each time', () => {
    // 640 and 660 ms read as 600 and 700.
    const blocks = 10;
    const coarse = versus({ a: repeated([600, 700], blocks), b: repeated([800, 800], blocks), c: repeated([600, 700], blocks) });
    expect(coarse.verdict).toBe('need-more-loads');
    // Times that fall on both sides of a step by themselves average it out.
    const dithered = Array.from({ length: 30 }, (_, at): readonly [number, number] => [
      at % 2 === 0 ? 1000 : 1100,
      at % 3 === 0 ? 700 : 800,
    ]);
    expect(versus({ a: dithered, b: dithered }).verdict).toBe('better');
  });
});
