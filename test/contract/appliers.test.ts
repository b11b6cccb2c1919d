import { describe, expect, test } from 'vitest';
import { findProfile } from '../../src/core/profiles/presets.ts';
import type { Applier, Profile } from '../../src/core/profiles/profile.ts';
import type { HelperRequest } from '../../src/protocol/helper-messages.ts';
import { type ApplierHarness, applierContract } from '../support/applier-contract.ts';
import { useBrowser } from '../support/browser-global.ts';
import { fakeApplier } from '../support/fake-applier.ts';
import { fakeBrowser } from '../support/fake-browser.ts';
import { answered, FakeHost, HELLO, NOTHING_APPLIED, statusOf } from '../support/fake-helper.ts';
import { FakePreferences } from '../support/fake-preferences.ts';

const { helperApplier } = await import('../../src/adapters/applier-helper.ts');
const { withHelper } = await import('../../src/adapters/native-helper.ts');
const { experimentApiApplier } = await import('../../src/adapters/applier-experiment-api.ts');

function around(preferences: FakePreferences): Omit<ApplierHarness, 'applier'> {
  return {
    effective: async (name) => preferences.effective(name),
    hasUserValue: async (name) => preferences.hasUserValue(name),
    setByUser: async (name, value) => preferences.setUser(name, value),
    setLocked: async (name, locked) => preferences.setLocked(name, locked),
  };
}

applierContract(
  'the fake',
  async () => {
    const preferences = new FakePreferences();
    return { ...around(preferences), applier: fakeApplier(preferences) };
  },
  { live: true },
);

applierContract(
  'experiment-api, over preferences in memory',
  async () => {
    useBrowser(fakeBrowser());
    const preferences = new FakePreferences();
    return { ...around(preferences), applier: experimentApiApplier(preferences.asNetworkPreferences()) };
  },
  { live: true },
);

/** A helper that writes what is in effect from the next start on, and a browser that can be started anew. */
function helperAndBrowser() {
  const preferences = new FakePreferences();
  let written: string | undefined;
  let isRead = true;
  const status = () => (written === undefined ? NOTHING_APPLIED : statusOf(written, { restartNeeded: !isRead }));
  const host = new FakeHost((request: HelperRequest) => {
    const before = written;
    if (request.op === 'hello') return answered(request, HELLO);
    if (request.op !== 'apply' && request.op !== 'revert') return answered(request, status());
    written = request.op === 'apply' ? request.profileId : undefined;
    isRead = false;
    const restored = Object.keys(findProfile(before ?? '')?.preferences ?? {});
    return answered(request, request.op === 'apply' ? status() : { restored, leftAlone: [], status: status() });
  });
  useBrowser({ runtime: { connectNative: () => host.connect() } });
  const start = () => {
    for (const [name, value] of Object.entries(findProfile(written ?? '')?.preferences ?? {})) preferences.setUser(name, value);
    isRead = true;
  };
  return { preferences, host, start };
}

const FOUR = findProfile('c4-d1') as Profile;

applierContract(
  'helper, over a host in memory',
  async () => {
    const { preferences, start } = helperAndBrowser();
    const applier = helperApplier({ connect: withHelper, preferences: preferences.asNetworkPreferences() });
    // In effect from the next start on.
    const apply: Applier['apply'] = async (profile, options) => {
      await applier.apply(profile, options);
      start();
      return applier.apply(profile, options);
    };
    return { ...around(preferences), applier: { ...applier, apply } };
  },
  { live: false, profile: FOUR },
);

describe('applier: helper', () => {
  test('before the next start of Firefox nothing is in effect', async () => {
    const { start } = helperAndBrowser();
    const applier = helperApplier({ connect: withHelper, preferences: undefined });
    expect((await applier.apply(FOUR)).mismatches).toEqual(Object.keys(FOUR.preferences));
    start();
    expect((await applier.apply(FOUR)).mismatches).toEqual([]);
  });

  test('what is in effect already is not written again', async () => {
    const { host, start } = helperAndBrowser();
    const applier = helperApplier({ connect: withHelper, preferences: undefined });
    await applier.apply(FOUR);
    start();
    await applier.apply(FOUR);
    expect(host.heard.filter(({ op }) => op === 'apply')).toHaveLength(1);
  });

  test('sends the name of a profile and nothing of what is in it', async () => {
    const { host } = helperAndBrowser();
    const applier = helperApplier({ connect: withHelper, preferences: undefined });
    await applier.apply(FOUR);
    await applier.readBack();
    await applier.revert();
    for (const { op, nonce, version, ...rest } of host.heard) {
      expect([typeof op, typeof nonce, version]).toEqual(['string', 'string', 1]);
      expect(rest).toEqual(op === 'apply' ? { profileId: 'c4-d1' } : {});
    }
  });

  test.each([
    ['a profile that is not of the catalogue', { ...FOUR, id: 'mine' }],
    ['one that only has the name of one', { ...FOUR, preferences: { ...FOUR.preferences, 'network.dnsCacheExpiration': 90 } }],
  ])('refuses %s, and asks nobody', async (_, profile) => {
    const { host } = helperAndBrowser();
    const applier = helperApplier({ connect: withHelper, preferences: undefined });
    await expect(applier.apply(profile)).rejects.toMatchObject({ kind: 'bad-input' });
    expect(host.heard).toEqual([]);
  });

  test('refuses a route: it would outlive the gateway', async () => {
    const { host } = helperAndBrowser();
    const applier = helperApplier({ connect: withHelper, preferences: undefined });
    const route = { host: '127.0.0.1', port: 1, secret: 'secret-secret-secret' } as const;
    await expect(applier.apply(FOUR, { route })).rejects.toMatchObject({ kind: 'bad-input' });
    expect(host.heard).toEqual([]);
  });
});
