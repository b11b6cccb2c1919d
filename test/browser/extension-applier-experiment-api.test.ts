/** The applier contract in a real Firefox ESR, through the extension's messages; the values are read and set by Firefox's own parent process. */
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlumbfoxError, PreferenceRefused, type RefusalReason } from '../../src/core/errors.ts';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import {
  bidiConnection,
  type ChromeContext,
  chromeContext,
  chromeWindow,
  contextOver,
  parentExtension,
} from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import type { Request, RequestKind, Responses } from '../../src/protocol/messages.ts';
import { applierContract, FOUR } from '../support/applier-contract.ts';
import { countBar } from '../support/bar-count.ts';
import { chromeContextContract } from '../support/chrome-context-contract.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';

let firefox: ExtensionFirefox;
let chrome: ChromeContext;

beforeAll(async () => {
  // The event page ends whenever half a second passes without a message: nothing may rest on its memory.
  firefox = await startExtensionFirefox({ preferences: { 'extensions.background.idle.timeout': 500 } });
  chrome = await chromeContext(firefox.browser);
});

afterAll(async () => {
  await firefox?.stop();
});

async function ask<K extends RequestKind>(request: Extract<Request, { kind: K }>): Promise<Responses[K]> {
  const reply = await firefox.askRaw(request);
  if (reply.ok) return reply.value as Responses[K];
  const { kind, message, preference, reason } = reply.error;
  if (preference !== undefined) throw new PreferenceRefused(preference, reason as RefusalReason, message);
  throw new PlumbfoxError(kind as 'internal', message);
}

const EFFECTIVE = `name => { const { prefs } = Services; switch (prefs.getPrefType(name)) {
  case prefs.PREF_INT: return prefs.getIntPref(name); case prefs.PREF_BOOL: return prefs.getBoolPref(name);
  case prefs.PREF_STRING: return prefs.getStringPref(name); default: return null; } }`;
const SET = `({ name, value }) => { const { prefs } = Services; if (value === null) prefs.clearUserPref(name);
  else if (typeof value === 'number') prefs.setIntPref(name, value); else prefs.setBoolPref(name, value); return null; }`;
const LOCK = `({ name, locked }) => { if (locked) Services.prefs.lockPref(name); else if (Services.prefs.prefIsLocked(name)) Services.prefs.unlockPref(name); return null; }`;

applierContract(
  'experiment-api in Firefox ESR',
  async () => ({
    applier: {
      kind: 'experiment-api',
      takesEffect: 'live',
      apply: ({ connections, ...profile }, options) =>
        ask({
          kind: 'apply-profile',
          profile: { ...profile, ...(connections && { connections }) },
          ...(options?.route && { route: options.route }),
        }),
      readBack: () => ask({ kind: 'read-back' }),
      revert: () => ask({ kind: 'revert-profile' }),
    },
    effective: async (name) => (await chrome.run<PreferenceValue | null>(EFFECTIVE, name)) ?? undefined,
    hasUserValue: (name) => chrome.run<boolean>('name => Services.prefs.prefHasUserValue(name)', name),
    setByUser: async (name, value) => void (await chrome.run(SET, { name, value: value ?? null })),
    setLocked: async (name, locked) => void (await chrome.run(LOCK, { name, locked })),
  }),
  { live: true },
);

test('what was there before survives the end of the event page', async () => {
  await chrome.run(SET, { name: 'network.dnsCacheExpiration', value: 77 });
  await ask({ kind: 'apply-profile', profile: { ...FOUR, connections: 4 } });
  await firefox.untilEventPageEnds();
  expect(await ask({ kind: 'popup-state' })).toMatchObject({ active: { profileId: 'c4-d1', appliedBy: 'experiment-api', mismatches: [] } });
  await firefox.untilEventPageEnds();
  await ask({ kind: 'revert-profile' });
  expect(await chrome.run<number>(EFFECTIVE, 'network.dnsCacheExpiration')).toBe(77);
  await chrome.run(SET, { name: 'network.dnsCacheExpiration', value: null });
});

interface LabPage {
  readonly browser: { readonly plumbfoxNetwork: { set(values: unknown): Promise<{ refusal?: { reason: string } }> } };
}

