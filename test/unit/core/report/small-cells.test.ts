import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../../src/core/compare/comparison.ts';
import type { MeasuredLoad, Report } from '../../../../src/core/report/report.ts';
import { MIN_CELL_LOADS, OTHER_PAGES, withoutSmallCells } from '../../../../src/core/report/small-cells.ts';

/** Of loads and comparison, what is looked at here. */
const load = (page: string, block: number, link = 'home', measured = true): MeasuredLoad =>
  ({
    page,
    link,
    block,
    ...(measured && { measures: { loadTimeMs: 7, peakOutstandingByOrigin: { 'origin-1': 2 } } }),
  }) as unknown as MeasuredLoad;
const loadsOf = (page: string, count: number) => Array.from({ length: count }, (_, block) => load(page, block));
const row = (page: string, link: string, ...loads: readonly (readonly [string, number])[]) => ({
  page,
  link,
  profiles: loads.map(([id, count]) => ({ id, loads: count, efficiencyMedian: 0.5, loadTimeMsMedian: 900 })),
});
const comparisonOf = (more: object = {}) => ({ scenarios: [], modes: [], profiles: [], ...more }) as unknown as Comparison;
const reportOf = (loads: readonly MeasuredLoad[], comparison = comparisonOf()): Report =>
  ({
    pages: [...new Set(loads.map(({ page }) => page))].map((name) => ({ name })),
    loads,
    comparison,
    provenance: { notes: [] },
  }) as unknown as Report;

describe('pages of few loads', () => {
  it('leaves a report as it is where every page has twenty', () => {
    expect(MIN_CELL_LOADS).toBe(20);
    const report = reportOf([...loadsOf('page-1', 20), ...loadsOf('page-2', 21)]);
    expect(withoutSmallCells(report)).toBe(report);
  });

  it('makes one page of those with nineteen and fewer, without their servers', () => {
    const { pages, loads } = withoutSmallCells(reportOf([...loadsOf('page-1', 20), ...loadsOf('page-2', 19), load('page-3', 0)]));
    expect(pages).toEqual([{ name: 'page-1' }, { name: 'other-pages' }]);
    expect(loads.slice(0, 20)).toEqual(loadsOf('page-1', 20));
    expect(loads.slice(20)).toHaveLength(20);
    for (const { page, measures } of loads.slice(20)) {
      expect([page, measures]).toEqual(['other-pages', { loadTimeMs: 7, peakOutstandingByOrigin: {} }]);
    }
  });

  it('numbers blocks anew: only loads of one page, block and link stand in one', () => {
    const few = [load('a', 4), load('b', 4), load('a', 4), load('a', 4, 'train'), load('a', 5), load('b', 4)];
    expect(withoutSmallCells(reportOf(few)).loads.map(({ block }) => block)).toEqual([0, 1, 0, 2, 3, 1]);
  });

  it('adds nothing to a load that was not measured', () => {
    const { loads } = withoutSmallCells(reportOf([load('a', 0, 'home', false)]));
    expect(loads).toEqual([{ page: OTHER_PAGES, link: 'home', block: 0 }]);
    expect(loads[0]).not.toHaveProperty('measures');
  });
});

describe('the comparison of pages of few loads', () => {
  const many = loadsOf('page-1', 20);
  const few = [load('page-2', 0), load('page-3', 0)];

  it('has one row for each link, with counts and no middle', () => {
    const scenarios = [
      row('page-1', 'home', ['base', 20]),
      row('page-2', 'home', ['base', 3], ['c16-d1', 2]),
      row('page-3', 'train', ['base', 5]),
      row('page-3', 'home', ['c16-d1', 4]),
    ];
    const { comparison } = withoutSmallCells(reportOf([...many, ...few], comparisonOf({ scenarios })));
    const none = { efficiencyMedian: undefined, loadTimeMsMedian: undefined };
    expect(comparison.scenarios).toEqual([
      row('page-1', 'home', ['base', 20]),
      {
        page: OTHER_PAGES,
        link: 'home',
        profiles: [
          { id: 'base', loads: 3, ...none },
          { id: 'c16-d1', loads: 6, ...none },
        ],
      },
      { page: OTHER_PAGES, link: 'train', profiles: [{ id: 'base', loads: 5, ...none }] },
    ]);
  });

  it('says nothing of modes and of what was set aside on them, and names them once among the pages of a protocol', () => {
    const about = [{ page: 'page-1' }, { page: 'page-2' }];
    const protocols = [{ protocol: 'http/2', pages: ['page-2', 'page-1', 'page-3'] }];
    const asked = comparisonOf({ modes: about, setAside: about, protocols });
    const { comparison } = withoutSmallCells(reportOf([...many, ...few], asked));
    expect(comparison).toEqual(
      comparisonOf({
        modes: [{ page: 'page-1' }],
        setAside: [{ page: 'page-1' }],
        protocols: [{ protocol: 'http/2', pages: ['other-pages', 'page-1'] }],
      }),
    );
  });

  it('names them under no protocol where they were loaded over several, and says so', () => {
    const protocols = [
      { protocol: 'http/1.1', pages: ['page-2'] },
      { protocol: 'http/2', pages: ['page-1', 'page-3'] },
    ];
    const { comparison, provenance } = withoutSmallCells(reportOf([...many, ...few], comparisonOf({ protocols })));
    expect(comparison).toEqual(
      comparisonOf({
        protocols: [
          { protocol: 'http/1.1', pages: [] },
          { protocol: 'http/2', pages: ['page-1'] },
        ],
      }),
    );
    expect(provenance.notes).toEqual([
      'Pages of fewer than 20 loads are shown as one, other-pages, without their requests, and, because they used several protocols, under none.',
    ]);
  });

  it('has no list that it had not', () => {
    const { comparison } = withoutSmallCells(reportOf(few));
    expect(Object.keys(comparison).toSorted()).toEqual(['modes', 'profiles', 'scenarios']);
  });
});
