/**
 * Trials in the database. A trial changes in one transaction with the navigations it has processed and the loads that carry their place in it, and
 * remembers how far it has got: whenever the event page ends, each navigation and each load counts exactly once.
 */
import type { TrialPlace } from '../core/measure/page-load.ts';
import type { LoadRoute } from '../core/trial/gateway-arms.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import { parsePageLoad, readPageLoad } from '../protocol/stored-records.ts';
import { parseTrialRecord, storedTrialRecord, type TrialRecord } from '../protocol/trial-record.ts';
import { putFigures } from './figures-store.ts';
import { type StoredLoad, type WriteTransaction, withRecords, writeRecords } from './record-database.ts';

/** A navigation by its key in the store, which never changes, unlike request ids, which start over with every start of Firefox. */
export interface TrialNavigation {
  readonly key: number;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  /** `forgotten`: its row was dropped with old records. */
  readonly state: 'open' | 'recorded' | 'failed' | 'forgotten';
  /** The route of its load; absent where the trial does not ask. */
  readonly route?: LoadRoute;
}

interface TrialNews {
  /** Navigations that the trial has not processed, in the order in which they were stored. */
  readonly began: readonly TrialNavigation[];
  /** Navigations in progress as far as the trial knows that are no longer open. */
  readonly settled: readonly TrialNavigation[];
}

interface TrialStep {
  readonly trial: TrialRecord;
  /** The places of loads in the trial, by the navigation's key. */
  readonly places: ReadonlyMap<number, TrialPlace>;
}

/** How a trial advances. Synchronous, because a transaction ends when it is left waiting. */
export interface TrialCourse {
  /** Keys of the navigations that are in progress as far as the trial knows. */
  readonly underWay: (trial: TrialRecord) => readonly number[];
  /** Finds the route of a load; `undefined`: the trial does not ask. */
  readonly routes?: (trial: TrialRecord) => ((load: MarkedPageLoad) => LoadRoute) | undefined;
  readonly step: (trial: TrialRecord, news: TrialNews) => TrialStep;
}

/** The newest trial, ended or not. */
export function newestTrial(): Promise<TrialRecord | undefined> {
  return withRecords(async (db) => {
    const cursor = await db.transaction('trials').store.openCursor(null, 'prev');
    return cursor === null ? undefined : parseTrialRecord(cursor.value);
  });
}

/** Whether there is a trial of this id, ended or not. */
export function hasTrial(id: string): Promise<boolean> {
  return withRecords(async (db) => (await db.getAll('trials')).some((trial) => parseTrialRecord(trial).plan.id === id));
}

/** Stores a new trial, which ignores earlier navigations. */
export function addTrial(trial: Omit<TrialRecord, 'toldUntil'>): Promise<void> {
  return writeRecords(['trials', 'navigations'], async (transaction) => {
    const last = await transaction.objectStore('navigations').openKeyCursor(null, 'prev');
    await transaction.objectStore('trials').add(storedTrialRecord({ ...trial, toldUntil: last?.primaryKey ?? 0 }));
  });
}

/** Deletes every trial. */
export function deleteTrials(): Promise<void> {
  return writeRecords(['trials'], (transaction) => transaction.objectStore('trials').clear());
}

/** Advances the newest trial by one step. @returns the trial after it; `undefined`: there is none. */
export function changeTrial(course: TrialCourse): Promise<TrialRecord | undefined> {
  return writeRecords(['trials', 'navigations', 'loads', 'figures', 'totals'], async (transaction) => {
    const trials = transaction.objectStore('trials');
    const cursor = await trials.openCursor(null, 'prev');
    if (cursor === null) return undefined;
    const before = parseTrialRecord(cursor.value);
    const key = cursor.primaryKey;
    const routeOf = course.routes?.(before);
    const began = await withRoutes(transaction, await navigationsAfter(transaction, before.toldUntil), routeOf);
    const settled = await withRoutes(transaction, await settledOf(transaction, course.underWay(before)), routeOf);
    const { trial, places } = course.step(before, { began, settled });
    const navigations = new Map([...began, ...settled].map((navigation) => [navigation.key, navigation]));
    for (const [navigationKey, place] of places) {
      const navigation = navigations.get(navigationKey);
      if (navigation) await placeLoad(transaction, navigation, place);
    }
    if (trial !== before) await trials.put(storedTrialRecord(trial), key);
    return trial;
  });
}

