/**
 * Counts what is stored and keeps it below 50 MB: above the caps the oldest loads are reduced to their figures, and finally removed. A site that
 * takes more than its share loses its own loads first.
 */
import { withinMaxRequests } from '../core/measure/page-load.ts';
import { storedUrl } from '../core/measure/stored-url.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import { CHUNK_LOADS, chunkOf, clearRow, ownerAt } from '../protocol/figure-chunk.ts';
import { parsePageLoad, readPageLoad } from '../protocol/stored-records.ts';
import { changeChunk, keepFigures, keysOf, putFigures } from './figures-store.ts';
import { type StoredLoad, type Totals, type WriteTransaction, writeRecords } from './record-database.ts';
import { countSite, largestSite, siteOf } from './site-shares.ts';

interface RecordCaps {
  /** Size of the loads whose requests are stored. */
  readonly bytes: number;
  /** All loads, those reduced to figures included. */
  readonly loads: number;
}

/**
 * Together with the waiting events (at most 12 MB, see `event-store.ts`) this is below 50 MB: figures take 128 bytes a load. An everyday load of
 * 50 requests takes 20 kB, so that 1,300 keep their requests.
 */
export const RECORD_CAPS: RecordCaps = { bytes: 26_000_000, loads: 80_000 };
/** The share of either cap above which a site loses its own loads first. Chosen, not measured. */
const SITE_SHARE = 0.25;
/** Bytes stored with a load beside its record; measured. */
const ROW_BYTES = 300;
/** The same as in `late-events.ts`: a step must not block others for long. */
const STEP_MS = 25;

const NO_TOTALS: Totals = { loads: 0, requests: 0 };

/** The size of a stored load. */
export const bytesOf = (load: MarkedPageLoad): number => JSON.stringify(load).length + ROW_BYTES;

interface LoadChange {
  readonly site: number;
  readonly loads: number;
  readonly requests: number;
  readonly bytes: number;
}

/** Counts a change; part of the writer's transaction. It drops nothing: see `trimRecords`. */
export async function countRecords(transaction: WriteTransaction, { site, loads, requests, bytes }: LoadChange): Promise<void> {
  const totals = await totalsOf(transaction);
  await putTotals(transaction, {
    ...totals,
    loads: totals.loads + loads,
    whole: wholeOf(totals) + loads,
    requests: totals.requests + requests,
    bytes: (totals.bytes ?? 0) + bytes,
  });
  await countSite(transaction, site, { loads, bytes });
}

/** Writes an amended load, with its figures and its count; part of the writer's transaction, which has all stores of loads. */
export async function putAmended(transaction: WriteTransaction, key: number, stored: StoredLoad, load: MarkedPageLoad): Promise<void> {
  const site = stored.site ?? siteOf(stored.url);
  // A load of an older version is counted when it is upgraded.
  const bytes = stored.bytes === undefined ? undefined : bytesOf(load);
  const parsed = parsePageLoad(load);
  // Firefox copies the load when it is put, which takes as long as all before.
  await giveWay(transaction);
  await transaction.objectStore('loads').put({ ...stored, load: parsed, ...(bytes !== undefined && { bytes }) }, key);
  await putFigures(transaction, key, load, stored.site);
  const requests = load.requests.length - stored.load.requests.length;
  await countRecords(transaction, { site, loads: 0, requests, bytes: (bytes ?? 0) - (stored.bytes ?? 0) });
}

/**
 * Lets others have their turn between two parts of long work on one load, while the database answers; without a request the transaction would end.
 */
export const giveWay = (transaction: WriteTransaction): Promise<unknown> => transaction.objectStore('totals').getKey('all');

/** Loads with their requests; before version 4 all loads had them. */
const wholeOf = ({ whole, loads }: Totals): number => whole ?? loads;

const totalsOf = async (transaction: WriteTransaction): Promise<Totals> =>
  (await transaction.objectStore('totals').get('all')) ?? NO_TOTALS;
const putTotals = (transaction: WriteTransaction, totals: Totals) => transaction.objectStore('totals').put(totals, 'all');

