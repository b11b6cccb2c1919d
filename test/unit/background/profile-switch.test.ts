/** Profiles while Firefox runs: what one leaves behind for the next; and what the history says after the extension was disabled. */

import { beforeEach, expect, test } from 'vitest';
import type { NetworkPreferences } from '../../../src/adapters/applier-experiment-api.ts';
import { createProfileSwitch } from '../../../src/background/profile-switch.ts';
import type { InEffectSince } from '../../../src/core/measure/page-load.ts';
import type { AppliedProfile } from '../../../src/core/profiles/profile.ts';
import { FOUR, PER_SERVER } from '../../support/applied-live.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { FakePreferences } from '../../support/fake-preferences.ts';

const POLICY: AppliedProfile = { ...FOUR, profileId: 'c8-d1', applier: 'policy' };

const held = {
  history: [] as readonly InEffectSince[],
  port: undefined as NetworkPreferences | undefined,
  fresh: [] as unknown[],
};
const browser = useBrowser(fakeBrowser());
const { applyProfile, noteReverted } = createProfileSwitch({
  stores: fakeStores({
    inEffectHistory: async () => held.history,
    noteInEffect: async (applied) => void held.fresh.push(applied),
  }),
  networkPreferences: () => held.port,
});

const history = (...applied: readonly (AppliedProfile | null)[]): InEffectSince[] => applied.map((one, since) => ({ since, applied: one }));
const preferences = new FakePreferences();
const port = preferences.asNetworkPreferences();

beforeEach(async () => {
  browser.storage.managed.held.clear();
  Object.assign(held, { history: history(null, FOUR), port, fresh: [] });
  await port.restore(await port.journal());
});

test('what is no longer kept is no longer in effect', async () => {
  await noteReverted();
  expect(held.fresh).toEqual([null]);
});

test('where a policy names a profile, that is in effect again', async () => {
  browser.storage.managed.held.set('profile', POLICY.profileId);
  await noteReverted();
  expect(held.fresh).toMatchObject([{ profileId: POLICY.profileId, applier: 'policy' }]);
});

test('what is kept is in effect', async () => {
  await port.set({ [PER_SERVER]: 4 });
  await noteReverted();
  expect(held.fresh).toEqual([]);
});

test.each([
  ['nothing', null],
  ['what somebody else has put in effect', POLICY],
  ['a profile that sets nothing', { ...FOUR, profileId: 'firefox-default', intended: {} }],
])('%s is not ended by it', async (_, newest) => {
  held.history = history(FOUR, newest);
  await noteReverted();
  expect(held.fresh).toEqual([]);
});

test('without the Experiment API nothing can be said', async () => {
  held.port = undefined;
  await noteReverted();
  expect(held.fresh).toEqual([]);
});

test('what the profile before has left is cleared where another has its turn, and stays where the same goes on', async () => {
  const profile = { id: FOUR.profileId, title: '', connections: 4, depth: 1, preferences: { [PER_SERVER]: 4 } };
  await applyProfile(profile, undefined, ['alt-svc']);
  expect(preferences.cleared).toEqual([]);
  await applyProfile({ ...profile, id: 'c4-d1-again' }, undefined, ['alt-svc']);
  expect(preferences.cleared).toEqual([['alt-svc']]);
  await applyProfile({ ...profile, id: 'c4-d1-again' }, undefined);
  expect(preferences.cleared).toHaveLength(1);
});
