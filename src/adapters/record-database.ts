/**
 * The extension's IndexedDB, through idb. Every write commits explicitly, so that it stands even if the event page ends in the next moment.
 * After a failed operation the connection is closed: one left open would block a later reset, and a new one works again once there is room.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import type { PageLoad } from '../core/measure/page-load.ts';
import type { RawRequestEvent } from '../core/measure/raw-observation.ts';
import type { AppliedSince, Navigation } from '../protocol/stored-records.ts';

/** A load with what later events are recognised by. */
export interface StoredLoad {
  readonly load: PageLoad;
  readonly id: string;
  readonly startedAt: number;
  readonly url: string;
  readonly tabId: number;
  readonly endedAt: number;
  /** Resource entries that its document has sent so far. */
  readonly entries: number;
  readonly documentId?: string;
}

/** Records in the store, kept beside them so that nobody has to count; also how many there may be. */
export interface Totals {
  readonly loads: number;
  readonly requests: number;
}

export interface RecordSchema extends DBSchema {
  events: { key: number; value: RawRequestEvent; indexes: { byTab: number; byTime: number } };
  loads: { key: number; value: StoredLoad; indexes: { byId: string; byTab: [number, number] } };
  navigations: { key: number; value: Navigation; indexes: { byRequest: string; byState: string; byTime: number } };
  applied: { key: number; value: AppliedSince };
  totals: { key: string; value: Totals };
  /** One per trial, the newest last. */
  trials: { key: number; value: unknown };
  /** By number of the chunk; see `figure-chunk.ts`. */
  figures: { key: number; value: unknown };
}

/** Names of the stores; `Writing` is a transaction over whichever of them its writer has opened. */
export type RecordStores = StoreNames<RecordSchema>;
export type Writing = IDBPTransaction<RecordSchema, RecordStores[], 'readwrite'>;

const NAME = 'plumbfox';
/** 2: trials. 3: figures, which are worked out when they are wanted: a change of version that is interrupted leaves all as it was. */
const VERSION = 3;

let connection: Promise<IDBPDatabase<RecordSchema>> | undefined;

function database(): Promise<IDBPDatabase<RecordSchema>> {
  connection ??= openDB<RecordSchema>(NAME, VERSION, {
    upgrade(db, before) {
      if (before < 1) createFirstStores(db);
      if (before < 2) db.createObjectStore('trials', { autoIncrement: true });
      if (before < 3) db.createObjectStore('figures');
    },
    // It cannot fail: what could not be opened needs no closing.
    blocking: () => closeRecordDatabase(),
    terminated: () => {
      connection = undefined;
    },
  });
  return connection;
}

function createFirstStores(db: IDBPDatabase<RecordSchema>): void {
  const events = db.createObjectStore('events', { autoIncrement: true });
  events.createIndex('byTab', 'tabId');
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

/** Closes the connection; the next use opens a new one. */
export async function closeRecordDatabase(): Promise<void> {
  const open = connection;
  connection = undefined;
  await open?.then(
    (db) => db.close(),
    () => undefined,
  );
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
