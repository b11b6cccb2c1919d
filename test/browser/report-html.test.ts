/**
 * report.html and the pictures of studies in a real Firefox: the card answers in sight, nothing is wider than the window, no text is cut off or stands on
 * another, and nothing of a report becomes markup.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportHtml } from '../../src/core/report/html/report-html.ts';
import type { Report } from '../../src/core/report/report.ts';
import { parseReport } from '../../src/protocol/parse-report.ts';
import { sampleReport } from '../golden/sample-report.ts';
import { type DrivenFirefox, preferenceLines, QUIET_PREFERENCES, startDrivenFirefox } from '../support/firefox-process.ts';
import { numberFaults, shownTexts } from '../support/shown-numbers.ts';

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

const WIDTHS = [1280, 800, 400, 360];
/** Of a report of thousands of elements each width takes a quarter of a minute of a busy machine. */
const LARGE_WIDTHS = process.env.PLUMBFOX_FULL === '1' ? WIDTHS : [1280, 360];

interface Layout {
  readonly documentWidth: number;
  readonly verdictRights: readonly number[];
  /** Lines that each command of the answer takes: broken, half of it may be pasted. */
  readonly commandLines: readonly number[];
  /** Where the comparison of the card begins, px from the top; the headline and the figure are above it. */
  readonly comparedTop: number;
  /** Texts that leave their box, and pairs that stand on each other. */
  readonly faults: readonly string[];
}

/** Runs in the page. */
function layout(): Layout {
  const badges = [...document.querySelectorAll('td .badge')];
  interface Box {
    readonly text: string;
    readonly rect: DOMRect;
  }
  const textBoxes = (selector: string): readonly Box[] =>
    [...document.querySelectorAll(selector)].flatMap((element) => {
      const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const boxes: Box[] = [];
      for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
        if ((node.textContent ?? '').trim() === '' || node.parentElement?.closest('.hidden') !== null) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        boxes.push(
          ...[...range.getClientRects()].filter(({ width }) => width > 0).map((rect) => ({ text: node?.textContent ?? '', rect })),
        );
      }
      return boxes;
    });
  /** Line boxes of small type may touch; letters may not. */
  const standOn = ({ rect: a }: Box, { rect: b }: Box) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 6;
  const overlaps = ['.answer', '.axis', '.row .label', '.map'].flatMap((selector) => {
    const boxes = textBoxes(selector).slice(0, 400);
    return boxes.flatMap((box, at) =>
      boxes.slice(at + 1).flatMap((other) => (standOn(box, other) ? [`${box.text} on ${other.text}`] : [])),
    );
  });
  const out = textBoxes('.answer, .label, figcaption, h1, h2, header, dl').flatMap(({ text, rect }) =>
    rect.left < -0.5 || rect.right > window.innerWidth + 0.5 ? [`${text} leaves the window`] : [],
  );
  return {
    documentWidth: document.documentElement.scrollWidth,
    commandLines: [...document.querySelectorAll('.answer code')].map((code) => code.getClientRects().length),
    comparedTop: document.querySelector('.compared')?.getBoundingClientRect().top ?? 0,
    faults: [...overlaps, ...out],
    verdictRights: badges.map((badge) => badge.getBoundingClientRect().right),
  };
}

describe.each(Object.keys(REPORTS))('the report %s', (name) => {
  beforeAll(async () => {
    const path = join(folder, `${name}.html`);
    await writeFile(path, reportHtml((await REPORTS[name]?.()) as Report));
    await page.goto(pathToFileURL(path).href, { waitUntil: 'load' });
  });

  test.each(name === 'sample' ? WIDTHS : LARGE_WIDTHS)('is no wider than a window of %i px, and shows every verdict', async (width) => {
    await page.setViewport({ width, height: 800 });
    const { documentWidth, verdictRights, commandLines, comparedTop, faults } = await page.evaluate(layout);
    expect(faults).toEqual([]);
    // What is compared, who leads and how sure: headline, figure and the first rows.
    expect(comparedTop).toBeLessThan(450);
    expect(documentWidth).toBeLessThanOrEqual(width);
    expect(verdictRights.length).toBeGreaterThan(3);
    expect(verdictRights.filter((right) => right > width)).toEqual([]);
    expect(commandLines.filter((lines) => lines !== 1)).toEqual([]);
    if (name === 'sample') expect(commandLines).not.toEqual([]);
    // On a phone nothing scrolls sideways, tables neither.
    if (width <= 400) {
      const scrolling = await page.$$eval('*', (all) =>
        all
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX))
          .map((one) => one.textContent?.slice(0, 60)),
      );
      expect(scrolling).toEqual([]);
    }
    if (process.env.PLUMBFOX_TEST_PICTURES) {
      await page.screenshot({ path: join(process.env.PLUMBFOX_TEST_PICTURES, `${name}-${width}.png`) as `${string}.png`, fullPage: true });
    }
  });
});

test.each(Object.keys(REPORTS))('no number of the report %s stands alone', async (name) => {
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href, { waitUntil: 'load' });
  await page.setViewport({ width: 1280, height: 800 });
  expect(numberFaults(await page.evaluate(shownTexts))).toEqual([]);
});

