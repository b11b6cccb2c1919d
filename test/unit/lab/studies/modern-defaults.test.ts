import { describe, expect, it } from 'vitest';
import { modernDefaultsFindings } from '../../../../src/lab/studies/modern-defaults/findings.ts';
import { protocolFindings } from '../../../../src/lab/studies/modern-defaults/scenarios.ts';
import { modernDefaults } from '../../../../src/lab/studies/modern-defaults.ts';
import type { StudyLoad } from '../../../../src/lab/studies/study.ts';
import { madeLoad } from './made-load.ts';

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

describe('the findings', () => {
  const findings = modernDefaultsFindings(data(ALL));

  it('name what beats the shipped profile, where, and by how much at most, with its interval', () => {
    // 1000 / 800 and 1000 / 900; of c2, c16 and betterfox on two links of two protocols. Two pages in three turns: six pairs.
    expect(findings.answer[0]).toMatch(
      /^Yes, in 2 of 12 comparisons over one link: HTTP\/1\.1 over geo-19m; the highest estimate among them, chosen after the fact: \+25 % \(\+\d+ % to \+\d+ %; 6 pairs\) with c16-d1 \(HTTP\/1\.1 over geo-19m\)\. Over all links together these do: c16-d1 by HTTP\/1\.1, betterfox by HTTP\/1\.1\.$/,
    );
    // Four profiles with the shipped one, by two protocols, over two links and over both.
    expect(findings.answer[1]).toMatch(
      /^Intervals are of 95 %, all 24 comparisons of this study together, .* on these 2 pages, not what other/,
    );
  });

  it('say for each protocol what a profile does, and how many requests the limit on connections affects', () => {
    expect(findings.answer[2]).toMatch(/^HTTP\/1\.1, over all links: c2-d1 is slower, .*; 12 pairs\) \[slower on dsl-25m, geo-19m\]/);
    expect(findings.answer[2]).toMatch(/c16-d1 .* \[faster on geo-19m\]/);
    expect(findings.answer[2]).toContain('100 % of the requests used HTTP/1.1, the only version that the limit on connections affects.');
    expect(findings.answer[3]).toMatch(
      /^HTTP\/2, over all links: .* 0 % of the requests used HTTP\/1\.1, .* affects: what differs here is chance/,
    );
  });

  it('say what is as shipped but by name came to, and how far its intervals reach', () => {
    expect(findings.answer.at(-1)).toMatch(
      /^c6-d1, which is what Firefox ships set by hand: estimates 0 % to 0 % in 4 comparisons over one link, no verdict of faster or slower \(4 no different, 0 open\); its intervals reach from −0\.\d % to \+0\.\d %\.$/,
    );
    // One turn of two pages bounds nothing.
    const once = turns('h1', 'dsl-25m', { ...EQUAL, 'c6-d1': 1010 }).filter(({ block }) => block === 0);
    expect(modernDefaultsFindings(data(once)).answer.at(-1)).toMatch(/\(0 no different, 1 open\); without intervals\.$/);
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

  it('say plainly that nothing wins', () => {
    expect(modernDefaultsFindings(data(turns('h1', 'dsl-25m', EQUAL))).answer[0]).toBe(
      'Nothing that was tried beats what Firefox ships by more than 3 %, on any link.',
    );
  });

  it('do not take a false alarm for a win, and name it', () => {
    const { answer, tables } = modernDefaultsFindings(data(turns('h1', 'dsl-25m', { ...EQUAL, 'c6-d1': 800 })));
    expect(answer[0]).toBe('Nothing that was tried beats what Firefox ships by more than 3 %, on any link.');
    expect(answer.at(-1)).toContain('called faster or slower where nothing differs (HTTP/1.1 over dsl-25m +25 %)');
    // Nor for the highest of the tables.
    expect(tables[1]?.rows[0]?.[4]).not.toBe('c6-d1');
  });

  it('leave open what one turn cannot decide', () => {
    const once = turns('h1', 'dsl-25m', FAR_WINS).filter(({ block }) => block === 0);
    // c2-d1, c16-d1 and betterfox, none of them with an interval.
    expect(modernDefaultsFindings(data(once)).answer[0]).toBe(
      'Nothing that was tried is shown to beat what Firefox ships, on any link; in 3 of 3 comparisons over one link a gain of more than 3 % is not ruled out.',
    );
  });

  it.each([
    ['nothing', []],
    ['the shipped profile alone', turns('h1', 'dsl-25m', { 'firefox-default': 1000 })],
    ['no shipped profile', turns('h1', 'dsl-25m', { 'c2-d1': 1000, betterfox: 900 })],
  ])('say that too little was measured: %s', (_, loads) => {
    const { answer } = modernDefaultsFindings(data(loads));
    expect(answer).toHaveLength(1);
    expect(answer[0]).toMatch(/^Too little was measured/);
  });
});

it('all comparisons share the chance of an error', () => {
  // Two protocols with two links and their own comparison over both: six.
  const found = protocolFindings(data(ALL)).flatMap(({ overall, links }) => [overall, ...links.map(({ comparison }) => comparison)]);
  expect(found).toHaveLength(6);
  for (const { method } of found) expect(method.alpha).toBeCloseTo(0.05 / 6, 12);
});
