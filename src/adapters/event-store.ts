/** webRequest events that wait for their load, and the navigations that have begun. */

import { MAX_REQUESTS } from '../core/measure/load-measures.ts';
import { cutOff, type RawRequestEvent } from '../core/measure/page-load.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import type { Navigation } from '../protocol/stored-records.ts';
import { type TabState, type WriteTransaction, withRecords, writeRecords } from './record-database.ts';

/**
 * Stores events within the allowance of their tab; opens a navigation for each document request that began, and closes it when the request failed.
 */
export async function storeEvents(events: readonly RawRequestEvent[]): Promise<void> {
  await writeRecords(['events', 'navigations', 'tabs', 'totals'], async (transaction) => {
    // Together, so that a failed request of either leaves no unhandled rejection.
    await Promise.all([addWithinAllowance(transaction, events), setNavigations(transaction, events)]);
  });
}

/** Writes one after the other: the end of a request must find the row that its start has made. */
async function setNavigations(transaction: WriteTransaction, events: readonly RawRequestEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== 'main_frame') continue;
    if (event.phase === 'started') await setNavigation(transaction, event, 'open');
    if (event.phase === 'failed') await setNavigation(transaction, event, 'failed');
  }
}

/** Request ids start over with every start of Firefox: an older navigation with this id is another one. Longer than any load is observed. */
const SAME_REQUEST_MS = 3_600_000;
/**
 * The next hop of a redirect begins at most this long after the first; a later one is another navigation. Twice a load's time limit.
 */
const NEXT_HOP_MS = 120_000;

/** Navigations that are remembered, in whatever state. Ten times as many as there are loads with requests. */
const MAX_NAVIGATIONS = 20_000;

/** Writes the state of the navigation that `event`'s request belongs to. The hops of a redirect are one navigation, which began with the first. */
export async function setNavigation(
  transaction: WriteTransaction,
  event: Pick<RawRequestEvent, 'requestId' | 'at'>,
  state: Navigation['state'],
): Promise<void> {
  const store = transaction.objectStore('navigations');
  const cursor = await store.index('byRequest').openCursor(IDBKeyRange.only(event.requestId), 'prev');
  const apart = cursor ? Math.abs(event.at - cursor.value.startedAt) : Number.POSITIVE_INFINITY;
  // Firefox may have restarted a moment ago: a navigation that has ended does not begin again.
  const isSame = state === 'open' ? cursor?.value.state === 'open' && apart < NEXT_HOP_MS : apart < SAME_REQUEST_MS;
  if (cursor && isSame) {
    if (state !== 'open') await cursor.update({ ...cursor.value, state });
    return;
  }
  const key = await store.add({ requestId: event.requestId, startedAt: event.at, state });
  // A page can begin and abandon navigations without end.
  if (key % 1_000 === 0) await store.delete(IDBKeyRange.upperBound(key - MAX_NAVIGATIONS));
}

interface NavigationCounts {
  readonly attempted: number;
  /** Navigations whose load was recorded. */
  readonly recorded: number;
  /** Navigations whose document request failed or was cancelled. */
  readonly failed: number;
}

/** Counts the navigations that are still remembered: those before the oldest stored load have been dropped. */
export function countNavigations(): Promise<NavigationCounts> {
  return withRecords(async (db) => {
    const transaction = db.transaction('navigations');
    const byState = transaction.store.index('byState');
    const [attempted, recorded, failed] = await Promise.all([
      transaction.store.count(),
      byState.count('recorded'),
      byState.count('failed'),
    ]);
    return { attempted, recorded, failed };
  });
}

/**
 * A page that makes requests without end must neither fill the disk nor keep others from being recorded: each tab has an allowance from one
 * navigation to the next, and all tabs together have one. Most requests have one event, those of frames two: their start and their end.
 */
const MAX_EVENTS_PER_LOAD = 2 * MAX_REQUESTS;
/** The share of all waiting events in the 50 MB for all records. Chosen, not measured. */
const MAX_WAITING_BYTES = 8_000_000;
/** When that is full, a navigation may still write this many events, so that others do not keep its load from being recorded. */
const RESERVED_EVENTS = 400;
const MAX_WITH_RESERVE_BYTES = 1.5 * MAX_WAITING_BYTES;
/** The size of an event without its texts in IndexedDB, with its indexes; measured: 178 to 240. */
const EVENT_BYTES = 240;

