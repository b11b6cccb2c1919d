/**
 * The popup's card in a real Firefox: each state that a person can meet, reached by real loads, presses and trials, else by the stored records that
 * lead to it. Each has exactly one button, fits into 380 x 600 px, and says what is compared, who leads, how sure, how long still, what to press.
 * Where CARD_PICTURES names a folder, each state is photographed into it.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HeldPrediction } from '../../src/adapters/field-storage.ts';
import type { CardState } from '../../src/core/answer/card.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { english, englishPattern } from '../support/english.ts';
import { type ExtensionFirefox, openExtensionPage, POPUP_URL, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';

const PANEL = { width: 380, height: 600 };
const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const ENOUGH = 20;

let firefox: ExtensionFirefox;
let server: TestServer;
let chrome: ChromeContext;
let card: Page;

beforeAll(async () => {
  server = await startTestServer(imagePage(8));
  firefox = await startExtensionFirefox({ variant: 'lab' });
  await firefox.ask({ kind: 'set-quiet', quietMs: 50 });
  chrome = await chromeContext(firefox.browser);
  await openCard();
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
});

async function openCard(): Promise<void> {
  card = await openExtensionPage(firefox.browser, POPUP_URL);
  await card.setViewport(PANEL);
  await card.bringToFront();
}

const plain = (shown: string) => shown.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ');

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly buttons: readonly string[];
  readonly clipped: readonly string[];
  readonly text: string;
}

function layout(): Layout {
  const visible = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility());
  return {
    width: document.documentElement.scrollWidth,
    height: document.documentElement.scrollHeight,
    buttons: visible('button').map(({ id }) => id),
    clipped: visible('h2, p, button, #figure').flatMap((one) =>
      one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 ? [one.id] : [],
    ),
    text: document.body.innerText,
  };
}

/** Comes back to the card, and waits until it has this state; then holds everything that every state has. */
async function expectState(kind: CardState['kind'], ...texts: readonly (string | RegExp)[]): Promise<string> {
  await card.bringToFront();
  await card.evaluate(() => window.dispatchEvent(new Event('focus')));
  await card
    .waitForFunction((wanted) => document.getElementById('card')?.dataset.state === wanted, { timeout: 20_000 }, kind)
    .catch(async () => {
      const text = await card.evaluate(() => `${document.getElementById('card')?.dataset.state}: ${document.body.innerText}`);
      throw new Error(`The card does not come to ${kind}, but to ${text}`);
    });
  for (const text of texts) {
    const shown = expect.poll(async () => plain((await card.evaluate(layout)).text), { timeout: 10_000 });
    await (typeof text === 'string' ? shown.toContain(plain(text)) : shown.toMatch(text));
  }
  const { width, height, buttons, clipped, text } = await card.evaluate(layout);
  expect.soft({ kind, width, height: Math.min(height, PANEL.height), buttons, clipped }).toEqual({
    kind,
    width: PANEL.width,
    height: PANEL.height,
    buttons: ['main'],
    clipped: [],
  });
  expect.soft(height, `${kind} is ${height} px high`).toBeLessThanOrEqual(PANEL.height);
  expect.soft(text).not.toMatch(/undefined|NaN|Infinity|\{/);
  const pictures = process.env.CARD_PICTURES;
  if (pictures !== undefined) {
    await mkdir(pictures, { recursive: true });
    await card.screenshot({ path: join(pictures, `${kind}.png`) });
  }
  return text;
}

const press = async () => {
  await card.focus('#main');
  await card.keyboard.press('Enter');
};

async function load(times: number): Promise<void> {
  await firefox.page.bringToFront();
  const { loads: before } = await firefox.ask({ kind: 'popup-state' });
  for (let at = 0; at < times; at++) {
    await firefox.page.goto(`${server.origin}/page?${before}-${at}`, { waitUntil: 'load' });
    await expect
      .poll(async () => (await firefox.ask({ kind: 'popup-state' })).loads, { interval: 20, timeout: 20_000 })
      .toBe(before + at + 1);
  }
}

type Area = 'local' | 'session';
const store = (area: Area, values: Readonly<Record<string, unknown>>) =>
  card.evaluate(
    async (where, text) => {
      const { browser } = globalThis as unknown as { browser: { storage: Record<string, { set(values: object): Promise<void> }> } };
      await browser.storage[where]?.set(JSON.parse(text));
    },
    area,
    JSON.stringify(values),
  );
const unstore = (area: Area, key: string) =>
  card.evaluate(
    async (where, name) => {
      const { browser } = globalThis as unknown as { browser: { storage: Record<string, { remove(key: string): Promise<void> }> } };
      await browser.storage[where]?.remove(name);
    },
    area,
    key,
  );

/** Changes the newest trial as it is stored. */
const changeTrial = (progress: object) =>
  card.evaluate(async (text) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('plumbfox');
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const trials = db.transaction('trials', 'readwrite').objectStore('trials');
    await new Promise((resolve, reject) => {
      trials.openCursor(null, 'prev').onsuccess = ({ target }) => {
        const cursor = (target as IDBRequest<IDBCursorWithValue>).result;
        const trial = cursor.value as { progress: object };
        const put = cursor.update({ ...trial, progress: { ...trial.progress, ...JSON.parse(text) } });
        put.onsuccess = resolve;
        put.onerror = () => reject(put.error);
      };
    });
    db.close();
  }, JSON.stringify(progress));

