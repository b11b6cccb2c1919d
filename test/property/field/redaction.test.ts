/** No address, and nothing that who has the address can hold against it, is in anything that is exported; pages of few loads are one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { originOf } from '../../../src/adapters/site-shares.ts';
import { realNetworkLoads, realNetworkPages } from '../../../src/cli/tune/report.ts';
import { fieldExport, fieldReport } from '../../../src/core/field/field-report.ts';
import { loadSummary } from '../../../src/core/field/load-summary.ts';
import { joinPageLoad } from '../../../src/core/measure/join-page-load.ts';
import { storedUrl } from '../../../src/core/measure/stored-url.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import { buildReport } from '../../../src/core/report/build-report.ts';
import { reportHtml } from '../../../src/core/report/html/report-html.ts';
import { mergeReports } from '../../../src/core/report/merge/merge-reports.ts';
import type { MeasuredLoad, Report } from '../../../src/core/report/report.ts';
import { reportTable } from '../../../src/core/report/report-table.ts';
import { MIN_CELL_LOADS, OTHER_PAGES, withoutSmallCells } from '../../../src/core/report/small-cells.ts';
import type { MarkedPageLoad } from '../../../src/core/trial/trial-mark.ts';
import { importHar } from '../../../src/lab/pages/import-har.ts';
import { validateLoad } from '../../../src/lab/run/validate-load.ts';
import { parseReport } from '../../../src/protocol/parse-report.ts';
import { countBar } from '../../support/bar-count.ts';
import { canaryForms, formsIn } from '../../support/canary-forms.ts';
import { entry, event, mainEvent, ORIGIN_AT, pageTiming } from '../../support/observation-builders.ts';
import { entry as harEntry, harOf } from '../../unit/core/har/har-of.ts';

const RUNS = process.env.PLUMBFOX_FULL === '1' ? 2_000 : 30;

/** Long enough that none stands anywhere by chance. */
const word = fc.stringMatching(/^zq[a-z0-9]{6,12}$/);
const label = fc.oneof(word, fc.constantFrom('zqbücherei', 'zq例え話', 'zqпример', 'xn--zqbcherei-q9a'));
const host = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(label, label, fc.constantFrom('com', 'co.uk', 'example', '中国', 'xn--p1ai')).map((parts) => parts.join('.')),
  },
  fc.ipV6().map((address) => `[${address}]`),
  fc.ipV4(),
);
const httpAddress = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    user: fc.option(fc.tuple(word, word), { nil: undefined }),
    host,
    port: fc.option(fc.integer({ min: 1024, max: 65_535 }), { nil: undefined }),
    path: fc.array(fc.oneof(word, fc.constant('zq%C3%BCber%20uns')), { maxLength: 3 }),
    query: fc.option(fc.tuple(word, word), { nil: undefined }),
    hash: fc.option(word, { nil: undefined }),
  })
  .map(
    ({ scheme, user, host: name, port, path, query, hash }) =>
      `${scheme}://${user ? `${user.join(':')}@` : ''}${name}${port ? `:${port}` : ''}/${path.join('/')}${query ? `?${query.join('=')}` : ''}${hash ? `#${hash}` : ''}`,
  )
  // Such as an address of IPv6 that is none.
  .filter((address) => URL.canParse(address));
const anyAddress = fc.oneof(
  { weight: 5, arbitrary: httpAddress },
  word.map((text) => `data:text/plain,${text}`),
  httpAddress.map((address) => `blob:${new URL(address).origin}/7d1c2f3a-0b5e-4c55-9d55-0123456789ab`),
);

const browsed = fc.array(
  fc.record({
    page: httpAddress,
    resources: fc.array(anyAddress, { minLength: 1, maxLength: 4 }),
    loads: fc.constantFrom(1, 3, 19, 20, 24),
    profileId: fc.constantFrom(undefined, 'c8-d1', 'c4-d6'),
    end: fc.constantFrom('quiet', 'quiet', 'time-limit', 'page-left', 'failed'),
  }),
  { minLength: 1, maxLength: 4 },
);
type Browsed = (typeof browsed extends fc.Arbitrary<infer T> ? T : never)[number];

