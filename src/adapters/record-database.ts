/**
 * The extension's IndexedDB, through idb. Every write commits explicitly, so that it stands even if the event page ends in the next moment.
 * After a failed operation the connection is closed: one left open would block a later reset, and a new one works again once there is room.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import { chunkOf, clearRow, parseOlderChunk, rowOf } from '../protocol/figure-chunk.ts';
import type { AppliedSince, Navigation } from '../protocol/stored-records.ts';

/** A load with what later events are recognised by. */
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
  /** Since version 4: whose it is (`site-shares.ts`), what it takes, and whether it is kept for a trial (1) or not (0). */
  readonly site?: number;
  readonly bytes?: number;
  readonly hold?: 0 | 1;
}

/** What a tab may write until its next navigation; see `event-store.ts`. */
export interface TabState {
  /** When its newest navigation began, wall clock. */
  readonly navigationAt: number;
  /** When events of it were first and last refused because too many wait. */
  readonly refusedFrom?: number;
  readonly refusedUntil?: number;
}

/** Records in the store, kept beside them so that nobody has to count. */
export interface Totals {
  /** All loads, those that are only figures by now among them. */
  readonly loads: number;
  readonly requests: number;
  /** Loads that have their requests still. Absent before version 4: all have. */
  readonly whole?: number;
  /** Of these, or of the events that wait. */
  readonly bytes?: number;
  /** Loads of a former version, with keys below this one, have to be brought up to date. */
  readonly oldFormatBelow?: number;
  /** Loads that Plumbfox itself has let go of: see `record-mirror.ts`. */
  readonly forgotten?: number;
}

/** Of all loads of one site. */
export interface SiteShare {
  /** Of the loads whose requests are stored. */
  readonly bytes: number;
  /** All of them, those that are only figures by now among them. */
  readonly loads: number;
  /** Chunks of figures before this one hold none of it. */
  readonly fromChunk?: number;
}

export interface RecordSchema extends DBSchema {
  events: { key: number; value: RawRequestEvent; indexes: { byTabTime: [number, number]; byTime: number } };
  /** `generation`: see `record-mirror.ts`. */
  about: { key: string; value: string };
  /** By the tab's id. */
  tabs: { key: number; value: TabState };
  loads: { key: number; value: StoredLoad; indexes: { byId: string; byTab: [number, number]; bySite: [number, number]; byHold: number } };
  /** By the site's number. */
  sites: { key: number; value: SiteShare; indexes: { byBytes: number; byLoads: number } };
  navigations: { key: number; value: Navigation; indexes: { byRequest: string; byState: string; byTime: number } };
  applied: { key: number; value: AppliedSince };
  /** `all`: of the loads. `waiting`: of the events, as `event-store.ts` counts. */
  totals: { key: string; value: Totals };
  /** One per trial, the newest last. */
  trials: { key: number; value: unknown };
  /** By number of the chunk; see `figure-chunk.ts`. */
  figures: { key: number; value: unknown };
}

/** Names of the stores; `Writing` is a transaction over whichever of them its writer has opened. */
export type RecordStores = StoreNames<RecordSchema>;
export type Writing = IDBPTransaction<RecordSchema, RecordStores[], 'readwrite'>;

type VersionChange = IDBPTransaction<RecordSchema, RecordStores[], 'versionchange'>;

const NAME = 'plumbfox';
/**
 * 2: trials. 3: figures, which are worked out when they are wanted. 4: events by tab and time, what a tab may still write, what a site has.
 * A change of version that is interrupted leaves all as it was.
 */
const VERSION = 4;

let connection: Promise<IDBPDatabase<RecordSchema>> | undefined;

let isReadOnly = false;

/** Whether a newer version has changed the database, as far as it was opened: what there is can be read, and nothing is written. */
export const areRecordsReadOnly = (): boolean => isReadOnly;

function database(): Promise<IDBPDatabase<RecordSchema>> {
  connection ??= opened();
  return connection;
}

/** It cannot fail: what could not be opened needs no closing. */
const CLOSING = {
  blocking: () => closeRecordDatabase(),
  terminated: () => {
    connection = undefined;
  },
};

async function opened(): Promise<IDBPDatabase<RecordSchema>> {
  // Many ask in one go: if each of them waited, the event page would end before it had answered.
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

/** A page of an older version that does not let go would keep everybody waiting for ever. Our own choice. */
const BLOCKED_MS = 5_000;
/** Nobody waits again so soon after that was in vain. Our own choice. */
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
        // What fails there has aborted the change by itself, or is to.
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

/** Records are brought up to date afterwards, in short steps: see `trimRecords`. */
async function toVersion4(db: IDBPDatabase<RecordSchema>, transaction: VersionChange): Promise<void> {
  const events = transaction.objectStore('events');
  // Of versions 1 to 3; the schema does not know it any more.
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
  // Figures of loads that had been dropped were passed over when read; now figures stand for loads that have gone.
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

/** One committed transaction over `stores`; all of it or nothing. @throws whatever IndexedDB or `work` throws. */
export function writeRecords<T>(stores: RecordStores[], work: (transaction: Writing) => Promise<T>): Promise<T> {
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

function abort(transaction: Writing): void {
  try {
    transaction.abort();
  } catch (reason) {
    // A failed request has aborted it already.
    if (!(reason instanceof DOMException && reason.name === 'InvalidStateError')) throw reason;
  }
}