/** A4 between the margins that Firefox gives it, 12.7 mm, in px of CSS. */
const A4_WIDTH = 698;

test.each(Object.keys(REPORTS))('the report %s is printed on white paper, with everything on it', async (name) => {
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href, { waitUntil: 'load' });
  await page.setViewport({ width: A4_WIDTH, height: 990 });
  const printed = await page.evaluate(() => {
    // What Firefox does for paper, while its reader likes it dark: rules of both media apply, in their order.
    for (const sheet of document.styleSheets)
      for (const rule of sheet.cssRules) {
        if (rule instanceof CSSMediaRule && /print|dark/.test(rule.media.mediaText)) rule.media.mediaText = 'all';
      }
    const luminance = (colour: string) => {
      const canvas = document.createElement('canvas').getContext('2d');
      if (canvas === null) return 0;
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
    };
    const papers = [...document.querySelectorAll('body, section, .answer, td, th, code')].map((element) => ({
      text: (element.textContent ?? '').slice(0, 40),
      paper: getComputedStyle(element).backgroundColor,
      ink: luminance(getComputedStyle(element).color),
    }));
    const painted = papers.filter(({ paper }) => !/, 0\)$|transparent/.test(paper));
    return {
      dark: painted.filter(({ paper }) => luminance(paper) < 0.3).map(({ text }) => text),
      faint: papers.filter(({ ink }) => ink > 0.5).map(({ text }) => text),
      // What is beyond the paper is not printed, and what scrolls on a screen does not on paper.
      wide: [...document.querySelectorAll('table, .plot, p, dd, code, h2')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .map((element) => `${element.localName}.${element.className} ${(element.textContent ?? '').trim().slice(0, 60)}`),
      closed: document.querySelectorAll('details:not([open])').length,
      breaking: ['tr', '.compared li', '.answer'].filter(
        (selector) => getComputedStyle(document.querySelector(selector) as Element).breakInside !== 'avoid',
      ),
    };
  });
  expect(printed).toEqual({ dark: [], faint: [], wide: [], closed: 0, breaking: [] });
});

/** Pictures of changes and amounts; those of packets are drawn by hundreds of marks, which may touch. */
const STUDIES = ['fennec-2008', 'fennec-2008-dispatch', 'modern-defaults', 'pacing', 'protocols', 'read-size', 'tweak-lists', 'warm-up'];

test('no label of a picture is cut off or stands on another', async () => {
  const pictures = (
    await Promise.all(
      STUDIES.map(async (study) => {
        const folder = `docs/results/${study}/pictures`;
        return (await readdir(folder)).map((name) => join(folder, name));
      }),
    )
  ).flat();
  expect(pictures.length).toBeGreaterThan(10);
  await page.setViewport({ width: 1300, height: 900 });
  for (const path of pictures) {
    await page.goto(pathToFileURL(resolve(path)).href, { waitUntil: 'load' });
    const faults = await page.evaluate(() => {
      const paper = document.documentElement.getBoundingClientRect();
      const boxes = [...document.querySelectorAll('text')].flatMap((element) => {
        const lines = [...element.querySelectorAll('tspan')];
        return (lines.length > 0 ? lines : [element]).map((line) => ({ text: line.textContent ?? '', rect: line.getBoundingClientRect() }));
      });
      const isOut = ({ rect }: (typeof boxes)[number]) =>
        rect.left < paper.left || rect.right > paper.right || rect.top < paper.top || rect.bottom > paper.bottom;
      const standOn = ({ rect: a }: (typeof boxes)[number], { rect: b }: (typeof boxes)[number]) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
      return boxes.flatMap((box, at) => [
        ...(isOut(box) ? [`${box.text} is cut off`] : []),
        ...boxes.slice(at + 1).flatMap((other) => (standOn(box, other) ? [`${box.text} on ${other.text}`] : [])),
      ]);
    });
    expect({ path, faults }).toEqual({ path, faults: [] });
  }
});

test('no text of a report becomes an element, asks for anything or runs', async () => {
  const HOSTILE = `</style><script>document.title='ran'</script><img src=x onerror="document.title='ran'">\u202E${'long '.repeat(200_000)}`;
  const report = sampleReport();
  const renamed = JSON.parse(
    JSON.stringify(report, (key, value) =>
      ['title', 'reason', 'sentence', 'os'].includes(key) && typeof value === 'string' ? HOSTILE : value,
    ),
  ) as Report;
  const elementsOf = async (shown: Report) => {
    const path = join(folder, 'hostile.html');
    await writeFile(path, reportHtml(shown));
    const refused: string[] = [];
    page.on('console', (message) => refused.push(message.text()));
    await page.goto(pathToFileURL(path).href, { waitUntil: 'load' });
    page.removeAllListeners('console');
    const names = await page.evaluate(() => [...document.querySelectorAll('*')].map(({ localName }) => localName));
    return {
      names: new Set(names),
      scripts: names.filter((name) => name === 'script' || name === 'img').length,
      refused,
      title: await page.title(),
    };
  };
  const [plain, hostile] = [await elementsOf(report), await elementsOf(renamed)];
  expect([...hostile.names].filter((name) => !plain.names.has(name))).toEqual([]);
  expect(hostile).toMatchObject({ scripts: 0, refused: [], title: plain.title });
});
