/**
 * The popup's card in a real Firefox, as its tests look at it: what every state has to hold at every width, in English and in German, light and dark.
 * Where CARD_PICTURES names a folder, each state is photographed into it.
 */
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'puppeteer-core';
import { expect } from 'vitest';
import type { CardState } from '../../src/core/answer/card.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { axeViolations } from './axe.ts';
import { openExtensionPage, POPUP_URL } from './extension-firefox.ts';
import { pageFaults } from './page-check.ts';
import { NO_FAULTS, pageLooks, redraw } from './page-looks.ts';
import { numberFaults, shownTexts } from './shown-numbers.ts';

const PANEL = { width: 380, height: 600 };
/** A phone, a small window and a large one, which has the layout of the small one: it is looked at in one state, and where there are pictures. */
const widthsFor = (name: StateName): readonly number[] =>
  process.env.CARD_PICTURES === undefined && kindOf(name) !== 'confirmed' ? [360, 800] : [360, 800, 1280];
const WINDOW_HEIGHT = 800;
/** As Services.prefs takes it: 0 is dark, 1 light, for pages alone. */
const SCHEME = 'layout.css.prefers-color-scheme.content-override';
const GERMAN_URL = POPUP_URL.replace('popup.html', 'german.html');
/** 400 px of a page at Firefox's zoom of 200 %. */
const ZOOMED_WIDTH = 800;
/** The popup in an extension of `withUnansweredCard`. */
export const UNANSWERED_URL = POPUP_URL.replace('popup.html', 'unanswered.html');

/** A state, and after a comma what tells this one from others of the same kind. */
type StateName = CardState['kind'] | `${CardState['kind']}, ${string}`;

