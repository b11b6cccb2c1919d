/** The page as the unit of the interval, by hand. */

import { describe, expect, it } from 'vitest';
import {
  efficiencyRatios,
  groundsOf,
  indexStudy,
  overPages,
  type ScenarioRatio,
  withoutMost,
} from '../../../../src/lab/studies/over-pages.ts';
import { studyLoad } from './simulated-data.ts';

const ratio = (page: string, link: string, log: number): ScenarioRatio => ({ page, link, log });
/** Means of .2, .4 and .6, so .4 with a standard error of .2 / sqrt(3). */
const THREE_PAGES = [
  ratio('a', 'x', 0.1),
  ratio('a', 'y', 0.3),
  ratio('b', 'x', 0.4),
  ratio('b', 'y', 0.4),
  ratio('c', 'x', 0.5),
  ratio('c', 'y', 0.7),
];
/** Quantile of Student's t with two degrees of freedom, in closed form. */
const quantileOfTwo = (p: number) => (2 * p - 1) / Math.sqrt(2 * p * (1 - p));

describe('overPages', () => {
  it('is the t interval of the means of the pages, one degree of freedom less than there are pages', () => {
    const half = (quantileOfTwo(0.975) * 0.2) / Math.sqrt(3);
    expect(quantileOfTwo(0.975)).toBeCloseTo(4.3027, 4);
    expect(overPages(THREE_PAGES, 1)).toEqual({
      ratio: expect.closeTo(Math.exp(0.4), 10),
      low: expect.closeTo(Math.exp(0.4 - half), 8),
      high: expect.closeTo(Math.exp(0.4 + half), 8),
      finding: 'undecided',
      pages: ['a', 'b', 'c'].map((page, at) => ({ page, ratio: expect.closeTo(Math.exp(0.2 * (at + 1)), 10) })),
      scenarios: 6,
      scenariosAhead: 6,
      comparisons: 1,
    });
  });

  it('divides the 5 % among comparisons that are to hold together', () => {
    const half = (quantileOfTwo(1 - 0.025 / 17) * 0.2) / Math.sqrt(3);
    expect(overPages(THREE_PAGES, 17)).toMatchObject({ low: expect.closeTo(Math.exp(0.4 - half), 6), comparisons: 17 });
  });

  it('is no surer for the same pages over four times as many links, nor for more turns of each', () => {
    const once = overPages(THREE_PAGES, 1);
    const moreLinks = ['', '2', '3', '4'].flatMap((more) => THREE_PAGES.map((each) => ({ ...each, link: `${each.link}${more}` })));
    for (const more of [moreLinks, [...THREE_PAGES, ...THREE_PAGES]]) {
      const { low, high } = overPages(more, 1);
      expect([low, high]).toEqual([expect.closeTo(once.low ?? 0, 10), expect.closeTo(once.high ?? 0, 10)]);
    }
  });

  it('counts a page once, however many of its links are missing', () => {
    // .3 instead of .2 for the first page: .1 of its links is missing.
    expect(overPages(THREE_PAGES.slice(1), 1)).toMatchObject({ ratio: expect.closeTo(Math.exp(1.3 / 3), 10), scenarios: 5 });
  });

  it('counts a scenario as ahead by the mean of its turns', () => {
    expect(overPages([ratio('a', 'x', 0.3), ratio('a', 'x', -0.1), ratio('b', 'x', -0.2)], 1)).toMatchObject({
      scenarios: 2,
      scenariosAhead: 1,
    });
  });

  it('has no interval with fewer than three pages, and nothing at all without a pair', () => {
    expect(overPages(THREE_PAGES.slice(0, 4), 1)).toMatchObject({ low: undefined, high: undefined, finding: 'undecided' });
    expect(overPages([], 1)).toMatchObject({ ratio: undefined, low: undefined, scenarios: 0, pages: [] });
  });
});

const [FIRST, SECOND] = [
  { id: 'c1-d2', connections: 1, depth: 2 },
  { id: 'c4-d6', connections: 4, depth: 6 },
];

describe('efficiencyRatios', () => {
  it('pairs loads of the same page, link and turn', () => {
    const index = indexStudy([
      studyLoad({ profile: FIRST, page: 'a', link: 'x', block: 0, efficiency: 0.2 }),
      studyLoad({ profile: SECOND, page: 'a', link: 'x', block: 1, efficiency: 0.9 }),
      studyLoad({ profile: SECOND, page: 'a', link: 'x', block: 0, efficiency: 0.4 }),
      studyLoad({ profile: SECOND, page: 'b', link: 'x', block: 0, efficiency: 0.4 }),
    ]);
    expect(efficiencyRatios(index, { profileId: 'c4-d6', against: 'c1-d2' })).toEqual([ratio('a', 'x', expect.closeTo(Math.LN2, 10))]);
    expect(efficiencyRatios(index, { profileId: 'c4-d6', against: 'c9-d9' })).toEqual([]);
  });
});

describe('groundsOf', () => {
  const load = (page: string, link: string, block = 0) => studyLoad({ profile: FIRST, page, link, block, efficiency: 0.5 });

  it('says pages, links and loads of a cell', () => {
    expect(groundsOf([load('a', 'x'), load('b', 'x'), load('a', 'y'), load('b', 'y')])).toBe('n = 2 pages x 2 links, one load each');
    expect(groundsOf([load('a', 'x', 0), load('a', 'x', 1)])).toBe('n = 1 page x 1 link, 2 loads each');
  });

  it('says where some are missing', () => {
    expect(groundsOf([load('a', 'x'), load('b', 'x'), load('a', 'y')])).toBe('n = 2 pages, 3 scenarios, one load each');
    expect(groundsOf([load('a', 'x', 0), load('a', 'x', 1), load('b', 'x')])).toBe('n = 2 pages x 1 link, 1 to 2 loads each');
  });
});

describe('withoutMost', () => {
  it('leaves out the page that is farthest from the mean', () => {
    expect(
      withoutMost({
        pages: [
          { page: 'a', ratio: 1 },
          { page: 'b', ratio: 4 },
          { page: 'c', ratio: 1 },
        ],
      }),
    ).toEqual({
      page: 'b',
      ratio: 4,
      ratioWithout: 1,
    });
    expect(withoutMost({ pages: [{ page: 'a', ratio: 1 }] })).toBeUndefined();
  });
});
