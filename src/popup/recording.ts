/** Access to the pages the reader visits, asked for from a click. */
import { browser } from '../adapters/browser.ts';

const EVERY_SITE = { origins: ['<all_urls>'] };

/**
 * Must be called straight from a click: Firefox refuses the question without user input.
 * @returns whether access was given.
 */
export function requestHostPermission(): Promise<boolean> {
  return browser.permissions.request(EVERY_SITE);
}

/** Calls back whenever access was given or taken back. */
export function watchHostPermission(onChange: () => void): void {
  browser.permissions.onAdded.addListener(onChange);
  browser.permissions.onRemoved.addListener(onChange);
}
