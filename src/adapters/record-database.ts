/**
 * The extension's IndexedDB, through idb. Every write commits explicitly, so that it lasts even if the event page ends the next moment. After a
 * failed operation the connection is closed: one left open would block a later reset, and a new one works again once there is room.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import { chunkOf, clearRow, parseOlderChunk, rowOf } from '../protocol/figure-chunk.ts';
import type { AppliedSince, Navigation } from '../protocol/stored-records.ts';

/** A load with what identifies its late events. */
export interface StoredLoad {
  readonly load: MarkedPageLoad;
  readonly id: string;
  readonly startedAt: number;
  readonly url: string;
  readonly tabId: number;
  readonly endedAt: number;
  /** Resource entries that its document has sent so far. */
  readonly entries: number;
  readonly documentId?: string;
  /** Since version 4: its site (`site-shares.ts`), its size, and whether it is held for a trial (1) or not (0). */
  readonly site?: number;
  readonly bytes?: number;
  readonly hold?: 0 | 1;
}

/** A tab's use of its allowance; see `event-store.ts`. */
export interface TabState {
  /** When its newest navigation began, wall clock. */
  readonly navigationAt: number;
  /** The request of that navigation; absent: none was seen, or a former version noted it. */
  readonly requestId?: string;
  /** When its events were first and last refused because too many were waiting. */
  readonly refusedFrom?: number;
  readonly refusedUntil?: number;
}

/** Totals of the records, stored with them because counting would read them all. */
export interface Totals {
  /** All loads, those reduced to figures included. */
  readonly loads: number;
  readonly requests: number;
  /** Loads that still have their requests. Absent before version 4: all have. */
  readonly whole?: number;
  /** Size of those loads, or of the waiting events. */
  readonly bytes?: number;
  /** Loads with keys below this one are of an older version and have to be upgraded. */
  readonly oldFormatBelow?: number;
  /** Loads that Plumbfox itself has removed: see `record-mirror.ts`. */
  readonly forgotten?: number;
}

/** Totals of one site. */
export interface SiteShare {
  /** Size of the loads whose requests are stored. */
  readonly bytes: number;
  /** All loads, those reduced to figures included. */
  readonly loads: number;
  /** Chunks of figures before this one hold none of it. */
  readonly fromChunk?: number;
}

interface RecordSchema extends DBSchema {
  events: { key: number; value: RawRequestEvent; indexes: { byTabTime: [number, number]; byTime: number } };
  /** `generation`: see `record-mirror.ts`. */
  about: { key: string; value: string };
  /** The key is the tab's id. */
  tabs: { key: number; value: TabState };
  loads: { key: number; value: StoredLoad; indexes: { byId: string; byTab: [number, number]; bySite: [number, number]; byHold: number } };
  /** The key is the site's number. */
  sites: { key: number; value: SiteShare; indexes: { byBytes: number; byLoads: number } };
  navigations: { key: number; value: Navigation; indexes: { byRequest: string; byState: string; byTime: number } };
  applied: { key: number; value: AppliedSince };
  /** `all`: of the loads. `waiting`: of the events, as `event-store.ts` counts. */
  totals: { key: string; value: Totals };
  /** One per trial, the newest last. */
  trials: { key: number; value: unknown };
  /** The key is the chunk's number; see `figure-chunk.ts`. */
  figures: { key: number; value: unknown };
}

/** Names of the stores; `WriteTransaction` is a transaction over whichever of them its writer has opened. */
export type RecordStores = StoreNames<RecordSchema>;
export type WriteTransaction = IDBPTransaction<RecordSchema, RecordStores[], 'readwrite'>;

type VersionChange = IDBPTransaction<RecordSchema, RecordStores[], 'versionchange'>;

const NAME = 'plumbfox';
/**
 * 2: trials. 3: figures, which are computed when they are needed. 4: events by tab and time, allowances of tabs, shares of sites.
 * An interrupted change of version leaves everything as it was.
 */
const VERSION = 4;

let connection: Promise<IDBPDatabase<RecordSchema>> | undefined;

let isReadOnly = false;

/** Whether the opened database is of a newer version: it is read, and not written. */
export const areRecordsReadOnly = (): boolean => isReadOnly;

function database(): Promise<IDBPDatabase<RecordSchema>> {
  connection ??= opened();
  return connection;
}

/** Closing cannot fail: a database that could not be opened needs no closing. */
const CLOSING = {
  blocking: () => closeRecordDatabase(),
  terminated: () => {
    connection = undefined;
  },
};

async function opened(): Promise<IDBPDatabase<RecordSchema>> {
  // Many requests come at once: if each of them waited, the event page would end before it had answered.
  if (performance.now() - givenUpAt < RETRY_AFTER_MS) throw heldByAnother();
  try {
    const db = await openedInTime();
    isReadOnly = false;
    return db;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'VersionError')) throw error;
    isReadOnly = true;
    return openDB<RecordSchema>(NAME, undefined, CLOSING);
  }
}

/** A page of an older version that keeps the database open would block every other page for ever. Chosen, not measured. */
const BLOCKED_MS = 5_000;
/** After a wait in vain no caller waits again so soon. Chosen, not measured. */
const RETRY_AFTER_MS = 10_000;
let givenUpAt = Number.NEGATIVE_INFINITY;

const heldByAnother = () => new DOMException('Another page of Plumbfox holds the records open', 'TimeoutError');

