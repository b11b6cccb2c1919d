/**
 * Profiles by enterprise policy in a real Firefox ESR, with `plumbfox policy` in a private /etc that holds somebody else's policies too: every
 * preference of every profile is read back as intended, all goes again to the byte, and a managed ESR runs the unsigned lab build and a trial.
 */
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { preferencesFor } from '../../src/core/profiles/carrier.ts';
import { CATALOGUE, PER_SERVER } from '../../src/core/profiles/catalogue.ts';
import { mergePolicies, policyDocument } from '../../src/core/profiles/merge-policies.ts';
import type { PolicyStatus } from '../../src/core/profiles/policies-json.ts';
import { BETTERFOX, presetNames } from '../../src/core/profiles/presets.ts';
import type { Carrier, Profile } from '../../src/core/profiles/profile.ts';
import { resolveProfiles } from '../../src/core/profiles/resolve-profiles.ts';
import { hashOf } from '../../src/helper/files/checked-file.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import type { TrialFacts } from '../../src/protocol/trial-state.ts';
// @ts-expect-error A build script, checked by its own comments.
import { deterministicZip } from '../../src/tools/deterministic-zip.mjs';
import { countBar } from '../support/bar-count.ts';
import { COMMAND } from '../support/command-run.ts';
import { openExtensionPage } from '../support/extension-firefox.ts';
import { imagePage, startTestServer } from '../support/extension-server.ts';
import { anyValue } from '../support/knob-values.ts';
import { type PolicyFirefox, startPolicyFirefox } from '../support/policy-firefox.ts';
import { type PrivateEtc, privateEtc } from '../support/private-etc.ts';
import { canMount } from '../support/private-policy.ts';

const FULL = process.env.PLUMBFOX_FULL === '1';

const FOREIGN = `{
\t"policies": {
\t\t"DisableTelemetry": true,
\t\t"Preferences": { "browser.tabs.warnOnClose": { "Value": true, "Status": "locked" } },
\t\t"3rdparty": { "Extensions": { "somebody@example.org": { "level": 3.0 } } }
\t}
}
`;

interface Read {
  readonly value: number | boolean | string | null;
  readonly locked: boolean;
}

/** Runs in Firefox: what it holds, by name. */
const READ = `(names) => Object.fromEntries(names.map((name) => {
  const { prefs } = Services;
  const get = { [prefs.PREF_INT]: 'getIntPref', [prefs.PREF_BOOL]: 'getBoolPref', [prefs.PREF_STRING]: 'getStringPref' }[prefs.getPrefType(name)];
  return [name, { value: get ? prefs[get](name) : null, locked: prefs.prefIsLocked(name) }];
}))`;

/**
 * Runs in Firefox: reads the policies anew, as at a start, and what they have made of the preferences, which held another value of their type
 * before, unlocked; what the policy engine complained of comes with it.
 */
const READ_ANEW = `async (wanted) => {
  const defaults = Services.prefs.getDefaultBranch('');
  for (const [name, value] of Object.entries(wanted)) {
    if (Services.prefs.prefIsLocked(name)) Services.prefs.unlockPref(name);
    if (typeof value === 'boolean') defaults.setBoolPref(name, !value);
    else if (typeof value === 'string') defaults.setStringPref(name, value === '7' ? '8' : '7');
    else defaults.setIntPref(name, value === 7 ? 8 : 7);
  }
  const applied = new Promise((done) => {
    const observer = () => {
      Services.obs.removeObserver(observer, 'EnterprisePolicies:AllPoliciesApplied');
      done();
    };
    Services.obs.addObserver(observer, 'EnterprisePolicies:AllPoliciesApplied');
  });
  Services.obs.notifyObservers(null, 'EnterprisePolicies:Restart');
  await applied;
  const { PolicyFailures } = ChromeUtils.importESModule('resource://gre/modules/PoliciesHelpers.sys.mjs');
  const failures = JSON.stringify(PolicyFailures.getAll());
  return { status: Services.policies.status, failures, read: (${READ})(Object.keys(wanted)) };
}`;

const ALL = CATALOGUE.filter(({ appliers }) => appliers.includes('policy')).map(({ preference }) => preference);

let directory: string;
let etc: PrivateEtc;
let firefox: PolicyFirefox | undefined;

