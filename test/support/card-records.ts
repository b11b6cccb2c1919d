/** Stored records that lead to states of the popup's card which real loads and presses do not reach within a test. */
import type { Page } from 'puppeteer-core';
import type { HeldPrediction } from '../../src/adapters/field-storage.ts';
import type { LoadSummary } from '../../src/core/field/load-summary.ts';
import { bytes, milliseconds } from '../../src/core/units.ts';
import type { ExtensionFirefox } from './extension-firefox.ts';
import { storeSummaries } from './stored-history.ts';

type Area = 'local' | 'session';

interface ExtensionPage {
  readonly browser: {
    readonly storage: Readonly<Record<Area, { set(values: object): Promise<void>; remove(key: string): Promise<void> }>>;
    readonly runtime: { getManifest(): { readonly version: string } };
  };
}

/** @param page - A page of the extension, as everywhere here. */
export const store = (page: Page, area: Area, values: Readonly<Record<string, unknown>>): Promise<void> =>
  page.evaluate(
    (where, text) => (globalThis as unknown as ExtensionPage).browser.storage[where].set(JSON.parse(text)),
    area,
    JSON.stringify(values),
  );

export const unstore = (page: Page, area: Area, key: string): Promise<void> =>
  page.evaluate((where, name) => (globalThis as unknown as ExtensionPage).browser.storage[where].remove(name), area, key);

/** Changes the newest trial as it is stored. */
export const changeTrial = (page: Page, changed: { readonly progress?: object; readonly plan?: object }): Promise<void> =>
  page.evaluate(async (text) => {
    const { progress = {}, plan = {} } = JSON.parse(text) as { progress?: object; plan?: object };
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('plumbfox');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const trials = db.transaction('trials', 'readwrite').objectStore('trials');
    await new Promise((resolve, reject) => {
      trials.openCursor(null, 'prev').onsuccess = ({ target }) => {
        const cursor = (target as IDBRequest<IDBCursorWithValue>).result;
        const trial = cursor.value as { progress: object; plan: object };
        const put = cursor.update({ ...trial, progress: { ...trial.progress, ...progress }, plan: { ...trial.plan, ...plan } });
        put.onsuccess = resolve;
        put.onerror = () => reject(put.error);
      };
    });
    db.close();
  }, JSON.stringify(changed));

/** Marks the loads of trials as made under other values of these preferences than were intended. */
export const markMismatches = (page: Page, preferences: readonly string[]): Promise<void> =>
  page.evaluate(async (names) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('plumbfox');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const transaction = db.transaction('loads', 'readwrite');
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onerror = () => reject(transaction.error);
    });
    transaction.objectStore('loads').openCursor().onsuccess = ({ target }) => {
      const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
      if (cursor === null) return;
      const stored = cursor.value as { load: { trial?: object; applied?: { mismatches: string[] } } };
      if (stored.load.trial !== undefined && stored.load.applied !== undefined) {
        stored.load.applied.mismatches = [...names];
        cursor.update(stored);
      }
      cursor.continue();
    };
    await done;
    db.close();
  }, preferences);

/** The oldest load that is stored began so long ago. */
export const ageOldest = (page: Page, ms: number): Promise<void> =>
  page.evaluate(async (startedAt) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('plumbfox');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const transaction = db.transaction('loads', 'readwrite');
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onerror = () => reject(transaction.error);
    });
    transaction.objectStore('loads').openCursor().onsuccess = ({ target }) => {
      const cursor = (target as IDBRequest<IDBCursorWithValue>).result;
      cursor.update({ ...cursor.value, startedAt });
    };
    await done;
    db.close();
  }, Date.now() - ms);

type KeptAnswer = HeldPrediction['answer'];

/** What the popup has kept of its last prediction, for the loads there are; it is read when the popup opens. */
export async function keepPrediction({ ask, popup }: Pick<ExtensionFirefox, 'ask' | 'popup'>, answer: KeptAnswer): Promise<void> {
  const { loads, lastLoad, trial } = await ask({ kind: 'popup-state' });
  const version = await popup.evaluate(() => (globalThis as unknown as ExtensionPage).browser.runtime.getManifest().version);
  const candidates = trial?.offer.offered.map(({ id }) => id) ?? [];
  const of = `${version} ${loads} ${lastLoad?.startedAt} ${candidates.join(' ')}`;
  await store(popup, 'local', { fieldPrediction: { of, loads, newestAt: lastLoad?.startedAt, madeAt: Date.now(), answer } });
}

export const LINK = { id: 1, name: 'RTT 20 ms', rttMs: 20, rttIntervalMs: {}, downIntervalKbps: {}, loads: 20 };

