/** The timings of pages that were left, as their content scripts have laid them into `storage.local`; see `left-page.ts`. */
import * as v from 'valibot';
import { CLOCK_TOLERANCE_MS, selectLoadEvents } from '../core/measure/select-load-events.ts';
import { LEFT_PAGE_KEYS } from '../protocol/page-notes.ts';
import { type PageTiming, pageTimingSchema } from '../protocol/page-timing.ts';
import { readRawRequestEvent } from '../protocol/stored-records.ts';
import { browser } from './browser.ts';
import { withRecords } from './record-database.ts';

/** Hands out each of them, and lets go of those that are done with. */
export async function eachLeftPage(isDoneWith: (timing: PageTiming) => Promise<boolean>): Promise<void> {
  for (const [key, laid] of Object.entries(await browser.storage.local.get([...LEFT_PAGE_KEYS]))) {
    const timing = timingOf(laid);
    if (timing !== undefined && !(await isDoneWith(timing))) continue;
    const { [key]: now } = await browser.storage.local.get(key);
    // Another page may have taken the place meanwhile.
    if (now === laid) await browser.storage.local.remove(key);
  }
}

/** Lets go of all of them. */
export const forgetLeftPages = (): Promise<void> => browser.storage.local.remove([...LEFT_PAGE_KEYS]);

/** `undefined`: it cannot be read, and never will be. */
function timingOf(laid: unknown): PageTiming | undefined {
  if (typeof laid !== 'string') return undefined;
  try {
    const result = v.safeParse(pageTimingSchema, JSON.parse(laid));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

/** A message of the page has arrived all the same, as a rule: then its load is among the newest. Our own choice. */
const NEWEST = 20;
/** Twice what one navigation may write. */
const MAX_EVENTS_READ = 8_000;

/** The tab of the document: that of its load, where one is stored, or of its request. `undefined`: neither is there (yet). */
export function tabOf(timing: PageTiming, { among = NEWEST }: { among?: number } = {}): Promise<number | undefined> {
  const { timeOrigin, endedAt, url } = timing;
  return withRecords(async (db) => {
    let looked = 0;
    let cursor = await db.transaction('loads').store.openCursor(null, 'prev');
    for (; cursor && looked < among; cursor = await cursor.continue(), looked++)
      if (cursor.value.startedAt === timeOrigin && cursor.value.url === url) return cursor.value.tabId;
    const around = IDBKeyRange.bound(timeOrigin - CLOCK_TOLERANCE_MS, timeOrigin + endedAt + CLOCK_TOLERANCE_MS);
    const values = await db.getAllFromIndex('events', 'byTime', around, MAX_EVENTS_READ);
    const events = values.flatMap((value) => readRawRequestEvent(value) ?? []).filter(({ type }) => type === 'main_frame');
    const { mainRequestId } = selectLoadEvents(timing, events);
    return events.find(({ requestId }) => requestId === mainRequestId)?.tabId;
  });
}
