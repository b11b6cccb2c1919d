/** What the card opens: tabs of the extension, and the steps by which a person sets or undoes settings manually. */
import type { Browser, Page } from 'puppeteer-core';
import { expect } from 'vitest';
import type { Card } from './card-page.ts';

interface ExtensionTabs {
  query(what: object): Promise<readonly { readonly id: number; readonly url?: string }[]>;
  remove(ids: readonly number[]): Promise<void>;
}

/** Tabs of the extension whose address ends so; they are closed. */
export const tabsAt = (page: Page, end: string): Promise<number> =>
  page.evaluate(async (wanted) => {
    const { tabs } = (globalThis as unknown as { browser: { tabs: ExtensionTabs } }).browser;
    const found = (await tabs.query({})).filter(({ url }) => url?.endsWith(wanted));
    await tabs.remove(found.map(({ id }) => id));
    return found.length;
  }, end);

/** Presses the button, which opens the manual steps in a tab of their own. @param profileId - What they would set; empty: they undo what is set. */
export async function expectSteps(browser: Browser, card: Pick<Card, 'press'>, summary: string, profileId: string): Promise<void> {
  await card.press();
  let opened: Page | undefined;
  await expect
    .poll(async () => {
      for (const page of await browser.pages()) {
        const at = await page.evaluate(() => location.href).catch(() => '');
        if (at.endsWith('/controls/controls.html#by-hand-guide')) opened = page;
      }
      return opened;
    })
    .toBeDefined();
  const page = opened as unknown as Page;
  await page.waitForFunction(() => document.getElementById('by-hand-steps')?.checkVisibility());
  // Scrolled to what was shown.
  await page.waitForFunction(() => Math.abs(document.getElementById('by-hand-guide')?.getBoundingClientRect().top ?? 9) < 1);
  expect(await page.$eval('#by-hand-summary', ({ textContent }) => textContent)).toBe(summary);
  expect(await page.$eval('#by-hand-profile', (select) => (select as HTMLSelectElement).value)).toBe(profileId);
  await page.close();
}
