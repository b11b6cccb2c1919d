/**
 * `npm run bench:compare [LOADS]`: what comparing everyday loads costs, in Node and in Firefox, against the bars. Needs the same packages as
 * the browser tests. Figures hold for this machine, and for what else runs on it.
 */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { compareProfiles } from '../../src/core/compare/compare-profiles.ts';
import { comparableFigures } from '../../src/core/field/comparable-figures.ts';
import { compareField } from '../../src/core/field/compare-field.ts';
import { fieldLinks } from '../../src/core/field/field-links.ts';
import { joinPageLoad } from '../../src/core/measure/join-page-load.ts';
import { BASELINE_ID } from '../../src/core/profiles/profile.ts';
import { median } from '../../src/core/stats/quantile.ts';
import { everydayFigures } from '../support/everyday-figures.ts';
import { CONTROLS_URL, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { entry, originOf, pageTiming } from '../support/observation-builders.ts';

const BARS = { nodeMs: 300, firefoxMs: 1_000, blockMs: 50 };
const TURNS = 5;
const ONE_PROCESS = '--node-only';

const [loads = 100_000] = process.argv.slice(2).flatMap((word) => (Number(word) > 0 ? [Number(word)] : []));

const ms = (value: number) => `${value.toFixed(0)} ms`;
const against = (value: number, bar: number) => `${ms(value)} (bar ${bar} ms: ${value <= bar ? 'met' : 'missed'})`;
const timeOf = (work: () => unknown) => {
  const began = performance.now();
  work();
  return performance.now() - began;
};

/** In a process of its own, so that the first comparison is cold. */
function node(): void {
  const figures = everydayFigures(loads, 1);
  const links = fieldLinks(figures);
  const comparable = comparableFigures(figures, links).loads;
  const compare = () => compareProfiles(comparable, { baseline: BASELINE_ID, estimate: 'paired' });
  const cold = timeOf(compare);
  const warm = median(Array.from({ length: TURNS }, () => timeOf(compare))) ?? Number.NaN;
  const parts = { links: timeOf(() => fieldLinks(figures)), whole: timeOf(() => compareField(figures)) };
  print(`Node ${process.version}, ${loads} loads`, [
    ['compareProfiles, cold', against(cold, BARS.nodeMs)],
    [`compareProfiles, warm (median of ${TURNS})`, against(warm, BARS.nodeMs)],
    ['telling links, warm', ms(parts.links)],
    ['links and comparison, warm', ms(parts.whole)],
  ]);
}

interface Bench {
  fill(count: number, lastLoad: object): Promise<void>;
  parts(): Promise<Readonly<Record<string, number>>>;
  open(): Promise<{ readonly shownMs: number; readonly longestBlockMs: number; readonly blockedAtMs: number }>;
}
type BenchGlobal = typeof globalThis & { readonly bench: Bench };

async function firefox(): Promise<void> {
  const extension = await startExtensionFirefox({ variant: 'release' });
  try {
    const script = await readFile('dist/bench/in-firefox.js', 'utf8');
    const page = async () => {
      const opened = await openExtensionPage(extension.browser, CONTROLS_URL);
      await opened.evaluate(script);
      return opened;
    };
    const first = await page();
    const timing = pageTiming([entry('http://site.test/a.png', 60, 150)]);
    const lastLoad = JSON.stringify(joinPageLoad(timing, [], { originOf }));
    await first.evaluate((count, load) => (globalThis as BenchGlobal).bench.fill(count, JSON.parse(load)), loads, lastLoad);
    await first.close();
    const turns: Awaited<ReturnType<Bench['open']>>[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const host = await page();
      await host.bringToFront();
      turns.push(await host.evaluate(() => (globalThis as BenchGlobal).bench.open()));
      await host.close();
    }
    const last = await page();
    const parts = await last.evaluate(() => (globalThis as BenchGlobal).bench.parts());
    const middle = (value: (turn: (typeof turns)[number]) => number) => median(turns.map(value)) ?? Number.NaN;
    print(`Firefox ${await extension.browser.version()}, ${loads} loads in the store`, [
      [
        `opening the popup until all are compared and shown (median of ${TURNS})`,
        against(
          middle(({ shownMs }) => shownMs),
          BARS.firefoxMs,
        ),
      ],
      [
        'longest block of its thread meanwhile (the worst of them)',
        against(Math.max(...turns.map(({ longestBlockMs }) => longestBlockMs)), BARS.blockMs),
      ],
      [
        '  each time',
        turns
          .map(({ shownMs, longestBlockMs, blockedAtMs }) => `${ms(shownMs)}, block ${ms(longestBlockMs)} at ${ms(blockedAtMs)}`)
          .join('; '),
      ],
      ['of it: reading the figures', ms(parts.read ?? Number.NaN)],
      ['        telling links', ms(parts.links ?? Number.NaN)],
      ['        making them comparable', ms(parts.prepare ?? Number.NaN)],
      ['compareProfiles, cold', ms(parts.compareCold ?? Number.NaN)],
      ['compareProfiles, warm', ms(parts.compareWarm ?? Number.NaN)],
      ['links and comparison, warm', ms(parts.field ?? Number.NaN)],
    ]);
  } finally {
    await extension.stop();
  }
}

function print(title: string, rows: readonly (readonly [string, string])[]): void {
  const width = Math.max(...rows.map(([what]) => what.length));
  process.stdout.write(`${title}\n${rows.map(([what, value]) => `  ${what.padEnd(width)}  ${value}\n`).join('')}`);
}

if (process.argv.includes(ONE_PROCESS)) node();
else {
  const words = process.argv.slice(1).filter((word): word is string => word !== undefined);
  const busy = () =>
    `Load average ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} processors: above that number, times are too long.\n`;
  process.stdout.write(busy());
  spawnSync(process.execPath, [...words, ONE_PROCESS], { stdio: 'inherit' });
  await firefox();
  process.stdout.write(busy());
}
