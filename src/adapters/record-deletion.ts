/** Deletes loads on purpose: those of one site, and those that are older or more than the person keeps. */
import { METRIC_VERSION } from '../core/report/report.ts';
import { CHUNK_LOADS, chunkOf, clearRow, figuresAt, ownerAt, parseFigureChunk, rowOf } from '../protocol/figure-chunk.ts';
import type { Settings } from '../protocol/settings.ts';
import { readRawRequestEvent } from '../protocol/stored-records.ts';
import { costOf, countWaiting } from './event-store.ts';
import { changeChunk, keysOf } from './figures-store.ts';
import { isTrialUnderWay, trimRecords } from './record-caps.ts';
import { type StoredLoad, type WriteTransaction, withRecords, writeRecords } from './record-database.ts';
import { countSite, siteName, siteOf } from './site-shares.ts';

const STORES = ['loads', 'figures', 'totals', 'sites', 'trials', 'events'] as const;

/** The number of stored loads of a site. */
export async function countSiteLoads(site: string): Promise<number> {
  const key = siteOf(`http://${site}/`);
  return withRecords(async (db) => (await db.get('sites', key))?.loads ?? 0);
}

/** Deletes the loads, figures and waiting requests of a site's pages. @returns how many loads there were. */
export async function deleteSite(site: string): Promise<number> {
  // Records of older versions get their site by this.
  await trimRecords();
  const key = siteOf(`http://${site}/`);
  const numbers = await chunkNumbers();
  await writeRecords([...STORES], (transaction) => deleteEvents(transaction, site));
  let deleted = 0;
  for (const number of numbers) {
    deleted += await deleteInChunk(number, ({ owner }) => owner === key);
  }
  return deleted;
}

/** What the person keeps; `undefined`: no limit. */
export interface Retention {
  readonly loads: number | undefined;
  /** Wall clock, ms since the epoch: loads from before go. */
  readonly since: number | undefined;
}

const DAY_MS = 86_400_000;

/** What the settings keep. @param now - Wall clock, ms since the epoch. */
export const retentionOf = ({ keepDays, keepLoads }: Pick<Settings, 'keepDays' | 'keepLoads'>, now: number): Retention => ({
  loads: keepLoads === 'no-limit' ? undefined : keepLoads,
  since: keepDays === 'no-limit' ? undefined : now - keepDays * DAY_MS,
});

/** Deletes what is older, or more, than is kept. A trial in progress keeps its loads, which its verdict needs. @returns how many loads. */
export async function expireRecords({ loads, since }: Retention): Promise<number> {
  if (loads === undefined && since === undefined) return 0;
  const total = await withRecords(async (db) => (await db.get('totals', 'all'))?.loads ?? 0);
  let surplus = loads === undefined ? 0 : Math.max(0, total - loads);
  let deleted = 0;
  for (const number of await chunkNumbers()) {
    const { startedAt } = (await oldestOf(number)) ?? {};
    const isOld = since !== undefined && startedAt !== undefined && startedAt < since;
    if (surplus === 0 && !isOld) break;
    deleted += await deleteInChunk(number, (one) => {
      if (one.isHeld) return false;
      if (surplus > 0) {
        surplus -= 1;
        return true;
      }
      return since !== undefined && one.startedAt !== undefined && one.startedAt < since;
    });
  }
  return deleted;
}

/** The chunks of whole loads and of figures alone, the oldest first. */
function chunkNumbers(): Promise<readonly number[]> {
  return withRecords(async (db) => {
    const transaction = db.transaction(['loads', 'figures']);
    const [keys, figures] = await Promise.all([
      transaction.objectStore('loads').getAllKeys(),
      transaction.objectStore('figures').getAllKeys(),
    ]);
    return [...new Set([...figures, ...keys.map(chunkOf)])].sort((a, b) => a - b);
  });
}

/** The first load of a chunk, whole or not. */
function oldestOf(number: number): Promise<{ readonly startedAt: number } | undefined> {
  return withRecords(async (db) => {
    const chunk = parseFigureChunk(await db.get('figures', number), METRIC_VERSION);
    for (let row = 0; chunk !== undefined && row < CHUNK_LOADS; row++) {
      const own = figuresAt(chunk, row);
      if (own !== undefined && own !== 'unreadable') return own;
    }
    return (await db.transaction('loads').store.openCursor(keysOf(number)))?.value;
  });
}

