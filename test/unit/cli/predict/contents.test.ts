/** Pages of reports as they were loaded: by their own words, else by what their loads show. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { reportContents } from '../../../../src/cli/predict/contents.ts';
import { profileReach } from '../../../../src/core/predict/recommend-prediction.ts';
import { FIREFOX_DEFAULT } from '../../../../src/core/profiles/presets.ts';
import { spokenWith } from '../../../../src/lab/pages/served-by.ts';
import { STUDIES } from '../../../../src/lab/studies/all-studies.ts';
import { modernDefaults } from '../../../../src/lab/studies/modern-defaults.ts';
import { studyPlan } from '../../../../src/lab/study-run/study-plan.ts';
import { studyReport } from '../../../../src/lab/study-run/study-report.ts';
import { parseReport } from '../../../../src/protocol/parse-report.ts';

const published = (study: string) =>
  parseReport(
    JSON.parse(gunzipSync(readFileSync(new URL(`../../../../docs/results/${study}/report.json.gz`, import.meta.url))).toString('utf8')),
  );
/** As reports were before pages had `served`. */
const withoutServed = (study: string) => {
  const report = published(study);
  const pages = report.pages.map(({ served: _served, graph, ...page }) => ({
    ...page,
    ...(graph && { graph: { ...graph, origins: { 'origin-0': { protocol: 'http/1.1' as const, tls: 'none' as const } } } }),
  }));
  return { ...report, pages };
};

describe('a report of a study', () => {
  const plan = studyPlan(modernDefaults, { cut: {}, seed: 1 });
  const session = {
    number: 0,
    startedAt: '2026-11-22T12:00:00.000Z',
    plumbfox: '0.1.0',
    firefox: { version: '153.0', buildId: '1' },
    applier: 'experiment-api' as const,
    os: 'Linux',
    node: '20',
    congestionControl: 'reno',
    servers: { nginx: '1.22' },
  };
  const record = { study: undefined, sessions: [session], links: [], interference: [], loads: [] };
  const report = studyReport({ study: modernDefaults, plan, record, seed: 1 });

  it('says how each page was served', () => {
    // docs/origins.md: TLS 1.3 and nothing else.
    expect(report.pages.map(({ name, served }) => [name, served])).toEqual([
      ['h1-docs', { protocol: 'http/1.1', tls: '1.3', connections: 'cold' }],
      ['h1-gallery', { protocol: 'http/1.1', tls: '1.3', connections: 'cold' }],
      ['h2-docs', { protocol: 'http/2', tls: '1.3', connections: 'cold' }],
      ['h2-gallery', { protocol: 'http/2', tls: '1.3', connections: 'cold' }],
      ['h3-docs', { protocol: 'http/3', tls: '1.3', connections: 'cold' }],
      ['h3-gallery', { protocol: 'http/3', tls: '1.3', connections: 'cold' }],
    ]);
  });

  it('is predicted so: connections reach its HTTP/1.1 pages alone, and depth none', () => {
    const { pages } = reportContents(parseReport(JSON.parse(JSON.stringify(report))));
    const reach = pages.map(({ name, page }) => [name, profileReach([page])] as const);
    for (const [name, { requests, byConnections, byDepth }] of reach) {
      expect([name, byConnections, byDepth]).toEqual([name, name.startsWith('h1') ? requests : 0, 0]);
    }
    expect(reach).toHaveLength(6);
    expect(plan.profiles).toContain(FIREFOX_DEFAULT);
  });
});

const PUBLISHED = STUDIES.filter(({ tookMinutes }) => tookMinutes !== undefined).map(({ id }) => id);

