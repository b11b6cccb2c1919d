/** A person at a Firefox ESR of their own: a profile that stays over restarts, tabs, the extension's card in the toolbar's panel, and keys. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';
import type { CardState } from '../../src/core/answer/card.ts';
import type { MarkedPageLoad } from '../../src/core/trial/trial-mark.ts';
import { chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import type { Reply, Request, RequestKind, Responses } from '../../src/protocol/messages.ts';
import { browserWindow, panelCard, type SeenCard } from '../support/browser-window.ts';
import { type ExtensionGlobal, POPUP_URL } from '../support/extension-firefox.ts';
import { preferenceLines, QUIET_PREFERENCES, startDrivenFirefox } from '../support/firefox-process.ts';
import { type FirefoxLink, LINK_PREFERENCES } from '../support/linked-firefox.ts';
import type { Site } from './sites.ts';

export const WELCOME_URL = POPUP_URL.replace('popup/popup.html', 'welcome/welcome.html');

/** What docs/extension.md asks of ESR for the lab build; the address is fixed so that the walk finds the extension's pages. */
const FOR_LAB_BUILD = {
  'xpinstall.signatures.required': false,
  'extensions.experiments.enabled': true,
  'extensions.webextensions.uuids': JSON.stringify({ [EXTENSION_ID]: new URL(POPUP_URL).hostname }),
};

const fits = ({ needs, has }: SeenCard): boolean => needs.width <= has.width && needs.height <= has.height;

/** For a busy machine: the card needs a tenth of it. */
const STAYS_MS = 1_000;

export type Person = Awaited<ReturnType<typeof startPerson>>;

/** @param folder - Holds the profile and the home; the same one continues where the last Firefox ended. */
export async function startPerson(folder: string, link: FirefoxLink) {
  const profile = join(folder, 'profile');
  await mkdir(profile, { recursive: true });
  await writeFile(join(profile, 'user.js'), preferenceLines({ ...QUIET_PREFERENCES, ...LINK_PREFERENCES, ...FOR_LAB_BUILD }));
  const { browser, stop, kill } = await startDrivenFirefox({ profile, home: join(folder, 'home'), ...link.start });
  const window = browserWindow(await chromeContext(browser));
  await window.resize();
  /** A page of the extension, from which is asked what a person cannot see. */
  let extensionPage: Page | undefined;
  let lastLoad: string | undefined;

  const askFrom = () => {
    assert(extensionPage, 'No page of the extension is open');
    return extensionPage;
  };

  async function ask<K extends RequestKind>(request: Extract<Request, { kind: K }>): Promise<Responses[K]> {
    const reply = (await askFrom().evaluate(
      (text) => (globalThis as unknown as ExtensionGlobal).browser.runtime.sendMessage(JSON.parse(text)),
      JSON.stringify(request),
    )) as Reply<RequestKind>;
    if (!reply.ok) throw new Error(`${request.kind}: ${JSON.stringify(reply.error)}`);
    return reply.value as never;
  }

  const card = (): Promise<SeenCard | undefined> => panelCard(askFrom());

  /** Waits until the card in the panel has one of these states, and holds what every state has. */
  async function cardIn(...states: readonly CardState['kind'][]): Promise<SeenCard> {
    let last: SeenCard | undefined;
    const found = await window
      .until(`the card ${states.join(' or ')}`, async () => {
        last = await card();
        // The panel follows its page a moment later.
        return last !== undefined && states.some((state) => state === last?.state) && fits(last) ? last : undefined;
      })
      .catch((error: Error) => {
        throw new Error(`${error.message}, without scroll bars, but ${JSON.stringify(last)}`);
      });
    assert.deepEqual(found.buttons, ['main'], `one button: ${found.text}`);
    assert(!/undefined|NaN|Infinity/.test(found.text), found.text);
    return found;
  }

  return {
    ...{ browser, window, stop, kill, ask, card, cardIn },

    /** The tab with this address, whoever opened it. */
    tab: (url: string): Promise<Page> => window.until(`a tab with ${url}`, () => tabWith(browser, url)),

    askFrom: (page: Page) => {
      extensionPage = page;
    },

    /** Presses Tab until the element of the page in front has the focus. */
    tabTo: async (page: Page, selector: string): Promise<void> => {
      for (let presses = 0; presses < 80; presses += 1) {
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
        await window.press('Tab');
      }
      throw new Error(`The keyboard does not reach ${selector}`);
    },

    /** Opens the panel by its shortcut; the focus is in it then. What was painted last is shown first, and what is so now a moment later. */
    openByShortcut: async (): Promise<void> => {
      await window.press('F', 'Control', 'Shift');
      await window.openPanel();
      let last = '';
      await window.until('a card that stays', async () => {
        const before = last;
        last = (await card())?.text ?? '';
        await sleep(STAYS_MS);
        return last !== '' && before === last;
      });
    },

    closeByEscape: async (): Promise<void> => {
      await window.press('Escape');
      await window.until('the panel closed by Escape', async () => (await window.panelBox()) === null);
    },

    /** Presses an element of the open panel by keys alone. */
    pressInPanel: async (id: 'main' | 'open-dashboard' | 'open-controls'): Promise<void> => {
      for (let presses = 0; (await card())?.focus !== id; presses += 1) {
        assert(presses < 10, `The keyboard does not reach ${id}: ${JSON.stringify(await card())}`);
        await window.press('Tab');
      }
      await window.press('Enter');
    },

    /** Settles when the load is recorded. */
    load: async (page: Page, { url }: Site): Promise<MarkedPageLoad> => {
      lastLoad ??= (await ask({ kind: 'loads-after' })).at(-1)?.id;
      await page.goto(url, { waitUntil: 'load', timeout: 120_000 });
      const find = async () => (await ask({ kind: 'loads-after', ...(lastLoad !== undefined && { id: lastLoad }) }))[0];
      await window.until(`the record of ${url}`, find);
      // A trial in progress marks it when it answers.
      await ask({ kind: 'trial-state' });
      const recorded = await find();
      assert(recorded);
      lastLoad = recorded.id;
      return recorded;
    },

    /** Loads before were none of `load`'s. */
    forgetLast: () => {
      lastLoad = undefined;
    },
  };
}

async function tabWith(browser: Browser, url: string): Promise<Page | undefined> {
  for (const page of await browser.pages()) {
    // A tab that is changing its process has no document for a moment.
    if ((await page.evaluate(() => location.href).catch(() => '')) === url) return page;
  }
  return undefined;
}
