import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad } from '../../../../src/core/compare/comparison.ts';
import { lookAt } from '../../../../src/core/compare/interval-rule.ts';
import { studentTQuantile } from '../../../../src/core/stats/distributions.ts';
import { lookLevels } from '../../../../src/core/stats/group-sequential.ts';

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
  const rule = { alpha: 0.05, looks: 'planned', plan: { blocks: 10 } } as const;

  it('is at five looks for nine tenths, at every other look for one', () => {
    const lookAfter = (blocks: number) => lookAt({ tried: 4 * blocks, pairsPerBlock: 4 }, rule);
    for (const blocks of [1, 3, 9, 11]) expect(lookAfter(blocks)).toEqual({ alpha: expect.closeTo(0.005, 12), by: 'sequence' });
    const levels = [2, 4, 6, 8, 10].map((blocks) => lookAfter(blocks));
    expect(levels.every(({ by }) => by === 'student-t')).toBe(true);
    // ldbounds, O'Brien-Fleming spending of .045 at five equal looks; the last of .05 would be .0422.
    expect(levels.at(-1)?.alpha).toBeCloseTo(0.038, 3);
    expect(lookAt({ tried: 10, pairsPerBlock: 1 }, { ...rule, plan: { pairs: 10 } }).by).toBe('student-t');
  });

  it("makes Student's interval at the end: by hand", () => {
    // Six equal ln ratios 0.2 and 0.4 by turns on one page: mean 0.3, standard error sqrt(0.06 / 5 / 6); 5 degrees of freedom.
    const page = [0.2, 0.4, 0.2, 0.4, 0.2, 0.4].map((log): readonly [number, number] => [1000, 1000 * Math.exp(-log)]);
    const { low, high } = versus({ page }, { plannedBlocks: 6 });
    const half = studentTQuantile(1 - (lookLevels([1 / 3, 1 / 2, 2 / 3, 5 / 6, 1], 0.045).at(-1) ?? 0) / 2, 5) * Math.sqrt(0.06 / 5 / 6);
    expect(Math.log(high ?? Number.NaN)).toBeCloseTo(0.3 + half, 6);
    expect(Math.log(low ?? Number.NaN)).toBeCloseTo(0.3 - half, 6);
    // Three draws of two blocks: a quarter of the ways to swap them is as extreme.
    expect(versus({ page }, { plannedBlocks: 6 }).verdict).toBe('need-more-loads');
  });

  it('stays where it was planned when a load is excluded', () => {
    const page = [0.2, 0.3, 0.4, 0.35].map((log): readonly [number, number] => [1000, 1000 * Math.exp(-log)]);
    const other = [0.05, 0.45, 0.1, 0.3].map((log): readonly [number, number] => [1000, 1000 * Math.exp(-log)]);
    const loads = loadsOf({ a: page, b: other, c: page }).map((load) =>
      load.block === 3 && load.profileId === 'c8-d1' ? { ...load, valid: false, lostTo: 'unrelated' as const } : load,
    );
    const at = (plannedBlocks: number) =>
      compareProfiles(loads, { baseline: 'firefox-default', plannedBlocks }).profiles[1]?.versusBaseline.low ?? Number.NaN;
    expect(at(4)).toBeGreaterThan(1);
    // Three blocks of pairs, but four were tried: the end at three has passed.
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