async function navigationsAfter(transaction: WriteTransaction, key: number): Promise<readonly TrialNavigation[]> {
  const store = transaction.objectStore('navigations');
  const found: TrialNavigation[] = [];
  let cursor = await store.openCursor(IDBKeyRange.lowerBound(key, true));
  while (cursor) {
    found.push({ key: cursor.primaryKey, startedAt: cursor.value.startedAt, state: cursor.value.state });
    cursor = await cursor.continue();
  }
  return found;
}

async function settledOf(transaction: WriteTransaction, keys: readonly number[]): Promise<readonly TrialNavigation[]> {
  const store = transaction.objectStore('navigations');
  const held = await Promise.all(
    keys.map(async (key): Promise<TrialNavigation> => {
      const navigation = await store.get(key);
      return { key, startedAt: navigation?.startedAt ?? 0, state: navigation?.state ?? 'forgotten' };
    }),
  );
  return held.filter(({ state }) => state !== 'open');
}

/** The clocks of webRequest and of the document are within a second of each other (see `selectLoadEvents`). */
const CLOCKS_APART_MS = 5_000;

async function withRoutes(
  transaction: WriteTransaction,
  navigations: readonly TrialNavigation[],
  routeOf: ((load: MarkedPageLoad) => LoadRoute) | undefined,
): Promise<readonly TrialNavigation[]> {
  if (routeOf === undefined) return navigations;
  const routed: TrialNavigation[] = [];
  for (const navigation of navigations) {
    const load = navigation.state === 'recorded' ? (await loadOf(transaction, navigation))?.load : undefined;
    routed.push(load === undefined ? navigation : { ...navigation, route: routeOf(load) });
  }
  return routed;
}

interface FoundLoad {
  readonly key: number;
  readonly stored: StoredLoad;
  readonly load: MarkedPageLoad;
}

/** Finds the load by its id, which begins with that of its main request. `undefined`: there is none, or it cannot be read. */
async function loadOf(transaction: WriteTransaction, { key, startedAt }: TrialNavigation): Promise<FoundLoad | undefined> {
  const requestId = (await transaction.objectStore('navigations').get(key))?.requestId;
  if (requestId === undefined) return undefined;
  const loads = transaction.objectStore('loads');
  let best: { readonly key: number; readonly stored: StoredLoad; readonly distance: number } | undefined;
  let cursor = await loads.index('byId').openCursor(IDBKeyRange.bound(`${requestId}-`, `${requestId}-\uffff`));
  while (cursor) {
    const distance = Math.abs(cursor.value.startedAt - startedAt);
    if (distance <= CLOCKS_APART_MS && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { key: cursor.primaryKey, stored: cursor.value, distance };
    }
    cursor = await cursor.continue();
  }
  const load = best && readPageLoad(best.stored.load);
  return best && load && { key: best.key, stored: best.stored, load };
}

async function placeLoad(transaction: WriteTransaction, navigation: TrialNavigation, place: TrialPlace): Promise<void> {
  const found = await loadOf(transaction, navigation);
  if (found === undefined) return;
  const load = parsePageLoad({ ...found.load, trial: place });
  await transaction
    .objectStore('loads')
    .put({ ...found.stored, load, ...(found.stored.hold !== undefined && { hold: 1 as const }) }, found.key);
  await putFigures(transaction, found.key, load);
}

/** Start times of open navigations in any tab that began after `since`; wall clock, ms since the epoch. */
export function openNavigations(since: number): Promise<readonly number[]> {
  return withRecords(async (db) => {
    const open: number[] = [];
    let cursor = await db.transaction('navigations').store.index('byTime').openCursor(IDBKeyRange.lowerBound(since));
    while (cursor) {
      if (cursor.value.state === 'open') open.push(cursor.value.startedAt);
      cursor = await cursor.continue();
    }
    return open;
  });
}

/**
 * The loads that carry a place in this trial, oldest first. An unreadable one is missing, as a lost one is.
 * `since`: when the trial began, wall clock, ms since the epoch.
 */
export function loadsOfTrial(trialId: string, since: number): Promise<readonly MarkedPageLoad[]> {
  return withRecords(async (db) => {
    const found: MarkedPageLoad[] = [];
    let cursor = await db.transaction('loads').store.openCursor(null, 'prev');
    // Loads are in the order of their end: one that ended in the trial may have begun a minute before it, and its clock may differ.
    while (cursor && cursor.value.startedAt >= since - 60_000 - CLOCKS_APART_MS) {
      const load = readPageLoad(cursor.value.load);
      if (load?.trial?.mark.trialId === trialId) found.push(load);
      cursor = await cursor.continue();
    }
    return found.reverse();
  });
}
