/** Keeps count of what is stored, and drops the oldest above the caps. */
import { readPageLoad } from '../protocol/stored-records.ts';
import { dropFiguresBefore } from './figures-store.ts';
import type { StoredLoad, Totals, Writing } from './record-database.ts';

/** Oldest loads are dropped above either cap. A request takes about 400 bytes, so the second is about 400 MB; our own choice. */
export const RECORD_CAPS: Totals = { loads: 100_000, requests: 1_000_000 };

const NO_TOTALS: Totals = { loads: 0, requests: 0 };

/** Counts `change` and, above `caps`, drops the oldest loads and the navigations before the oldest that is left. Part of the writer's transaction. */
export async function countRecords(transaction: Writing, change: Totals, caps: Totals): Promise<void> {
  const totals = transaction.objectStore('totals');
  const before = (await totals.get('all')) ?? NO_TOTALS;
  const after: Totals = { loads: before.loads + change.loads, requests: before.requests + change.requests };
  await totals.put(isOver(after, caps) ? await dropOldest(transaction, after, caps) : after, 'all');
}

const isOver = (totals: Totals, caps: Totals) => totals.loads > caps.loads || totals.requests > caps.requests;

async function dropOldest(transaction: Writing, totals: Totals, caps: Totals): Promise<Totals> {
  let left = totals;
  let oldest = await transaction.objectStore('loads').openCursor();
  while (oldest && isOver(left, caps)) {
    left = { loads: left.loads - 1, requests: left.requests - requestsOf(oldest.value) };
    await oldest.delete();
    oldest = await oldest.continue();
  }
  if (oldest) {
    await dropNavigationsBefore(transaction, oldest.value.startedAt);
    await dropFiguresBefore(transaction, oldest.primaryKey);
  }
  return left;
}

/** A record that cannot be read was counted with what it then had; 0 leaves the totals too high, which drops a load too early. */
const requestsOf = (stored: StoredLoad): number => readPageLoad(stored.load)?.requests.length ?? 0;

/** The navigation of a load begins, by webRequest's clock, within a second of the document's time origin (see `selectLoadEvents` on the clocks). */
const CLOCKS_APART_MS = 5_000;

async function dropNavigationsBefore(transaction: Writing, startedAt: number): Promise<void> {
  const navigations = transaction.objectStore('navigations');
  const obsolete = await navigations.index('byTime').getAllKeys(IDBKeyRange.upperBound(startedAt - CLOCKS_APART_MS, true));
  await Promise.all(obsolete.map((key) => navigations.delete(key)));
}
