/** What a person puts in effect while Firefox runs: who has the preferences in hand, and what is known after Firefox ended in the middle. */

import { beforeEach, describe, expect, test } from 'vitest';
import type { NetworkPreferences } from '../../../src/adapters/applier-experiment-api.ts';
import { createLiveApply } from '../../../src/background/live-apply.ts';
import { createProfileSwitch } from '../../../src/background/profile-switch.ts';
import type { InEffectSince } from '../../../src/core/measure/page-load.ts';
import { createMutex } from '../../../src/core/mutex.ts';
import type { AppliedProfile } from '../../../src/core/profiles/profile.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';
import { FOUR, PER_SERVER } from '../../support/applied-live.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const GATEWAY: AppliedProfile = { ...FOUR, profileId: 'c4-d6', applier: 'gateway', carrier: 'gateway', intended: {} };

const held = {
  history: [] as InEffectSince[],
  journal: [] as string[],
  trial: undefined as unknown,
  storeFailure: undefined as Error | undefined,
  perServer: 4,
  hasApi: true,
  switched: [] as string[],
};
const stored = <T>(value: T): T => {
  if (held.storeFailure) throw held.storeFailure;
  return value;
};

const preferences = () =>
  held.hasApi
    ? ({
        journal: async () => held.journal,
        readBack: async (names) =>
          names.map((preference) => ({ preference, value: held.perServer, type: 'integer', locked: false, userSet: true })),
      } as Partial<NetworkPreferences> as NetworkPreferences)
    : undefined;
const { holder, liveFacts } = createProfileSwitch({
  stores: fakeStores({ inEffectHistory: async () => stored(held.history), newestTrial: async () => stored(held.trial) as TrialRecord }),
  networkPreferences: preferences,
});
const { applyLive, revertLive } = createLiveApply({
  profileSwitch: {
    holder,
    liveFacts,
    applyProfile: async ({ id }) => {
      held.switched.push(id);
      return FOUR;
    },
    revertProfile: async () => {
      held.switched.push('back');
      return { restored: [PER_SERVER], leftAlone: [] };
    },
  },
  trialRunner: { runExclusive: createMutex() },
});

const history = (...applied: readonly (AppliedProfile | null)[]): InEffectSince[] =>
  applied.map((one, at) => ({ since: at, applied: one }));
const trial = (status: string, applied: boolean) => ({ progress: { status, applied } });

beforeEach(() => {
  useBrowser(fakeBrowser());
  Object.assign(held, { history: [], journal: [], trial: undefined, storeFailure: undefined, perServer: 4, hasApi: true, switched: [] });
});

describe('what is in effect', () => {
  test('is nothing to be told where there is no Experiment API', async () => {
    held.hasApi = false;
    expect(await liveFacts()).toBeUndefined();
  });

  test('the profile, and what Firefox holds of it now', async () => {
    Object.assign(held, { history: history(null, FOUR), journal: [PER_SERVER], perServer: 9 });
    expect(await liveFacts()).toEqual({
      applied: { profileId: 'c4-d1', preferences: [{ name: PER_SERVER, intended: 4, found: 9, locked: false }], since: 1 },
      canRevert: true,
    });
  });

  test.each<AppliedProfile['applier']>(['policy', 'helper', 'driver', 'manual'])('not what came by %s', async (applier) => {
    held.history = history({ ...FOUR, applier });
    expect(await liveFacts()).toEqual({ canRevert: false });
  });

  test('with Firefox killed between the preferences and the note, it can be taken back', async () => {
    Object.assign(held, { history: history(null), journal: [PER_SERVER] });
    expect(await liveFacts()).toEqual({ canRevert: true });
  });

  test('a gateway over it does not end it', async () => {
    Object.assign(held, { history: history(FOUR, GATEWAY), journal: [PER_SERVER] });
    expect(await liveFacts()).toMatchObject({ applied: { profileId: 'c4-d1', since: 0 }, heldBy: 'gateway' });
  });

  test('a store that cannot be read is no failure of its own: what was set can be taken back', async () => {
    Object.assign(held, { journal: [PER_SERVER], storeFailure: new DOMException('full', 'QuotaExceededError') });
    expect(await liveFacts()).toEqual({ canRevert: true });
  });
});

describe('who has the preferences in hand', () => {
  test.each([
    [trial('planned', false), 'trial'],
    [trial('running', true), 'trial'],
    [trial('paused', false), 'trial'],
    [trial('ended', true), 'trial-restoring'],
    [trial('ended', false), undefined],
  ])('%j: %s', async (newest, heldBy) => {
    held.trial = newest;
    expect((await liveFacts())?.heldBy).toBe(heldBy);
    if (heldBy === undefined) return;
    await expect(applyLive('c8-d1')).rejects.toMatchObject({ kind: 'bad-input', message: expect.stringContaining('a trial') });
    await expect(revertLive()).rejects.toMatchObject({ kind: 'bad-input' });
    expect(held.switched).toEqual([]);
  });

  test('a trial that cannot be read may be under way', async () => {
    held.storeFailure = new TypeError('not a trial');
    expect(await holder()).toBe('trial');
  });

  test('the gateway', async () => {
    held.history = history(GATEWAY);
    await expect(applyLive('c8-d1')).rejects.toMatchObject({ message: expect.stringContaining('switch it off first') });
    expect(held.switched).toEqual([]);
  });

  test('nobody: it is applied, and taken back', async () => {
    await applyLive('c8-d1');
    expect(await revertLive()).toEqual({ restored: [PER_SERVER], leftAlone: [], live: { canRevert: false } });
    expect(held.switched).toEqual(['c8-d1', 'back']);
    await expect(applyLive('no-such')).rejects.toMatchObject({ kind: 'bad-input', message: 'There is no profile no-such' });
  });
});
