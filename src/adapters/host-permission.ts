/** Whether Plumbfox may see all sites: without that, nothing is recorded. */
import { browser } from './browser.ts';

const everySite = { origins: ['<all_urls>'] };

let known: Promise<boolean> | undefined;

/** Asked once per life of the event page, and again after every change. */
export function hasHostPermission(): Promise<boolean> {
  known ??= browser.permissions.contains(everySite).catch((reason: unknown) => {
    // An answer that failed is none: the next event asks again.
    known = undefined;
    throw reason;
  });
  return known;
}

/** Call at the top level, so that a change wakes the event page. */
export function watchHostPermission(): void {
  const forget = () => {
    known = undefined;
  };
  browser.permissions.onAdded.addListener(forget);
  browser.permissions.onRemoved.addListener(forget);
}
