import { describe, expect, it } from 'vitest';
import { modernDefaults } from '../../../src/lab/studies/modern-defaults.ts';
import { modernDefaultsFindings } from '../../../src/lab/studies/modern-defaults-findings.ts';
import { protocolFindings } from '../../../src/lab/studies/modern-defaults-scenarios.ts';
import type { StudyLoad } from '../../../src/lab/studies/study-load.ts';
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

  it('name what beats the shipped profile, where, and by how much', () => {
    // 1000 / 800 and 1000 / 900; of c2, c16 and betterfox on two links of two protocols.
    expect(findings.answer[0]).toMatch(
      /^Yes, in 2 of 12 comparisons: HTTP\/1\.1 over geo-19m; the most is \+25 % with c16-d1 \(HTTP\/1\.1 over geo-19m\)\./,
    );
  });

  it('say for each protocol what a profile does, and how many requests a number of connections reaches', () => {
    expect(findings.answer[1]).toMatch(/^HTTP\/1\.1, over all links: c2-d1 is worse, .* \[worse on dsl-25m, geo-19m\]/);
    expect(findings.answer[1]).toMatch(/c16-d1 .* \[better on geo-19m\]/);
    expect(findings.answer[1]).toContain('reaches 100 % of the requests here.');
    expect(findings.answer[2]).toMatch(/^HTTP\/2, over all links: .* reaches 0 % of the requests here, as one connection carries them all/);
    expect(findings.answer.at(-1)).toBe('c6-d1 is what Firefox ships, set by hand: it is called better or worse nowhere, as it must be.');
  });

  it('count links in one table, and name profiles by link in the other', () => {
    const [overall, byLink] = findings.tables;
    expect(overall?.rows.find(([protocol, id]) => protocol === 'HTTP/1.1' && id === 'c16-d1')?.slice(5)).toEqual(['1', '0', '1', '0']);
    expect(byLink?.rows.find(([protocol, link]) => protocol === 'HTTP/1.1' && link === 'geo-19m')?.slice(2)).toEqual([
      '1.00 s',
      'c16-d1',
      '+25 %',
      'better',
      'c16-d1, betterfox',
      'c2-d1',
    ]);
    for (const { columns, rows } of findings.tables) for (const row of rows) expect(row).toHaveLength(columns.length);
    expect(findings.pictures.map(({ name }) => name)).toEqual(['modern-defaults-https', 'modern-defaults-http2']);
    for (const { svg } of findings.pictures) expect(svg).not.toMatch(/NaN|undefined/);
  });

  it('say plainly that nothing wins', () => {
    expect(modernDefaultsFindings(data(turns('h1', 'dsl-25m', EQUAL))).answer[0]).toBe(
      'Nothing that was tried beats what Firefox ships, on any link.',
    );
  });

  it('do not take a false alarm for a win, and name it', () => {
    const { answer } = modernDefaultsFindings(data(turns('h1', 'dsl-25m', { ...EQUAL, 'c6-d1': 800 })));
    expect(answer[0]).toBe('Nothing that was tried beats what Firefox ships, on any link.');
    expect(answer.at(-1)).toContain('is called better or worse 1 time (HTTP/1.1 over dsl-25m)');
  });

  it('leave open what one turn cannot decide', () => {
    const once = turns('h1', 'dsl-25m', FAR_WINS).filter(({ block }) => block === 0);
    expect(modernDefaultsFindings(data(once)).answer[0]).toMatch(/^Nothing that was tried is shown to beat/);
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
