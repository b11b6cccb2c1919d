/** The figures of the stored loads (`core/field/load-summary.ts`), updated with them and read all at once. */
import { type LoadSummary, loadSummary } from '../core/field/load-summary.ts';
import { METRIC_VERSION } from '../core/report/report.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import {
  CHUNK_LOADS,
  chunkOf,
  emptyChunk,
  type FigureChunk,
  figuresAt,
  ownerAt,
  parseFigureChunk,
  parseOlderChunk,
  rowOf,
  setFigures,
} from '../protocol/figure-chunk.ts';
import { readPageLoad } from '../protocol/stored-records.ts';
import { type WriteTransaction, withRecords, writeRecords } from './record-database.ts';

/**
 * Writes the figures of the load with this key; part of the transaction that writes the load, which has the stores `figures`, `loads` and
 * `totals`.
 * @param site - The load's site; absent: unchanged.
 */
export function putFigures(transaction: WriteTransaction, key: number, load: MarkedPageLoad, site?: number): Promise<void> {
  return changeChunk(transaction, chunkOf(key), (chunk) => {
    setFigures(chunk, rowOf(key), loadSummary(load), site);
    return true;
  });
}

/** Sets the figures of a load whose record is removed, unless they are there; `load` absent: it cannot be read. @returns whether anything changed. */
export function keepFigures(
  chunk: FigureChunk,
  { key, load, site }: { key: number; load: MarkedPageLoad | undefined; site: number },
): boolean {
  const held = figuresAt(chunk, rowOf(key));
  if (held !== undefined && ownerAt(chunk, rowOf(key)) === site) return false;
  setFigures(chunk, rowOf(key), held ?? figuresOf(load), site);
  return true;
}

/**
 * Changes a chunk of figures; part of the writer's transaction, which has the stores `figures`, `loads` and `totals`.
 * @param change - Returns whether there is anything to write: a chunk is 31 kB.
 */
export async function changeChunk(transaction: WriteTransaction, number: number, change: (chunk: FigureChunk) => boolean): Promise<void> {
  const store = transaction.objectStore('figures');
  const held: unknown = await store.get(number);
  let chunk = parseFigureChunk(held, METRIC_VERSION);
  if (chunk === undefined) {
    await uncountOlder(transaction, number, parseOlderChunk(held));
    chunk = emptyChunk(METRIC_VERSION);
  }
  if (change(chunk)) await store.put(chunk, number);
  // The loads of a chunk of another definition have all gone: nothing of it can be computed again.
  else if (held !== undefined && parseFigureChunk(held, METRIC_VERSION) === undefined) await store.delete(number);
}

/** Figures of another definition are computed again from the loads; the others, whose loads are gone, are lost with it. */
async function uncountOlder(transaction: WriteTransaction, number: number, older: FigureChunk | undefined): Promise<void> {
  if (older === undefined) return;
  const whole = new Set(await transaction.objectStore('loads').getAllKeys(keysOf(number)));
  const rows = Array.from({ length: CHUNK_LOADS }, (_, row) => row);
  const lost = rows.filter((row) => ownerAt(older, row) !== undefined && !whole.has(number * CHUNK_LOADS + row)).length;
  const totals = await transaction.objectStore('totals').get('all');
  if (lost === 0 || totals === undefined) return;
  const left = { loads: Math.max(0, totals.loads - lost), forgotten: (totals.forgotten ?? 0) + lost };
  await transaction.objectStore('totals').put({ ...totals, ...left }, 'all');
}

/** The keys of the loads of a chunk. */
export const keysOf = (chunk: number): IDBKeyRange => IDBKeyRange.bound(chunk * CHUNK_LOADS, (chunk + 1) * CHUNK_LOADS, false, true);

export interface StoredFigures {
  /** The figures in the order in which the loads were stored. */
  readonly figures: readonly LoadSummary[];
  /** Loads whose record cannot be read. */
  readonly unreadable: number;
  readonly loads: number;
  /** Loads whose figures have to be computed still. */
  readonly missing: number;
}

/**
 * Reads all figures in one transaction. Figures of another `METRIC_VERSION` count as missing: they are computed again.
 * @param newestChunks - Only of so many chunks.
 */
