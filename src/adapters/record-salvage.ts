/**
 * Reads what can still be read of a damaged database, unparsed. The popup does it itself: nothing goes through a message, and the popup needs
 * none of the code that understands records.
 */
import * as v from 'valibot';
import { PlumbfoxError } from '../core/errors.ts';
import { MIRROR_KEY, mirrorSchema } from '../protocol/record-mirror.ts';
import { browser } from './browser.ts';

interface Salvaged {
  readonly loads: readonly unknown[];
  /** Keys whose record could not be read; most may have been gone before. */
  readonly unreadable: number;
}

/** Keys that are read at once; if one of them cannot be read, each half is tried by itself. Chosen, not measured. */
const AT_ONCE = 128;
/** Used where nothing is noted beside the database: more loads than were ever kept. */
const MANY = 100_000;

/** Reads every readable load. Firefox answers `UnknownError` for a range with a damaged page in it, and ends the transaction. */
export async function salvageLoads(): Promise<Salvaged> {
  const mirror = v.safeParse(mirrorSchema, (await browser.storage.local.get(MIRROR_KEY))[MIRROR_KEY]);
  const until = (mirror.success ? mirror.output.newestKey : undefined) ?? MANY;
  const db = await answered(openedAsItIs());
  try {
    const loads: unknown[] = [];
    let unreadable = 0;
    for (let from = 0; from <= until; from += AT_ONCE) {
      const part = await readableOf(db, from, Math.min(until, from + AT_ONCE - 1));
      loads.push(...part.loads);
      unreadable += part.unreadable;
    }
    return { loads, unreadable };
  } finally {
    // One left open would block the reset.
    db.close();
  }
}

async function readableOf(db: IDBDatabase, from: number, to: number): Promise<Salvaged> {
  try {
    const stored: readonly unknown[] = await answered(db.transaction('loads').objectStore('loads').getAll(IDBKeyRange.bound(from, to)));
    return { loads: stored.map((one) => (one as { readonly load?: unknown } | undefined)?.load), unreadable: 0 };
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (from === to) return { loads: [], unreadable: 1 };
    const middle = Math.floor((from + to) / 2);
    const [first, second] = [await readableOf(db, from, middle), await readableOf(db, middle + 1, to)];
    return { loads: [...first.loads, ...second.loads], unreadable: first.unreadable + second.unreadable };
  }
}

/** Opens the database in whatever version it has, and does not create one that is missing. */
function openedAsItIs(): IDBOpenDBRequest {
  const opening = indexedDB.open('plumbfox');
  opening.onupgradeneeded = () => opening.transaction?.abort();
  return opening;
}

/** A badly damaged database may not answer at all. Chosen, not measured. */
const ANSWER_TIMEOUT_MS = 30_000;

const answered = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new PlumbfoxError('internal', 'Firefox did not answer within 30 s')), ANSWER_TIMEOUT_MS);
    request.onsuccess = () => {
      clearTimeout(timer);
      resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error ?? new DOMException('Firefox gave no reason', 'UnknownError'));
    };
  });
