/** Appended against bundled, by hand. */
import { describe, expect, it } from 'vitest';
import { fennec2008DispatchStudy } from '../../../../../src/lab/studies/fennec-2008-dispatch.ts';
import type { StudyData, StudyLoad } from '../../../../../src/lab/studies/study.ts';
import { studyLoad } from '../simulated-data.ts';

const study = fennec2008DispatchStudy;
const profileOf = (id: string) => {
  const profile = study.profiles.find((each) => each.id === id);
  if (profile === undefined) throw new Error(`no ${id}`);
  return profile;
};
/** What blocks rendering on the wiki and on the application; `docs-2008` is left without times here. */
const HEADS: Readonly<Record<string, readonly string[]>> = {
  'wiki-2008': ['skin.css', 'site.css', 'gallery.css', 'startup.js', 'library.js'],
  'app-2008': ['base.css', 'parts.css', 'runtime.js'],
};
/** @param unblockedMs - When the last of them is there; what is not of the head comes later. */
const load = (id: string, page: string, efficiency: number, unblockedMs?: number): StudyLoad => ({
  ...studyLoad({ profile: profileOf(id), page, link: 'umts-2008', efficiency }),
  ...(unblockedMs !== undefined && {
    requests: [
      ...(HEADS[page] ?? []).map((name, at) => ({ name, fetchStart: 0, responseEnd: at === 1 ? unblockedMs : unblockedMs / 2 })),
      { name: 'toc.js', fetchStart: 0, responseEnd: 9 * unblockedMs },
    ],
  }),
});

describe('fennec-2008-dispatch', () => {
  it('has every profile in both modes, the same but for the dispatch', () => {
    const bundled = study.profiles.filter(({ dispatch }) => dispatch === 'bundled');
    expect(bundled.map(({ id }) => id)).toEqual(['c1-d2-bundled', 'c2-d4-bundled', 'c4-d6-bundled', 'c6-d4-bundled']);
    for (const profile of bundled) {
      const appended = profileOf(profile.id.replace('-bundled', ''));
      expect({ ...profile, id: appended.id, title: appended.title, dispatch: undefined }).toEqual({ ...appended, dispatch: undefined });
      expect(appended.dispatch).toBeUndefined();
    }
    expect(study.links).toHaveLength(4);
  });

  const data: StudyData = {
    study,
    pages: study.pages.filter(({ name }) => ['wiki-2008', 'docs-2008', 'app-2008'].includes(name)),
    links: study.links.filter(({ name }) => name === 'umts-2008'),
    loads: [
      load('c4-d6', 'wiki-2008', 0.6, 2000),
      load('c4-d6-bundled', 'wiki-2008', 0.5, 4000),
      load('c4-d6', 'docs-2008', 0.72),
      // A millionth off: of no spread at all no interval is made.
      load('c4-d6-bundled', 'docs-2008', 0.6 * (1 + 1e-6)),
      load('c4-d6', 'app-2008', 0.48, 3000),
      load('c4-d6-bundled', 'app-2008', 0.4, 3000),
      // Without its other half.
      load('c6-d4', 'wiki-2008', 0.7),
    ],
  };

  it('has the ratio of each pair of which both are there', () => {
    const { figures, tables } = study.findings(data);
    expect(figures.pairs).toEqual([
      {
        profileId: 'c4-d6',
        // Three times 1.2, with a spread that is far below what is printed.
        ratio: expect.closeTo(1.2, 5),
        low: expect.closeTo(1.2, 4),
        high: expect.closeTo(1.2, 4),
        finding: 'better',
        comparisons: 1,
        pairs: 3,
        pairsAhead: 3,
        pages: ['wiki-2008', 'docs-2008', 'app-2008'].map((page) => ({ page, ratio: expect.closeTo(1.2, 5) })),
        withoutMost: expect.objectContaining({ ratioWithout: expect.closeTo(1.2, 5) }),
        // Half of the time, and the same: the geometric mean of 1/2 and 1 is .707. Two pages have no interval.
        timeUntilUnblocked: expect.objectContaining({ ratio: expect.closeTo(Math.SQRT1_2, 10), low: undefined, pairs: 2 }),
        timeUntilFirstPaint: expect.objectContaining({ ratio: undefined, pairs: 0 }),
        scenarios: ['wiki-2008', 'docs-2008', 'app-2008'].map((page) => ({ page, link: 'umts-2008', ratio: expect.closeTo(1.2, 5) })),
      },
    ]);
    expect(tables[0]?.rows).toEqual([['c4-d6', '+20 % (+20 % to +20 %)', '3 of 3', 'appended shown to be better', '−29 %, 2 pages', '–']]);
    expect(tables[0]?.title).toContain('n = 3 pages x 1 link, one load each');
    expect(tables[2]?.rows).toEqual([
      ['wiki-2008', '+20 %'],
      ['docs-2008', '+20 %'],
      ['app-2008', '+20 %'],
    ]);
  });

  it('says of an interval across 1 that neither is shown to be better, and tests no extreme', () => {
    const worse = [load('c4-d6', 'docs-2008', 0.3), load('c4-d6', 'app-2008', 0.44)];
    const loads = data.loads.map((each) => worse.find(({ profileId, page }) => profileId === each.profileId && page === each.page) ?? each);
    const { answer, tables } = study.findings({ ...data, loads });
    // 1.2, 0.3 / 0.6 and 1.1: the cube root of .66 is .871. Of the logs, s is .482, half the interval 4.303 x .482 / 1.732 = 1.198:
    // .871 / 3.31 = .263 and .871 x 3.31 = 2.89.
    expect(tables[0]?.rows[0]?.slice(0, 4)).toEqual(['c4-d6', '−13 % (−74 % to +189 %)', '2 of 3', 'neither shown to be better']);
    expect(answer[0]).toBe('Efficiency appended over bundled: c4-d6 −13 % (−74 % to +189 %), neither shown to be better.');
  });

  it('has no answer without a pair', () => {
    expect(study.findings({ ...data, loads: data.loads.slice(-1) })).toMatchObject({ answer: [], tables: [], figures: { pairs: [] } });
  });
});