export const predictedAnswer = (known: Partial<Extract<KeptAnswer, { state: 'predicted' }>>): KeptAnswer => ({
  state: 'predicted',
  link: LINK,
  pages: 12,
  isFormer: false,
  outside: 0,
  sites: [],
  best: [],
  rows: [],
  reach: { requests: 200, byConnections: 24 },
  tried: { preferences: 3, of: 40, requests: 200 },
  inferred: [],
  atMost: 0.01,
  ...known,
});

export const predictedRow = (id: string, ratio: number) => ({
  id,
  loadTimeMs: 1000 / ratio,
  ratio,
  ratioBand: { low: ratio - 0.05, high: ratio + 0.05 },
  bound: 'queue-wait' as const,
});

/** A prediction of a gain that exceeds its own error. */
export const PROMISING = predictedAnswer({
  best: ['c16-d1', 'c8-d1'],
  recommended: { id: 'c16-d1', change: { gain: 0.09, low: 0.04, high: 0.14 } },
  rows: [predictedRow('c16-d1', 1.09), predictedRow('c8-d1', 1.02), predictedRow('firefox-default', 1)],
  atMost: 0.3,
});

/** Of profiles on offer with long names: another is faster by less than 3 %, and dearer. */
const [UNPACED, PACED] = ['c10-d1+network.http.pacing.requests.enabled=false', 'c16-d1+network.http.pacing.requests.hz=320'] as const;
export const CHEAPER = predictedAnswer({
  best: [PACED, 'c8-d1'],
  recommended: { id: UNPACED, change: { gain: 0.09, low: 0.04, high: 0.14 }, faster: { profileId: PACED, why: 'dearer' } },
  rows: [predictedRow(PACED, 1.11), predictedRow(UNPACED, 1.09), predictedRow('c8-d1', 1.02), predictedRow('firefox-default', 1)],
  atMost: 0.3,
});

const HOME = { rttMs: 40, downKbps: 20_000 };
const HOME_PAGES = 10;
const [BEFORE, IN_TRIAL, SINCE] = [40, 40, 30];
/** Above those of the loads that a test has made in its trial. */
const FIRST_SLOT = 100;
const MINUTE_MS = 60_000;
/** Between everyday loads, so that there are days of them. */
const APART_MS = 5 * 60 * MINUTE_MS;

/**
 * Loads of ten pages over one network, which the person has named: everyday ones until `from`, those of a trial by turns, and everyday ones since
 * under the profile, which makes them 38 % faster.
 */
export async function storeHome(page: Page, profileId: string, from: number): Promise<void> {
  const loads = Array.from({ length: BEFORE + IN_TRIAL + SINCE }, (_, at): LoadSummary => {
    const trial = at < BEFORE || at >= BEFORE + IN_TRIAL ? undefined : { slot: FIRST_SLOT + Math.floor((at - BEFORE) / 3), counts: true };
    const isUnder = trial === undefined ? at >= BEFORE : trial.slot % 2 === 1;
    const number = at % HOME_PAGES;
    const size = 300_000 + 50_000 * number;
    const idealMs = HOME.rttMs + (size * 8) / HOME.downKbps;
    // Up to 10 % either way, as little as chance on a good day.
    const share = 0.4 * (isUnder ? 1.38 : 1) * (1 + 0.1 * Math.sin(2.4 * at));
    return {
      startedAt: from + (trial ? (at - BEFORE) * MINUTE_MS : (isUnder ? at - BEFORE - IN_TRIAL + 1 : at - BEFORE) * APART_MS),
      page: 1_000 + number,
      site: 1_000 + number,
      standing: 'whole',
      profileId: isUnder ? profileId : 'firefox-default',
      carrier: 'none',
      loadTimeMs: milliseconds(idealMs / share),
      bytes: bytes(size),
      rttMs: HOME.rttMs,
      rttLowMs: 0.9 * HOME.rttMs,
      downKbps: HOME.downKbps,
      // The loads that a test has made, over HTTP/1.1, stay apart from these; the settings act on both.
      protocol: 'mixed',
      ...(trial && { trial }),
    };
  });
  await storeSummaries(page, loads);
  await store(page, 'local', { linkNames: [{ id: 1, name: 'Home', ...HOME }] });
}

/** Leaves the records as a newer version of the extension would. */
export const changeAsNewer = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('plumbfox', 99);
        opening.onsuccess = () => {
          opening.result.close();
          resolve();
        };
        opening.onerror = () => reject(opening.error);
      }),
  );