/** The size of an event, whichever version wrote it; bytes. */
export function costOf(event: Partial<Pick<RawRequestEvent, 'url' | 'documentUrl'>> | undefined): number {
  return EVENT_BYTES + (event?.url?.length ?? 0) + (event?.documentUrl?.length ?? 0);
}

/** Adds to the size of the waiting events; part of the writer's transaction. */
export async function countWaiting(transaction: WriteTransaction, bytes: number): Promise<void> {
  if (bytes === 0) return;
  const totals = transaction.objectStore('totals');
  const { bytes: before = 0 } = (await totals.get('waiting')) ?? {};
  // Versions before 4 did not count: their events are subtracted without having been added.
  await totals.put({ loads: 0, requests: 0, bytes: Math.max(0, before + bytes) }, 'waiting');
}

/** Stores the events that the tabs' allowances leave room for, and notes when others were refused. Part of the writer's transaction. */
async function addWithinAllowance(transaction: WriteTransaction, events: readonly RawRequestEvent[]): Promise<void> {
  const store = transaction.objectStore('events');
  const { bytes: waiting = 0 } = (await transaction.objectStore('totals').get('waiting')) ?? {};
  const tabs = new Map<number, Allowance>();
  const adding: Promise<unknown>[] = [];
  let added = 0;
  for (const event of events) {
    const tab = tabs.get(event.tabId) ?? (await allowanceOf(transaction, event.tabId));
    tabs.set(event.tabId, tab);
    if (event.type === 'main_frame' && event.phase === 'started') tab.navigate(event);
    const then = waiting + added + costOf(event);
    const isReserved = tab.count < RESERVED_EVENTS && then <= MAX_WITH_RESERVE_BYTES;
    // A load is found by the few events of its document.
    const isWithinLoad = tab.count < MAX_EVENTS_PER_LOAD || event.type === 'main_frame';
    if (isWithinLoad && (then <= MAX_WAITING_BYTES || isReserved)) {
      tab.count += 1;
      added += costOf(event);
      adding.push(store.add(event));
    } else tab.refuse(event.at);
  }
  const states = transaction.objectStore('tabs');
  for (const [tabId, { state }] of tabs) if (state !== undefined) adding.push(states.put(state, tabId));
  await Promise.all([...adding, countWaiting(transaction, added)]);
}

/** The events of a tab that wait since its newest navigation. */
class Allowance {
  /** `undefined`: unchanged since it was read. */
  state: TabState | undefined;
  count: number;
  #held: TabState;

  constructor(held: TabState, count: number) {
    this.#held = held;
    this.count = count;
  }

  navigate({ at, requestId }: RawRequestEvent): void {
    this.count = 0;
    this.#set({ ...this.#held, navigationAt: at, requestId });
  }

  refuse(at: number): void {
    const { navigationAt, refusedFrom, refusedUntil = Number.NEGATIVE_INFINITY } = this.#held;
    // Events refused before this navigation belong to another load, which is stored by now.
    this.#set({ ...this.#held, refusedFrom: refusedUntil < navigationAt ? at : (refusedFrom ?? at), refusedUntil: at });
  }

  #set(state: TabState): void {
    this.#held = state;
    this.state = state;
  }
}

async function allowanceOf(transaction: WriteTransaction, tabId: number): Promise<Allowance> {
  const state = (await transaction.objectStore('tabs').get(tabId)) ?? { navigationAt: 0 };
  const since = IDBKeyRange.bound([tabId, state.navigationAt], [tabId, Number.POSITIVE_INFINITY]);
  return new Allowance(state, await transaction.objectStore('events').index('byTabTime').count(since));
}

/** Marks the load as cut off where events of its tab were refused while it was observed. Times are wall clock. */
export async function markedIfRefused(
  transaction: WriteTransaction,
  load: MarkedPageLoad,
  seen: { tabId: number; endedAt: number },
): Promise<MarkedPageLoad> {
  const { refusedFrom, refusedUntil } = (await transaction.objectStore('tabs').get(seen.tabId)) ?? {};
  if (refusedFrom === undefined || refusedUntil === undefined) return load;
  return refusedFrom <= seen.endedAt && refusedUntil >= load.startedAt ? cutOff(load) : load;
}

/** Resets the size when nothing waits, so that errors of an older version or a damaged record do not add up. */
export function forgetCountIfNoneWaits(): Promise<void> {
  return writeRecords(['events', 'totals'], async (transaction) => {
    if ((await transaction.objectStore('events').openKeyCursor()) === null) await transaction.objectStore('totals').delete('waiting');
  });
}
