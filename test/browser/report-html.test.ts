/** report.html in a real Firefox: nothing of it is wider than the window, and the verdict is in sight. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportHtml } from '../../src/core/report/html/report-html.ts';
import type { Report } from '../../src/core/report/report.ts';
import { parseReport } from '../../src/protocol/parse-report.ts';
import { sampleReport } from '../golden/sample-report.ts';
import { type DrivenFirefox, preferenceLines, QUIET_PREFERENCES, startDrivenFirefox } from '../support/firefox-process.ts';

let folder: string;
let firefox: DrivenFirefox;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbfox-report-'));
  await writeFile(join(folder, 'user.js'), preferenceLines(QUIET_PREFERENCES));
  firefox = await startDrivenFirefox({ profile: folder, home: join(folder, 'home') });
  page = await firefox.browser.newPage();
});

afterAll(async () => {
  await firefox?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const published = async (study: string): Promise<Report> =>
  parseReport(JSON.parse(gunzipSync(await readFile(`docs/results/${study}/report.json.gz`)).toString()));

/** The published ones have 42 to 56 pages over links, the sample has 4. */
const REPORTS: Readonly<Record<string, () => Promise<Report>>> = {
  sample: async () => sampleReport(),
  'fennec-2008': () => published('fennec-2008'),
  'modern-defaults': () => published('modern-defaults'),
};

const WIDTHS = [1280, 800, 360];

interface Layout {
  readonly documentWidth: number;
  readonly verdictRights: readonly number[];
  /** Lines that each command of the answer takes: broken, half of it may be pasted. */
  readonly commandLines: readonly number[];
}

/** Runs in the page. */
function layout(): Layout {
  const badges = [...document.querySelectorAll('td .badge')];
  const linesOf = (paragraph: Element): readonly number[] => {
    const text = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    const lines: number[] = [];
    for (let node = text.nextNode(); node !== null; node = text.nextNode()) {
      const [found] = /plumbfox gateway --[ a-z0-9-]*/.exec(node.textContent ?? '') ?? [];
      if (found === undefined) continue;
      const range = document.createRange();
      const start = (node.textContent ?? '').indexOf(found);
      range.setStart(node, start);
      range.setEnd(node, start + found.length);
      lines.push(new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size);
    }
    return lines;
  };
  return {
    documentWidth: document.documentElement.scrollWidth,
    commandLines: [...document.querySelectorAll('.answer p')].flatMap(linesOf),
    verdictRights: badges.map((badge) => badge.getBoundingClientRect().right),
  };
}

describe.each(Object.keys(REPORTS))('the report %s', (name) => {
  beforeAll(async () => {
    const path = join(folder, `${name}.html`);
    await writeFile(path, reportHtml((await REPORTS[name]?.()) as Report));
    await page.goto(pathToFileURL(path).href, { waitUntil: 'load' });
  });

  test.each(WIDTHS)('is no wider than a window of %i px, and shows every verdict', async (width) => {
    await page.setViewport({ width, height: 800 });
    const { documentWidth, verdictRights, commandLines } = await page.evaluate(layout);
    expect(documentWidth).toBeLessThanOrEqual(width);
    expect(verdictRights.length).toBeGreaterThan(3);
    expect(verdictRights.filter((right) => right > width)).toEqual([]);
    expect(commandLines.filter((lines) => lines !== 1)).toEqual([]);
    if (name === 'sample') expect(commandLines).not.toEqual([]);
    if (process.env.PLUMBFOX_TEST_PICTURES) {
      await page.screenshot({ path: join(process.env.PLUMBFOX_TEST_PICTURES, `${name}-${width}.png`) as `${string}.png`, fullPage: true });
    }
  });
});