export interface Card {
  /** The card in English. */
  readonly page: () => Page;
  /** Waits until it has this state. */
  readonly comeTo: (kind: CardState['kind']) => Promise<void>;
  /** Waits until it has this state and these texts. */
  readonly says: (kind: CardState['kind'], ...texts: readonly (string | RegExp)[]) => Promise<void>;
  /** Waits until it has this state and these texts, and looks at it. @returns its text. */
  readonly expectState: (name: StateName, ...texts: readonly (string | RegExp)[]) => Promise<string>;
  /** Looks at it as it is. @param buttons - All that can be seen. */
  readonly look: (name: StateName, buttons: readonly string[]) => Promise<void>;
  readonly press: (selector?: string) => Promise<void>;
  /** What is read only when it opens is read again. */
  readonly reopen: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * A copy of an unpacked extension with a second popup, in German: Firefox ESR carries no German, so that an extension finds none there, and this page
 * asks the package's German texts instead.
 * @returns Its folder, for `startExtensionFirefox`; whoever asked removes it.
 */
export async function withGermanCard(extension: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbfox-german-card-'));
  await cp(extension, folder, { recursive: true });
  const texts = await readFile(join(folder, '_locales/de/messages.json'), 'utf8');
  await addPopup(folder, 'german', `const texts = ${texts};\nbrowser.i18n.getMessage = (key) => texts[key]?.message ?? '';\n`);
  return folder;
}

/** Adds a popup to such a folder that the background never answers: it can show only what was kept. */
export const withUnansweredCard = (folder: string): Promise<void> =>
  addPopup(folder, 'unanswered', 'browser.runtime.sendMessage = () => new Promise(() => undefined);\n');

/** @param script - Runs before the popup's own. */
async function addPopup(folder: string, name: string, script: string): Promise<void> {
  const page = await readFile(join(folder, 'popup/popup.html'), 'utf8');
  await writeFile(join(folder, `popup/${name}.html`), page.replace('<script', `<script src="${name}.js"></script><script`));
  await writeFile(join(folder, `popup/${name}.js`), script);
}

/** @param hasGerman - Whether the extension is one of `withGermanCard`. */
export async function openCard(browser: Browser, { hasGerman = false } = {}): Promise<Card> {
  const chrome = await chromeContext(browser);
  const looks = pageLooks(chrome);
  const inScheme = (value: 0 | 1) => chrome.run('([name, value]) => Services.prefs.setIntPref(name, value)', [SCHEME, value]);
  await inScheme(1);
  let pages = await openPages(browser, hasGerman);
  /** Structures that axe has seen: it looks at elements, names, roles and colours, and not at what a sentence says. */
  const seen = new Set<string>();
  async function expectAccessible(page: Page, name: string): Promise<void> {
    const structure = `${name.split(', ').slice(-2).join()} ${await page.evaluate(structureOf)}`;
    if (seen.has(structure)) return;
    seen.add(structure);
    expect.soft(await axeViolations(page), name).toEqual([]);
  }

  async function look(name: StateName, buttons: readonly string[], isInGerman: boolean): Promise<void> {
    const { english, german } = pages;
    await inspect(english, name, { buttons, widths: widthsFor(name), looks, picture: 'en' });
    await expectAccessible(english, `${name}, English, light`);
    await inScheme(0);
    await inDark(english);
    if (process.env.CARD_PICTURES !== undefined) await resize(english, PANEL);
    await photograph(english, name, 'dark');
    if (isInGerman && german !== undefined) {
      await comeTo(german, kindOf(name));
      await inDark(german);
      const isWhyOpen = await english.evaluate(() => document.querySelector('details')?.open === true);
      await german.evaluate((isOpen) => document.querySelector('details')?.toggleAttribute('open', isOpen), isWhyOpen);
      await expectAccessible(german, `${name}, German, dark`);
      await inScheme(1);
      await inspect(german, name, { buttons, widths: [360], looks, picture: 'de' });
      await english.bringToFront();
    } else {
      await expectAccessible(english, `${name}, English, dark`);
      await inScheme(1);
    }
  }

  async function says(kind: string, texts: readonly (string | RegExp)[]): Promise<void> {
    await comeTo(pages.english, kind);
    for (const text of texts) {
      const shown = expect.poll(() => shownText(pages.english), { timeout: 30_000 });
      await (typeof text === 'string' ? shown.toContain(plainSpaces(text)) : shown.toMatch(text));
    }
  }

  return {
    page: () => pages.english,
    comeTo: (kind) => comeTo(pages.english, kind),
    says: (kind, ...texts) => says(kind, texts),
    expectState: async (name, ...texts) => {
      await says(kindOf(name), texts);
      const canSetAgain = name === 'applied-not-in-effect';
      await look(name, canSetAgain ? ['main', 'other'] : ['main'], true);
      const text = await shownText(pages.english);
      expect.soft(text).not.toMatch(/undefined|NaN|Infinity|\{/);
      expect.soft(numberFaults(await pages.english.evaluate(shownTexts)), name).toEqual([]);
      return text;
    },
    look: (name, buttons) => look(name, buttons, false),
    press: async (selector = '#main') => {
      await pages.english.bringToFront();
      await pages.english.focus(selector);
      await pages.english.keyboard.press('Enter');
    },
    reopen: async () => {
      await closePages(pages);
      pages = await openPages(browser, hasGerman);
    },
    close: () => closePages(pages),
  };
}

interface CardPages {
  readonly english: Page;
  readonly german: Page | undefined;
}

async function openPages(browser: Browser, hasGerman: boolean): Promise<CardPages> {
  const open = async (url: string) => {
    const page = await openExtensionPage(browser, url);
    await page.setViewport(PANEL);
    return page;
  };
  const german = hasGerman ? await open(GERMAN_URL) : undefined;
  expect(await german?.evaluate(() => document.documentElement.lang)).toBe(hasGerman ? 'de' : undefined);
  return { english: await open(POPUP_URL), german };
}

const closePages = async ({ english, german }: CardPages): Promise<void> => {
  await german?.close();
  await english.close();
};

const kindOf = (name: StateName): string => name.split(', ', 1)[0] ?? name;

const plainSpaces = (shown: string) => shown.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ');

const shownText = async (page: Page): Promise<string> => plainSpaces(await page.evaluate(() => document.body.innerText));

/** A page that comes to the front looks again. */
async function comeTo(page: Page, kind: string): Promise<void> {
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page
    .waitForFunction((wanted) => document.getElementById('card')?.dataset.state === wanted, { timeout: 30_000 }, kind)
    .catch(async () => {
      const now = await page.evaluate(() => document.getElementById('card')?.dataset.state);
      throw new Error(`The card does not come to ${kind}, but to ${now}: ${await shownText(page)}`);
    });
}

/** Runs in the page: its visible elements, what their names and roles are made of, and what their colours come from. */
function structureOf(): string {
  const visible = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => element.checkVisibility());
  const kinds = visible.map((element) => {
    const { localName, id, className, dataset, attributes, textContent } = element;
    // Of a label axe sees only whether there is one.
    const named = [...attributes]
      .filter(({ name }) => name === 'role' || name.startsWith('aria-'))
      .map(({ name, value }) => `${name}=${name === 'aria-label' ? value.trim() !== '' : value}`);
    return `${localName}#${id}.${className} ${dataset.tone ?? ''} ${named.join(' ')} ${textContent.trim() !== ''}`;
  });
  return [...new Set(kinds)].join();
}

const inDark = (page: Page) => page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);

