/**
 * Adds events that came after their load was stored to it, and drops those that can no longer belong to any, in short steps of one transaction
 * each. Interrupted, it continues at the oldest waiting event, since a step leaves no decided event behind.
 */
import { addLateEvents, type WaitingNavigation } from '../core/measure/late-arrivals.ts';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import { readPageLoad, readRawRequestEvent } from '../protocol/stored-records.ts';
import { costOf, countWaiting, forgetCountIfNoneWaits, setNavigation } from './event-store.ts';
import { giveWay, putAmended } from './record-caps.ts';
import { type WriteTransaction, withRecords, writeRecords } from './record-database.ts';
import { browserSession } from './run-state.ts';
import { type FullLoads, TabLoads } from './tab-loads.ts';

/** A document is observed and amended for 60 s at most; the load of older events will not come. */
const ORPHAN_AFTER_MS = 180_000;
/** A step must not block others for more than a few frames; it checks its time between two events. Half of a long task's 50 ms. */
const STEP_MS = 25;
/** Events read at once; few, until it is known how long they take. */
const CHUNK = { first: 32, most: 256 } as const;
/** Requests of all loads that one step amends: one of the largest, or many small ones. */
const MAX_AMENDED_REQUESTS = 2_000;
/** First addresses of redirected requests that are remembered across steps. */
const MAX_FIRST_URLS = 2_000;
/** Documents whose requests are remembered across steps. */
const MAX_DOCUMENTS = 100;

/** Position of the work: everything before it has been looked at. */
interface Place {
  readonly tabId: number;
  readonly at: number;
  /** Keys of the events of this moment that have been looked at and still wait. */
  readonly passed: ReadonlySet<number>;
  readonly chunk: number;
  /** Navigations of this tab seen so far whose load is not stored yet; ascending. */
  readonly navigations: WaitingNavigation[];
  /** The address requested first, by request. */
  readonly firstUrls: Map<string, string>;
  /** Events seen of documents' own requests, by request. */
  readonly documents: Map<string, RawRequestEvent[]>;
  readonly full: FullLoads;
}

interface SettleOptions {
  /** Leaves the rest for another time after this long; absent: settles everything that waited at the beginning. */
  readonly budgetMs?: number | undefined;
}

type OriginOf = (url: string) => string | null;

/** Where work that ran out of time continues in this event page. */
let unfinished: Place | undefined;

/** Calls `settleLateEvents` when events have become too old to wait any longer, so that few wait even without such a request. */
export async function settleOldEvents(now: number, originOf: OriginOf, options: SettleOptions): Promise<void> {
  const tooOld = IDBKeyRange.upperBound(now - ORPHAN_AFTER_MS, true);
  const old = await withRecords((db) => db.transaction('events').store.index('byTime').openKeyCursor(tooOld));
  if (old !== null) await settleLateEvents(now, originOf, options.budgetMs);
}

/** Adds late events to their loads. `now`: wall clock, ms since the epoch. @returns whether nothing is left to look at. */
export async function settleLateEvents(now: number, originOf: OriginOf, budgetMs?: number): Promise<boolean> {
  const began = performance.now();
  let place = budgetMs === undefined ? undefined : unfinished;
  place ??= await nextTab(undefined);
  if (place === undefined) return true;
  const { since } = await browserSession();
  while (place !== undefined) {
    const from: Place = place;
    place = (await step(from, { now, since, originOf })) ?? (await nextTab(from.tabId));
    if (budgetMs !== undefined && performance.now() - began > budgetMs) break;
  }
  unfinished = place;
  if (place === undefined) await forgetCountIfNoneWaits();
  return place === undefined;
}

/** The first event of the next tab; `undefined`: there is none. */
function nextTab(tabId: number | undefined): Promise<Place | undefined> {
  return withRecords(async (db) => {
    // A shorter key comes before every longer one that begins with it.
    const range = tabId === undefined ? null : IDBKeyRange.lowerBound([tabId + 1]);
    const cursor = await db.transaction('events').store.index('byTabTime').openKeyCursor(range);
    if (cursor === null) return undefined;
    const [next, at] = cursor.key;
    const known = { navigations: [], firstUrls: new Map(), documents: new Map(), full: new Map() };
    return { tabId: next, at, passed: new Set(), chunk: CHUNK.first, ...known };
  });
}

interface StepOptions {
  readonly now: number;
  /** When this run of Firefox began, wall clock. */
  readonly since: number;
  readonly originOf: OriginOf;
}