/** What the popup has kept of its last prediction, for the loads there are. */
async function keepPrediction(answer: Partial<Extract<HeldPrediction['answer'], { state: 'predicted' }>>): Promise<void> {
  const { loads, lastLoad, trial } = await firefox.ask({ kind: 'popup-state' });
  const version = await card.evaluate(
    () => (globalThis as unknown as { browser: { runtime: { getManifest(): { version: string } } } }).browser.runtime.getManifest().version,
  );
  const candidates = trial?.offer.offered.map(({ id }) => id) ?? [];
  const of = `${version} ${loads} ${lastLoad?.startedAt} ${candidates.join(' ')}`;
  const link = { id: 1, name: 'RTT 20 ms', rttMs: 20, rttIntervalMs: {}, downIntervalKbps: {}, loads };
  const predicted = {
    state: 'predicted',
    link,
    pages: 12,
    best: [],
    rows: [],
    reach: { requests: 200, byConnections: 24 },
    inferred: [],
    atMost: 0.01,
    ...answer,
  } as const;
  await store('local', { fieldPrediction: { of, loads, newestAt: lastLoad?.startedAt, answer: predicted } });
  // The popup reads it when it opens.
  await card.close();
  await openCard();
}

const row = (id: string, ratio: number) => ({
  id,
  loadTimeMs: 1000 / ratio,
  ratio,
  ratioBand: { low: ratio - 0.05, high: ratio + 0.05 },
  bound: 'queue-wait' as const,
});
const FOUND = { profileId: 'c16-d1', ratio: 1.42, low: 1.23, high: 1.65, finding: 'better', loads: 22, baselineLoads: 18 } as const;

test('fresh, and after one load: how many pages are still needed, and this page', async () => {
  await expectState(
    'fresh',
    english('card.fresh.progress', { loads: 0, enough: ENOUGH }),
    english('card.try'),
    english('card.thisPage.none'),
  );
  await load(1);
  const text = await expectState('fresh', english('card.fresh.progress', { loads: 1, enough: ENOUGH }), english('card.thisPage'));
  expect(text).toMatch(/\d\s(?:ms|s)\b/u);
}, 60_000);

test('what keeps it from recording comes first, each with what to press', async () => {
  await store('local', { standstills: [{ from: Date.now() - 900_000, until: Date.now() - 600_000 }] });
  await expectState('restarted', english('card.dismiss'));
  await store('local', { recordLoss: { loads: 41, until: Date.now() - 3_600_000 } });
  await expectState('storage-lost', '41 page loads');
  await press();
  await expectState('fresh');
  await store('session', { storeFailure: 'QuotaExceededError: Encountered full disk while opening backing file' });
  await expectState('disk-full', english('card.check'));
  await unstore('session', 'storeFailure');
  await expectState('fresh');
}, 60_000);

test('enough loads: nothing to gain, or something predicted, with the way to prove it', async () => {
  await load(ENOUGH);
  await keepPrediction({});
  await expectState('nothing-to-gain', '12 %', english('card.right'), english('card.measure'));
  const predicted = {
    best: ['c16-d1', 'c8-d1'],
    recommended: { id: 'c16-d1', change: { gain: 0.09, low: 0.04, high: 0.14 } },
    rows: [row('c16-d1', 1.09), row('c8-d1', 1.02), row('firefox-default', 1)],
    atMost: 0.3,
  };
  await keepPrediction(predicted);
  await expectState('predicted', /A proof would take about \d+ days at your 21 page loads a day/, english('card.seeApply'));
  await load(17);
  await keepPrediction(predicted);
  const text = await expectState('predicted', '16 connections', '≈ +9 %', '+4 % to +14 %', 'predicted', /Prove it: about \d+ days/);
  expect(plain(text)).toContain('12 recent pages');
}, 90_000);