interface Inspected {
  readonly buttons: readonly string[];
  readonly widths: readonly number[];
  readonly looks: ReturnType<typeof pageLooks>;
  readonly picture: 'en' | 'de';
}

/**
 * At the size of the panel everything can be seen without scrolling; at no width does anything overflow, or is cut off, nor where a person has set a
 * larger font, a zoom, or a script from right to left.
 */
async function inspect(page: Page, name: StateName, { buttons, widths, looks, picture }: Inspected): Promise<void> {
  // What it drew in the background while letters of the other page had to be larger is as large still.
  await redraw(page);
  const sizes = [PANEL, ...widths.map((width) => ({ width, height: WINDOW_HEIGHT }))];
  // From the size that it has from the last time: to change it takes as long as to look.
  if (page.viewport()?.width !== PANEL.width) sizes.reverse();
  for (const size of sizes) {
    await resize(page, size);
    const isPanel = size === PANEL;
    if (isPanel) {
      const layout = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        height: document.documentElement.scrollHeight,
        buttons: [...document.querySelectorAll('button')].filter((button) => button.checkVisibility()).map(({ id }) => id),
      }));
      expect.soft({ ...layout, height: Math.min(layout.height, PANEL.height) }, `${name}, ${picture}`).toEqual({ ...PANEL, buttons });
      expect.soft(layout.height, `${name}, ${picture}, is too high`).toBeLessThanOrEqual(PANEL.height);
    }
    expect.soft(await page.evaluate(pageFaults), `${name}, ${picture}, ${size.width} px`).toEqual(NO_FAULTS);
    await photograph(page, name, isPanel ? picture : `${picture}-${size.width}`);
    const looksHere = isPanel ? [looks.largeFont, looks.rightToLeft] : size.width === ZOOMED_WIDTH ? [looks.zoomed] : [];
    for (const look of looksHere) {
      await look.begin(page);
      expect.soft(await page.evaluate(pageFaults), `${name}, ${picture}, ${look.name}`).toEqual(NO_FAULTS);
      await photograph(page, name, `${picture}-${look.name}`);
      await look.end(page);
    }
  }
}

async function resize(page: Page, size: typeof PANEL): Promise<void> {
  if (page.viewport()?.width === size.width) return;
  await page.setViewport(size);
  await page.waitForFunction((wanted) => innerWidth === wanted, {}, size.width);
}

/** `confirmed.de.png`: a state, and how it was seen. */
async function photograph(page: Page, name: StateName, variant: string): Promise<void> {
  const folder = process.env.CARD_PICTURES;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  const [state, seen] = [name, variant].map((part) => part.replaceAll(/[^a-z0-9]+/gi, '-'));
  await page.screenshot({ path: join(folder, `${state}.${seen}.png`), fullPage: true });
}
