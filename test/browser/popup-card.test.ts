/**
 * The popup's card in a real Firefox: the states that a person can meet, reached by real loads, presses and trials, else by the stored records that
 * lead to them. A trial's whole course over a link, with its intervals, is in extension-trial-verdict; the helper's, and a Firefox that stores nothing,
 * in the tests of these.
 */
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { androidExtension } from '../support/android-extension.ts';
import { type Card, openCard, UNANSWERED_URL, withGermanCard, withUnansweredCard } from '../support/card-page.ts';
import {
  ageOldest,
  CHEAPER,
  changeAsNewer,
  changeTrial,
  keepPrediction,
  LINK,
  markMismatches,
  PROMISING,
  predictedAnswer,
  store,
  storeHome,
  unstore,
} from '../support/card-records.ts';
import { english, englishPattern } from '../support/english.ts';
import { type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, type Resource, startTestServer, type TestServer } from '../support/extension-server.ts';
import { expectSteps, tabsAt } from '../support/opened-tabs.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const CLIENT_HELLO = 'network.dns.echconfig.enabled';
/** 16 connections, and a setting that costs privacy. */
const PRICED = `c16-d1+${CLIENT_HELLO}=false`;
const ENOUGH = 20;
/** So long that nothing else of a small page takes longer, on a busy machine either. */
const SLOW_MS = 4_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The page behind "More" knows of the helper app only when it has shown all else. */
const HELPER_LAST = `
const send = browser.runtime.sendMessage.bind(browser.runtime);
browser.runtime.sendMessage = async (message) => {
  while (message.kind === 'helper-state' && document.getElementById('content')?.hidden) await new Promise(requestAnimationFrame);
  return send(message);
};
`;
const FOUND = { profileId: 'c16-d1', ratio: 1.42, low: 1.23, high: 1.65, finding: 'better', loads: 22, baselineLoads: 18 } as const;

interface SessionStorage {
  get(key: string): Promise<{ readonly card?: { readonly kind: string } }>;
}

const SLOW: Resource = { path: '/slow', type: 'text/html', body: '<!doctype html><title>slow</title>', delayMs: SLOW_MS };

let firefox: ExtensionFirefox;
let server: TestServer;
let chrome: ChromeContext;
let card: Card;
const folders: string[] = [];

async function start(unpacked: string): Promise<void> {
  // Firefox grants what a press asks for: a headless one shows no question.
  const preferences = { 'extensions.webextOptionalPermissionPrompts': false };
  const extension = await withGermanCard(unpacked);
  folders.push(extension);
  await withUnansweredCard(extension);
  firefox = await startExtensionFirefox({ extension, preferences });
  await firefox.ask({ kind: 'set-quiet', quietMs: 50 });
  chrome = await chromeContext(firefox.browser);
  card = await openCard(firefox.browser, { hasGerman: true });
}

