/** How firm a pick is, who is close to it, and how places are counted, by hand. */
import { describe, expect, it } from 'vitest';
import { BASELINE_ID, CONTROL, CONTROL_ID, FIREFOX_DEFAULT } from '../../../../src/core/profiles/presets.ts';
import { indexStudy } from '../../../../src/lab/studies/fennec-2008/intervals.ts';
import { byMean, meansSentence } from '../../../../src/lab/studies/fennec-2008/means.ts';
import { firmness, pickOf, pickSentence, picksWithout } from '../../../../src/lab/studies/fennec-2008/pick.ts';
import { leadInWords, mostOf, placesByConnections, placesInWords } from '../../../../src/lab/studies/fennec-2008/places.ts';
import { rankStudy } from '../../../../src/lab/studies/fennec-2008/scenarios.ts';
import { fennec2008Study as study } from '../../../../src/lab/studies/fennec-2008.ts';
import { againstShipped, gatewaySentences, withoutMost } from '../../../../src/lab/studies/fennec-2008-gateway.ts';
import type { StudyData } from '../../../../src/lab/studies/study.ts';
import { studyLoad } from './simulated-data.ts';

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

  it('is said to hang on the pages where it changes', () => {
    const { ranked } = rankedOf(TWO_TO_ONE);
    expect(firmness('c5-d6', { picks: picksWithout(ranked), each: 'one load each' })).toEqual([
      'The pick hangs on which pages are measured (one load each): with one page left out c5-d6 stays the pick in 1 of 3 ways (else c4-d6 2), with two left out in 2 of 3 ways (else c4-d6 1).',
    ]);
  });

  it('is said not to where it stays', () => {
    const { ranked } = rankedOf({ ...TWO_TO_ONE, 'c5-d6': [0.8, 0.8, 0.9] });
    expect(firmness('c5-d6', { picks: picksWithout(ranked), each: 'one load each' })).toEqual([
      'The pick does not hang on which pages are measured (one load each): with one page left out c5-d6 stays the pick in 3 of 3 ways, with two left out in 3 of 3 ways.',
    ]);
  });

  it('is not asked for with one page', () => {
    const { ranked } = rankedOf({ 'c1-d2': [0.4], 'c4-d6': [0.6] });
    expect(firmness('c4-d6', { picks: picksWithout(ranked), each: 'one load each' })).toEqual([]);
  });
});

describe('places', () => {
  it('names who is more often or as often there', () => {
    const [sentence] = pickSentence(rankedOf(TWO_TO_ONE).ranked);
    expect(sentence).toBe(
      "The memo's own rule by places picks c5-d6: in the top quartile in 2 of 3 scenarios, more often than any other; first in 2, more often than any other.",
    );
  });

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
    expect(placesInWords(ranked)).toBe('0 with 1 connection (1 profile), 1 with 4 (2 profiles), 1 with 6 (1 profile)');
  });

  it('are named with whoever is level with the last that is named', () => {
    const { ranked } = rankedOf({ 'c1-d2': [0.4, 0.4, 0.4], 'c4-d4': [0.9, 0.5, 0.5], 'c4-d6': [0.5, 0.9, 0.5], 'c6-d4': [0.8, 0.8, 0.9] });
    expect(mostOf(ranked.ranking.profiles, 'firsts', 1).split(', ').sort()).toEqual(['c4-d4 1', 'c4-d6 1', 'c6-d4 1']);
  });

  it('have a lead: the middle one', () => {
    // .8 over .6 is a third, three times.
    expect(leadInWords(rankedOf(TWO_TO_ONE).ranked)).toBe('33 %');
  });
});

describe('geometric means', () => {
  it('lead elsewhere than places do', () => {
    // {4,4} is never first and has the root of .79^3 = .79; {5,6} is first twice, with (.8 x .8 x .7)^(1/3) = .765, 3.1 % behind.
    const facts = { 'c1-d2': [0.4, 0.4, 0.4], 'c4-d4': [0.79, 0.79, 0.79], 'c4-d6': [0.78, 0.78, 0.78], 'c5-d6': [0.8, 0.8, 0.7] };
    const { ranked, index } = rankedOf(facts);
    expect(byMean(ranked)).toEqual({ best: 'c4-d4', close: ['c4-d6'], cheapest: 'c4-d4' });
    expect(pickOf(ranked)).toBe('c5-d6');
    const [sentence] = meansSentence(ranked, { index, each: 'one load each' });
    expect(sentence).toContain(
      'c4-d4 is highest (+98 % over c1-d2, chosen after the fact), and 1 of the 3 others are less than 3 % behind it; c5-d6 against it −3.1 %',
    );
    // Four profiles have six pairs.
    expect(sentence).toContain(
      '95 % for all 6 comparisons together), not shown to be better or worse. With one load each, little can be shown',
    );
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
    const [gateway, pick] = gatewaySentences(against);
    expect(gateway).toContain('not shown to be better or worse; without wiki-2008, which moves it most (+10 %), 0 %.');
    // The roots: of 2 x 1.6 x 1 the third one is 1.47. Farthest from it in logs is 1; the root of 2 x 1.6 is 1.79.
    expect(pick).toContain(`Against ${BASELINE_ID}, c5-d6 through the gateway: +47 %`);
    expect(pick).toContain('without app-2008, which moves it most (0 %), +79 %');
    expect(pick).toContain(`Against ${CONTROL_ID}: `);
  });

  it('says nothing where neither was loaded', () => {
    const { ranked, index } = rankedOf(TWO_TO_ONE);
    expect(gatewaySentences(againstShipped(ranked, index))).toEqual([]);
  });

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

describe('the pick against the default', () => {
  const sentenceOf = (gains: readonly number[]) =>
    study
      .findings(dataOf({ 'c1-d2': [0.4, 0.4, 0.4], 'c4-d6': gains }))
      .answer.find((sentence) => sentence.includes('c4-d6 against c1-d2'));

  it('is said to have a wide interval where the pages differ much', () => {
    // 1.05, 1.5 and 2.25: half the interval of logs is 4.303 x .381 / 1.732 = .947.
    expect(sentenceOf([0.42, 0.6, 0.9])).toContain(
      'not shown to be better or worse; a wide interval, as the pages differ much: single pages from +5 % (wiki-2008) to +125 % (app-2008), not tested',
    );
  });

  it('is not where they are alike', () => {
    expect(sentenceOf([0.6, 0.61, 0.6])).toContain('shown to be better; single pages from +50 %');
  });
});

describe('beside the memo', () => {
  it('says of firsts, places, connections and pick that depth is another', () => {
    const { comparisonWithOriginal, answer } = study.findings(dataOf(TWO_TO_ONE));
    const rows = comparisonWithOriginal.filter(({ what }) => /firsts|places|connections/.test(what));
    expect(rows).toHaveLength(4);
    for (const { why } of rows) expect(why).toContain("the memo's depth");
    expect(rows.at(-1)?.why).toContain("c5-d6 allows 30 at once, the memo's {4,6} about 6");
    expect(answer.filter((sentence) => sentence.includes('two total, not two per connection'))).toHaveLength(1);
  });
});
