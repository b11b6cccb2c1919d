/**
 * How much may wait for its load. A page that asks without end must neither fill the disk nor keep others from being recorded: each tab has
 * its allowance from one navigation to the next, and all tabs together have one.
 */
import { cutOff, MAX_REQUESTS } from '../core/measure/max-requests.ts';
import type { PageLoad } from '../core/measure/page-load.ts';
import type { RawRequestEvent } from '../core/measure/raw-observation.ts';
import { type TabState, type Writing, writeRecords } from './record-database.ts';

/** Most requests have one event, those of frames two: their beginning and their end. */
const MAX_EVENTS_PER_LOAD = 2 * MAX_REQUESTS;
/** What all tabs may have waiting, of the 50 MB for all records. Our own choice. */
const MAX_WAITING_BYTES = 8_000_000;
/** Where that is full, a navigation may still write so many events: others must not keep its load from being recorded. Up to half as much again. */
const RESERVED_EVENTS = 400;
const MAX_WITH_RESERVE_BYTES = 1.5 * MAX_WAITING_BYTES;
/** Of an event without its texts, as IndexedDB holds it with its indexes; measured: 178 to 240. */
const EVENT_BYTES = 240;

/** What an event takes, whatever wrote it; bytes. */
export function costOf(event: Partial<Pick<RawRequestEvent, 'url' | 'documentUrl'>> | undefined): number {
  return EVENT_BYTES + (event?.url?.length ?? 0) + (event?.documentUrl?.length ?? 0);
}

/** Adds to the count of what waits; part of the writer's transaction. */
export async function countWaiting(transaction: Writing, bytes: number): Promise<void> {
  if (bytes === 0) return;
  const totals = transaction.objectStore('totals');
  const { bytes: before = 0 } = (await totals.get('waiting')) ?? {};
  // Versions before 4 did not count: what they left is taken off without having been added.
  await totals.put({ loads: 0, requests: 0, bytes: Math.max(0, before + bytes) }, 'waiting');
}

/** Stores what the tabs' allowances leave; notes of the others that they were refused. Part of the writer's transaction. */
export async function addWithinAllowance(transaction: Writing, events: readonly RawRequestEvent[]): Promise<void> {
  const store = transaction.objectStore('events');
  const { bytes: waiting = 0 } = (await transaction.objectStore('totals').get('waiting')) ?? {};
  const tabs = new Map<number, Allowance>();
  const adding: Promise<unknown>[] = [];
  let added = 0;
  for (const event of events) {
    const tab = tabs.get(event.tabId) ?? (await allowanceOf(transaction, event.tabId));
    tabs.set(event.tabId, tab);
    if (event.type === 'main_frame' && event.phase === 'started') tab.navigate(event.at);
    const then = waiting + added + costOf(event);
    const isReserved = tab.count < RESERVED_EVENTS && then <= MAX_WITH_RESERVE_BYTES;
    // A document's own few are what its load is known by.
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

/** What a tab has waiting since its newest navigation. */
class Allowance {
  /** `undefined`: it is as it is stored. */
  state: TabState | undefined;
  count: number;
  #held: TabState;

  constructor(held: TabState, count: number) {
    this.#held = held;
    this.count = count;
  }

  navigate(at: number): void {
    this.count = 0;
    this.#set({ ...this.#held, navigationAt: at });
  }

  refuse(at: number): void {
    const { navigationAt, refusedFrom, refusedUntil = Number.NEGATIVE_INFINITY } = this.#held;
    // What was refused before this navigation was of another load, which is stored by now.
    this.#set({ navigationAt, refusedFrom: refusedUntil < navigationAt ? at : (refusedFrom ?? at), refusedUntil: at });
  }

  #set(state: TabState): void {
    this.#held = state;
    this.state = state;
  }
}

async function allowanceOf(transaction: Writing, tabId: number): Promise<Allowance> {
  const state = (await transaction.objectStore('tabs').get(tabId)) ?? { navigationAt: 0 };
  const since = IDBKeyRange.bound([tabId, state.navigationAt], [tabId, Number.POSITIVE_INFINITY]);
  return new Allowance(state, await transaction.objectStore('events').index('byTabTime').count(since));
}

/** The load, marked as cut off where events of its tab were refused while it was observed. Wall clock. */
export async function markedIfRefused(transaction: Writing, load: PageLoad, seen: { tabId: number; endedAt: number }): Promise<PageLoad> {
  const { refusedFrom, refusedUntil } = (await transaction.objectStore('tabs').get(seen.tabId)) ?? {};
  if (refusedFrom === undefined || refusedUntil === undefined) return load;
  return refusedFrom <= seen.endedAt && refusedUntil >= load.startedAt ? cutOff(load) : load;
}

/** Where nothing waits the count begins anew: what an older version left, or a record that lies, must not add up. */
export function forgetCountIfNoneWaits(): Promise<void> {
  return writeRecords(['events', 'totals'], async (transaction) => {
    if ((await transaction.objectStore('events').openKeyCursor()) === null) await transaction.objectStore('totals').delete('waiting');
  });
}
