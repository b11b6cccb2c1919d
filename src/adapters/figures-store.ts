/** The figures of the stored loads (`core/field/load-figures.ts`), kept in step with them and read all at once. */
import { type LoadFigures, loadFigures } from '../core/field/load-figures.ts';
import type { PageLoad } from '../core/measure/page-load.ts';
import { METRIC_VERSION } from '../core/report/report.ts';
import { CHUNK_LOADS, chunkOf, emptyChunk, figuresAt, parseFigureChunk, rowOf, setFigures } from '../protocol/figure-chunk.ts';
import { readPageLoad } from '../protocol/stored-records.ts';
import { type Writing, withRecords, writeRecords } from './record-database.ts';

/** Writes the figures of the load with this key; part of the transaction that writes the load, which has the store `figures`. */
export async function putFigures(transaction: Writing, key: number, load: PageLoad): Promise<void> {
  const store = transaction.objectStore('figures');
  const chunk = parseFigureChunk(await store.get(chunkOf(key)), METRIC_VERSION) ?? emptyChunk(METRIC_VERSION);
  setFigures(chunk, rowOf(key), loadFigures(load));
  await store.put(chunk, chunkOf(key));
}

/** Drops the figures of loads that are gone: whole chunks; the rows of a chunk that is gone in part are passed over when it is read. */
export async function dropFiguresBefore(transaction: Writing, oldestKey: number): Promise<void> {
  if (chunkOf(oldestKey) > 0) await transaction.objectStore('figures').delete(IDBKeyRange.upperBound(chunkOf(oldestKey), true));
}

export interface StoredFigures {
  /** In the order in which the loads were stored. */
  readonly figures: readonly LoadFigures[];
  /** Loads whose record cannot be read. */
  readonly unreadable: number;
  /** Loads in all. */
  readonly loads: number;
  /** Loads whose figures are still to be worked out. */
  readonly missing: number;
}

/** All at once, as of one moment. Figures of another `METRIC_VERSION` count as missing: they are worked out anew. */
export function readFigures(): Promise<StoredFigures> {
  return withRecords(async (db) => {
    const transaction = db.transaction(['loads', 'figures', 'totals']);
    const [totals, oldest, numbers, chunks] = await Promise.all([
      transaction.objectStore('totals').get('all'),
      transaction.objectStore('loads').openKeyCursor(),
      transaction.objectStore('figures').getAllKeys(),
      transaction.objectStore('figures').getAll(),
    ]);
    // Counting would walk through all records.
    const loads = totals?.loads ?? 0;
    const figures: LoadFigures[] = [];
    let unreadable = 0;
    if (oldest === null) return { figures, unreadable, loads, missing: 0 };
    for (const [at, number] of numbers.entries()) {
      const chunk = parseFigureChunk(chunks[at], METRIC_VERSION);
      if (chunk === undefined) continue;
      for (let row = Math.max(0, oldest.primaryKey - number * CHUNK_LOADS); row < CHUNK_LOADS; row++) {
        const own = figuresAt(chunk, row);
        if (own === 'unreadable') unreadable += 1;
        else if (own !== undefined) figures.push(own);
      }
    }
    return { figures, unreadable, loads, missing: Math.max(0, loads - figures.length - unreadable) };
  });
}

/**
 * Works out what figures are missing, chunk by chunk from the newest on, each in a transaction of its own: whoever is interrupted goes on
 * where it was. Settles when there are no more.
 *
 * @param onChunk after each chunk that was missing some, with how many; `false`: leave the rest for another time.
 */
export async function completeFigures(onChunk: (worked: number) => boolean): Promise<void> {
  const bounds = await keyBounds();
  if (bounds === undefined) return;
  for (let number = chunkOf(bounds.newest); number >= chunkOf(bounds.oldest); number--) {
    const worked = await completeChunk(number);
    if (worked > 0 && !onChunk(worked)) return;
  }
}

async function keyBounds(): Promise<{ readonly oldest: number; readonly newest: number } | undefined> {
  return withRecords(async (db) => {
    const store = db.transaction('loads').store;
    const [oldest, newest] = await Promise.all([store.openKeyCursor(), store.openKeyCursor(null, 'prev')]);
    return oldest === null || newest === null ? undefined : { oldest: oldest.primaryKey, newest: newest.primaryKey };
  });
}

/** @returns how many were missing. */
async function completeChunk(number: number): Promise<number> {
  const range = IDBKeyRange.bound(number * CHUNK_LOADS, (number + 1) * CHUNK_LOADS, false, true);
  if (await isComplete(number, range)) return 0;
  return writeRecords(['loads', 'figures'], async (transaction) => {
    const [keys, records, held] = await Promise.all([
      transaction.objectStore('loads').getAllKeys(range),
      transaction.objectStore('loads').getAll(range),
      transaction.objectStore('figures').get(number),
    ]);
    const chunk = parseFigureChunk(held, METRIC_VERSION) ?? emptyChunk(METRIC_VERSION);
    let worked = 0;
    for (const [at, key] of keys.entries()) {
      if (figuresAt(chunk, rowOf(key)) !== undefined) continue;
      setFigures(chunk, rowOf(key), figuresOf(records[at]));
      worked += 1;
    }
    await transaction.objectStore('figures').put(chunk, number);
    return worked;
  });
}

function isComplete(number: number, range: IDBKeyRange): Promise<boolean> {
  return withRecords(async (db) => {
    const transaction = db.transaction(['loads', 'figures']);
    const [keys, held] = await Promise.all([
      transaction.objectStore('loads').getAllKeys(range),
      transaction.objectStore('figures').get(number),
    ]);
    const chunk = parseFigureChunk(held, METRIC_VERSION);
    return keys.every((key) => chunk !== undefined && figuresAt(chunk, rowOf(key)) !== undefined);
  });
}

/** A record that measuring stumbles over is as good as unreadable: it must not keep the others from being read. */
function figuresOf(stored: { readonly load: unknown } | undefined): LoadFigures | 'unreadable' {
  const load = readPageLoad(stored?.load);
  if (load === undefined) return 'unreadable';
  try {
    return loadFigures(load);
  } catch (error) {
    if (error instanceof RangeError) return 'unreadable';
    throw error;
  }
}
