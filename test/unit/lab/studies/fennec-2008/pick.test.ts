/** How firm a pick is, who is close to it, and how places are counted, by hand. */
import { describe, expect, it } from 'vitest';
import { CONTROL, FIREFOX_DEFAULT } from '../../../../../src/core/profiles/presets.ts';
import { againstShipped, byMean, pickAgainstBest } from '../../../../../src/lab/studies/fennec-2008/analysis.ts';
import { pickOf, picksWithout } from '../../../../../src/lab/studies/fennec-2008/memo-rule.ts';
import { leadOf, mostOf, placesByConnections, rankStudy } from '../../../../../src/lab/studies/fennec-2008/scenarios.ts';
import { fennec2008Study as study } from '../../../../../src/lab/studies/fennec-2008.ts';
import { indexStudy } from '../../../../../src/lab/studies/over-pages.ts';
import type { StudyData } from '../../../../../src/lab/studies/study.ts';
import { studyLoad } from '../simulated-data.ts';

/** Efficiencies of three pages over one link, in this order. */
const PAGES = ['wiki-2008', 'docs-2008', 'app-2008'];

function dataOf(efficiencies: Readonly<Record<string, readonly number[]>>): StudyData {
  const known = [...study.profiles, FIREFOX_DEFAULT, CONTROL];
  return {
    study,
    pages: study.pages.filter(({ name }) => PAGES.includes(name)),
    links: study.links.slice(0, 1),
    loads: known.flatMap((profile) =>
      (efficiencies[profile.id] ?? []).map((efficiency, at) =>
        studyLoad({ profile, page: PAGES[at] ?? '', link: 'edge-2008', efficiency }),
      ),
    ),
  };
}

function rankedOf(efficiencies: Readonly<Record<string, readonly number[]>>) {
  const data = dataOf(efficiencies);
  const ranked = rankStudy(data);
  if (ranked === undefined) throw new Error('ranked');
  return { ranked, index: indexStudy(data.loads) };
}

/** {5,6} is first on two pages, {4,6} on one and close on none: one place of three is the top quartile. */
const TWO_TO_ONE = { 'c1-d2': [0.4, 0.4, 0.4], 'c4-d6': [0.6, 0.6, 0.8], 'c5-d6': [0.8, 0.8, 0.6] };

describe('the pick with pages left out', () => {
  it('is made again from the others', () => {
    const { ranked } = rankedOf(TWO_TO_ONE);
    expect(pickOf(ranked)).toBe('c5-d6');
    expect(picksWithout(ranked)).toEqual([
      // One first each and means of .7: level, and {4,6} is cheaper.
      { leftOut: ['wiki-2008'], pick: 'c4-d6' },
      { leftOut: ['docs-2008'], pick: 'c4-d6' },
      { leftOut: ['app-2008'], pick: 'c5-d6' },
      { leftOut: ['wiki-2008', 'docs-2008'], pick: 'c4-d6' },
      { leftOut: ['wiki-2008', 'app-2008'], pick: 'c5-d6' },
      { leftOut: ['docs-2008', 'app-2008'], pick: 'c5-d6' },
    ]);
  });

  it('stays where it leads on every page', () => {
    const { ranked } = rankedOf({ ...TWO_TO_ONE, 'c5-d6': [0.8, 0.8, 0.9] });
    expect(new Set(picksWithout(ranked).map(({ pick }) => pick))).toEqual(new Set(['c5-d6']));
  });

  it('is not asked for with one page', () => {
    expect(picksWithout(rankedOf({ 'c1-d2': [0.4], 'c4-d6': [0.6] }).ranked)).toEqual([]);
  });
});

describe('places', () => {
  it('are counted by profile: two with 4 connections share what one with 6 has alone', () => {
    const { ranked } = rankedOf({
      'c1-d2': [0.4, 0.4, 0.4],
      'c4-d4': [0.9, 0.5, 0.5],
      'c4-d6': [0.5, 0.9, 0.5],
      'c6-d4': [0.8, 0.8, 0.9],
    });
    expect(placesByConnections(ranked)).toEqual([
      { connections: 1, profiles: 1, placesEach: 0 },
      { connections: 4, profiles: 2, placesEach: 1 },
      { connections: 6, profiles: 1, placesEach: 1 },
    ]);
  });

  it('are named with whoever is level with the last that is named', () => {
    const { ranked } = rankedOf({ 'c1-d2': [0.4, 0.4, 0.4], 'c4-d4': [0.9, 0.5, 0.5], 'c4-d6': [0.5, 0.9, 0.5], 'c6-d4': [0.8, 0.8, 0.9] });
    expect(mostOf(ranked.ranking.profiles, 'firsts', 1).split(', ').sort()).toEqual(['c4-d4 1', 'c4-d6 1', 'c6-d4 1']);
  });

  it('have a lead: the middle one', () => {
    // .8 over .6 is a third, three times.
    expect(leadOf(rankedOf(TWO_TO_ONE).ranked)).toBeCloseTo(1 / 3, 10);
  });
});

describe('geometric means', () => {
  it('lead elsewhere than places do', () => {
    // {4,4} is never first and has the root of .79^3 = .79; {5,6} is first twice, with (.8 x .8 x .7)^(1/3) = .765, 3.1 % behind.
    const facts = { 'c1-d2': [0.4, 0.4, 0.4], 'c4-d4': [0.79, 0.79, 0.79], 'c4-d6': [0.78, 0.78, 0.78], 'c5-d6': [0.8, 0.8, 0.7] };
    const { ranked, index } = rankedOf(facts);
    expect(byMean(ranked)).toEqual({ best: 'c4-d4', close: ['c4-d6'], cheapest: 'c4-d4' });
    expect(pickOf(ranked)).toBe('c5-d6');
    // Four profiles have six pairs.
    expect(pickAgainstBest(ranked, index)).toMatchObject({ ratio: expect.closeTo(0.969, 3), comparisons: 6, finding: 'undecided' });
  });
});

describe('against what ships', () => {
  const FACTS = {
    ...TWO_TO_ONE,
    'firefox-default': [0.4, 0.5, 0.6],
    control: [0.44, 0.5, 0.6],
  };

  it('has the gateway alone as one comparison, and the pick as one of all profiles', () => {
    const { ranked, index } = rankedOf(FACTS);
    const against = againstShipped(ranked, index);
    expect(against?.alone).toMatchObject({ ratio: expect.closeTo(1.1 ** (1 / 3), 10), comparisons: 1, finding: 'undecided' });
    // 2, 1.6 and 1.
    expect(against?.pick).toMatchObject({ id: 'c5-d6', overShipped: { ratio: expect.closeTo(3.2 ** (1 / 3), 10), comparisons: 3 } });
  });

  it('is not known where neither was loaded', () => {
    const { ranked, index } = rankedOf(TWO_TO_ONE);
    expect(againstShipped(ranked, index)).toBeUndefined();
  });
});

describe('beside the memo', () => {
  it('says of firsts, places, connections and pick that depth is another', () => {
    const { comparisonWithOriginal } = study.findings(dataOf(TWO_TO_ONE));
    const rows = comparisonWithOriginal.filter(({ what }) => /firsts|places|connections/.test(what));
    expect(rows).toHaveLength(4);
    for (const { why } of rows) expect(why).toContain("the memo's depth");
    expect(rows.at(-1)?.ours).toBe('c5-d6, which allows 30 at once');
  });
});
