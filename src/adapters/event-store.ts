/** webRequest events on their way to their load, and the navigations that have begun. */
import type { RawRequestEvent } from '../core/measure/raw-observation.ts';
import type { Navigation } from '../protocol/stored-records.ts';
import { type Writing, withRecords, writeRecords } from './record-database.ts';
import { addWithinAllowance } from './waiting-events.ts';

/** Stores events as far as the allowance of their tab goes; opens a navigation for each document request that began, and closes it when that request failed. */
export async function storeEvents(events: readonly RawRequestEvent[]): Promise<void> {
  await writeRecords(['events', 'navigations', 'tabs', 'totals'], async (transaction) => {
    // Together, so that a failed request of either leaves no rejection that nobody handles.
    await Promise.all([addWithinAllowance(transaction, events), setNavigations(transaction, events)]);
  });
}

/** One after the other: the end of a request must find the row that its start has made. */
async function setNavigations(transaction: Writing, events: readonly RawRequestEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== 'main_frame') continue;
    if (event.phase === 'started') await setNavigation(transaction, event, 'open');
    if (event.phase === 'failed') await setNavigation(transaction, event, 'failed');
  }
}

/** Request ids begin anew with every start of Firefox: an older navigation with this id is another one. Longer than any load is observed. */
const SAME_REQUEST_MS = 3_600_000;
/** The next hop of a redirect begins at most so long after the first; what begins later is another navigation. Our own choice: twice a load's longest time. */
const NEXT_HOP_MS = 120_000;

/** Navigations that are remembered, whatever became of them. Our own choice: ten times as many as there are loads with requests. */
const MAX_NAVIGATIONS = 20_000;

/** Writes the state of the navigation that `event`'s request belongs to; the hops of a redirect are one navigation, whose first start stands. */
export async function setNavigation(
  transaction: Writing,
  event: Pick<RawRequestEvent, 'requestId' | 'at'>,
  state: Navigation['state'],
): Promise<void> {
  const store = transaction.objectStore('navigations');
  const cursor = await store.index('byRequest').openCursor(IDBKeyRange.only(event.requestId), 'prev');
  const apart = cursor ? Math.abs(event.at - cursor.value.startedAt) : Number.POSITIVE_INFINITY;
  // Firefox may have started anew a moment ago: a navigation that has ended does not begin again.
  const isSame = state === 'open' ? cursor?.value.state === 'open' && apart < NEXT_HOP_MS : apart < SAME_REQUEST_MS;
  if (cursor && isSame) {
    if (state !== 'open') await cursor.update({ ...cursor.value, state });
    return;
  }
  const key = await store.add({ requestId: event.requestId, startedAt: event.at, state });
  // A page can begin navigations that come to nothing as often as it likes.
  if (key % 1_000 === 0) await store.delete(IDBKeyRange.upperBound(key - MAX_NAVIGATIONS));
}

export interface NavigationCounts {
  /** Navigations that began. */
  readonly attempted: number;
  /** Of these, the ones whose load was recorded. */
  readonly recorded: number;
  /** Of these, the ones whose document request failed or was given up. */
  readonly failed: number;
}

/** Only of navigations that are still remembered: those before the oldest stored load have been dropped. */
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
