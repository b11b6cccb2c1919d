/**
 * The welcome tab until its page has begun, in `storage.local`. Firefox restarts an extension when the person allows private windows as it is installed;
 * a tab that loads one of its pages at that moment stays blank for ever (seen in ESR 153), and is opened again.
 */
import * as v from 'valibot';
import { browser } from './browser.ts';

const KEY = 'welcomeTab';
const WELCOME_PAGE = 'welcome/welcome.html';
/** Longer, and the tab may be used for something else: its number can be another tab's after a start of Firefox. Chosen, not measured. */
const RESUMED_WITHIN_MS = 30_000;

const openedSchema = v.object({ tabId: v.optional(v.number()), openedAt: v.number() });

/** Opens the tab in front, and remembers it; and at once that it is to be opened, for a restart in between. */
export async function openWelcomeTab(): Promise<void> {
  const openedAt = Date.now();
  const [{ id }] = await Promise.all([
    browser.tabs.create({ url: browser.runtime.getURL(WELCOME_PAGE) }),
    browser.storage.local.set({ [KEY]: { openedAt } }),
  ]);
  if (id !== undefined) await browser.storage.local.set({ [KEY]: { tabId: id, openedAt } });
}

/** The page has begun: nothing is to be opened again. */
export const welcomeHasBegun = (): Promise<void> => browser.storage.local.remove(KEY);

/**
 * Loads the page again in a tab that is still blank, and opens another where there is none: a restart of the extension removes the tabs whose pages
 * have used it (seen in ESR 153). Nothing else ends the event page so soon. A tab that shows something is left as it is.
 */
export async function resumeWelcomeTab(): Promise<void> {
  const stored = (await browser.storage.local.get(KEY))[KEY];
  if (stored === undefined) return;
  const opened = v.safeParse(openedSchema, stored);
  if (!opened.success || Math.abs(Date.now() - opened.output.openedAt) > RESUMED_WITHIN_MS) return welcomeHasBegun();
  const { tabId } = opened.output;
  const tab = tabId === undefined ? undefined : await browser.tabs.get(tabId).catch(() => undefined);
  if (tabId === undefined || tab === undefined) return openWelcomeTab();
  // Firefox names the address of a page of this extension, or of a website; about:blank has none.
  if (tab.status === 'loading' && tab.url === undefined) await browser.tabs.update(tabId, { url: browser.runtime.getURL(WELCOME_PAGE) });
}