/** @returns where the tab's work continues; `undefined`: the tab has none left. */
function step(place: Place, { now, since, originOf }: StepOptions): Promise<Place | undefined> {
  return writeRecords(['events', 'loads', 'figures', 'navigations', 'totals', 'sites'], async (transaction) => {
    const store = transaction.objectStore('events');
    const index = store.index('byTabTime');
    const range = IDBKeyRange.bound([place.tabId, place.at], [place.tabId, Number.POSITIVE_INFINITY]);
    const [values, keys] = await Promise.all([index.getAll(range, place.chunk), index.getAllKeys(range, place.chunk)]);
    const events = values.map(readRawRequestEvent);
    for (const event of events) if (event !== undefined) remember(place, event);
    const loads = new TabLoads(transaction, place);
    const began = performance.now();
    const passed = new Set(place.passed);
    const gone: number[] = [];
    let freed = 0;
    let last = place.at;
    let looked = 0;
    for (const [position, key] of keys.entries()) {
      looked = position + 1;
      const event = events[position];
      if (!passed.has(key)) {
        const found = event && (await loads.takeLatePart(event, { ...place, since }));
        const at = event?.at ?? last;
        if (at !== last) passed.clear();
        last = at;
        // An unreadable event belongs to no load.
        if (found || event === undefined || event.at < now - ORPHAN_AFTER_MS) {
          gone.push(key);
          freed += costOf(values[position]);
        } else passed.add(key);
      }
      if (loads.requestsToAmend > MAX_AMENDED_REQUESTS) break;
      // Each step rewrites its loads, which takes a few events at least to be worthwhile, however busy the machine is.
      if (looked >= CHUNK.first && performance.now() - began - loads.readingMs > STEP_MS) break;
    }
    await Promise.all([amend(transaction, loads, originOf), ...runsOf(gone).map((run) => store.delete(run))]);
    await countWaiting(transaction, -freed);
    if (looked === keys.length && keys.length < place.chunk) return undefined;
    return { ...place, at: last, passed, chunk: nextChunk(place, { looked, read: keys.length }) };
  });
}

/** Keys in sequence, as those of one tab mostly are, are deleted together: each database request takes as long as any other. */
function runsOf(keys: readonly number[]): readonly IDBKeyRange[] {
  const runs: { first: number; last: number }[] = [];
  for (const key of keys.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.last === key - 1) run.last = key;
    else runs.push({ first: key, last: key });
  }
  return runs.map(({ first, last }) => IDBKeyRange.bound(first, last));
}

/**
 * Fewer events only after time ran out: each step rewrites its loads, so few long steps are less work than many short ones. And always more than
 * there are of one moment: otherwise it would never end.
 */
function nextChunk({ chunk, passed }: Place, { looked, read }: { looked: number; read: number }): number {
  if (passed.size >= read) return chunk * 2;
  return looked < read ? Math.max(CHUNK.first, Math.floor(chunk / 2)) : Math.min(CHUNK.most, chunk * 2);
}

function remember({ navigations, firstUrls, documents }: Place, event: RawRequestEvent) {
  const { type, at, requestId, url } = event;
  if (type === 'main_frame') {
    if (at > (navigations.at(-1)?.at ?? Number.NEGATIVE_INFINITY)) navigations.push({ at, requestId });
    const own = documents.get(requestId);
    // Events of one moment are read again with the next step.
    if (own !== undefined && !own.some((known) => known.at === at && known.phase === event.phase)) own.push(event);
    else if (own === undefined && documents.size < MAX_DOCUMENTS) documents.set(requestId, [event]);
  }
  if (firstUrls.size < MAX_FIRST_URLS && !firstUrls.has(requestId)) firstUrls.set(requestId, url);
}

async function amend(transaction: WriteTransaction, loads: TabLoads, originOf: OriginOf): Promise<void> {
  for (const { key, stored, events, document } of loads.amended()) {
    const before = readPageLoad(stored.load);
    if (before === undefined) continue;
    // A load of 2,000 requests takes some 10 ms to read, 25 to amend and 15 to write: not all at once.
    await giveWay(transaction);
    const load = addLateEvents(before, events, originOf);
    await giveWay(transaction);
    await putAmended(transaction, key, stored, load);
    if (document !== undefined) await setNavigation(transaction, document, 'recorded');
  }
}
