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

/** When the permission was last given in this life of the event page, ms since the epoch. */
let givenAt = Number.NEGATIVE_INFINITY;

/**
 * Whether what happened at this time, ms since the epoch, may be recorded. An event reaches the event page, and the question about the
 * permission reaches Firefox, some time after it happened: meanwhile the permission may have been given.
 */
export async function hadHostPermission(at: number): Promise<boolean> {
  return (await hasHostPermission()) && at >= givenAt;
}

/** Call at the top level, so that a change wakes the event page. */
export function watchHostPermission(): void {
  browser.permissions.onAdded.addListener(({ origins = [] }) => {
    known = undefined;
    if (origins.length > 0) givenAt = Date.now();
  });
  browser.permissions.onRemoved.addListener(() => {
    known = undefined;
  });
}
