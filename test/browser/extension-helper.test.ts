/** The helper and the extension in a real Firefox ESR: hosts that fail, what they are sent, and a profile that comes and goes with Firefox. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { findProfile } from '../../src/core/profiles/presets.ts';
import type { Profile } from '../../src/core/profiles/profile.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { applierContract } from '../support/applier-contract.ts';
import { countBar } from '../support/bar-count.ts';
import { openCard } from '../support/card-page.ts';
import { changeTrial } from '../support/card-records.ts';
import { english } from '../support/english.ts';
import { CONTROLS_URL, type ExtensionFirefox, openExtensionPage, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { helperReady } from '../support/installed-helper.ts';
import { type NativeHost, nativeHost } from '../support/native-host.ts';
import { pageApplier } from '../support/page-applier.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const FOUR = findProfile('c4-d1') as Profile;
const FOUND = { profileId: 'c4-d1', ratio: 1.2, low: 1.1, high: 1.3, finding: 'better', loads: 22, baselineLoads: 18 } as const;

let directory: string;
let host: NativeHost;
let server: TestServer;
let firefox: ExtensionFirefox;
let chrome: ChromeContext;
let loads = 0;

const applier = pageApplier(() => firefox, {
  kind: 'helper',
  module: `import { helperApplier } from './src/adapters/applier-helper.ts';
    import { withHelper } from './src/adapters/native-helper.ts';
    export const applier = helperApplier({ connect: withHelper, preferences: undefined });`,
});

/** Everything the extension needs without a person: it is enabled, and Firefox grants what a click asks for. */
const PREFERENCES = {
  'extensions.autoDisableScopes': 0,
  'extensions.startupScanScopes': 15,
  'extensions.webextOptionalPermissionPrompts': false,
  // As in a release Firefox: where the Experiment API is there, the popup applies without the helper.
  'extensions.experiments.enabled': false,
};

async function start({ keepUserJs }: { readonly keepUserJs: boolean }): Promise<void> {
  firefox = await startExtensionFirefox({ profile: directory, permanent: true, keepUserJs, preferences: PREFERENCES });
  chrome = await chromeContext(firefox.browser);
  await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
  await firefox.popup.bringToFront();
  // Its parts are filled in one by one, also before they are shown.
  await firefox.popup.waitForFunction(() => document.getElementById('content')?.hidden === false);
}

const shown = (selector: string) => firefox.popup.waitForSelector(`${selector}:not([hidden])`, { timeout: 60_000 });
const textOf = (selector: string) =>
  firefox.popup.$eval(selector, (element) => (element as HTMLElement).innerText.replaceAll('\u00a0', ' '));
const ticks = () =>
  firefox.popup.$$eval('#apply-ticks > li', (items) => items.map((item) => [...item.classList].filter((name) => name !== 'tick').join()));
const userJs = () => readFile(join(directory, 'profile', 'user.js'), 'utf8');

/** In the popup, straight after a press: how long it takes until the press is answered, ms. */
function answeredAfter(): Promise<number> {
  const section = document.getElementById('apply') as HTMLElement;
  const began = performance.now();
  return new Promise((done) => {
    const look = () => {
      if (section.ariaBusy === 'false') done(performance.now() - began);
    };
    new MutationObserver(look).observe(section, { attributeFilter: ['aria-busy'] });
    look();
  });
}

async function recordOne(): Promise<void> {
  await firefox.page.bringToFront();
  await firefox.page.goto(`${server.origin}/page?${++loads}`, { waitUntil: 'load' });
  await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length).toBe(loads);
  await firefox.popup.bringToFront();
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbfox-helper-'));
  host = await nativeHost(directory);
  await host.behave('missing');
  server = await startTestServer(imagePage(8));
  await start({ keepUserJs: false });
});

