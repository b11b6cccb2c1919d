import { describe, expect, it } from 'vitest';
import { comparedVersions, protocolsFindings } from '../../../../../src/lab/studies/protocols/analysis.ts';
import { protocols } from '../../../../../src/lab/studies/protocols.ts';
import type { StudyLoad } from '../../../../../src/lab/studies/study.ts';
import { madeLoad } from '../made-load.ts';

const data = (loads: readonly StudyLoad[]) => ({ study: protocols, pages: protocols.pages, links: protocols.links, loads });

/** Four turns of both pages; no two loads are quite the same, by 0.1 % either way. */
const turns = (link: string, times: Readonly<Record<string, number>>): readonly StudyLoad[] =>
  ['docs', 'gallery'].flatMap((page) =>
    [0, 1, 2, 3].flatMap((block) =>
      Object.entries(times).map(([profileId, loadTimeMs], at) =>
        madeLoad({ profileId, page, link, block, loadTimeMs: loadTimeMs * (1 + (((block + at) % 3) - 1) / 1000) }),
      ),
    ),
  );

const FAR = turns('geo-19m', { 'firefox-default': 4000, 'no-http3': 5000, 'no-http2-no-http3': 8000 });
const NEAR = turns('4g-15m', { 'firefox-default': 1000, 'no-http3': 800, 'no-http2-no-http3': 1000 });

describe('the versions of HTTP', () => {
  it('are compared with the newest, over each link and over all of them', () => {
    const [all, near, far] = comparedVersions(data([...FAR, ...NEAR]));
    const ratios = (each: typeof all) => each?.comparison.profiles.map(({ versusBaseline }) => versusBaseline.ratio);
    expect([all?.link, near?.link?.name, far?.link?.name]).toEqual([undefined, '4g-15m', 'geo-19m']);
    expect(ratios(far)).toEqual([1, expect.closeTo(0.8, 2), expect.closeTo(0.5, 2)]);
    expect(ratios(near)).toEqual([1, expect.closeTo(1.25, 2), expect.closeTo(1, 2)]);
    // .8 and 1.25 come to 1.
    expect(ratios(all)).toEqual([1, expect.closeTo(1, 2), expect.closeTo(Math.SQRT1_2, 2)]);
    // Three comparisons share the chance of an error.
    expect(all?.comparison.method.alpha).toBeCloseTo(0.05 / 3, 12);
  });

  it('over one link alone are compared once', () => {
    const only = comparedVersions(data(FAR));
    expect(only.map(({ link }) => link?.name)).toEqual(['geo-19m']);
    expect(only[0]?.comparison.method.alpha).toBeCloseTo(0.05, 12);
  });
});

describe('the findings', () => {
  it('say by which version, how much, and beside the study before', () => {
    const { answer, comparisonWithOriginal, tables, pictures } = protocolsFindings(data([...FAR, ...NEAR]));
    expect(answer[0]).toMatch(/^Over 2 links together, against HTTP\/3 as shipped: HTTP\/2 0 % \(.*; 16 pairs\), HTTP\/1\.1 −29 % /);
    expect(answer[1]).toContain('Over geo-19m: HTTP/2 −20 % (');
    expect(comparisonWithOriginal.map(({ ours }) => ours)).toEqual(['8.00, 5.00 and 4.00 s', '1.00, 0.80 and 1.00 s']);
    for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
    for (const { svg } of pictures) expect(svg).not.toMatch(/NaN|undefined/);
  });

  it.each([
    ['nothing', []],
    ['the baseline alone', turns('4g-15m', { 'firefox-default': 1000 })],
    ['no baseline', turns('4g-15m', { 'no-http3': 1000, 'no-http2-no-http3': 900 })],
  ])('are empty of %s', (_, loads) => {
    expect(protocolsFindings(data(loads))).toMatchObject({ answer: [], tables: [], comparisonWithOriginal: [], pictures: [] });
  });
});
