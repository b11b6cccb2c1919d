import { describe, expect, it } from 'vitest';
import { PACING_OFF, pacingFindings, pacingResult } from '../../../../../src/lab/studies/pacing/analysis.ts';
import { pacing } from '../../../../../src/lab/studies/pacing.ts';
import type { StudyLoad } from '../../../../../src/lab/studies/study.ts';
import { madeLoad } from '../made-load.ts';

const data = (loads: readonly StudyLoad[]) => ({ study: pacing, pages: pacing.pages, links: pacing.links, loads });

/** Five turns of a page over a link; no two loads are quite the same, by 0.1 % either way. */
const turns = (page: string, link: string, times: Readonly<Record<string, number>>): readonly StudyLoad[] =>
  [0, 1, 2, 3, 4].flatMap((block) =>
    Object.entries(times).map(([profileId, loadTimeMs], at) =>
      madeLoad({ profileId, page, link, block, loadTimeMs: loadTimeMs * (1 + (((block + at) % 3) - 1) / 1000) }),
    ),
  );

const EQUAL = { 'firefox-default': 1000, 'c6-d1': 1000, 'pacing-off': 1000, 'c16-d1': 1000, 'c16-pacing-off': 1000 };
const ALL = [
  ...turns('plain-news', 'near-20m', { ...EQUAL, 'pacing-off': 800, 'c16-pacing-off': 625 }),
  ...turns('plain-gallery', 'near-20m', EQUAL),
  ...turns('plain-news', 'mid-10m', { ...EQUAL, 'pacing-off': 800, 'c16-pacing-off': 625 }),
  ...turns('plain-gallery', 'mid-10m', EQUAL),
];

describe('the result', () => {
  const result = pacingResult(data(ALL));

  it('is over all scenarios, and by page, link and protocol where there are several of them', () => {
    expect(result?.scenarios).toHaveLength(4);
    expect(result?.groups.map(({ name }) => name)).toEqual([
      'news, 12 servers',
      'gallery, 2 servers',
      '20 ms, 20 Mbit/s',
      '100 ms, 10 Mbit/s',
    ]);
    const off = result?.overall.comparison.profiles.find(({ id }) => id === PACING_OFF);
    // 1000 / 800 in two of four scenarios: the root of 1.25.
    expect(off?.versusBaseline).toMatchObject({ ratio: expect.closeTo(Math.sqrt(1.25), 2), pairs: 20 });
  });

  it('shares the chance of an error among the groups, and keeps it whole for what is over all', () => {
    expect(result?.overall.comparison.method.alpha).toBeCloseTo(0.05, 12);
    for (const { comparison } of result?.groups ?? []) expect(comparison.method.alpha).toBeCloseTo(0.05 / 4, 12);
  });

  it('has what is predicted of the same scenarios beside what is measured', () => {
    const [newsGroup, galleryGroup] = result?.groups ?? [];
    const of = (group: typeof newsGroup, id: string) =>
      group?.predicted.filter(({ profileId }) => profileId === id).map(({ ratio }) => ratio);
    // Two servers of which one is in use at a time never have more than the six connections above which requests are paced.
    for (const ratio of of(galleryGroup, PACING_OFF) ?? []) expect(ratio).toBeCloseTo(1, 2);
    for (const ratio of of(newsGroup, PACING_OFF) ?? []) expect(ratio).toBeGreaterThan(1.1);
    for (const { predicted } of result?.groups ?? [])
      for (const { profileId, ratio } of predicted) if (profileId === 'c6-d1') expect(ratio).toBe(1);
  });
});

describe('the findings', () => {
  const findings = pacingFindings(data(ALL));

  it('name what is faster, where, and what was predicted', () => {
    expect(findings.answer).toHaveLength(3);
    expect(findings.answer[0]).toMatch(/^Faster than Firefox's own settings over 4 scenarios \(a page over a link\): pacing-off \+12 % /);
    expect(findings.answer[0]).toContain('Not shown: c16-d1.');
    expect(findings.answer[1]).toContain('news, 12 servers +25 % (shown); gallery, 2 servers 0 %');
    expect(findings.answer[2]).toContain('is called neither faster nor slower');
  });

  it('have a table of profiles, one of kinds of scenario, and one of scenarios', () => {
    const [profiles, groups, scenarios] = findings.tables;
    expect(profiles?.rows.map(([id]) => id)).toEqual(['c6-d1', 'pacing-off', 'c16-d1', 'c16-pacing-off']);
    expect(groups?.rows[0]?.[3]).toMatch(/^\+25 %\* \(\+\d+ %\)$/);
    expect(scenarios?.rows[0]?.slice(0, 4)).toEqual(['plain-news', '20 ms, 20 Mbit/s', '1.00 s', '0.80 s']);
    for (const { columns, rows } of findings.tables) for (const row of rows) expect(row).toHaveLength(columns.length);
    for (const { svg } of findings.pictures) expect(svg).not.toMatch(/NaN|undefined/);
  });

  it('set the scenarios of the first run beside it, and no others', () => {
    const ours = Object.fromEntries(findings.comparisonWithOriginal.map(({ what, ours: text }) => [what.split(',')[0], text]));
    // News alone is among both; 1000 / 625.
    expect(ours.both).toMatch(/^\+60 % \(.*; 10 pairs\)$/);
    expect(ours['16 connections']).toMatch(/^0 % /);
  });

  it.each([
    ['nothing', []],
    ['the baseline alone', turns('plain-news', 'near-20m', { 'firefox-default': 1000 })],
    ['no baseline', turns('plain-news', 'near-20m', { 'pacing-off': 800, 'c16-d1': 900 })],
  ])('are empty of %s', (_, loads) => {
    expect(pacingFindings(data(loads))).toMatchObject({ answer: [], tables: [], comparisonWithOriginal: [], pictures: [] });
  });
});

it('is not measured over TLS where the link is far', () => {
  const without = (servedBy: string, link: string) =>
    pacing.pages
      .filter((page) => page.servedBy === servedBy)
      .flatMap((page) => pacing.links.filter(({ name }) => name === link).map((each) => pacing.without?.(page, each)));
  expect(without('https', 'far-5m')).toEqual([true, true, true]);
  expect(without('embedded', 'far-5m')).toEqual([false, false, false]);
});