/** Upgrades records of older versions and brings the records below the caps, in short steps. @returns whether nothing is left to do. */
export async function trimRecords({ caps = RECORD_CAPS, budgetMs }: { caps?: RecordCaps; budgetMs?: number } = {}): Promise<boolean> {
  const began = performance.now();
  for (;;) {
    if (!(await trimStep(caps))) return true;
    if (budgetMs !== undefined && performance.now() - began > budgetMs) return false;
  }
}

/** @returns whether there may be more to do. */
function trimStep(caps: RecordCaps): Promise<boolean> {
  return writeRecords(['loads', 'figures', 'navigations', 'totals', 'sites', 'trials'], async (transaction) => {
    const began = performance.now();
    let isMore = true;
    let worked = false;
    while (isMore && performance.now() - began < STEP_MS) {
      const totals = await totalsOf(transaction);
      const job = jobFor(totals, caps);
      isMore = job !== undefined && (await job(transaction, totals, caps));
      worked ||= isMore;
    }
    if (worked) await dropOldNavigations(transaction);
    return isMore;
  });
}

/** @returns whether anything was done; if not, there is no point in going on. */
type Job = (transaction: WriteTransaction, totals: Totals, caps: RecordCaps) => Promise<boolean>;

function jobFor(totals: Totals, caps: RecordCaps): Job | undefined {
  if (totals.oldFormatBelow !== undefined) return upgradeNewest;
  if ((totals.bytes ?? 0) > caps.bytes) return summariseOldest;
  if (totals.loads > caps.loads) return forgetOldest;
  return undefined;
}

/** Upgrades a record of an older version: cuts its addresses and counts its bytes, or reduces it to its figures where there is no room any more. */
async function upgradeNewest(transaction: WriteTransaction, totals: Totals, caps: RecordCaps): Promise<boolean> {
  const loads = transaction.objectStore('loads');
  const cursor = await loads.openCursor(IDBKeyRange.upperBound(totals.oldFormatBelow, true), 'prev');
  const { oldFormatBelow: _, ...others } = totals;
  if (cursor === null) {
    await putTotals(transaction, others);
    return true;
  }
  const below = { oldFormatBelow: cursor.primaryKey };
  const before = readPageLoad(cursor.value.load);
  const load = before && storedLoad(before);
  const bytes = load && bytesOf(load);
  const site = siteOf(cursor.value.url);
  if (load === undefined || bytes === undefined || (totals.bytes ?? 0) + bytes > caps.bytes) {
    await putTotals(transaction, { ...totals, ...below });
    await countSite(transaction, site, { loads: 1 });
    await summarise(transaction, cursor.primaryKey, { ...cursor.value, site, bytes: 0 });
    return true;
  }
  await cursor.update({ ...cursor.value, load, url: load.url, site, bytes, hold: load.trial === undefined ? 0 : 1 });
  await putFigures(transaction, cursor.primaryKey, load, site);
  await putTotals(transaction, { ...totals, ...below, bytes: (totals.bytes ?? 0) + bytes });
  await countSite(transaction, site, { loads: 1, bytes });
  return true;
}

async function summariseOldest(transaction: WriteTransaction, _: Totals, caps: RecordCaps): Promise<boolean> {
  const loads = transaction.objectStore('loads');
  const largest = await largestSite(transaction, 'byBytes', SITE_SHARE * caps.bytes);
  const isHeld = await isTrialUnderWay(transaction);
  const ofSite = largest && (await loads.index('bySite').openCursor(IDBKeyRange.only([largest.site, 0])));
  // Loads of a trial in progress go last: its verdict needs them.
  const victim = ofSite ?? (isHeld ? await loads.index('byHold').openCursor(IDBKeyRange.only(0)) : null) ?? (await loads.openCursor());
  if (victim === null) return false;
  await summarise(transaction, victim.primaryKey, victim.value);
  return true;
}

/** Reduces a load to its figures. */
async function summarise(transaction: WriteTransaction, key: number, stored: StoredLoad): Promise<void> {
  const load = readPageLoad(stored.load);
  const site = stored.site ?? siteOf(stored.url);
  await changeChunk(transaction, chunkOf(key), (chunk) => keepFigures(chunk, { key, load, site }));
  await transaction.objectStore('loads').delete(key);
  const totals = await totalsOf(transaction);
  await putTotals(transaction, {
    ...totals,
    whole: wholeOf(totals) - 1,
    requests: totals.requests - (load?.requests.length ?? 0),
    bytes: Math.max(0, (totals.bytes ?? 0) - (stored.bytes ?? 0)),
  });
  await countSite(transaction, site, { bytes: -(stored.bytes ?? 0) });
}

