/**
 * The welcome tab until its page has begun, in `storage.local`. Firefox restarts an extension when the person allows private windows as it is installed;
 * a tab that loads one of its pages at that moment stays blank for ever (seen in ESR 153), and is opened again.
 */
import * as v from 'valibot';
import { browser } from './browser.ts';

const KEY = 'welcomeTab';
const WELCOME_PAGE = 'welcome/welcome.html';

/** Opens the tab in front, and remembers it. */
export async function openWelcomeTab(): Promise<void> {
  const { id } = await browser.tabs.create({ url: browser.runtime.getURL(WELCOME_PAGE) });
  if (id !== undefined) await browser.storage.local.set({ [KEY]: id });
}

/** The page has begun: nothing is to be opened again. */
export const welcomeHasBegun = (): Promise<void> => browser.storage.local.remove(KEY);

/** Loads the page again in a tab where it has not begun. A tab that was closed stays closed. */
export async function resumeWelcomeTab(): Promise<void> {
  const held = v.safeParse(v.number(), (await browser.storage.local.get(KEY))[KEY]);
  if (!held.success) return;
  const tab = await browser.tabs.get(held.output).catch(() => undefined);
  const url = browser.runtime.getURL(WELCOME_PAGE);
  if (tab === undefined) await welcomeHasBegun();
  else if (tab.url !== url) await browser.tabs.update(held.output, { url });
}
