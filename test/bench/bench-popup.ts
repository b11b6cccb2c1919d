/**
 * `npm run bench:popup [LOADS]`: how soon the extension's pages show something with 100,000 loads in the store, in Firefox and how much they
 * read before, against the bars: each kind of opening by turns with the others, in one run. Figures hold for this machine, and what else runs on it.
 */
import { readFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { joinPageLoad } from '../../src/core/measure/join-page-load.ts';
import { quantile } from '../../src/core/stats/quantile.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { entry, originOf, pageTiming } from '../support/observation-builders.ts';

const TURNS = 7;
const PACKAGE = 'dist/extension-release';
const [loads = 100_000] = process.argv.slice(2).flatMap((word) => (Number(word) > 0 ? [Number(word)] : []));

interface Bench {
  fill(count: number, load: object): Promise<void>;
  until(path: string, conditions: readonly Condition[], forget: boolean): Promise<readonly number[]>;
}
/** What is waited for: an element that is shown. Where a text is typed into a field, or a section opened, before, the time starts there. */
interface Condition {
  readonly shown: string;
  readonly typed?: { readonly field: string; readonly text: string };
  readonly opened?: string;
}

interface Opening {
  readonly path: string;
  readonly isAsleep: boolean;
  /** Removes the comparison that is kept for next time. */
  readonly forget?: boolean;
  readonly conditions: readonly Condition[];
  readonly rows: readonly { readonly name: string; readonly barMs: number }[];
}

const FIRST = [{ shown: '#card:not([hidden])' }];
const OPENINGS: readonly Opening[] = [
  {
    path: '../popup/popup.html',
    isAsleep: false,
    conditions: FIRST,
    rows: [{ name: 'first figures of the popup, event page awake', barMs: 100 }],
  },
  {
    path: '../popup/popup.html',
    isAsleep: true,
    conditions: FIRST,
    rows: [{ name: 'first figures of the popup, event page asleep', barMs: 250 }],
  },
  {
    path: '../controls/controls.html',
    isAsleep: false,
    forget: true,
    // The canvas has its width once it is drawn; the status is hidden once all loads are in it.
    conditions: [{ shown: '#chart[width]' }, { shown: '#comparison-status[hidden] ~ #comparison #chart[width]' }],
    rows: [
      { name: 'chart, without a comparison kept', barMs: 400 },
      { name: 'the same, of all loads', barMs: 1_000 },
    ],
  },
  {
    path: '../dashboard/dashboard.html',
    isAsleep: false,
    // The list is busy until all loads are in it.
    conditions: [
      { shown: '#history-controls:not([hidden])' },
      { shown: '#loads-rows:not([data-before])', typed: { field: '#history-search', text: 'site1' } },
      { shown: '#history-scroll[aria-busy="false"] #loads-rows' },
      { shown: '#loads-rows:not([data-before])', typed: { field: '#history-search', text: 'site2' } },
    ],
    rows: [
      { name: 'dashboard usable', barMs: 300 },
      { name: 'filtered at once, among the newest loads', barMs: 200 },
      { name: 'filtered at once, among all loads', barMs: 200 },
      { name: 'filtered again', barMs: 200 },
    ],
  },
  {
    path: '../dashboard/dashboard.html',
    isAsleep: false,
    forget: true,
    conditions: [
      { shown: '#history-scroll[aria-busy="false"] #loads-rows' },
      { shown: '#sites-table tbody tr', opened: '#sites' },
      { shown: '#trial-log-body p', opened: '#trial-log' },
      { shown: '#first-bytes select:enabled', opened: '#first-bytes' },
      { shown: '#models-map-picture', opened: '#models' },
    ],
    rows: [
      { name: 'dashboard, all loads listed', barMs: 700 },
      { name: 'sites and networks', barMs: 300 },
      { name: 'trial log', barMs: 500 },
      { name: 'first bytes', barMs: 1_000 },
      { name: 'models, their first figures', barMs: 1_000 },
    ],
  },
];

async function fill(firefox: ExtensionFirefox, script: string): Promise<void> {
  const page = await openExtensionPage(firefox.browser, CONTROLS_URL);
  await page.evaluate(script);
  const lastLoad = JSON.stringify(joinPageLoad(pageTiming([entry('http://site.test/a.png', 60, 150)]), [], { originOf }));
  await page.evaluate((count, load) => (globalThis as unknown as { bench: Bench }).bench.fill(count, JSON.parse(load)), loads, lastLoad);
  await page.close();
}

/** An event page that is just ending does not answer: the next question starts it again. */
const wake = (firefox: ExtensionFirefox): Promise<unknown> =>
  firefox.ask({ kind: 'popup-state' }).catch(() => firefox.ask({ kind: 'popup-state' }));

/** In a page of its own, in the frame of which the page to be measured opens. */
async function timesOf(firefox: ExtensionFirefox, script: string, opening: Opening): Promise<readonly number[]> {
  const host = await openExtensionPage(firefox.browser, CONTROLS_URL.replace('controls/controls.html', 'THIRD-PARTY.txt'));
  await host.evaluate(script);
  await host.bringToFront();
  if (opening.isAsleep) await firefox.untilEventPageEnds();
  else await wake(firefox);
  const times = await host.evaluate(
    (path, conditions, forget) => (globalThis as unknown as { bench: Bench }).bench.until(path, conditions as never, forget),
    opening.path,
    opening.conditions as never,
    opening.forget ?? false,
  );
  await host.close();
  return times;
}

/** A page, its style sheets and its scripts with what these import at once; with `later`, also what they import later. */
async function gzipped(page: string, later: boolean): Promise<number> {
  const read = new Map<string, Buffer>();
  const add = async (path: string): Promise<void> => {
    if (read.has(path)) return;
    const content = await readFile(join(PACKAGE, path));
    read.set(path, content);
    const text = content.toString('utf8');
    const pattern = path.endsWith('.html')
      ? /<(?:script|link)[^>]*\s(?:src|href)="([^"]+\.(?:js|css))"/g
      : later
        ? /(?:from|import)\s*\(?\s*[`"'](\.{1,2}\/[^`"']+)[`"']/g
        : /(?:from|import)\s*"(\.{1,2}\/[^"]+)"/g;
    for (const [, name = ''] of text.matchAll(pattern)) await add(join(dirname(path), name));
  };
  await add(page);
  return [...read.values()].reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0);
}

