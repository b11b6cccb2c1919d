/** Recorded loads, stored once and found again, and the history of the settings they were made with. */
import * as v from 'valibot';
import { PlumbfoxError } from '../core/errors.ts';
import type { InEffectSince, RawRequestEvent } from '../core/measure/page-load.ts';
import type { PageTiming, RawEntry, RawPageTiming } from '../core/measure/page-timing.ts';
import { CLOCK_TOLERANCE_MS, selectLoadEvents } from '../core/measure/select-load-events.ts';
import type { AppliedProfile } from '../core/profiles/profile.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import { appliedSinceSchema, parseAppliedProfile, parsePageLoad, readPageLoad, readRawRequestEvent } from '../protocol/stored-records.ts';
import { costOf, countWaiting, markedIfRefused, setNavigation } from './event-store.ts';
import { figuresSpan, type LoadSpan, putFigures } from './figures-store.ts';
import { bytesOf, countRecords, putAmended } from './record-caps.ts';
import { type WriteTransaction, withRecords, writeRecords } from './record-database.ts';
import { siteOf } from './site-shares.ts';

/** Makes a load of its raw halves, and amends it. */
interface LoadJoin {
  readonly first: (tabEvents: readonly RawRequestEvent[]) => LoadParts;
  readonly amend: (load: MarkedPageLoad, late: readonly RawEntry[]) => MarkedPageLoad;
}

export interface LoadParts {
  readonly load: MarkedPageLoad;
  /** The raw events that were used for it. */
  readonly used: readonly RawRequestEvent[];
}

/**
 * The clocks of webRequest and of the document are within a second of each other (see `selectLoadEvents`), and the navigation before is of
 * interest too. Events further away are added to the load later, if they belong to it.
 */
const CLOCKS_APART_MS = 10_000;
/** Twice what one navigation may write. */
const MAX_EVENTS_READ = 8_000;

interface DocumentTiming {
  readonly timing: RawPageTiming;
  readonly tabId: number;
}

/**
 * Joins and stores the load of one document once: the same timing sent again changes nothing, and one with later entries amends the load.
 * The join runs inside the transaction, so that no event is lost between reading and deleting.
 */
export function storeLoad({ timing, tabId }: DocumentTiming, join: LoadJoin): Promise<void> {
  return writeRecords(['loads', 'figures', 'events', 'navigations', 'tabs', 'totals', 'sites'], async (transaction) => {
    const loads = transaction.objectStore('loads');
    const cursor = await documentLoad(transaction, timing, tabId);
    if (cursor) {
      const late = timing.resources.slice(cursor.value.entries);
      const before = readPageLoad(cursor.value.load);
      if (late.length === 0 || before === undefined) return;
      const load = parsePageLoad(join.amend(before, late));
      await putAmended(transaction, cursor.primaryKey, { ...cursor.value, entries: timing.resources.length }, load);
      return;
    }
    const events = transaction.objectStore('events');
    const index = events.index('byTabTime');
    const { timeOrigin, endedAt } = timing;
    const around = IDBKeyRange.bound([tabId, timeOrigin - CLOCKS_APART_MS], [tabId, timeOrigin + endedAt + CLOCKS_APART_MS]);
    const [values, keys] = await Promise.all([index.getAll(around, MAX_EVENTS_READ), index.getAllKeys(around, MAX_EVENTS_READ)]);
    const parsed = values.map(readRawRequestEvent);
    const { load: joined, used } = join.first(parsed.filter((event) => event !== undefined));
    const load = await markedIfRefused(transaction, joined, { tabId, endedAt: timing.timeOrigin + timing.endedAt });
    const usedSet = new Set(used);
    const main = used.find((event) => event.type === 'main_frame');
    const isUsed = (at: number) => usedSet.has(parsed[at] as RawRequestEvent);
    const obsolete = keys.filter((_, at) => isUsed(at));
    const site = siteOf(timing.url);
    const bytes = bytesOf(load);
    const freed = values.reduce((sum, value, at) => sum + (isUsed(at) ? costOf(value) : 0), 0);
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
        site,
        bytes,
        hold: 0,
      }),
      ...obsolete.map((key) => events.delete(key)),
      countWaiting(transaction, -freed),
      ...(main ? [setNavigation(transaction, main, 'recorded')] : []),
    ]);
    await putFigures(transaction, key, load, site);
    await countRecords(transaction, { site, loads: 1, requests: load.requests.length, bytes });
  });
}

/** Time origins are whole milliseconds: two tabs that open one page together may have the same. */
async function documentLoad(transaction: WriteTransaction, timing: RawPageTiming, tabId: number) {
  const index = transaction.objectStore('loads').index('byTab');
  let cursor = await index.openCursor(IDBKeyRange.only([tabId, timing.timeOrigin]));
  while (cursor && cursor.value.url !== timing.url) cursor = await cursor.continue();
  return cursor;
}

/** A document whose message has arrived all the same usually has its load among the newest. Chosen, not measured. */
const NEWEST = 20;