beforeAll(async () => {
  const images = imagePage(8);
  server = await startTestServer((path) => (path === '/slow' ? SLOW : images(path)));
  await start('dist/extension-lab');
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function load(times: number, path?: string): Promise<void> {
  await firefox.page.bringToFront();
  const { loads: before } = await firefox.ask({ kind: 'popup-state' });
  for (let at = 0; at < times; at++) {
    await firefox.page.goto(server.origin + (path ?? `/page?${before}-${at}`), { waitUntil: 'load' });
    await expect
      .poll(async () => (await firefox.ask({ kind: 'popup-state' })).loads, { interval: 20, timeout: 20_000 })
      .toBe(before + at + 1);
  }
}

/** The popup has kept this prediction for the loads that there are. */
async function predict(answer: Parameters<typeof keepPrediction>[1]): Promise<void> {
  await keepPrediction(firefox, answer);
  await card.reopen();
}

/** Ends the trial under way, so that what it has set is undone; how it ended may then be written over. */
async function stopTrial(): Promise<void> {
  await firefox.ask({ kind: 'stop-trial' });
  await expect
    .poll(async () => (await firefox.ask({ kind: 'trial-state' })).current?.now, { timeout: 20_000 })
    .toEqual({ state: 'ended', restoring: false });
}

const endAs = (end: object, more: object = {}) => changeTrial(card.page(), { progress: { end, ...more } });
/** Waits for the headline: the state before may be of the same kind. A card that comes to the front looks again. */
async function headline(wanted: RegExp): Promise<void> {
  await card.comeTo('confirmed');
  await expect.poll(() => card.page().$eval('#headline', ({ textContent }) => textContent), { timeout: 20_000 }).toMatch(wanted);
}
const preference = (name: string) =>
  chrome.run<unknown>('name => Services.prefs[name.endsWith("enabled") ? "getBoolPref" : "getIntPref"](name)', name);

test('fresh, and after one load: how many pages are still needed, and this page, with what took the longest part of it', async () => {
  await card.expectState(
    'fresh',
    english('card.fresh.progress', { loads: 0, enough: ENOUGH }),
    english('card.try'),
    english('card.thisPage.none'),
  );
  await load(1, '/slow');
  const progress = english('card.fresh.progress', { loads: 1, enough: ENOUGH });
  const slow = englishPattern('card.thisPage.server', { time: /\d[\d.]*\ss/ });
  // The card of this test is a tab itself.
  const before = new URL(server.origin).host;
  expect(await card.expectState('fresh, one load', progress, before, slow)).toMatch(/\d\s(?:ms|s)\b/u);
  // The tab goes on to a page that is not recorded.
  await firefox.page.goto('about:blank');
  await card.says('fresh', english('card.thisPage.none'));
}, 60_000);

test('what keeps it from recording comes first, each with what to press', async () => {
  await store(card.page(), 'local', { standstills: [{ from: Date.now() - 900_000, until: Date.now() - 600_000 }] });
  await card.expectState('restarted', english('card.dismiss'));
  await store(card.page(), 'local', { recordLoss: { loads: 41, until: Date.now() - 3_600_000 } });
  await card.expectState('storage-lost', '41 page loads');
  await card.press();
  await card.comeTo('fresh');
  await store(card.page(), 'session', { storeFailure: 'QuotaExceededError: Encountered full disk while opening backing file' });
  await card.expectState('disk-full', english('card.check'));
  await unstore(card.page(), 'session', 'storeFailure');
  await card.comeTo('fresh');
  await card.page().evaluate(async () => {
    const { permissions } = (globalThis as unknown as { browser: { permissions: { remove(what: object): Promise<boolean> } } }).browser;
    await permissions.remove({ origins: ['<all_urls>', 'http://*/*', 'https://*/*'] });
  });
  await card.expectState('no-permission', english('card.noPermission'), english('card.allow'));
  await card.press();
  await card.comeTo('fresh');
  expect((await firefox.ask({ kind: 'popup-state' })).recording).toEqual({ state: 'recording' });
}, 60_000);

test('enough loads: no answer, nothing to gain, or something predicted, with the way to prove it', async () => {
  await load(ENOUGH);
  await predict({ state: 'nothing-to-predict', link: LINK });
  await card.expectState('unanswered', english('card.measure'));
  const own = (await firefox.ask({ kind: 'loads-after' })).map(({ id }) => id);
  const gains = { id: 'c16-d1', change: { gain: 0.19, low: 0.09, high: 0.28 } };
  const sites = own.slice(0, 3).map((load, at) => ({ load, requests: 9 - at, isSimulated: at < 2, ...(at === 0 && { gains }) }));
  await predict(predictedAnswer({ outside: 8, sites }));
  await card.expectState(
    'nothing-to-gain',
    '≤ 1 %',
    english('card.right'),
    '12 of 20 recent pages (8 could not be simulated)',
    english('card.sites', { count: 3, share: 0.12 }),
    '≈ +19 %',
    english('card.measure.anyway'),
  );
  await predict(CHEAPER);
  const why = englishPattern('card.dearer', { within: /3 %/ });
  // Some minutes of browsing say nothing of a day.
  await card.expectState(
    'predicted, first day',
    why,
    englishPattern('card.prove.loads', { count: /[\d,]+/ }),
    english('card.predicted.pace'),
  );
  await ageOldest(card.page(), 1.5 * DAY_MS);
  const slow = englishPattern('card.tooSlow', { perDay: 14, days: /\d+/, needed: /\d+/ });
  await card.expectState('predicted, too slow', why, slow, english('card.measure.anyway'));
  await load(17);
  await predict(PROMISING);
  const text = await card.expectState('predicted', '16 connections', '≈ +9 %', '+4 % to +14 %', 'predicted', /Prove it: about \d+ days/);
  expect(text).toContain('12 recent pages');
}, 180_000);

test('a trial of it, begun by one press: collecting, paused, continued, held by a check', async () => {
  await card.press();
  // As many as the button has said.
  const none = /0 of about [\d,]+ page loads/;
  const left = englishPattern('card.status.daysLeft', { count: /\d+/ });
  await card.expectState('collecting', 'Firefox’s own settings', none, left, english('card.soFar.open'), english('card.pause'));
  await card.press();
  await card.expectState('paused', english('card.resume'));
  await card.press();
  await card.comeTo('collecting');
  await load(2);
  await load(2);
  await markMismatches(card.page(), [PER_SERVER]);
  await card.expectState('invalid, held', english('card.invalid'), /not in effect in/, english('card.seeTrial'));
  await markMismatches(card.page(), []);
  await stopTrial();
  await endAs({ kind: 'invalid' });
  await card.expectState('invalid', english('card.invalid.over'), english('card.another'));
}, 120_000);

test('a trial that found nothing faster: no difference, not decided, slower', async () => {
  const within = { ...FOUND, ratio: 1.01, low: 0.985, high: 1.029, finding: 'no-meaningful-difference' } as const;
  await endAs({ kind: 'no-difference', found: within });
  await card.expectState(
    'not-faster, same',
    english('card.same'),
    /\+1 % \([−-]1.5 % to \+2.9 %\)/,
    '40 page loads',
    english('card.measure.again'),
  );
  await endAs({ kind: 'no-difference', found: { ...within, low: 0.9, high: 1.13, finding: 'undecided' } });
  await card.expectState('not-faster, open', english('card.open'), /[−-]10 % to \+13 %/, '40 page loads');
  const worse = { ...FOUND, ratio: 0.8, low: 0.7, high: 0.9, finding: 'worse' } as const;
  await endAs({ kind: 'no-candidate-left' }, { dropped: [{ profileId: 'c16-d1', reason: 'worse', found: worse, block: 3 }] });
  await card.expectState('not-faster, slower', english('card.slower'), /[−-]20 %/, /[−-]30 % to [−-]10 %/);
  await changeTrial(card.page(), { progress: { dropped: [] } });
}, 60_000);

test('confirmed: on which network, and why', async () => {
  await storeHome(card.page(), 'c16-d1', Date.now());
  await endAs({ kind: 'confirmed', found: FOUND });
  await card.expectState(
    'confirmed',
    '16 connections are faster here',
    '+42 %',
    '+23 % to +65 %',
    '40 new page loads',
    english('card.network', { network: 'Home' }),
    english('card.apply'),
  );
  await card.press('#why > summary');
  const loads = english('card.why.loads', { loads: 22, baseline: 18, settings: '16 connections' });
  await card.expectState('confirmed, why', english('card.why.sure', { confidence: 0.95 }), loads);
  // Whoever reads it keeps it open while page loads come in.
  expect(await card.page().evaluate(() => document.activeElement?.parentElement?.id)).toBe('why');
  await card.press('#why-link');
  await expect.poll(() => tabsAt(firefox.popup, 'dashboard.html#trial-log')).toBe(1);
  await card.press('#why > summary');
}, 60_000);

test('settings that cost privacy are applied only when the price is accepted', async () => {
  await endAs({ kind: 'confirmed', found: { ...FOUND, profileId: PRICED } });
  await headline(/Client Hello/);
  await card.expectState('confirmed, priced', '16 connections', english('card.apply'));
  const asked = () => card.page().waitForFunction(() => document.getElementById('card-price')?.checkVisibility());
  await card.press();
  await asked();
  expect(await card.page().evaluate(() => document.activeElement?.id)).toBe('card-price-cancel');
  expect(await card.page().$eval('#card-price', (section) => section.textContent)).toContain(CLIENT_HELLO);
  await card.look('confirmed, price asked', ['card-price-cancel', 'card-price-confirm']);
  await card.press('#card-price-cancel');
  // The state is the same before and after; the button is busy from its press until what it does has ended.
  await card.page().waitForFunction(() => {
    const main = document.getElementById('main');
    return document.getElementById('card-price')?.checkVisibility() === false && main?.hasAttribute('aria-busy') === false;
  });
  await card.comeTo('confirmed');
  expect(await preference(CLIENT_HELLO)).toBe(true);
  await card.press();
  await asked();
  await card.press('#card-price-confirm');
  // The trial's figure stays until there is one of the loads since.
  await card.expectState('applied, priced', '+42 %', '+23 % to +65 %', english('card.undo'));
  expect([await preference(PER_SERVER), await preference(CLIENT_HELLO)]).toEqual([16, false]);
  await card.press();
  await card.comeTo('confirmed');
  expect([await preference(PER_SERVER), await preference(CLIENT_HELLO)]).toEqual([6, true]);
  await endAs({ kind: 'confirmed', found: FOUND });
}, 90_000);

test('applied by one press, seen by Firefox, with what changed since; undone by another', async () => {
  await headline(/^16\sconnections are faster/);
  await card.press();
  // A load every five hours: 30 since, of 150 hours, and 40 before, of 200.
  await card.expectState(
    'applied',
    '16 connections are on',
    englishPattern('card.status.since', { time: /\S+/ }),
    englishPattern('card.applied.changed', { days: 7, change: /\+3\d %/, before: 9 }),
    english('card.applied.live'),
    english('card.undo'),
  );
  expect(await preference(PER_SERVER)).toBe(16);
  await card.press();
  await card.comeTo('confirmed');
  await chrome.run('name => Services.prefs.lockPref(name)', PER_SERVER);
  await card.press();
  await card.comeTo('locked');
  await card.look('locked', ['main']);
  await chrome.run('name => Services.prefs.unlockPref(name)', PER_SERVER);
  await card.reopen();
  await card.comeTo('confirmed');
  await card.press();
  await card.comeTo('applied');
  await chrome.run('([name, value]) => Services.prefs.setIntPref(name, value)', [PER_SERVER, 9]);
  await card.expectState(
    'applied-not-in-effect',
    englishPattern('card.notInEffect.wrong', { count: 1, preferences: PER_SERVER }),
    english('card.status.notCounted'),
    english('card.setAgain', { settings: '16 connections' }),
    english('card.leave'),
  );
  await card.press();
  await card.comeTo('applied');
  expect(await preference(PER_SERVER)).toBe(16);
  await chrome.run('([name, value]) => Services.prefs.setIntPref(name, value)', [PER_SERVER, 9]);
  await card.comeTo('applied-not-in-effect');
  await chrome.run('name => Services.prefs.lockPref(name)', PER_SERVER);
  await card.expectState('locked, applied', PER_SERVER, english('card.seeSettings'));
  await chrome.run('name => Services.prefs.unlockPref(name)', PER_SERVER);
  await card.comeTo('applied-not-in-effect');
}, 90_000);

test('what was painted last is painted at once', async () => {
  const kept = await card.page().evaluate(async () => {
    const { session } = (globalThis as unknown as { browser: { storage: { session: SessionStorage } } }).browser.storage;
    return (await session.get('card')).card;
  });
  expect(kept?.kind).toBe('applied-not-in-effect');
  // No answer says this.
  await store(card.page(), 'session', { card: { ...kept, headline: 'As it was painted last' } });
  const early = await openExtensionPage(firefox.browser, UNANSWERED_URL);
  const painted = () =>
    early.evaluate(() => {
      const section = document.getElementById('card');
      return [section?.checkVisibility(), section?.dataset.state, document.getElementById('headline')?.textContent];
    });
  await expect.poll(painted, { timeout: 30_000 }).toEqual([true, 'applied-not-in-effect', 'As it was painted last']);
  await early.close();
}, 60_000);

test('a release Firefox without the helper app: what would make a proof possible, one step left, and records of a newer version', async () => {
  await card.close();
  await firefox.stop();
  await start('dist/extension-release');
  await load(1);
  await predict(PROMISING);
  await card.expectState('predicted, restarts', /A proof here would take \d+ restarts of Firefox/, english('card.seeApply'));
  await firefox.ask({ kind: 'start-trial', trial: { candidates: ['c16-d1'] } });
  const restarts = englishPattern('card.status.restartsLeft', { count: /\d+/ });
  await card.expectState('collecting, by restarts', 'At the next start of Firefox', restarts, english('card.pause'));
  await firefox.ask({ kind: 'stop-trial' });
  await endAs({ kind: 'confirmed', found: FOUND });
  await card.expectState('helper-missing', 'One step left to use 16 connections', '+42 %', english('card.seeApply'));
  await changeAsNewer(card.page());
  await card.expectState('version-too-new', english('card.check'));
}, 120_000);

test('Firefox for Android, where no helper app can be: the card leads to the steps that set and undo it manually', async () => {
  await card.close();
  await firefox.stop();
  const android = await androidExtension();
  folders.push(android);
  await appendFile(join(android, 'android.js'), HELPER_LAST);
  await start(android);
  await load(1);
  await predict(PROMISING);
  await card.expectState('predicted, manual', englishPattern('card.restarts.manual', { restarts: /\d+/ }), english('card.seeApply'));
  await expectSteps(firefox.browser, card, english('manual.set'), 'c16-d1');
  await firefox.ask({ kind: 'start-trial', trial: { candidates: ['c16-d1'] } });
  await firefox.ask({ kind: 'stop-trial' });
  await endAs({ kind: 'confirmed', found: FOUND });
  await card.expectState('manual-step', 'One step left to use 16 connections', english('card.step.manual'), english('card.seeApply'));
  await expectSteps(firefox.browser, card, english('manual.set'), 'c16-d1');
  await firefox.ask({ kind: 'note-by-hand', profileId: 'c16-d1' });
  await card.expectState('applied-not-in-effect, manual', english('card.notInEffect.restart'), english('manual.undo'));
  await expectSteps(firefox.browser, card, english('manual.undo'), '');
}, 120_000);