/** The privileged script itself, asked by a page of the extension that has skipped all checks of ours. */
const setDirectly = (values: unknown) =>
  firefox.popup.evaluate(
    (text) =>
      (globalThis as unknown as LabPage).browser.plumbfoxNetwork.set(JSON.parse(text)).then(
        ({ refusal }) => refusal?.reason,
        (error: unknown) => String(error),
      ),
    JSON.stringify(values),
  );

test.each([
  ['a name outside the list', { 'browser.startup.page': 3 }, 'not-in-catalogue'],
  ['a name of the prototype', { isPrototypeOf: 3 }, 'not-in-catalogue'],
  ['a value out of range', { 'network.http.max-persistent-connections-per-server': 256 }, 'out-of-range'],
  ['a value of another type', { 'network.http.max-persistent-connections-per-server': '4' }, 'wrong-type'],
  ['a number with a fraction', { 'network.dnsCacheExpiration': 4.5 }, 'wrong-type'],
])('the privileged script refuses %s by itself, and changes nothing', async (_, values, reason) => {
  expect(await setDirectly({ 'network.dnsCacheExpiration': 33, ...values })).toBe(reason);
  expect(await chrome.run<number>(EFFECTIVE, 'network.dnsCacheExpiration')).toBe(60);
});

test('its schema takes nothing but a list of values', async () => {
  for (const values of ['network.prefetch-next', 4, null]) await expect(setDirectly(values)).rejects.toThrow('Incorrect argument types');
});

/** Whatever a page of the extension may ask of the privileged script; what does not exist, or is refused, comes back as words. */
const callDirectly = (name: string, ...values: readonly unknown[]) =>
  firefox.popup.evaluate(
    async ([asked, text]) => {
      const api = (globalThis as unknown as { browser: { plumbfoxNetwork: Record<string, (...given: unknown[]) => Promise<unknown>> } })
        .browser;
      try {
        return await api.plumbfoxNetwork[asked]?.(...(JSON.parse(text) as unknown[]));
      } catch (error) {
        return String(error);
      }
    },
    [name, JSON.stringify(values)] as const,
  );
const EVIL = 'evil.example';
const proxyHost = async () => (await chrome.run<string | null>(EFFECTIVE, 'network.proxy.http')) ?? '';
const evil = { preference: 'network.proxy.http', userSet: true, value: EVIL };

test('no value comes from the extension: a false former value has no effect, however it is handed in', async () => {
  const attempts: readonly (readonly [string, unknown])[] = [
    ['restore', [evil]],
    ['keepJournal', [{ ...evil, setTo: '' }]],
    ['keepJournal', [{ ...evil, setTo: '127.0.0.1' }]],
    ['set', { 'network.proxy.http': EVIL }],
    ['set', { 'extensions.plumbfox.former': JSON.stringify([{ ...evil, setTo: '' }]) }],
    ['restore', ['extensions.plumbfox.former', 'network.proxy.http']],
  ];
  let harmless = 0;
  for (const [name, value] of attempts) {
    await callDirectly(name, value);
    await callDirectly('restore', ['network.proxy.http']);
    await ask({ kind: 'revert-profile' });
    if ((await proxyHost()) === '') harmless++;
    await chrome.run(
      `() => { Services.prefs.clearUserPref('network.proxy.http'); Services.prefs.clearUserPref('extensions.plumbfox.former'); return null; }`,
      null,
    );
  }
  countBar(25, 'ways to hand in a false former value', harmless, attempts.length);
});

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
test('each refusal has its own words, and nothing is set', async () => {
  const refusals: readonly (readonly [string, unknown, RegExp])[] = [
    ['browser.startup.page', 3, /^it is not one of the preferences that may be set$/],
    [PER_SERVER, 256, /^256 is not between 1 and 255$/],
    [PER_SERVER, '4', /^it takes integer and was given "4"$/],
    ['network.proxy.http', EVIL, /^"evil\.example" is not one of \["127\.0\.0\.1"\]$/],
    ['network.proxy.type', 2, /^2 is not between 1 and 1$/],
    ['network.prefetch-next', false, /^an enterprise policy or a configuration file has locked it$/],
  ];
  await chrome.run(LOCK, { name: 'network.prefetch-next', locked: true });
  let held = 0;
  for (const [preference, value, words] of refusals) {
    const answer = await callDirectly('set', { 'network.dnsCacheExpiration': 33, [preference]: value });
    const { refusal } = answer as { refusal?: { preference: string; detail: string } };
    const unchanged = (await chrome.run<number>(EFFECTIVE, 'network.dnsCacheExpiration')) === 60 && (await formerKept()) === '';
    if (refusal?.preference === preference && words.test(refusal.detail) && unchanged) held++;
  }
  await chrome.run(LOCK, { name: 'network.prefetch-next', locked: false });
  countBar(25, 'refusals in their own words', held, refusals.length);
});