/** The tab of a document, from its load if one is stored, or from its request; `undefined`: neither is there (yet). */
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

/**
 * Loads stored after the one with `id`, oldest first; all of them without it. Unreadable records are excluded; `readFigures` counts them.
 * @throws PlumbfoxError `bad-input` when no load has that id (any more).
 */
export function loadsAfter(id: string | undefined): Promise<readonly MarkedPageLoad[]> {
  return withRecords(async (db) => {
    const store = db.transaction('loads').store;
    if (id === undefined) return (await store.getAll()).flatMap((stored) => readPageLoad(stored.load) ?? []);
    const key = await store.index('byId').getKey(id);
    if (key === undefined) throw new PlumbfoxError('bad-input', `There is no recorded load with the id ${id}`);
    return (await store.getAll(IDBKeyRange.lowerBound(key, true))).flatMap((stored) => readPageLoad(stored.load) ?? []);
  });
}

/** How many of the newest loads a report holds: about 20 MB of records. */
export const REPORTED_LOADS = 1_000;

/** The newest loads that can be read and pass the filter, oldest first. */
export function newestLoads(count: number, filter: (load: MarkedPageLoad) => boolean = () => true): Promise<readonly MarkedPageLoad[]> {
  return withRecords(async (db) => {
    const newest: MarkedPageLoad[] = [];
    let cursor = await db.transaction('loads').store.openCursor(null, 'prev');
    while (cursor && newest.length < count) {
      const load = readPageLoad(cursor.value.load);
      if (load !== undefined && filter(load)) newest.push(load);
      cursor = await cursor.continue();
    }
    return newest.reverse();
  });
}

/** When the oldest of the newest `count` loads began, wall clock, and how many there are; `undefined`: none is stored. */
export async function newestSpan(count: number): Promise<LoadSpan | undefined> {
  const [whole, all] = await Promise.all([wholeSpan(count), countLoads()]);
  const { loads = 0 } = whole ?? {};
  // The older ones have no record any more.
  const figures = loads < Math.min(count, all) ? await figuresSpan(count) : undefined;
  return figures !== undefined && figures.loads > loads ? figures : whole;
}

/** The newest `count` loads that have their requests; reads one record. */
function wholeSpan(count: number): Promise<LoadSpan | undefined> {
  return withRecords(async (db) => {
    const { store } = db.transaction('loads');
    const loads = Math.min(count, await store.count());
    if (loads === 0) return undefined;
    let cursor = await store.openCursor(null, 'prev');
    if (loads > 1) cursor = (await cursor?.advance(loads - 1)) ?? null;
    return cursor === null ? undefined : { loads, since: cursor.value.startedAt };
  });
}

/** The load with this id; `undefined`: there is none (any more), or its record cannot be read. */
export function loadById(id: string): Promise<MarkedPageLoad | undefined> {
  return withRecords(async (db) => readPageLoad((await db.getFromIndex('loads', 'byId', id))?.load));
}

/** The number of loads that `record-caps.ts` keeps: counting would walk through all records. */
export function countLoads(): Promise<number> {
  return withRecords(async (db) => (await db.get('totals', 'all'))?.loads ?? 0);
}

const RECORDS = ['loads', 'figures', 'events', 'navigations', 'tabs', 'totals', 'sites'] as const;

/** Deletes every record, but not the history of what was in effect. @returns how many loads there were. */
export function deleteAllRecords(): Promise<number> {
  return writeRecords([...RECORDS], async (transaction) => {
    const { loads: deleted = 0, forgotten = 0 } = (await transaction.objectStore('totals').get('all')) ?? {};
    await Promise.all(RECORDS.map((name) => transaction.objectStore(name).clear()));
    // They were deleted on purpose: `record-mirror.ts` must not report a loss.
    await transaction.objectStore('totals').put({ loads: 0, requests: 0, forgotten: forgotten + deleted }, 'all');
    return deleted;
  });
}

/** A load looks back a minute; 500 entries also cover a lab that switches with every load. */
const ENTRIES_KEPT = 500;

/**
 * Notes that `applied` (`null`: nothing of ours) is in effect from `since` on, ms since the epoch. The history must outlive a restart of Firefox,
 * as the preferences themselves do.
 */
export async function noteInEffect(applied: AppliedProfile | null, since: number): Promise<void> {
  await writeRecords(['applied'], async (transaction) => {
    const store = transaction.objectStore('applied');
    const key = await store.add(v.parse(appliedSinceSchema, { since, applied }));
    await store.delete(IDBKeyRange.upperBound(key - ENTRIES_KEPT));
  });
}

/** The profiles in effect and since when, oldest first. */
export function inEffectHistory(): Promise<readonly InEffectSince[]> {
  return withRecords(async (db) => (await db.getAll('applied')).map(inEffectSince));
}

function inEffectSince(entry: unknown): InEffectSince {
  const { since, applied } = v.parse(appliedSinceSchema, entry);
  return { since, applied: applied === null ? null : parseAppliedProfile(applied) };
}