afterAll(async () => {
  await firefox?.stop();
  await server?.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

describe('hosts that fail', () => {
  test('until it is allowed, it is only offered', async () => {
    await shown('#apply');
    expect(await textOf('#apply-standing')).toBe(english('apply.whatFor'));
    expect(await firefox.popup.$eval('#failure', (failure) => (failure as HTMLElement).hidden)).toBe(true);
    await firefox.popup.click('#apply-allow');
    await shown('#apply-retry');
    expect(await firefox.ask({ kind: 'helper-state' })).toEqual({ state: 'problem', problem: { why: 'not-installed' } });
  });

  test.each([
    ['missing', 'not-installed'],
    ['not-allowed', 'not-installed'],
    ['crash', 'stopped'],
    ['garbage', 'unreadable'],
    ['hang', 'silent'],
  ] as const)('%s: says so within 5 s, and loads are recorded all the while', async (manner, why) => {
    // A popup that comes to the front asks by itself, and a press waits for that answer.
    await firefox.popup.evaluate(answeredAfter);
    await host.behave(manner);
    await firefox.popup.click('#apply-retry');
    const answered = firefox.popup.evaluate(answeredAfter);
    await recordOne();
    expect(await answered).toBeLessThan(5_000);
    expect(await textOf('#apply-problems')).not.toBe('');
    const { helperRun } = (await firefox.popup.evaluate(`browser.storage.session.get('helperRun')`)) as { helperRun: unknown };
    expect(helperRun).toMatchObject({ problem: { why } });
    countBar(21, 'hosts that failed and were told apart within 5 s', 1, 1);
  });

  test('the card leads to the section, which is shown when the helper has answered at last', async () => {
    await host.behave('hang');
    const page = await openExtensionPage(firefox.browser, `${CONTROLS_URL}#apply`);
    await page.setViewport({ width: 400, height: 200 });
    await page.waitForFunction(() => {
      const { top = -1, bottom = 0 } = document.getElementById('apply-heading')?.getBoundingClientRect() ?? {};
      return scrollY > 0 && top >= 0 && bottom <= innerHeight;
    });
    await page.close();
    await firefox.popup.bringToFront();
  });

  test('what it is sent holds an operation, a profile, a nonce and the version, whatever was browsed', async () => {
    await host.behave('works');
    await host.forgetHeard();
    await firefox.ask({ kind: 'helper-apply', profileId: 'c4-d1' });
    await recordOne();
    for (const kind of ['helper-state', 'helper-observe', 'helper-keep', 'helper-revert'] as const) await firefox.ask({ kind });
    const heard = await host.heard();
    const operations = ['hello', 'status', 'apply', 'probe-open', 'probe-result', 'probe-close', 'started', 'confirm', 'revert'];
    expect([...new Set(heard.map(({ op }) => op))].toSorted()).toEqual(operations.toSorted());
    for (const { op, nonce, version, ...rest } of heard) {
      expect(nonce).toMatch(/^[0-9a-f-]{36}$/);
      expect(version).toBe(1);
      const profile = op === 'apply' || op === 'probe-open' ? { profileId: expect.stringMatching(/^[a-z0-9.-]+$/) } : {};
      expect(rest, op).toEqual(profile);
    }
    expect(new Set(heard.map(({ nonce }) => nonce)).size).toBe(heard.length);
    countBar(22, 'native messages of nothing but operation, profile, nonce and version', heard.length, heard.length);
  });
});

describe('the helper', () => {
  let before: string;

  beforeAll(async () => {
    before = await userJs();
    await host.behave('missing');
    // While no helper app is there, a trial touches no file.
    await firefox.ask({ kind: 'start-trial', trial: { candidates: ['c4-d1'] } });
    await changeTrial(firefox.popup, { progress: { status: 'ended', applied: false, end: { kind: 'confirmed', found: FOUND } } });
    const command = ['dist/cli/plumbfox.mjs', 'helper', 'install', '--home', join(directory, 'home')];
    await promisify(execFile)(process.execPath, command);
  });

  test('the card applies what a trial has proven, says what is left to do, and undoes it', async () => {
    const card = await openCard(firefox.browser);
    await card.expectState('confirmed, with helper', english('card.apply'));
    await card.press();
    await card.expectState('applied-not-in-effect, until restart', english('card.notInEffect.restart'), english('card.undo'));
    expect(await userJs()).not.toBe(before);
    await card.press();
    await card.comeTo('confirmed');
    expect(await userJs()).toBe(before);
    await card.close();
    await firefox.popup.bringToFront();
  });

  test('a profile that is applied from the popup waits for the next start of Firefox', async () => {
    // As the background says that something has changed.
    await firefox.popup.evaluate('browser.storage.session.set({ helperChanged: Date.now() })');
    await expect.poll(() => textOf('#apply-standing')).toBe(english('apply.none'));
    await firefox.popup.select('#apply-profile', 'c4-d1');
    await firefox.popup.click('#apply-apply');
    await shown('#apply-task');
    expect(await textOf('#apply-outcome')).toBe('');
    expect(await ticks()).toEqual(['yes', 'waiting', 'waiting']);
    expect(await userJs()).not.toBe(before);
    expect(await chrome.run<number>('name => Services.prefs.getIntPref(name)', PER_SERVER)).toBe(6);
    await firefox.stop();
  });

  test('after it there are three ticks, a load carries the profile, and it is kept when the person says so', async () => {
    await start({ keepUserJs: true });
    await firefox.popup.waitForSelector('#apply-ticks > li.yes:nth-child(3)', { timeout: 60_000 });
    expect(await ticks()).toEqual(['yes', 'yes', 'yes']);
    const seen = english('tick.seen', { count: 4, requests: english('tick.requests', { count: 1 }) });
    expect(await textOf('#apply-ticks')).toContain(english('tick.asIntended', { seen }));
    await expect.poll(() => textOf('#profile-applied-by')).toBe(english('active.helper'));
    await recordOne();
    const [load] = (await firefox.ask({ kind: 'loads-after' })).slice(-1);
    expect(load?.applied).toMatchObject({ profileId: 'c4-d1', applier: 'helper', intended: { [PER_SERVER]: 4 }, mismatches: [] });
    await firefox.popup.click('#apply-keep');
    await firefox.popup.waitForSelector('#apply-keep[hidden]');
    expect((await helperReady(firefox)).status).toMatchObject({
      phase: 'confirmed',
      profileId: 'c4-d1',
      restartNeeded: false,
      changedByOthers: [],
    });
    const card = await openCard(firefox.browser);
    await card.expectState('applied, by helper', '4 connections are on', english('card.undo'));
    await card.close();
    await firefox.popup.bringToFront();
  });

  applierContract(
    'helper in Firefox ESR',
    async () => ({
      applier,
      effective: (name) => chrome.run<PreferenceValue>('name => Services.prefs.getIntPref(name)', name),
      hasUserValue: (name) => chrome.run<boolean>('name => Services.prefs.prefHasUserValue(name)', name),
      setByUser: () => Promise.reject(new Error('not while Firefox runs')),
      setLocked: () => Promise.reject(new Error('not for the helper')),
    }),
    { live: false, profile: FOUR, readsOwnOnly: true },
  );

  test('back to before: at the next start Firefox and its files are as they were', async () => {
    // The contract ends with it; the person presses for it.
    await firefox.popup.click('#apply-revert');
    await firefox.popup.waitForSelector('#apply-revert[hidden]');
    expect(await textOf('#apply-task')).toBe(english('apply.restart.undo'));
    const card = await openCard(firefox.browser);
    await card.expectState('undone-at-restart', english('card.undone.restart'), english('card.seeSettings'));
    await card.close();
    await firefox.stop();
    await start({ keepUserJs: true });
    expect((await helperReady(firefox)).status).toMatchObject({ phase: 'none', preferences: [] });
    expect(await userJs()).toBe(before);
    expect(await chrome.run<number>('name => Services.prefs.getIntPref(name)', PER_SERVER)).toBe(6);
    expect(await firefox.ask({ kind: 'popup-state' })).toMatchObject({ active: { appliedBy: 'browser' } });
  });
});
