/** What a person may set of every page, and every page has to stand: Firefox's zoom, a minimum font size, and a script from right to left. */
import type { Page } from 'puppeteer-core';
import type { ChromeContext } from '../../src/lab/firefox/chrome-context.ts';
import type { PageFaults } from './page-check.ts';

const MIN_FONT = 'font.minimum-size.x-western';
const MIN_FONT_PX = 24;

export const NO_FAULTS: PageFaults = { overflow: [], clipped: [], broken: [], smallTargets: [] };

interface Look {
  readonly name: string;
  /** For the page in front, until it is undone. */
  readonly begin: (page: Page) => Promise<void>;
  readonly end: (page: Page) => Promise<void>;
}

/** @param parent - Firefox's parent process, which holds zoom and font sizes. */
export const pageLooks = (parent: ChromeContext): Readonly<Record<'zoomed' | 'largeFont' | 'rightToLeft', Look>> => ({
  zoomed: { name: 'at 200 %', begin: (page) => zoom(parent, page, 2), end: (page) => zoom(parent, page, 1) },
  largeFont: {
    name: `at least ${MIN_FONT_PX} px`,
    begin: (page) => minFontSize(parent, page, MIN_FONT_PX),
    end: (page) => minFontSize(parent, page, 0),
  },
  rightToLeft: { name: 'right to left', begin: (page) => direct(page, 'rtl'), end: (page) => direct(page, '') },
});

/** As Ctrl and + do it: 800 px of the window are 400 of a page at 200 %. */
async function zoom(parent: ChromeContext, page: Page, factor: number): Promise<void> {
  await parent.run(
    `(factor) => {
      const { ZoomManager, gBrowser } = Services.wm.getMostRecentWindow('navigator:browser');
      ZoomManager.setZoomForBrowser(gBrowser.selectedBrowser, factor);
      return null;
    }`,
    factor,
  );
  await page.waitForFunction((width) => innerWidth === width, {}, (page.viewport()?.width ?? 0) / factor);
  // What is drawn for a width is drawn in the frame after it has changed.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** @param px - 0: as Firefox ships it. */
async function minFontSize(parent: ChromeContext, page: Page, px: number): Promise<void> {
  await parent.run('([name, px]) => { Services.prefs.setIntPref(name, px); return null; }', [MIN_FONT, px]);
  // No computed style says it: a letter that is set smaller is as high all the same.
  await page.waitForFunction(
    (min) => {
      const letter = document.createElement('div');
      letter.style.cssText = 'position: absolute; font-size: 1px; line-height: normal';
      letter.textContent = 'x';
      document.body.append(letter);
      const { height } = letter.getBoundingClientRect();
      letter.remove();
      return min === 0 ? height < 10 : height >= min;
    },
    {},
    px,
  );
  await redraw(page);
}

/** Lays the page out anew: Firefox keeps the size of letters that it has laid out when the minimum changes (ESR 153). */
export const redraw = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { style } = document.documentElement;
    style.display = 'none';
    document.documentElement.getBoundingClientRect();
    style.display = '';
  });

const direct = (page: Page, dir: 'rtl' | ''): Promise<void> =>
  page.evaluate((value) => {
    document.documentElement.dir = value;
  }, dir);
