/**
 * The cost of recording for a page: the same page loaded in two Firefoxes, one with the extension and one without, in alternated
 * pairs. The page's own clock is read, so that the measure does not depend on what is measured.
 */
import type { Page } from 'puppeteer-core';
import { type ChromeContext, chromeContext } from '../firefox/chrome-context.ts';
import { extensionAddress, installExtension, openSession } from '../firefox/extension-session.ts';
import { launchFirefox, type RunningFirefox } from '../firefox/launch-firefox.ts';

export interface OverheadOrder {
  readonly program: string;
  readonly pairs: number;
  /** Addresses, a fresh one for every load: 2 for each pair and 2 to warm up. */
  readonly urls: readonly string[];
}

/** Load times in ms, pair by pair. */
export interface OverheadPairs {
  readonly recording: readonly number[];
  readonly plain: readonly number[];
  /** Loads that the extension stored during them: all of its own, or the figure means nothing. */
  readonly stored: number;
}

interface Side {
  readonly firefox: RunningFirefox;
  readonly tab: Page;
  readonly chrome: ChromeContext;
}

export async function overheadPairs({ program, pairs, urls }: OverheadOrder): Promise<OverheadPairs> {
  const { uuid, preferences } = extensionAddress();
  const firefoxes: RunningFirefox[] = [];
  const open = async (own: Readonly<Record<string, string>>) => {
    const firefox = await launchFirefox({ program, preferences: own });
    firefoxes.push(firefox);
    return firefox;
  };
  try {
    const withExtension = await open(preferences);
    await installExtension(withExtension, ['release']);
    const sides = { recording: await side(withExtension), plain: await side(await open({})) };
    const next = urls[Symbol.iterator]();
    const load = async (which: keyof typeof sides) => loadTime(sides[which], next.next().value ?? '');
    // The first load of a browser pays for its start.
    await load('recording');
    await load('plain');
    const times = { recording: [] as number[], plain: [] as number[] };
    for (let pair = 0; pair < pairs; pair++) {
      for (const which of pair % 2 === 0 ? (['recording', 'plain'] as const) : (['plain', 'recording'] as const))
        times[which].push(await load(which));
    }
    // Only now: users do not have the popup open while a page loads.
    const extension = await openSession(withExtension, { uuid });
    const loads = await extension.request({ kind: 'loads-after' });
    return { ...times, stored: loads.length };
  } finally {
    for (const firefox of firefoxes) await firefox.close();
  }
}

async function side(firefox: RunningFirefox): Promise<Side> {
  const tab = await firefox.browser.newPage();
  await tab.bringToFront();
  return { firefox, tab, chrome: await chromeContext(firefox.browser) };
}

/** Nothing more is requested after the load event of a lab page; the recorder still waits for its network idle time. */
const AFTER_LOAD_MS = 2500;

async function loadTime({ tab, chrome }: Side, url: string): Promise<number> {
  await chrome.run('() => Services.obs.notifyObservers(null, "net:prune-all-connections")', null);
  await tab.goto(url, { waitUntil: 'load' });
  const time = await tab.evaluate(
    'Math.max(...performance.getEntriesByType("resource").map(({ responseEnd }) => responseEnd)) - performance.getEntriesByType("navigation")[0].fetchStart',
  );
  // Both sides wait: the next load must not share the machine with the storing of this one.
  await new Promise((resolve) => setTimeout(resolve, AFTER_LOAD_MS));
  return time as number;
}
