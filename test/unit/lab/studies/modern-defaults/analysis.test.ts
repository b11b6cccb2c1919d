import { describe, expect, it } from 'vitest';
import { comparedProtocols, modernDefaultsFindings, outcomeOf } from '../../../../../src/lab/studies/modern-defaults/analysis.ts';
import { modernDefaults } from '../../../../../src/lab/studies/modern-defaults.ts';
import type { StudyLoad } from '../../../../../src/lab/studies/study.ts';
import { madeLoad } from '../made-load.ts';

const data = (loads: readonly StudyLoad[]) => ({ study: modernDefaults, pages: modernDefaults.pages, links: modernDefaults.links, loads });

/** Three turns of both pages of a protocol; no two loads are quite the same, by 0.1 % either way. */
function turns(prefix: 'h1' | 'h2', link: string, times: Readonly<Record<string, number>>): readonly StudyLoad[] {
  return ['docs', 'gallery'].flatMap((page, atPage) =>
    [0, 1, 2].flatMap((block) =>
      Object.entries(times).map(([profileId, loadTimeMs], at) =>
        madeLoad({
          ...{ profileId, page: `${prefix}-${page}`, link, block },
          loadTimeMs: loadTimeMs * (1 + (((block + at + atPage) % 3) - 1) / 1000),
          version: prefix === 'h1' ? 'http/1.1' : 'http/2',
        }),
      ),
    ),
  );
}

const EQUAL = { 'firefox-default': 1000, 'c2-d1': 1000, 'c6-d1': 1000, 'c16-d1': 1000, betterfox: 1000 };
const FAR_WINS = { ...EQUAL, 'c2-d1': 1500, 'c16-d1': 800, betterfox: 900 };
const ALL = [
  ...turns('h1', 'dsl-25m', { ...EQUAL, 'c2-d1': 1250 }),
  ...turns('h1', 'geo-19m', FAR_WINS),
  ...turns('h2', 'dsl-25m', EQUAL),
  ...turns('h2', 'geo-19m', EQUAL),
];

const outcome = (loads: readonly StudyLoad[]) => outcomeOf(comparedProtocols(data(loads)));

describe('the outcome', () => {
  it('names what beats the shipped profile, over one link and over all', () => {
    const { wins, candidates, everywhere, checks, falseAlarms } = outcome(ALL);
    // c2, c16 and betterfox on two links of two protocols.
    expect(candidates).toHaveLength(12);
    expect(wins.map(({ servedBy, link, profile }) => [servedBy, link, profile.id])).toEqual([
      ['https', 'geo-19m', 'c16-d1'],
      ['https', 'geo-19m', 'betterfox'],
    ]);
    // 1000 / 800; two pages in three turns: six pairs.
    expect(wins[0]?.profile.versusBaseline).toMatchObject({ ratio: expect.closeTo(1.25, 2), pairs: 6 });
    expect(everywhere.map(({ servedBy, profile }) => [servedBy, profile.id])).toEqual([
      ['https', 'c16-d1'],
      ['https', 'betterfox'],
    ]);
    expect([checks.length, falseAlarms.length]).toEqual([4, 0]);
  });

  it('knows by protocol how many requests the limit on connections affects', () => {
    expect(comparedProtocols(data(ALL)).map(({ servedBy, http1Share }) => [servedBy, http1Share])).toEqual([
      ['https', 1],
      ['http2', 0],
    ]);
  });

  it('is empty where nothing wins', () => {
    expect(outcome(turns('h1', 'dsl-25m', EQUAL))).toMatchObject({ wins: [], open: [], everywhere: [] });
  });

  it('does not take a false alarm for a win', () => {
    const loads = turns('h1', 'dsl-25m', { ...EQUAL, 'c6-d1': 800 });
    expect(outcome(loads)).toMatchObject({ wins: [], falseAlarms: [{ link: 'dsl-25m' }] });
    // Nor for the highest of the tables.
    expect(modernDefaultsFindings(data(loads)).tables[1]?.rows[0]?.[4]).not.toBe('c6-d1');
  });

  it('leaves open what one turn cannot decide', () => {
    const once = turns('h1', 'dsl-25m', FAR_WINS).filter(({ block }) => block === 0);
    // c2-d1, c16-d1 and betterfox, none of them with an interval.
    expect(outcome(once)).toMatchObject({ wins: [], open: [{}, {}, {}], candidates: [{}, {}, {}] });
  });
});

describe('the findings', () => {
  const findings = modernDefaultsFindings(data(ALL));

  it('answer in three lines', () => {
    expect(findings.answer).toHaveLength(3);
    expect(findings.answer[0]).toContain("Faster than Firefox's own settings in 2 of 12 comparisons over one link");
  });

  it('count links in one table, and name profiles by link in the other', () => {
    const [overall, byLink] = findings.tables;
    expect(overall?.columns[3]?.name).toBe('95 % interval, all 24 together');
    const row = overall?.rows.find(([protocol, id]) => protocol === 'HTTP/1.1' && id === 'c16-d1');
    expect([row?.[4], row?.slice(6)]).toEqual(['12', ['1', '0', '1', '0']]);
    const geo = byLink?.rows.find(([protocol, link]) => protocol === 'HTTP/1.1' && link === 'geo-19m');
    expect(geo?.slice(2, 6)).toEqual(['1.00 s', '6', 'c16-d1', '+25 %']);
    expect(geo?.[6]).toMatch(/^\+\d+ % to \+\d+ %$/);
    expect(geo?.slice(7)).toEqual(['6', 'faster', 'c16-d1, betterfox', 'c2-d1']);
    for (const { columns, rows } of findings.tables) for (const row of rows) expect(row).toHaveLength(columns.length);
    expect(findings.pictures.map(({ name }) => name)).toEqual(['modern-defaults-https', 'modern-defaults-http2']);
    for (const { svg } of findings.pictures) expect(svg).not.toMatch(/NaN|undefined/);
  });

  it.each([
    ['nothing', []],
    ['the shipped profile alone', turns('h1', 'dsl-25m', { 'firefox-default': 1000 })],
    ['no shipped profile', turns('h1', 'dsl-25m', { 'c2-d1': 1000, betterfox: 900 })],
  ])('are empty of %s', (_, loads) => {
    expect(modernDefaultsFindings(data(loads))).toMatchObject({ answer: [], tables: [], comparisonWithOriginal: [] });
  });
});

it('all comparisons share the chance of an error', () => {
  // Two protocols with two links and their own comparison over both: six.
  const found = comparedProtocols(data(ALL)).flatMap(({ overall, links }) => [overall, ...links.map(({ comparison }) => comparison)]);
  expect(found).toHaveLength(6);
  for (const { method } of found) expect(method.alpha).toBeCloseTo(0.05 / 6, 12);
});