const policy = (...words: readonly string[]) => etc.run(process.execPath, COMMAND, 'policy', ...words);
const policiesHash = async () => hashOf(await readFile(etc.policies));

async function start(): Promise<PolicyFirefox> {
  firefox = await startPolicyFirefox(directory, etc.enter);
  return firefox;
}
async function stop(): Promise<void> {
  await firefox?.stop();
  firefox = undefined;
}

const ours = (profile: Profile, status: PolicyStatus, carrier: Carrier = 'none') =>
  mergePolicies(
    FOREIGN,
    policyDocument(profile, { extensionId: EXTENSION_ID, carrier, status, trial: undefined, extensionUrl: undefined }),
    EXTENSION_ID,
  );

const intended = (wanted: Profile['preferences'], status: PolicyStatus) =>
  Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, { value, locked: status === 'locked' }]));

/** Writes the file and has it read; the status is that of nsIEnterprisePolicies, `ACTIVE` = 1. */
async function readBack({ chrome }: PolicyFirefox, text: string, wanted: Profile['preferences']) {
  await writeFile(etc.policies, text);
  return chrome.run<{ status: number; failures: string; read: Record<string, Read> }>(READ_ANEW, wanted);
}

afterEach(stop);

describe.runIf(canMount())('a profile by policy', () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plumbfox-policy-profiles-'));
    etc = await privateEtc(directory, FOREIGN);
  });
  afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));

  test('is in effect after a start, and everything is as before after it was taken back', async () => {
    const before = await policiesHash();
    expect(policy('--profile', 'betterfox', '--status', 'locked', '--install')).toMatchObject({ code: 0, stderr: '' });
    const { chrome } = await start();
    const active = await chrome.run<Record<string, unknown>>('() => Services.policies.getActivePolicies()', null);
    expect(Object.keys(active).toSorted()).toEqual(['3rdparty', 'DisableTelemetry', 'Preferences']);
    expect(await chrome.run(READ, Object.keys(BETTERFOX.preferences))).toEqual(intended(BETTERFOX.preferences, 'locked'));
    expect(await chrome.run(READ, ['browser.tabs.warnOnClose'])).toEqual({ 'browser.tabs.warnOnClose': { value: true, locked: true } });
    const installed = await readFile(etc.policies);
    await everyProfile();
    await anySet();
    await damaged();
    await stop();
    await writeFile(etc.policies, installed);
    expect(policy('--uninstall')).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('to the byte') });
    expect(await policiesHash()).toBe(before);
    countBar(24, 'policies taken back to the byte', 1, 1);
  });

  /** As in one start, since Firefox reads the file anew. */
  async function everyProfile(): Promise<void> {
    const profiles = resolveProfiles(presetNames());
    expect(profiles.length).toBeGreaterThan(25);
    let checked = 0;
    for (const profile of profiles) {
      for (const [status, carrier] of [
        ['default', 'none'],
        ['locked', 'http2'],
      ] as const) {
        const wanted = preferencesFor(profile, carrier);
        const found = await readBack(firefox as PolicyFirefox, ours(profile, status, carrier), wanted);
        expect(found, `${profile.id}, ${status}, ${carrier}`).toEqual({ status: 1, failures: '{}', read: intended(wanted, status) });
        checked += Object.keys(wanted).length;
      }
    }
    // 18 of fennec-18, 7 of connections-sweep, 1 of control and 11 of betterfox, twice; a depth above 1 sets one more over http2.
    expect(checked).toBe(2 * (18 + 7 + 1 + 11) + 18);
    countBar(14, 'preferences read back from Firefox as they were meant', checked, checked);
  }

  async function anySet(): Promise<void> {
    const value = fc
      .constantFrom(...CATALOGUE.filter(({ preference }) => ALL.includes(preference)))
      .chain((knob) => fc.tuple(fc.constant(knob.preference), anyValue(knob)));
    const sets = fc.sample(fc.array(value, { minLength: 1, maxLength: 8 }), { numRuns: FULL ? 100 : 20, seed: 1 });
    let same = 0;
    for (const pairs of sets) {
      const wanted = Object.fromEntries(pairs);
      const profile: Profile = { id: 'any', title: 'any', connections: undefined, depth: 1, preferences: wanted };
      const found = await readBack(firefox as PolicyFirefox, ours(profile, 'default'), wanted);
      expect(found, JSON.stringify(wanted)).toEqual({ status: 1, failures: '{}', read: intended(wanted, 'default') });
      same += 1;
    }
    countBar(15, 'sets that Firefox reads from a policy as they were meant', same, sets.length);
  }

  /** What we refuse: Firefox would drop every policy, somebody else's too, or take one of two. FAILED = 2, INACTIVE = 0. */
  async function damaged(): Promise<void> {
    const whole = ours(BETTERFOX, 'default');
    const status = async (text: string) => (await readBack(firefox as PolicyFirefox, text, {})).status;
    expect(await status(`\uFEFF${whole}`)).toBe(2);
    expect(await status(whole.slice(0, -3))).toBe(2);
    expect(await status('')).toBe(0);
    expect(await status('{"policies": {"DisableTelemetry": true, "DisableTelemetry": false}}')).toBe(1);
    // Cut off, ours never takes effect in part. The last byte is a line end.
    const cuts = whole.length - 1;
    const step = FULL ? 1 : Math.ceil(cuts / 40);
    let [tried, refused] = [0, 0];
    for (let at = 0; at < cuts; at += step, tried += 1) if ((await status(whole.slice(0, at))) !== 1) refused += 1;
    countBar(13, 'cuts that Firefox takes for no policy', refused, tried);
    expect(await status(whole)).toBe(1);
  }

  test('leaves nothing behind in the next start, nor in prefs.js', async () => {
    const { chrome } = await start();
    const found = await chrome.run<Record<string, Read>>(READ, ALL);
    const shipped = Object.fromEntries(CATALOGUE.map(({ preference, defaults }) => [preference, defaults.desktop ?? null]));
    expect(found).toEqual(Object.fromEntries(ALL.map((name) => [name, { value: shipped[name], locked: false }])));
    expect(await chrome.run(READ, Object.keys(SIGNATURES))).toEqual(SIGNATURES);
    await stop();
    const kept = await readFile(join(directory, 'profile', 'prefs.js'), 'utf8');
    expect(ALL.filter((name) => kept.includes(`"${name}"`))).toEqual([]);
    countBar(24, 'preferences as Firefox ships them after a policy', ALL.length, ALL.length);
  });
});