describe('the published report', () => {
  it.each(PUBLISHED)('of %s says how each page was served, and can be predicted whole', (id) => {
    const report = published(id);
    const study = STUDIES.find((each) => each.id === id);
    expect(report.pages.map(({ name, served }) => [name, served?.protocol, served?.connections])).toEqual(
      report.pages.map(({ name }) => {
        const declared = study?.pages.find((each) => each.name === name);
        return [name, declared && spokenWith(declared.servedBy).protocol, declared?.connections];
      }),
    );
    const contents = reportContents(report);
    expect(contents.pages).toHaveLength(report.pages.length);
    // The simulation opens every connection: what was loaded over open ones stands beside nothing, and is named.
    const warm = report.pages.filter(({ served }) => served?.connections === 'warm').map(({ name }) => name);
    expect(contents.recorded.filter(({ page }) => warm.includes(page))).toEqual([]);
    expect(contents.notes.filter((note) => note.includes('predicted over new ones'))).toEqual(
      warm.length === 0
        ? []
        : [`Loaded over open connections but predicted over new ones, so not compared with its loads: ${warm.join(', ')}.`],
    );
  });
});

it('takes what a page fetched twice from its newest load that was seen to its end', () => {
  const report = published('read-size');
  const [first, second, third, ...others] = report.loads.filter(({ page }) => page === report.pages[0]?.name);
  const twice = (load: typeof first, at: number, extra: object) =>
    load?.measures ? [{ ...load, startedAt: load.startedAt + at, measures: { ...load.measures, ...extra } }] : [];
  const loads = [
    ...others,
    ...twice(first, 1e12, { duplicateFetches: 2, emptySources: 1 }),
    ...twice(second, 2e12, { duplicateFetches: 5, cutShort: 'time-limit' }),
    ...twice(third, -1e12, { duplicateFetches: 7 }),
  ];
  expect(reportContents({ ...report, loads }).pages[0]?.duplicates).toMatchObject({ duplicateFetches: 2, emptySources: 1 });
});

describe('a report from before pages said how they were served', () => {
  it('goes by the protocol of its loads', () => {
    const { pages, notes } = reportContents(withoutServed('h2-large-objects'));
    expect(pages.map(({ name, page }) => [name, Object.values(page.origins ?? {})])).toEqual([
      ['h2-1mb', [{ protocol: 'http/2', tls: '1.3' }]],
      ['h2-10mb', [{ protocol: 'http/2', tls: '1.3' }]],
      ['h2-50mb', [{ protocol: 'http/2', tls: '1.3' }]],
      ['h3-10mb', [{ protocol: 'http/3', tls: '1.3' }]],
    ]);
    expect(pages[0]?.inferred[0]?.field).toBe('protocols');
    // nginx may have served it with or without TLS.
    expect(notes).toEqual(['Excluded, because the report does not say which protocol they used, or whether TLS: h1-10mb.']);
  });

  it('is refused in one line where no page is clear', () => {
    expect(() => reportContents(withoutServed('pipelining-10x150k'))).toThrow(
      /^No page of this report can be predicted: it does not say which protocol they used, or whether TLS\. [^\n]*$/,
    );
  });

  it('is plain HTTP/1.1 where the lab had no other server', () => {
    const { pages, notes } = reportContents(withoutServed('read-size'));
    expect(pages.map(({ name }) => name)).toEqual(['news-still', 'doors']);
    expect(notes).toEqual([]);
  });
});

describe('an export of everyday loads', () => {
  const report = published('h2-large-objects');
  const [first] = report.pages;
  const other = { name: 'other-pages' };

  it('is predicted without the pages of few loads, and says so', () => {
    const { pages, notes } = reportContents({ ...report, pages: [...(first ? [first] : []), other, { name: 'page-9' }] });
    expect(pages.map(({ name }) => name)).toEqual(['h2-1mb']);
    expect(notes).toEqual([
      'Excluded, because the report does not hold their requests: page-9.',
      'Excluded: pages with fewer than 20 loads are exported as one, other-pages, without their requests.',
    ]);
  });

  it('is refused in one line where it holds no other', () => {
    expect(() => reportContents({ ...report, pages: [other] })).toThrow(
      /^No page of this report can be predicted: pages with fewer than 20 loads are exported as one, [^\n]* Export again when a page has 20 loads, or use a HAR[^\n]*$/,
    );
  });
});
