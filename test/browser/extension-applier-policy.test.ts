/** The applier contract over an enterprise policy in a real Firefox ESR, with a private /etc/firefox; and what the recorder makes of a policy. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';
import { policiesJson } from '../../src/core/profiles/policies-json.ts';
import { findProfile } from '../../src/core/profiles/presets.ts';
import type { Profile } from '../../src/core/profiles/profile.ts';
import { type ChromeContext, chromeContext } from '../../src/lab/firefox/chrome-context.ts';
import { EXTENSION_ID } from '../../src/protocol/helper-messages.ts';
import { applierContract } from '../support/applier-contract.ts';
import { openCard } from '../support/card-page.ts';
import { english, englishPattern } from '../support/english.ts';
import { type ExtensionFirefox, startExtensionFirefox } from '../support/extension-firefox.ts';
import { imagePage, startTestServer, type TestServer } from '../support/extension-server.ts';
import { pageApplier } from '../support/page-applier.ts';
import { canMount, privatePolicy } from '../support/private-policy.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const preset = (id: string): Profile => {
  const profile = findProfile(id);
  if (profile === undefined) throw new Error(`There is no profile ${id}`);
  return profile;
};
const FOUR = preset('c4-d1');
/** By an administrator, beside the profile. */
const LOCKED = { 'network.dnsCacheExpiration': { Value: 45, Type: 'number', Status: 'locked' } } as const;

let directory: string;
let firefox: ExtensionFirefox;
let chrome: ChromeContext;
let server: TestServer;

const applier = pageApplier(() => firefox, {
  kind: 'policy',
  module: `import { policyApplier } from './src/adapters/applier-policy.ts';
    import { networkPreferences } from './src/adapters/applier-experiment-api.ts';
    export const applier = policyApplier(networkPreferences());`,
});

describe.runIf(canMount())('with a policy', () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plumbfox-policy-'));
    server = await startTestServer(imagePage(12));
    const policies = policiesJson(FOUR, { extensionId: EXTENSION_ID, carrier: 'none' });
    const { Preferences } = policies.policies;
    const both = { policies: { ...policies.policies, Preferences: { ...Preferences, ...LOCKED } } };
    firefox = await startExtensionFirefox({ command: await privatePolicy(directory, both) });
    chrome = await chromeContext(firefox.browser);
  });

  afterAll(async () => {
    await firefox?.stop();
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  });

  test('the only policies that are active are those of this test', async () => {
    expect(await firefox.ask({ kind: 'browser-facts' })).toMatchObject({ policies: 'active' });
    const active = await chrome.run<Record<string, unknown>>('() => Services.policies.getActivePolicies()', null);
    expect(Object.keys(active).toSorted()).toEqual(['3rdparty', 'Preferences']);
    expect(Object.keys(active.Preferences as object)).toEqual([PER_SERVER, ...Object.keys(LOCKED)]);
  });

  applierContract(
    'policy in Firefox ESR',
    async () => ({
      applier,
      effective: (name) => chrome.run<PreferenceValue>('name => Services.prefs.getIntPref(name)', name),
      hasUserValue: (name) => chrome.run<boolean>('name => Services.prefs.prefHasUserValue(name)', name),
      setByUser: () => Promise.reject(new Error('not for a policy')),
      setLocked: () => Promise.reject(new Error('not for a policy')),
    }),
    { live: false, profile: FOUR },
  );

  test('a profile that the policy does not name is refused with what to do', async () => {
    await expect(applier.apply(preset('c8-d1'))).rejects.toMatchObject({
      kind: 'environment',
      message: expect.stringContaining('the policy names c4-d1'),
    });
  });

  test('a gateway is refused: it would not outlive the policy', async () => {
    const route = { host: '127.0.0.1', port: 1, secret: 'secret-secret-secret' } as const;
    await expect(applier.apply(FOUR, { route })).rejects.toMatchObject({ kind: 'bad-input' });
  });

  test('a load carries the profile of the policy, and the popup shows it, which cannot undo it', async () => {
    await firefox.ask({ kind: 'set-quiet', quietMs: 100 });
    await firefox.page.goto(`${server.origin}/page?policy`);
    await expect.poll(async () => (await firefox.ask({ kind: 'loads-after' })).length).toBe(1);
    const [load] = await firefox.ask({ kind: 'loads-after' });
    expect(load?.applied).toMatchObject({ profileId: 'c4-d1', applier: 'policy', intended: { [PER_SERVER]: 4 }, mismatches: [] });
    expect(await firefox.ask({ kind: 'popup-state' })).toMatchObject({
      active: { profileId: 'c4-d1', appliedBy: 'policy', mismatches: [] },
    });
    const card = await openCard(firefox.browser);
    const since = englishPattern('card.status.since', { time: /\S+/ });
    await card.says('applied', english('card.applied.other', { settings: '4 connections' }), since, english('card.seeApply'));
    await card.close();
  });

  test('what the Experiment API applies on top comes and goes, and the policy is in effect again', async () => {
    await firefox.ask({
      kind: 'apply-profile',
      profile: { id: 'c2-d1', title: 'two', connections: 2, depth: 1, preferences: { [PER_SERVER]: 2 } },
    });
    expect(await firefox.ask({ kind: 'popup-state' })).toMatchObject({ active: { profileId: 'c2-d1', appliedBy: 'experiment-api' } });
    expect(await firefox.ask({ kind: 'revert-profile' })).toEqual({ restored: [PER_SERVER], leftAlone: [] });
    expect(await firefox.ask({ kind: 'popup-state' })).toMatchObject({
      active: { profileId: 'c4-d1', appliedBy: 'policy', mismatches: [] },
    });
  });

  test('a preference that a policy has locked is refused with a clear message, and nothing is changed', async () => {
    const reply = await firefox.askRaw({
      kind: 'apply-profile',
      profile: { id: 'mine', title: 'mine', depth: 1, preferences: { 'network.prefetch-next': false, 'network.dnsCacheExpiration': 90 } },
    });
    expect(reply).toMatchObject({
      ok: false,
      error: {
        kind: 'preference-refused',
        reason: 'locked',
        preference: 'network.dnsCacheExpiration',
        message: expect.stringContaining('lock'),
      },
    });
    expect(await chrome.run<number>('name => Services.prefs.getIntPref(name)', 'network.dnsCacheExpiration')).toBe(45);
    expect(await chrome.run<boolean>('name => Services.prefs.getBoolPref(name)', 'network.prefetch-next')).toBe(true);
  });
});