describe.runIf(canMount())('a managed ESR', () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plumbfox-policy-managed-'));
    etc = await privateEtc(directory, FOREIGN);
  });
  afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));

  test('runs the unsigned lab build with its Experiment, and switches profiles of the trial while it runs', async () => {
    const archive = join(directory, 'lab.xpi');
    await cp(resolve('dist/plumbfox-lab.xpi'), archive);
    await chmod(directory, 0o755);
    await writeFile(join(directory, 'trial.json'), '{"candidates": ["c2-d1"], "slots": {"kind": "loads", "perSlot": 1}}');
    const words = ['--trial', join(directory, 'trial.json'), '--extension', archive, '--install', '--yes-unsigned'];
    expect(policy('--profile', 'firefox-default', ...words)).toMatchObject({ code: 0, stderr: expect.stringContaining('signed') });
    // What is installed is a copy: this one may be anything from now on.
    await writeFile(archive, 'not a package any more');
    const other = await installOther();
    const { browser, chrome } = await start();
    expect(await chrome.run(READ, Object.keys(SIGNATURES))).toEqual(switched(false, true));
    const page = await openExtensionPage(
      browser,
      `moz-extension://${await chrome.run<string>(UNTIL_INSTALLED, EXTENSION_ID)}/controls/controls.html`,
    );
    const ask = async <T>(request: object) => (await page.evaluate(SEND, JSON.stringify(request))) as { readonly value: T };
    const current = async () => (await ask<TrialFacts>({ kind: 'trial-state' })).value.current;
    await expect.poll(async () => (await current())?.arms.map(({ profileId }) => profileId)).toEqual(['firefox-default', 'c2-d1']);
    await ask({ kind: 'set-quiet', quietMs: 100 });
    const server = await startTestServer(imagePage(1));
    try {
      const held = () => chrome.run<Record<string, Read>>(READ, [PER_SERVER]);
      const values = new Set<unknown>([(await held())[PER_SERVER]?.value]);
      const tab = await browser.newPage();
      // Two loads to a slot, the first of which does not count; both profiles have had their turn after two slots.
      for (let load = 1; load <= 8 && values.size < 2; load += 1) {
        await tab.goto(`${server.origin}/page?${load}`);
        await expect.poll(async () => (await ask<readonly unknown[]>({ kind: 'loads-after' })).value.length).toBe(load);
        await expect.poll(async () => (await current())?.now.state).toBe('in-effect');
        values.add((await held())[PER_SERVER]?.value);
      }
      expect(values).toEqual(new Set([6, 2]));
      await ask({ kind: 'stop-trial' });
      await expect.poll(held).toEqual({ [PER_SERVER]: { value: 6, locked: false } });
    } finally {
      await server.close();
    }
    expect(await chrome.run(ADDONS, [EXTENSION_ID, OTHER])).toEqual([true, true]);
    await stop();
    expect(policy('--uninstall').code).toBe(0);
    expect(await readFile(etc.policies, 'utf8')).toBe(FOREIGN);
    const after = await start();
    const asBefore = await after.chrome.run(READ, Object.keys(SIGNATURES));
    expect(asBefore).toEqual(SIGNATURES);
    // Firefox looks at signatures again once a day (measured with ESR 153); it removes neither.
    expect(await after.chrome.run(ADDONS, [EXTENSION_ID, OTHER])).toEqual([true, true]);
    await after.chrome.run(DAILY_CHECK, null);
    expect(await after.chrome.run(ADDONS, [EXTENSION_ID, OTHER])).toEqual([false, false]);
    expect(await readFile(other.path)).toEqual(other.bytes);
    await stop();
    expect(await readFile(join(directory, 'profile', 'prefs.js'), 'utf8')).not.toMatch(/xpinstall\.signatures|experiments\.enabled/);
    countBar(24, 'policies taken back to the byte', 1, 1);
  });

  /** Somebody's own add-on, in the profile before the policy came. */
  async function installOther(): Promise<{ path: string; bytes: Buffer }> {
    const extensions = join(directory, 'profile', 'extensions');
    await mkdir(extensions, { recursive: true });
    const manifest = { manifest_version: 2, name: 'Other', version: '1', browser_specific_settings: { gecko: { id: OTHER } } };
    const path = join(extensions, `${OTHER}.xpi`);
    const bytes = deterministicZip(new Map([['manifest.json', Buffer.from(JSON.stringify(manifest))]]));
    await writeFile(path, bytes);
    return { path, bytes };
  }
});