const busy = () =>
  `Load average ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} processors: above that number, times are too long.\n`;
const verdict = (value: number, bar: number) => (value <= bar ? 'met' : 'missed');

process.stdout.write(busy());
const script = await readFile('dist/bench/in-firefox.js', 'utf8');
const firefox = await startExtensionFirefox({ variant: 'release', preferences: { 'extensions.background.idle.timeout': 2_000 } });
const times = new Map<string, number[]>();
try {
  await fill(firefox, script);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const opening of OPENINGS) {
      const found = await timesOf(firefox, script, opening);
      for (const [at, { name }] of opening.rows.entries()) times.set(name, [...(times.get(name) ?? []), found[at] ?? Number.NaN]);
    }
  }
} finally {
  await firefox.stop();
}
process.stdout.write(`${loads} loads in the store; median of ${TURNS} (fastest to slowest), ms\n`);
for (const { name, barMs } of OPENINGS.flatMap(({ rows }) => rows)) {
  const all = (times.get(name) ?? []).toSorted((a, b) => a - b);
  const middle = quantile(all, 0.5) ?? Number.NaN;
  process.stdout.write(
    `  ${name.padEnd(48)} ${middle.toFixed(0).padStart(5)} (${all[0]?.toFixed(0)} to ${all.at(-1)?.toFixed(0)}), bar ${barMs}: ${verdict(middle, barMs)}\n`,
  );
}
for (const [name, page, later, bar] of [
  ['read by the popup before it shows anything', 'popup/popup.html', false, 45],
  ['read by the page with the chart, chart included', 'controls/controls.html', true, 110],
] as const) {
  const kB = (await gzipped(page, later)) / 1000;
  process.stdout.write(`  ${name.padEnd(48)} ${kB.toFixed(1).padStart(5)} kB gzip, bar ${bar}: ${verdict(kB, bar)}\n`);
}
process.stdout.write(busy());
