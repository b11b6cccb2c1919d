/** The extension was disabled while a profile was applied: the privileged script has put everything back, and the history is told so. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { InEffectSince } from '../../../src/core/measure/applied-during.ts';
import type { AppliedProfile } from '../../../src/core/profiles/profile.ts';
import { FOUR, PER_SERVER } from '../../support/applied-live.ts';
import { FakePreferences } from '../../support/fake-preferences.ts';

const POLICY: AppliedProfile = { ...FOUR, profileId: 'c8-d1', applier: 'policy' };

const held = vi.hoisted(() => ({
  history: [] as unknown[],
  port: undefined as unknown,
  byPolicy: undefined as unknown,
  fresh: [] as unknown[],
}));
vi.mock('../../../src/adapters/applied-store.ts', () => ({
  inEffectHistory: async () => held.history,
  noteInEffect: async (applied: unknown) => void held.fresh.push(applied),
}));
vi.mock('../../../src/adapters/network-preferences.ts', () => ({ networkPreferences: () => held.port }));
vi.mock('../../../src/adapters/applier-policy.ts', () => ({ appliedByPolicy: async () => held.byPolicy }));
vi.mock('../../../src/adapters/run-state.ts', () => ({}));
const { noteTakenBack } = await import('../../../src/background/profile-switch.ts');

const history = (...applied: readonly (AppliedProfile | null)[]): InEffectSince[] => applied.map((one, since) => ({ since, applied: one }));
const port = new FakePreferences().asNetworkPreferences();

beforeEach(async () => {
  Object.assign(held, { history: history(null, FOUR), port, byPolicy: undefined, fresh: [] });
  await port.restore(await port.journal());
});

test('what is no longer kept is no longer in effect', async () => {
  await noteTakenBack();
  expect(held.fresh).toEqual([null]);
});

test('where a policy names a profile, that is in effect again', async () => {
  held.byPolicy = POLICY;
  await noteTakenBack();
  expect(held.fresh).toEqual([POLICY]);
});

test('what is kept is in effect', async () => {
  await port.set({ [PER_SERVER]: 4 });
  await noteTakenBack();
  expect(held.fresh).toEqual([]);
});

test.each([
  ['nothing', null],
  ['what somebody else has put in effect', POLICY],
  ['a profile that sets nothing', { ...FOUR, profileId: 'firefox-default', intended: {} }],
])('%s is not ended by it', async (_, newest) => {
  held.history = history(FOUR, newest);
  await noteTakenBack();
  expect(held.fresh).toEqual([]);
});

test('without the Experiment API nothing can be said', async () => {
  held.port = undefined;
  await noteTakenBack();
  expect(held.fresh).toEqual([]);
});