interface KnownLoad {
  /** The number of its site; 0: it is not known. */
  readonly owner: number;
  readonly startedAt: number | undefined;
  /** A trial in progress needs it. */
  readonly isHeld: boolean;
}

/** Deletes those of a chunk's loads that are to go, the oldest first, in one transaction. @returns how many. */
function deleteInChunk(number: number, goes: (load: KnownLoad) => boolean): Promise<number> {
  return writeRecords([...STORES], async (transaction) => {
    const loads = transaction.objectStore('loads');
    const [keys, values] = await Promise.all([loads.getAllKeys(keysOf(number)), loads.getAll(keysOf(number))]);
    const whole = new Map(keys.map((key, at) => [rowOf(key), { key, stored: values[at] }]));
    const isTrial = await isTrialUnderWay(transaction);
    const gone: { readonly owner: number; readonly key?: number; readonly stored?: StoredLoad | undefined }[] = [];
    let isEmpty = false;
    await changeChunk(transaction, number, (chunk) => {
      const rows = Array.from({ length: CHUNK_LOADS }, (_, row) => row);
      for (const row of rows) {
        const of = whole.get(row);
        const figures = figuresAt(chunk, row);
        const owner = of?.stored === undefined ? ownerAt(chunk, row) : (of.stored.site ?? siteOf(of.stored.url));
        if (owner === undefined) continue;
        const startedAt = of?.stored?.startedAt ?? (figures === 'unreadable' ? undefined : figures?.startedAt);
        if (!goes({ owner, startedAt, isHeld: isTrial && of?.stored?.hold === 1 })) continue;
        clearRow(chunk, row);
        gone.push({ owner, ...of });
      }
      isEmpty = rows.every((row) => ownerAt(chunk, row) === undefined);
      return gone.length > 0;
    });
    if (isEmpty && keys.length === gone.filter(({ key }) => key !== undefined).length)
      await transaction.objectStore('figures').delete(number);
    for (const { owner, key, stored } of gone) {
      if (key !== undefined) await loads.delete(key);
      await countSite(transaction, owner, { loads: -1, bytes: -(stored?.bytes ?? 0) });
    }
    await countGone(
      transaction,
      gone.flatMap(({ stored }) => stored ?? []),
      gone.length,
    );
    return gone.length;
  });
}

/** They were deleted on purpose: `record-mirror.ts` must not report a loss. */
async function countGone(transaction: WriteTransaction, whole: readonly StoredLoad[], count: number): Promise<void> {
  const totals = await transaction.objectStore('totals').get('all');
  if (count === 0 || totals === undefined) return;
  const sum = (of: (stored: StoredLoad) => number) => whole.reduce((total, stored) => total + of(stored), 0);
  await transaction.objectStore('totals').put(
    {
      ...totals,
      loads: Math.max(0, totals.loads - count),
      whole: Math.max(0, (totals.whole ?? totals.loads) - whole.length),
      requests: Math.max(0, totals.requests - sum(({ load }) => (Array.isArray(load?.requests) ? load.requests.length : 0))),
      bytes: Math.max(0, (totals.bytes ?? 0) - sum(({ bytes = 0 }) => bytes)),
      forgotten: (totals.forgotten ?? 0) + count,
    },
    'all',
  );
}

/** Requests that wait for their load, of the site's documents. */
async function deleteEvents(transaction: WriteTransaction, site: string): Promise<void> {
  let freed = 0;
  const store = transaction.objectStore('events');
  for (let cursor = await store.openCursor(); cursor; cursor = await cursor.continue()) {
    const event = readRawRequestEvent(cursor.value);
    if (event === undefined) continue;
    const page = event.type === 'main_frame' ? event.url : event.documentUrl;
    if (page === undefined || siteName(page) !== site) continue;
    freed += costOf(cursor.value);
    await cursor.delete();
  }
  await countWaiting(transaction, -freed);
}