/** Both halves as Firefox tells them, joined and stored. */
function recorded({ page, resources, loads, profileId, end }: Browsed, site: number): readonly MarkedPageLoad[] {
  return Array.from({ length: loads }, (_, turn) => {
    const timing = pageTiming(
      resources.map((url, at) => entry(storedUrl(url), 60 + at, 150 + 10 * at)),
      {
        url: storedUrl(page),
        timeOrigin: ORIGIN_AT + (site * 100 + turn) * 60_000,
        navigation: entry(storedUrl(page), 1, 50, { initiatorType: 'navigation', connectStart: 1, connectEnd: 21 }),
        ended: end === 'failed' ? 'quiet' : end,
      },
    );
    const at = timing.timeOrigin - ORIGIN_AT;
    const events = [
      mainEvent('started', 'main', at, { url: storedUrl(page) }),
      mainEvent(end === 'failed' ? 'failed' : 'completed', 'main', at + 50, { url: storedUrl(page) }),
      ...resources.flatMap((url, index) => [
        event('started', `r${index}`, at + 60 + index, { url: storedUrl(url) }),
        event('completed', `r${index}`, at + 150 + 10 * index, { url: storedUrl(url) }),
      ]),
    ];
    const load = joinPageLoad(timing, events, { originOf });
    return {
      ...load,
      id: `${site}-${turn}`,
      ...(profileId && {
        applied: { profileId, applier: 'experiment-api', carrier: 'none', intended: {}, readBack: [], mismatches: [] } as const,
      }),
    };
  });
}

const FACTS = {
  names: [],
  provenance: { plumbfox: '0', firefox: { version: '153.0', buildId: '1' }, os: 'linux' },
  createdAt: '2026-01-01T00:00:00.000Z',
};
const facts = (loads: readonly MarkedPageLoad[]) => ({ ...FACTS, loads, figures: loads.map(loadSummary), total: loads.length });

/** Everything that is made of a report and may be handed on. */
function filesOf(report: Report): string {
  const written = JSON.stringify(report, null, 2);
  const read = parseReport(JSON.parse(written));
  const later = read.loads.map((load) => ({ ...load, startedAt: load.startedAt + 1e9 }));
  const merged = mergeReports([read, { ...read, loads: later }]);
  const page = reportHtml(read);
  const table = reportTable(read.comparison, { width: 140, colour: false, answer: read.answer?.sentence });
  return [written, JSON.stringify(merged), page, table].join('\n');
}

/** The page a report is written as names the namespaces of its drawings. */
const withoutNamespaces = (text: string): string => text.replaceAll('http://www.w3.org/2000/svg', '');

