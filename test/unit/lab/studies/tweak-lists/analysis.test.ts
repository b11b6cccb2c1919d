import { describe, expect, it } from 'vitest';
import { findKnob } from '../../../../../src/core/profiles/catalogue.ts';
import { checkProfile } from '../../../../../src/core/profiles/check-profile.ts';
import type { StudyLoad } from '../../../../../src/lab/studies/study.ts';
import { tweakListsFindings } from '../../../../../src/lab/studies/tweak-lists/analysis.ts';
import { TWEAK_LISTS } from '../../../../../src/lab/studies/tweak-lists/lists.ts';
import { tweakLists } from '../../../../../src/lab/studies/tweak-lists.ts';
import { tweakList } from '../../../../support/tweak-lists.ts';
import { madeLoad } from '../made-load.ts';

const data = (loads: readonly StudyLoad[]) => ({ study: tweakLists, pages: tweakLists.pages, links: tweakLists.links, loads });

/** Four turns of a page; no two loads are quite the same, by 0.1 % either way. */
const turns = (page: string, link: string, times: Readonly<Record<string, number>>): readonly StudyLoad[] =>
  [0, 1, 2, 3].flatMap((block) =>
    Object.entries(times).map(([profileId, loadTimeMs], at) =>
      madeLoad({
        ...{ profileId, page, link, block },
        loadTimeMs: loadTimeMs * (1 + (((block + at) % 3) - 1) / 1000),
        version: page.startsWith('h1') ? 'http/1.1' : 'http/2',
      }),
    ),
  );

const EQUAL = { 'firefox-default': 1000, 'betterfox-130': 1000, 'pacing-off': 1000, arkenfox: 1000 };
const ALL = ['4g-15m', 'cable-50m'].flatMap((link) => [
  ...turns('h1-news-still', link, { ...EQUAL, 'betterfox-130': 800, 'pacing-off': 800, arkenfox: 1250 }),
  ...turns('h1-gallery', link, { ...EQUAL, 'betterfox-130': 800, 'pacing-off': 800, arkenfox: 1250 }),
  ...turns('h2-gallery', link, EQUAL),
]);

describe('the lists', () => {
  it.each(TWEAK_LISTS)('$id sets what the catalogue has, and what a Firefox of today reads', ({ id, lines, measured }) => {
    for (const preference of Object.keys(measured))
      expect(findKnob(preference)).toMatchObject({ takesEffect: expect.not.stringMatching('never') });
    expect(Object.keys(measured).length).toBeLessThan(lines);
    const profile = tweakLists.profiles.find((each) => each.id === id);
    expect(profile?.preferences).toEqual(measured);
    expect(() => profile && checkProfile(profile)).not.toThrow();
  });

  it.each(TWEAK_LISTS)('$id is what was published, line by line', ({ id, lines, measured }) => {
    const published = tweakList(id === 'arkenfox' ? 'arkenfox-2026-08' : id);
    expect(published).toHaveLength(lines);
    expect(published).toEqual(expect.arrayContaining(Object.entries(measured)));
  });

  it('differ as their authors meant them to: 152 has dropped the line on pacing', () => {
    const [before, after] = TWEAK_LISTS;
    expect(before?.measured['network.http.pacing.requests.enabled']).toBe(false);
    expect(after?.measured).not.toHaveProperty('network.http.pacing.requests.enabled');
  });
});

describe('the findings', () => {
  const findings = tweakListsFindings(data(ALL));

  it('say by version of HTTP what is faster and what is slower', () => {
    expect(findings.answer).toHaveLength(3);
    expect(findings.answer[0]).toMatch(
      /^By HTTP\/1\.1, over all links: faster: betterfox-130 \+25 % \(.*; 16 pairs\), pacing-off \+25 % .*; slower: arkenfox −20 % .*\. By HTTP\/2 nothing is shown/,
    );
    expect(findings.answer[1]).toContain('betterfox-130 9 of 20, betterfox-152 7 of 14, arkenfox 4 of 182, folklore 6 of 18');
  });

  it('keep the order of the study, and star what is shown', () => {
    const [overall, byLink] = findings.tables;
    expect(overall?.rows.slice(0, 3).map(([protocol, id]) => [protocol, id])).toEqual([
      ['HTTP/1.1', 'betterfox-130'],
      ['HTTP/1.1', 'arkenfox'],
      ['HTTP/1.1', 'pacing-off'],
    ]);
    expect(byLink?.rows[0]?.slice(0, 6)).toEqual(['HTTP/1.1', 'cable-50m', '1.00 s', '+25 %*', '−20 %*', '+25 %*']);
    for (const { columns, rows } of findings.tables) for (const row of rows) expect(row).toHaveLength(columns.length);
    expect(findings.pictures.map(({ name }) => name)).toEqual(['tweak-lists-https', 'tweak-lists-http2']);
    for (const { svg } of findings.pictures) expect(svg).not.toMatch(/NaN|undefined/);
  });

  it('have the figure weighted by how well loads repeat where all pages and links say the same', () => {
    const weighted = findings.tables[0]?.rows.map((row) => row.at(-1));
    // All of 4 scenarios by HTTP/1.1, and of 2 by HTTP/2.
    for (const text of weighted ?? []) expect(text).toMatch(/^(?:0 %|[+−]\d+(?:\.\d)? %) \(/);
    const mixed = ['4g-15m', 'cable-50m'].flatMap((link) => [
      ...turns('h1-news-still', link, { ...EQUAL, arkenfox: 1250 }),
      ...turns('h1-gallery', link, { ...EQUAL, arkenfox: 800 }),
    ]);
    const row = tweakListsFindings(data(mixed)).tables[0]?.rows.find(([protocol, id]) => protocol === 'HTTP/1.1' && id === 'arkenfox');
    expect(row?.at(-1)).toBe('differs by page and link');
  });

  it('share the chance of an error among the versions of HTTP, and by link among the links', () => {
    // Two versions with three profiles each; two links of each of them.
    expect(findings.tables[0]?.columns[3]?.name).toBe('95 % interval, all 6 together');
    expect(findings.tables[1]?.title).toContain('all 12 intervals together');
  });

  it('have each list beside what its authors say, measured or not', () => {
    expect(findings.comparisonWithOriginal.map(({ ours }) => ours)).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 \+25 % .*, HTTP\/2 0 % /),
      'HTTP/1.1 not measured, HTTP/2 not measured',
      expect.stringMatching(/^HTTP\/1\.1 −20 % /),
      'HTTP/1.1 not measured, HTTP/2 not measured',
    ]);
  });

  it('are empty of nothing', () => {
    expect(tweakListsFindings(data([]))).toMatchObject({ answer: [], tables: [], comparisonWithOriginal: [], pictures: [] });
  });
});