/** As ESR 153 ships them: what lets the lab build run, before and after. */
const switched = (required: boolean, experiments: boolean): Record<string, Read> => ({
  'xpinstall.signatures.required': { value: required, locked: false },
  'extensions.experiments.enabled': { value: experiments, locked: false },
});
const SIGNATURES = switched(true, false);
const OTHER = 'other@example.org';

/** Runs in Firefox: what its timer `xpi-signature-verification` does, every 86,400 s (XPIDatabase.sys.mjs). */
const DAILY_CHECK = `async () => {
  const { XPIExports } = ChromeUtils.importESModule('resource://gre/modules/addons/XPIExports.sys.mjs');
  await XPIExports.XPIDatabase.verifySignatures();
}`;

/** Runs in Firefox: whether each add-on runs; `null`: it is not installed. */
const ADDONS = `async (ids) => {
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  const found = await AddonManager.getAddonsByIDs(ids);
  return found.map((addon) => addon && addon.isActive);
}`;

/** Runs in a page of the extension. */
const SEND = (text: string) =>
  (globalThis as unknown as { browser: { runtime: { sendMessage(message: unknown): Promise<unknown> } } }).browser.runtime.sendMessage(
    JSON.parse(text),
  );

/** Runs in Firefox: the extension's host name, when it runs. */
const UNTIL_INSTALLED = `async (id) => {
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  for (;;) {
    const addon = await AddonManager.getAddonByID(id);
    const policy = WebExtensionPolicy.getByID(id);
    if (addon?.isActive && policy?.active) return policy.mozExtensionHostname;
    await new Promise((done) => setTimeout(done, 50));
  }
}`;