test('a trial of it: collecting, paused, continued, ahead, being confirmed, invalid', async () => {
  await press();
  await expectState('collecting', 'Firefox’s own settings', /0 of about \d+ page loads each, about \d+ days? left/, english('card.pause'));
  await press();
  await expectState('paused', english('card.resume'));
  await press();
  await expectState('collecting');
  await load(2);
  const { trial } = await firefox.ask({ kind: 'popup-state' });
  const arms = ['firefox-default', 'c16-d1'];
  const counts = Object.fromEntries(arms.map((id) => [id, { attempted: 18, recorded: 18, lost: 0 }]));
  const fromSlot = trial?.current?.turn.slot ?? 0;
  await changeTrial({
    stretches: [
      { stage: 'screening', round: 0, fromSlot: 0, arms, counts },
      { stage: 'confirming', round: 1, fromSlot, arms, counts: {} },
    ],
  });
  await expectState('leading', '16 connections', /0 of about \d+ new page loads each/, english('card.pause'));
  // Stopped, so that what it has set is undone; as it ended is then written over.
  await firefox.ask({ kind: 'stop-trial' });
  await expect
    .poll(async () => (await firefox.ask({ kind: 'trial-state' })).current?.now, { timeout: 20_000 })
    .toEqual({ state: 'ended', restoring: false });
  await changeTrial({ end: { kind: 'invalid' } });
  await expectState('invalid', english('card.seeTrial'));
}, 120_000);

test('confirmed: applied by one press, seen by Firefox, undone by another', async () => {
  await changeTrial({ end: { kind: 'confirmed', found: FOUND } });
  await expectState('confirmed', '16 connections are faster here', '+42 %', '+23 % to +65 %', '40 new page loads', english('card.apply'));
  await press();
  await expectState('applied', '16 connections are on', english('card.applied.live'), english('card.undo'));
  expect(await chrome.run('name => Services.prefs.getIntPref(name)', PER_SERVER)).toBe(16);
  await press();
  await expectState('confirmed');
  await chrome.run('name => Services.prefs.lockPref(name)', PER_SERVER);
  await press();
  await expectState('locked', PER_SERVER, english('card.seeLocked'));
  await chrome.run('name => Services.prefs.unlockPref(name)', PER_SERVER);
  await card.close();
  await openCard();
  await expectState('confirmed');
  await press();
  await expectState('applied');
  await chrome.run('([name, value]) => Services.prefs.setIntPref(name, value)', [PER_SERVER, 9]);
  await expectState('applied-not-in-effect', englishPattern('card.notInEffect.wrong', { count: 1 }), english('card.undo'));
}, 90_000);

test('what was painted last is painted at once', async () => {
  await card.close();
  await openCard();
  const kept = await card.evaluate(
    async () =>
      (
        await (
          globalThis as unknown as { browser: { storage: { session: { get(key: string): Promise<{ card?: { kind: string } }> } } } }
        ).browser.storage.session.get('card')
      ).card?.kind,
  );
  expect(kept).toBe('applied-not-in-effect');
  await expectState('applied-not-in-effect');
}, 60_000);

test('no permission: one press asks for it', async () => {
  await card.evaluate(async () => {
    const { permissions } = (globalThis as unknown as { browser: { permissions: { remove(what: object): Promise<boolean> } } }).browser;
    await permissions.remove({ origins: ['<all_urls>', 'http://*/*', 'https://*/*'] });
  });
  await expectState('no-permission', english('card.noPermission'), english('card.allow'));
}, 60_000);

test('a release Firefox without the helper app: what would make a proof possible, one step left, and records of a newer version', async () => {
  await firefox.stop();
  firefox = await startExtensionFirefox({ variant: 'release' });
  await firefox.ask({ kind: 'set-quiet', quietMs: 50 });
  await openCard();
  await load(1);
  await keepPrediction({
    best: ['c16-d1'],
    recommended: { id: 'c16-d1', change: { gain: 0.09, low: 0.04, high: 0.14 } },
    rows: [row('c16-d1', 1.09), row('firefox-default', 1)],
    atMost: 0.3,
  });
  await expectState('predicted', /A proof here would take \d+ restarts of Firefox/, english('card.seeApply'));
  await firefox.ask({ kind: 'start-trial', trial: { candidates: ['c16-d1'] } });
  await firefox.ask({ kind: 'stop-trial' });
  await changeTrial({ end: { kind: 'confirmed', found: FOUND } });
  await expectState('helper-missing', 'One step left to use 16 connections', '+42 %', english('card.seeApply'));
  await card.evaluate(
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
  await expectState('version-too-new', english('card.check'));
}, 120_000);