/** Whether there is a trial that has not ended; part of a transaction over the trials. */
export async function isTrialUnderWay(transaction: WriteTransaction): Promise<boolean> {
  const newest = await transaction.objectStore('trials').openCursor(null, 'prev');
  const status = (newest?.value as { readonly progress?: { readonly status?: unknown } } | undefined)?.progress?.status;
  return newest !== null && status !== 'ended';
}

/** Removes figures of the oldest loads, at most one chunk's, of the site above its share or else of all. There may be 300 chunks to look through. */
async function forgetOldest(transaction: WriteTransaction, totals: Totals, caps: RecordCaps): Promise<boolean> {
  const began = performance.now();
  const largest = await largestSite(transaction, 'byLoads', SITE_SHARE * caps.loads);
  const figures = transaction.objectStore('figures');
  const oldestWhole = await transaction.objectStore('loads').openKeyCursor();
  const firstWhole = oldestWhole === null ? Number.POSITIVE_INFINITY : chunkOf(oldestWhole.primaryKey);
  for (const number of await figures.getAllKeys(IDBKeyRange.lowerBound(largest?.share.fromChunk ?? 0))) {
    const gone = await clearOldest(transaction, number, { count: totals.loads - caps.loads, site: largest?.site });
    if (gone.size > 0) {
      for (const [site, loads] of gone) await countSite(transaction, site, { loads: -loads });
      // In chunks with whole loads more may go later.
      if (largest !== undefined) await countSite(transaction, largest.site, { fromChunk: Math.min(number, firstWhole) });
      const count = [...gone.values()].reduce((sum, loads) => sum + loads, 0);
      await putTotals(transaction, { ...totals, loads: totals.loads - count, forgotten: (totals.forgotten ?? 0) + count });
      return true;
    }
    if (number >= firstWhole) continue;
    if (largest === undefined) await figures.delete(number);
    if (performance.now() - began < STEP_MS) continue;
    if (largest !== undefined) await countSite(transaction, largest.site, { fromChunk: number + 1 });
    return true;
  }
  // All remaining loads still have their requests.
  return oldestWhole !== null && summariseOldest(transaction, totals, caps);
}

/** Clears rows of loads that are only figures. @returns how many per site. */
async function clearOldest(
  transaction: WriteTransaction,
  number: number,
  { count, site }: { count: number; site: number | undefined },
): Promise<ReadonlyMap<number, number>> {
  const whole = new Set(await transaction.objectStore('loads').getAllKeys(keysOf(number)));
  const gone = new Map<number, number>();
  let left = count;
  await changeChunk(transaction, number, (chunk) => {
    for (let row = 0; row < CHUNK_LOADS && left > 0; row++) {
      const owner = ownerAt(chunk, row);
      if (owner === undefined || whole.has(number * CHUNK_LOADS + row)) continue;
      if (site !== undefined && owner !== site) continue;
      clearRow(chunk, row);
      gone.set(owner, (gone.get(owner) ?? 0) + 1);
      left -= 1;
    }
    return gone.size > 0;
  });
  return gone;
}

/** The navigation of a load begins within a second of the document's time origin, by webRequest's clock (see `selectLoadEvents`). */
const CLOCKS_APART_MS = 5_000;

/** Drops navigations before the oldest load with requests. */
async function dropOldNavigations(transaction: WriteTransaction): Promise<void> {
  const oldest = await transaction.objectStore('loads').openCursor();
  if (oldest === null) return;
  const navigations = transaction.objectStore('navigations');
  const before = IDBKeyRange.upperBound(oldest.value.startedAt - CLOCKS_APART_MS, true);
  const obsolete = await navigations.index('byTime').getAllKeys(before);
  await Promise.all(obsolete.map((key) => navigations.delete(key)));
}

/** A load of an older version in today's form: with its addresses cut, and no more requests than a load may have. */
function storedLoad(load: MarkedPageLoad): MarkedPageLoad {
  const requests = load.requests.map((request) => ({ ...request, url: storedUrl(request.url) }));
  return withinMaxRequests({ ...load, url: storedUrl(load.url), requests });
}