function openedInTime(): Promise<IDBPDatabase<RecordSchema>> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const opening = openDB<RecordSchema>(NAME, VERSION, {
      ...CLOSING,
      upgrade(db, before, _, transaction) {
        if (before < 1) createFirstStores(db);
        if (before < 2) db.createObjectStore('trials', { autoIncrement: true });
        if (before < 3) db.createObjectStore('figures');
        // A failed request has aborted the change by itself; other failures abort it here.
        if (before < 4) toVersion4(db, transaction).catch(() => transaction.abort());
      },
      blocked: () => {
        timer = setTimeout(() => {
          isGivenUp = true;
          givenUpAt = performance.now();
          reject(heldByAnother());
        }, BLOCKED_MS);
      },
    });
    opening
      .finally(() => clearTimeout(timer))
      .then((db) => {
        givenUpAt = Number.NEGATIVE_INFINITY;
        if (isGivenUp) db.close();
        else resolve(db);
      }, reject);
  });
}

function createFirstStores(db: IDBPDatabase<RecordSchema>): void {
  const events = db.createObjectStore('events', { autoIncrement: true });
  events.createIndex('byTime', 'at');
  const loads = db.createObjectStore('loads', { autoIncrement: true });
  loads.createIndex('byId', 'id');
  loads.createIndex('byTab', ['tabId', 'startedAt']);
  const navigations = db.createObjectStore('navigations', { autoIncrement: true });
  navigations.createIndex('byRequest', 'requestId');
  navigations.createIndex('byState', 'state');
  navigations.createIndex('byTime', 'startedAt');
  db.createObjectStore('applied', { autoIncrement: true });
  db.createObjectStore('totals');
}

/** Records are upgraded afterwards, in short steps: see `trimRecords`. */
async function toVersion4(db: IDBPDatabase<RecordSchema>, transaction: VersionChange): Promise<void> {
  const events = transaction.objectStore('events');
  // An index of versions 1 to 3, which the schema no longer knows.
  if (events.indexNames.contains('byTab' as never)) events.deleteIndex('byTab');
  events.createIndex('byTabTime', ['tabId', 'at']);
  db.createObjectStore('tabs');
  db.createObjectStore('about');
  const loads = transaction.objectStore('loads');
  loads.createIndex('bySite', ['site', 'hold']);
  loads.createIndex('byHold', 'hold');
  const sites = db.createObjectStore('sites');
  sites.createIndex('byBytes', 'bytes');
  sites.createIndex('byLoads', 'loads');
  const totals = transaction.objectStore('totals');
  const [all, newest, oldest] = await Promise.all([totals.get('all'), loads.openKeyCursor(null, 'prev'), loads.openKeyCursor()]);
  if (newest === null || oldest === null) return;
  await totals.put({ loads: 0, requests: 0, ...all, oldFormatBelow: newest.primaryKey + 1 }, 'all');
  // Figures of dropped loads used to be skipped when read; now figures count for loads that are gone.
  const number = chunkOf(oldest.primaryKey);
  const chunk = parseOlderChunk(await transaction.objectStore('figures').get(number));
  if (chunk === undefined) return;
  for (let row = 0; row < rowOf(oldest.primaryKey); row++) clearRow(chunk, row);
  await transaction.objectStore('figures').put(chunk, number);
}

/** Closes the connection; the next use opens a new one. */
export async function closeRecordDatabase(): Promise<void> {
  const open = connection;
  connection = undefined;
  await open?.then(
    (db) => db.close(),
    () => undefined,
  );
}

/** Deletes the database; the next use makes a new one. @throws when it is held or cannot be deleted. */
export async function deleteRecordDatabase(): Promise<void> {
  await closeRecordDatabase();
  await new Promise<void>((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase(NAME);
    const timer = setTimeout(() => reject(new DOMException('Another page of Plumbfox holds the records', 'AbortError')), BLOCKED_MS);
    deleting.onsuccess = () => resolve(clearTimeout(timer));
    deleting.onerror = () => reject(deleting.error ?? new DOMException('The records could not be deleted', 'UnknownError'));
  });
}

/** Runs `work` on the open database. @throws whatever IndexedDB throws, after closing the connection. */
export async function withRecords<T>(work: (db: IDBPDatabase<RecordSchema>) => Promise<T>): Promise<T> {
  try {
    return await work(await database());
  } catch (error) {
    await closeRecordDatabase();
    throw error;
  }
}

/** Runs `work` in one transaction over `stores`, all or nothing. @throws whatever IndexedDB or `work` throws. */
export function writeRecords<T>(stores: RecordStores[], work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
  return withRecords(async (db) => {
    if (isReadOnly) throw new DOMException('A newer version of Plumbfox has changed the records', 'VersionError');
    const transaction = db.transaction(stores, 'readwrite', { durability: 'relaxed' });
    // `done` rejects too when a request fails; it is awaited below, unless the request's own reason is thrown first.
    const done = transaction.done.catch((reason: unknown) => reason ?? new DOMException('The transaction was aborted', 'AbortError'));
    const result = await work(transaction).catch((reason: unknown) => {
      abort(transaction);
      throw reason;
    });
    transaction.commit();
    const failure = await done;
    if (failure !== undefined) throw failure;
    return result;
  });
}

function abort(transaction: WriteTransaction): void {
  try {
    transaction.abort();
  } catch (reason) {
    // A failed request has aborted it already.
    if (!(reason instanceof DOMException && reason.name === 'InvalidStateError')) throw reason;
  }
}