it('no address, no part of one and no digest of one is in the report of everyday loads, its page, its table or what is merged from it', () => {
  let held = 0;
  let scanned = 0;
  fc.assert(
    fc.property(browsed, (sites) => {
      const files = withoutNamespaces(filesOf(fieldExport(facts(sites.flatMap(recorded)))));
      const forms = sites.flatMap(({ page, resources }) => [page, ...resources]).flatMap(canaryForms);
      scanned += forms.length;
      held += forms.length - formsIn(files, forms).length;
      expect(formsIn(files, forms)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  expect(scanned).toBeGreaterThan(RUNS * 50);
  countBar(26, 'forms of visited addresses that no export holds', held, scanned);
});

it('no address is in the report of tune --urls, also where the page fails', () => {
  fc.assert(
    fc.property(browsed, (sites) => {
      const records = sites.flatMap(recorded);
      const profile = findProfile('c8-d1');
      if (profile === undefined) throw new Error('There is no profile');
      const loads = records.map((record, order) => {
        const applied = { profileId: profile.id, applier: 'driver', carrier: 'none', intended: {}, readBack: [], mismatches: [] } as const;
        const outcome = { load: record, applied, readBack: [] } as unknown as Parameters<typeof validateLoad>[0]['outcome'];
        const measured: MeasuredLoad = {
          ...{ profileId: profile.id, page: `page-${(order % sites.length) + 1}`, link: 'real-network', block: order, order, readBack: [] },
          startedAt: record.startedAt,
          validity: validateLoad({ profile, carrier: 'none', outcome } as unknown as Parameters<typeof validateLoad>[0]),
        };
        return { measured, record } as unknown as Parameters<typeof realNetworkLoads>[0][number];
      });
      const real = realNetworkLoads(loads);
      const pages = realNetworkPages(
        sites.map((_, at) => ({ name: `page-${at + 1}` })),
        loads,
      );
      const { provenance, createdAt } = FACTS;
      const profiles = [{ id: profile.id, title: profile.title, carrier: 'none', depth: 1, intended: {}, role: 'baseline' } as const];
      const report = buildReport({
        createdAt,
        provenance: { ...provenance, seed: 1, notes: [] },
        pages,
        profiles,
        baseline: profile.id,
        ...real,
      });
      const forms = sites.flatMap(({ page, resources }) => [page, ...resources]).flatMap(canaryForms);
      expect(formsIn(withoutNamespaces(filesOf(report)), forms)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

it('no address and no title of a HAR is in the recipe that is made of it', () => {
  fc.assert(
    fc.property(httpAddress, fc.array(httpAddress, { maxLength: 5 }), word, (page, resources, title) => {
      const har = harOf([harEntry(page), ...resources.map((url, at) => harEntry(url, { at: 100 + at, referer: page }))]) as {
        log: { pages?: { title?: string }[] };
      };
      for (const one of har.log.pages ?? []) one.title = title;
      const forms = [title, ...[page, ...resources].flatMap(canaryForms)];
      expect(formsIn(JSON.stringify(importHar(har, { name: 'imported' })), forms)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

it(`a page of fewer than ${MIN_CELL_LOADS} loads is named nowhere in an export, and nothing tells which of them are of one site`, () => {
  let held = 0;
  let scanned = 0;
  fc.assert(
    fc.property(browsed, (sites) => {
      const before = fieldReport(facts(sites.flatMap(recorded)));
      const after = withoutSmallCells(before);
      const counts = new Map<string, number>();
      for (const { page } of before.loads) counts.set(page, (counts.get(page) ?? 0) + 1);
      const small = [...counts].filter(([, count]) => count < MIN_CELL_LOADS).map(([page]) => page);
      scanned += small.length;
      held += small.filter((page) => !JSON.stringify(after).includes(`"${page}"`)).length;
      const merged = after.loads.filter(({ page }) => page === OTHER_PAGES);
      expect(merged.length).toBe(before.loads.filter(({ page }) => small.includes(page)).length);
      expect(merged.flatMap(({ measures }) => Object.keys(measures?.peakOutstandingByOrigin ?? {}))).toEqual([]);
      // Only loads that stood in one block before stand in one now, so that pages are not compared with each other.
      const blockOf = (loads: readonly MeasuredLoad[]) => loads.map(({ page, link, block }) => `${page} ${link} ${block}`);
      expect(new Set(blockOf(after.loads)).size).toBe(new Set(blockOf(before.loads)).size);
      // The comparison and its counts are those that the popup shows.
      expect(after.comparison.profiles).toEqual(before.comparison.profiles);
      const loadsIn = ({ comparison }: Report) =>
        comparison.scenarios.flatMap(({ profiles }) => profiles).reduce((sum, { loads }) => sum + loads, 0);
      expect(loadsIn(after)).toBe(loadsIn(before));
    }),
    { numRuns: RUNS },
  );
  expect(scanned).toBeGreaterThan(RUNS / 2);
  countBar(26, 'pages of fewer than 20 loads that are merged', held, scanned);
});
