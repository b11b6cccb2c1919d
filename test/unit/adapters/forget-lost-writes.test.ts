/** Preferences that were set and never reached the disk are nobody's change; anything else that is not as it was set is. */

import { beforeEach, describe, expect, test } from 'vitest';
import { experimentApiApplier } from '../../../src/adapters/applier-experiment-api.ts';
import { PreferenceRefused } from '../../../src/core/errors.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import type { Profile } from '../../../src/core/profiles/profile.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { FakePreferences } from '../../support/fake-preferences.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const EIGHT = findProfile('c8-d1') as Profile;

let preferences: FakePreferences;
const port = () => preferences.asNetworkPreferences();
const applyAgain = () => experimentApiApplier(port()).apply(EIGHT);

beforeEach(() => {
  useBrowser(fakeBrowser());
  preferences = new FakePreferences();
});

describe.each([
  ['none', undefined],
  ['a value of the person’s own', 11],
] as const)('where there was %s before', (_, own) => {
  beforeEach(async () => {
    preferences.setUser(PER_SERVER, own);
    await applyAgain();
  });

  test('a lost write is forgotten: the profile can be applied again, and reverting gives back what was there', async () => {
    preferences.setUser(PER_SERVER, own);
    await expect(applyAgain()).rejects.toBeInstanceOf(PreferenceRefused);
    await port().forgetLost();
    expect((await applyAgain()).mismatches).toEqual([]);
    expect((await experimentApiApplier(port()).revert()).restored).toEqual([PER_SERVER]);
    expect(preferences.hasUserValue(PER_SERVER)).toBe(own !== undefined);
    expect(preferences.effective(PER_SERVER)).toBe(own ?? 6);
  });

  test('what holds is not forgotten', async () => {
    await port().forgetLost();
    expect((await experimentApiApplier(port()).revert()).restored).toEqual([PER_SERVER]);
    expect(preferences.effective(PER_SERVER)).toBe(own ?? 6);
  });

  test('what somebody else has set is not forgotten either: it is still refused', async () => {
    preferences.setUser(PER_SERVER, 13);
    await port().forgetLost();
    await expect(applyAgain()).rejects.toMatchObject({ reason: 'changed-by-someone-else' });
  });
});