export function readFigures(newestChunks = Number.POSITIVE_INFINITY): Promise<StoredFigures> {
  return withRecords(async (db) => {
    const transaction = db.transaction(['figures', 'totals']);
    const store = transaction.objectStore('figures');
    const last = Number.isFinite(newestChunks) ? await store.openKeyCursor(null, 'prev') : undefined;
    const range = last && IDBKeyRange.lowerBound(last.primaryKey - newestChunks, true);
    const [totals, chunks] = await Promise.all([transaction.objectStore('totals').get('all'), store.getAll(range)]);
    // Counting would walk through all records.
    const loads = totals?.loads ?? 0;
    const figures: LoadSummary[] = [];
    let unreadable = 0;
    for (const held of chunks) {
      const chunk = parseFigureChunk(held, METRIC_VERSION);
      if (chunk === undefined) continue;
      for (let row = 0; row < CHUNK_LOADS; row++) {
        const own = figuresAt(chunk, row);
        if (own === 'unreadable') unreadable += 1;
        else if (own !== undefined) figures.push(own);
      }
    }
    return { figures, unreadable, loads, missing: Math.max(0, loads - figures.length - unreadable) };
  });
}

/** Loads in a row, and when the first of them began: wall clock, ms since the epoch. */
export interface LoadSpan {
  readonly loads: number;
  readonly since: number;
}

/** The newest `count` loads that have figures, whatever the definitions; `undefined`: none has. Reads their chunks. */
export function figuresSpan(count: number): Promise<LoadSpan | undefined> {
  return withRecords(async (db) => {
    let [loads, since] = [0, Number.POSITIVE_INFINITY];
    const { store } = db.transaction('figures');
    for (let cursor = await store.openCursor(null, 'prev'); cursor !== null && loads < count; cursor = await cursor.continue()) {
      const chunk = parseOlderChunk(cursor.value);
      for (let row = CHUNK_LOADS - 1; chunk !== undefined && row >= 0 && loads < count; row--) {
        const own = figuresAt(chunk, row);
        if (own === undefined || own === 'unreadable') continue;
        loads += 1;
        since = Math.min(since, own.startedAt);
      }
    }
    return loads === 0 ? undefined : { loads, since };
  });
}

/**
 * Computes the missing figures, chunk by chunk from the newest on, each in its own transaction: interrupted, it continues where it was.
 *
 * @param onChunk - Called after each chunk that was missing some, with how many; `false` leaves the rest for another time.
 */
export async function completeFigures(onChunk: (worked: number) => boolean): Promise<void> {
  const bounds = await chunkBounds();
  if (bounds === undefined) return;
  for (let number = bounds.newest; number >= bounds.oldest; number--) {
    const worked = await completeChunk(number);
    if (worked > 0 && !onChunk(worked)) return;
  }
}

/** The range of chunks, both of the loads that have their requests and of the older ones that are only figures. */
async function chunkBounds(): Promise<{ readonly oldest: number; readonly newest: number } | undefined> {
  return withRecords(async (db) => {
    const transaction = db.transaction(['loads', 'figures']);
    const [loads, figures] = [transaction.objectStore('loads'), transaction.objectStore('figures')];
    const [whole, alone] = await Promise.all([
      Promise.all([loads.openKeyCursor(), loads.openKeyCursor(null, 'prev')]),
      Promise.all([figures.openKeyCursor(), figures.openKeyCursor(null, 'prev')]),
    ]);
    const chunks = [...whole.flatMap((at) => at?.primaryKey ?? []).map(chunkOf), ...alone.flatMap((at) => at?.primaryKey ?? [])];
    return chunks.length === 0 ? undefined : { oldest: Math.min(...chunks), newest: Math.max(...chunks) };
  });
}

/** @returns how many were missing. */
async function completeChunk(number: number): Promise<number> {
  const range = keysOf(number);
  if (await isComplete(number, range)) return 0;
  return writeRecords(['loads', 'figures', 'totals'], async (transaction) => {
    const [keys, records] = await Promise.all([
      transaction.objectStore('loads').getAllKeys(range),
      transaction.objectStore('loads').getAll(range),
    ]);
    let worked = 0;
    await changeChunk(transaction, number, (chunk) => {
      for (const [at, key] of keys.entries()) {
        if (figuresAt(chunk, rowOf(key)) !== undefined) continue;
        setFigures(chunk, rowOf(key), figuresOf(readPageLoad(records[at]?.load)), records[at]?.site);
        worked += 1;
      }
      return worked > 0;
    });
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
    if (chunk === undefined && held !== undefined) return false;
    return keys.every((key) => chunk !== undefined && figuresAt(chunk, rowOf(key)) !== undefined);
  });
}

/** A record that cannot be measured counts as unreadable: it must not keep the others from being read. */
function figuresOf(load: MarkedPageLoad | undefined): LoadSummary | 'unreadable' {
  if (load === undefined) return 'unreadable';
  try {
    return loadSummary(load);
  } catch (error) {
    if (error instanceof RangeError) return 'unreadable';
    throw error;
  }
}
