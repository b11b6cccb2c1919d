/** What a list of all recorded loads is made of: every summary with its key, and the addresses of the loads that still have their requests. */
import * as v from 'valibot';
import type { LoadSummary } from '../core/field/load-summary.ts';
import { httpVersionSchema } from '../core/measure/page-load.ts';
import { countVersions, type VersionCounts } from '../core/measure/requests.ts';
import { METRIC_VERSION } from '../core/report/report.ts';
import { CHUNK_LOADS, figuresAt, parseFigureChunk } from '../protocol/figure-chunk.ts';
import { withRecords } from './record-database.ts';

export interface KeyedFigures {
  readonly figures: readonly LoadSummary[];
  /** The key of each. */
  readonly keys: readonly number[];
  /** How many loads are stored, also where only the newest were read. */
  readonly total: number;
  /** Loads whose figures have to be computed still, and loads whose record cannot be read. */
  readonly missing: number;
}

/** Chunks of one request: while these are unpacked Firefox reads the next, and a message that waits has its turn. */
const CHUNKS_AT_ONCE = 64;

/** Reads summaries in the order in which the loads were stored. @param newest - Only those of that many chunks, the newest ones. */
export function readKeyedFigures(newest = Number.POSITIVE_INFINITY): Promise<KeyedFigures> {
  return withRecords(async (db) => {
    const transaction = db.transaction(['figures', 'totals']);
    const store = transaction.objectStore('figures');
    const numbers = (await store.getAllKeys()).slice(Number.isFinite(newest) ? -newest : 0);
    const totals = transaction.objectStore('totals').get('all');
    const read = (from: number): Promise<unknown[]> | undefined => {
      const own = numbers.slice(from, from + CHUNKS_AT_ONCE);
      return own.length === 0 ? undefined : store.getAll(IDBKeyRange.bound(own[0], own.at(-1)));
    };
    const all: Unpacked[] = [];
    // One more than is unpacked, not all at once: their answers would all be before a message that came after the first.
    let next = read(0);
    for (let at = 0; next !== undefined; at += CHUNKS_AT_ONCE) {
      const chunks = await next;
      next = read(at + CHUNKS_AT_ONCE);
      all.push(unpacked(numbers.slice(at, at + CHUNKS_AT_ONCE), chunks));
    }
    const figures = all.flatMap((part) => part.figures);
    const unreadable = all.reduce((sum, part) => sum + part.unreadable, 0);
    const total = Math.max(0, ((await totals)?.loads ?? 0) - unreadable);
    return { figures, keys: all.flatMap((part) => part.keys), total, missing: Math.max(0, total - figures.length) };
  });
}

type Unpacked = Pick<KeyedFigures, 'figures' | 'keys'> & { readonly unreadable: number };

/** @param numbers - Of the chunks. */
function unpacked(numbers: readonly number[], chunks: readonly unknown[]): Unpacked {
  const figures: LoadSummary[] = [];
  const keys: number[] = [];
  let unreadable = 0;
  for (const [at, held] of chunks.entries()) {
    const chunk = parseFigureChunk(held, METRIC_VERSION);
    const first = (numbers[at] ?? 0) * CHUNK_LOADS;
    if (chunk === undefined) continue;
    for (let row = 0; row < CHUNK_LOADS; row++) {
      const own = figuresAt(chunk, row);
      if (own === 'unreadable') unreadable += 1;
      if (own === undefined || own === 'unreadable') continue;
      figures.push(own);
      keys.push(first + row);
    }
  }
  return { figures, keys, unreadable };
}

/** The address of a load that still has its requests. */
export interface LoadAddress {
  readonly key: number;
  readonly id: string;
  readonly url: string;
}

const addressSchema = v.object({ id: v.string(), load: v.object({ url: v.string() }) });

/** Addresses of those loads with keys from `from` to `to` that still have their requests. A record is 20 kB: read a few at a time. */
export function readAddresses(from: number, to: number): Promise<readonly LoadAddress[]> {
  return withRecords(async (db) => {
    const { store } = db.transaction('loads');
    const range = IDBKeyRange.bound(from, to);
    const [keys, values] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
    return values.flatMap((value, at) => {
      const [parsed, key] = [v.safeParse(addressSchema, value), keys[at]];
      return parsed.success && key !== undefined ? [{ key, id: parsed.output.id, url: parsed.output.load.url }] : [];
    });
  });
}

const versionedSchema = v.object({
  load: v.object({
    requests: v.array(
      v.object({
        origin: v.nullable(v.string()),
        wire: v.optional(v.object({ fromCache: v.boolean(), httpVersion: v.optional(httpVersionSchema) })),
      }),
    ),
  }),
});

/** Counts the requests of loads with keys from `from` to `to`; those that no longer have them are not among the answer. */
export function readVersions(from: number, to: number): Promise<ReadonlyMap<number, VersionCounts>> {
  return withRecords(async (db) => {
    const { store } = db.transaction('loads');
    const range = IDBKeyRange.bound(from, to);
    const [keys, values] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
    return new Map(
      values.flatMap((value, at): [number, VersionCounts][] => {
        const [parsed, key] = [v.safeParse(versionedSchema, value), keys[at]];
        return parsed.success && key !== undefined ? [[key, countVersions(parsed.output.load.requests)]] : [];
      }),
    );
  });
}

/** The lowest key of a load that still has its requests; `undefined`: none has. */
export function oldestWholeLoad(): Promise<number | undefined> {
  return withRecords(async (db) => (await db.transaction('loads').store.openKeyCursor())?.primaryKey);
}