const formerKept = () => chrome.run<string>(`() => Services.prefs.getStringPref('extensions.plumbfox.former', '')`, null);
const SET_TEXTS = `(values) => { for (const [name, value] of Object.entries(values)) {
  if (value === null) Services.prefs.clearUserPref(name); else if (typeof value === 'number') Services.prefs.setIntPref(name, value);
  else Services.prefs.setStringPref(name, value); } return null; }`;

test('what an earlier version kept is put back, out of bounds as it may be; what it cannot have kept is left alone, and named', async () => {
  const kept = [
    { preference: 'network.dnsCacheExpiration', userSet: true, value: 77, setTo: 90 },
    { preference: PER_SERVER, userSet: false, setTo: 4 },
    { preference: 'network.proxy.type', userSet: true, value: 2, setTo: 1 },
    { preference: 'network.proxy.http', userSet: true, value: 4, setTo: '127.0.0.1' },
    { preference: 'browser.startup.page', userSet: true, value: 3, setTo: 1 },
    { preference: 'network.proxy.ssl_port', userSet: 'yes', value: 8080, setTo: 0 },
  ];
  const journal = { 'extensions.plumbfox.former': JSON.stringify(kept) };
  await chrome.run(SET_TEXTS, { ...Object.fromEntries(kept.map(({ preference, setTo }) => [preference, setTo])), ...journal });
  const { restored, leftAlone } = await ask({ kind: 'revert-profile' });
  expect(restored.toSorted()).toEqual(['network.dnsCacheExpiration', PER_SERVER, 'network.proxy.type']);
  expect(leftAlone.toSorted()).toEqual(['browser.startup.page', 'network.proxy.http', 'network.proxy.ssl_port']);
  const now = await Promise.all(kept.map(({ preference }) => chrome.run(EFFECTIVE, preference)));
  expect([...now, await formerKept()]).toEqual([77, 6, 2, '127.0.0.1', 1, 0, '']);
  await chrome.run(SET_TEXTS, Object.fromEntries(kept.map(({ preference }) => [preference, null])));
});

test('a former value of 4,096 characters is kept for each name; a longer one is refused before anything is set', async () => {
  const names = ['network.proxy.http', 'network.proxy.ssl', 'network.proxy.socks', 'network.proxy.no_proxies_on'];
  // The longest in JSON: six bytes each.
  const former = Object.fromEntries(names.map((name) => [name, '\u0001'.repeat(4096)]));
  await chrome.run(SET_TEXTS, former);
  const route = { host: '127.0.0.1', port: 9, secret: 'sixteen-letters-' } as const;
  const apply = () => ask({ kind: 'apply-profile', profile: { ...FOUR, connections: 4 }, route });
  await apply();
  const size = (await formerKept()).length;
  expect(size).toBeGreaterThan(names.length * 4096 * 6);
  expect(size).toBeLessThan(110_000);
  await ask({ kind: 'revert-profile' });
  expect(await Promise.all(names.map((name) => chrome.run(EFFECTIVE, name)))).toEqual(Object.values(former));
  await chrome.run(SET_TEXTS, { 'network.proxy.no_proxies_on': 'x'.repeat(4097) });
  await expect(apply()).rejects.toMatchObject({ preference: 'network.proxy.no_proxies_on', reason: 'out-of-range' });
  expect([await formerKept(), await chrome.run(EFFECTIVE, 'network.dnsCacheExpiration')]).toEqual(['', 60]);
  await chrome.run(SET_TEXTS, Object.fromEntries(names.map((name) => [name, null])));
});

