/** Recorded loads: stored once, found again, kept below the caps. */

import { PlumbfoxError } from '../core/errors.ts';
import type { PageLoad } from '../core/measure/page-load.ts';
import type { RawEntry, RawPageTiming, RawRequestEvent } from '../core/measure/raw-observation.ts';
import { parsePageLoad, readPageLoad, readRawRequestEvent } from '../protocol/stored-records.ts';
import { setNavigation } from './event-store.ts';
import { putFigures } from './figures-store.ts';
import { countRecords, RECORD_CAPS } from './record-caps.ts';
import { type Totals, type Writing, withRecords, writeRecords } from './record-database.ts';

/** How a load is made of its raw halves, and amended. */
export interface LoadJoin {
  readonly first: (tabEvents: readonly RawRequestEvent[]) => LoadParts;
  readonly amend: (load: PageLoad, late: readonly RawEntry[]) => PageLoad;
}

export interface LoadParts {
  readonly load: PageLoad;
  /** The raw events that went into it. */
  readonly used: readonly RawRequestEvent[];
}

/** What a content script has sent, and the tab it came from. */
export interface DocumentTiming {
  readonly timing: RawPageTiming;
  readonly tabId: number;
}

/**
 * Joins and stores the load of one document, once: the same timing sent again changes nothing, and one with later entries amends the load.
 * The join runs inside the transaction, so that no event is lost between reading and deleting.
 */
export function storeLoad({ timing, tabId }: DocumentTiming, join: LoadJoin, caps: Totals = RECORD_CAPS): Promise<void> {
  return writeRecords(['loads', 'figures', 'events', 'navigations', 'totals'], async (transaction) => {
    const loads = transaction.objectStore('loads');
    const cursor = await documentLoad(transaction, timing, tabId);
    if (cursor) {
      const late = timing.resources.slice(cursor.value.entries);
      const before = readPageLoad(cursor.value.load);
      if (late.length === 0 || before === undefined) return;
      const load = parsePageLoad(join.amend(before, late));
      const more = load.requests.length - before.requests.length;
      await cursor.update({ ...cursor.value, load, entries: timing.resources.length });
      await putFigures(transaction, cursor.primaryKey, load);
      await countRecords(transaction, { loads: 0, requests: more }, caps);
      return;
    }
    const events = transaction.objectStore('events');
    const index = events.index('byTab');
    const [values, keys] = await Promise.all([index.getAll(tabId), index.getAllKeys(tabId)]);
    const parsed = values.map(readRawRequestEvent);
    const { load, used } = join.first(parsed.filter((event) => event !== undefined));
    const usedSet = new Set(used);
    const main = used.find((event) => event.type === 'main_frame');
    const obsolete = keys.filter((_, at) => {
      const event = parsed[at];
      return event !== undefined && usedSet.has(event);
    });
    const [key] = await Promise.all([
      loads.add({
        load: parsePageLoad(load),
        id: load.id,
        startedAt: timing.timeOrigin,
        url: timing.url,
        tabId,
        endedAt: timing.timeOrigin + timing.endedAt,
        entries: timing.resources.length,
        ...(timing.documentId !== undefined && { documentId: timing.documentId }),
      }),
      ...obsolete.map((key) => events.delete(key)),
      ...(main ? [setNavigation(transaction, main, 'recorded')] : []),
    ]);
    await putFigures(transaction, key, load);
    await countRecords(transaction, { loads: 1, requests: load.requests.length }, caps);
  });
}

/** Where this document's load is stored. Time origins are whole milliseconds: two tabs that open one page together may have the same. */
async function documentLoad(transaction: Writing, timing: RawPageTiming, tabId: number) {
  const index = transaction.objectStore('loads').index('byTab');
  let cursor = await index.openCursor(IDBKeyRange.only([tabId, timing.timeOrigin]));
  while (cursor && cursor.value.url !== timing.url) cursor = await cursor.continue();
  return cursor;
}

/**
 * Loads stored after the one with `id`, oldest first; all of them without it. Records that cannot be read are left out; `readFigures`
 * counts them.
 * @throws PlumbfoxError `bad-input` when no load has that id (any more).
 */
export function loadsAfter(id: string | undefined): Promise<readonly PageLoad[]> {
  return withRecords(async (db) => {
    const store = db.transaction('loads').store;
    if (id === undefined) return (await store.getAll()).flatMap((stored) => readPageLoad(stored.load) ?? []);
    const key = await store.index('byId').getKey(id);
    if (key === undefined) throw new PlumbfoxError('bad-input', `There is no recorded load with the id ${id}`);
    return (await store.getAll(IDBKeyRange.lowerBound(key, true))).flatMap((stored) => readPageLoad(stored.load) ?? []);
  });
}

/** Loads that a report holds, the newest: about 20 MB of records. Our own choice. */
export const REPORTED_LOADS = 1_000;

/** The newest loads that can be read and pass the filter, oldest of them first. */
export function newestLoads(count: number, filter: (load: PageLoad) => boolean = () => true): Promise<readonly PageLoad[]> {
  return withRecords(async (db) => {
    const newest: PageLoad[] = [];
    let cursor = await db.transaction('loads').store.openCursor(null, 'prev');
    while (cursor && newest.length < count) {
      const load = readPageLoad(cursor.value.load);
      if (load !== undefined && filter(load)) newest.push(load);
      cursor = await cursor.continue();
    }
    return newest.reverse();
  });
}

/** `undefined`: there is none with this id (any more), or its record cannot be read. */
export function loadById(id: string): Promise<PageLoad | undefined> {
  return withRecords(async (db) => readPageLoad((await db.getFromIndex('loads', 'byId', id))?.load));
}

/** As `record-caps.ts` keeps count of them: counting would walk through all records. */
export function countLoads(): Promise<number> {
  return withRecords(async (db) => (await db.get('totals', 'all'))?.loads ?? 0);
}

const RECORDS = ['loads', 'figures', 'events', 'navigations', 'totals'] as const;

/** Deletes every record; what profile is in effect stays known. Answers how many loads there were. */
export function deleteAllRecords(): Promise<number> {
  return writeRecords([...RECORDS], async (transaction) => {
    const deleted = await transaction.objectStore('loads').count();
    await Promise.all(RECORDS.map((name) => transaction.objectStore(name).clear()));
    return deleted;
  });
}