test('a journal that somebody has damaged stops everything but is said so', async () => {
  await chrome.run(SET_TEXTS, { 'extensions.plumbfox.former': '{"preference' });
  for (const attempt of [
    () => ask({ kind: 'revert-profile' }),
    () => ask({ kind: 'apply-profile', profile: { ...FOUR, connections: 4 } }),
  ]) {
    await expect(attempt()).rejects.toThrow('extensions.plumbfox.former');
  }
  expect([await formerKept(), await chrome.run(EFFECTIVE, PER_SERVER)]).toEqual(['{"preference', 6]);
  await chrome.run(SET_TEXTS, { 'extensions.plumbfox.former': null });
});

/** The oldest in which a window was seen to be listed; ESR 140 does not list it. */
const LISTS_WINDOW = 153;
chromeContextContract('the window, listed by WebDriver BiDi', async () => {
  const evaluate = await chromeWindow(bidiConnection(firefox.browser));
  const major = Number(/\d+/.exec(await firefox.browser.version())?.[0]);
  if (major >= LISTS_WINDOW) expect(evaluate).toBeDefined();
  return evaluate && contextOver(evaluate);
});
chromeContextContract("the lab's own extension", async () => contextOver(await parentExtension(bidiConnection(firefox.browser))));

test("the lab's own extension has one page, which stays however often it is asked for, and Plumbfox cannot do what it does", async () => {
  const first = await parentExtension(bidiConnection(firefox.browser));
  const second = await parentExtension(bidiConnection(firefox.browser));
  expect([await second('() => 2', null), await first('() => 1', null)]).toEqual([2, 1]);
  const addresses = await chrome.run<string[]>('() => gBrowser.tabs.map(tab => tab.linkedBrowser.currentURI.filePath)', null);
  expect(addresses.filter((path) => path === '/plumbfox-parent.html')).toHaveLength(1);
  expect(await firefox.popup.evaluate('typeof browser.plumbfoxParent')).toBe('undefined');
});

test('removed, as about:debugging removes it, the extension leaves every preference as it was', async () => {
  const network = () =>
    chrome.run<Record<string, PreferenceValue>>(
      `() => Object.fromEntries(Services.prefs.getChildList('').filter((name) => name.startsWith('network.') || name.startsWith('extensions.plumbfox.'))
        .filter((name) => Services.prefs.prefHasUserValue(name)).map((name) => [name, (${EFFECTIVE})(name)]))`,
      null,
    );
  await chrome.run(SET, { name: 'network.dnsCacheExpiration', value: 77 });
  const before = await network();
  const route = { host: '127.0.0.1', port: 9, secret: 'sixteen-letters-' } as const;
  await ask({ kind: 'apply-profile', profile: { ...FOUR, connections: 4 }, route });
  expect(await network()).toMatchObject({ 'network.dnsCacheExpiration': 90, 'network.proxy.type': 1 });
  await firefox.untilEventPageEnds();
  await chrome.run('async (id) => { await (await AddonManager.getAddonByID(id)).uninstall(); return null; }', EXTENSION_ID);
  expect(await network()).toEqual(before);
});

test('removed while a policy locks a preference, the extension puts it back when it is there again and the lock is not', async () => {
  const install = () => firefox.browser.installExtension(resolve('dist/extension-lab'));
  await install();
  const kept = { preference: PER_SERVER, userSet: true, value: 11, setTo: 4 };
  await chrome.run(SET_TEXTS, { [PER_SERVER]: 4, 'extensions.plumbfox.former': JSON.stringify([kept]) });
  await chrome.run(LOCK, { name: PER_SERVER, locked: true });
  await chrome.run('async (id) => { await (await AddonManager.getAddonByID(id)).uninstall(); return null; }', EXTENSION_ID);
  expect(JSON.parse(await formerKept())).toEqual([{ ...kept, due: true }]);
  await install();
  expect([await chrome.run(EFFECTIVE, PER_SERVER), JSON.parse(await formerKept())]).toEqual([6, [{ ...kept, due: true }]]);
  await chrome.run('async (id) => { await (await AddonManager.getAddonByID(id)).disable(); return null; }', EXTENSION_ID);
  await chrome.run(LOCK, { name: PER_SERVER, locked: false });
  expect(await chrome.run(EFFECTIVE, PER_SERVER)).toBe(4);
  await chrome.run('async (id) => { await (await AddonManager.getAddonByID(id)).enable(); return null; }', EXTENSION_ID);
  expect([await chrome.run(EFFECTIVE, PER_SERVER), await formerKept()]).toEqual([11, '']);
});
