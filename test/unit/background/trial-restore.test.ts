/** The profile that a person has applied for daily use makes way for a trial, and is applied again when that pauses or ends. */

import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { NetworkPreferences } from '../../../src/adapters/applier-experiment-api.ts';
import { createBackground } from '../../../src/background/create-background.ts';
import type { InEffectSince } from '../../../src/core/measure/page-load.ts';
import { findProfile } from '../../../src/core/profiles/presets.ts';
import type { AppliedProfile, Profile } from '../../../src/core/profiles/profile.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';
import { FakePreferences } from '../../support/fake-preferences.ts';

const PER_SERVER = 'network.http.max-persistent-connections-per-server';
const TRIAL = { candidates: ['c8-d1'], slots: { kind: 'loads' as const, perSlot: 2 } };
const AT = 1_800_000_000_000;

const held = {
  preferences: undefined as NetworkPreferences | undefined,
  history: [] as InEffectSince[],
  trial: undefined as TrialRecord | undefined,
  addFails: false,
};
const deps = {
  stores: fakeStores({
    inEffectHistory: async () => held.history,
    noteInEffect: async (applied, since) => void held.history.push({ since, applied }),
    newestTrial: async () => held.trial,
    addTrial: async (trial) => {
      if (held.addFails) throw new DOMException('full', 'QuotaExceededError');
      held.trial = { ...trial, toldUntil: 0 };
    },
    deleteTrials: async () => {
      held.trial = undefined;
    },
    changeTrial: async ({ step }) => {
      held.trial = held.trial && step(held.trial, { began: [], settled: [] }).trial;
      return held.trial;
    },
  }),
  networkPreferences: () => held.preferences,
};
const background = createBackground(deps);
const { applyProfile } = background.profileSwitch;
const { formerProfile } = background.trialRestore;
const { endTrial, forgetTrials, pauseTrial, resumeTrial, startTrial } = background.trialControl;

let preferences: FakePreferences;
const trial = () => held.trial as TrialRecord;
const perServer = () => preferences.effective(PER_SERVER);
const inEffect = (): AppliedProfile | null | undefined => held.history.at(-1)?.applied;
const profile = (id: string) => findProfile(id) as Profile;
let clock = AT;
/** Of two things at the same moment the later one would be taken for heard of already. */
const next = async (work: () => Promise<unknown>) => {
  clock += 1_000;
  vi.setSystemTime(clock);
  await work();
};

beforeEach(() => {
  vi.useFakeTimers({ now: clock, toFake: ['Date'] });
  preferences = new FakePreferences();
  const browser = fakeBrowser();
  browser.storage.session.held.set('browserSession', { id: 's-1', since: 1_799_999_999_000 });
  useBrowser(browser);
  Object.assign(held, { preferences: preferences.asNetworkPreferences(), history: [], trial: undefined, addFails: false });
  return () => vi.useRealTimers();
});

describe('while Firefox runs', () => {
  beforeEach(async () => {
    await applyProfile(profile('c4-d1'), undefined);
    expect([perServer(), await formerProfile()]).toEqual([4, { profileId: 'c4-d1', by: 'live' }]);
    await next(() => startTrial(TRIAL));
    expect(trial().before[PER_SERVER]).toBe(6);
    expect(inEffect()?.profileId).toBe(trial().progress.current.profileId);
  });

  test('it is in effect again when the trial is stopped', async () => {
    await next(endTrial);
    expect([perServer(), inEffect()?.profileId]).toEqual([4, 'c4-d1']);
    expect(trial()).toMatchObject({ progress: { status: 'ended', applied: false }, former: { profileId: 'c4-d1', by: 'live' } });
    expect(trial().former).not.toHaveProperty('notAgain');
  });

  test('it is in effect while the trial is paused, which goes on from there, and leaves nothing of its own in the end', async () => {
    await next(pauseTrial);
    expect([perServer(), inEffect()?.profileId]).toEqual([4, 'c4-d1']);
    await next(resumeTrial);
    expect([perServer(), inEffect()?.profileId]).toEqual(
      trial().progress.current.profileId === 'c8-d1' ? [8, 'c8-d1'] : [6, 'firefox-default'],
    );
    await next(endTrial);
    expect(perServer()).toBe(4);
  });

  test('what somebody else has set meanwhile is left alone, and it is told why it is not in effect', async () => {
    preferences.setUser(PER_SERVER, 12);
    await next(endTrial);
    expect([perServer(), inEffect()]).toEqual([12, null]);
    expect(trial().former?.notAgain).toContain(`${PER_SERVER} was 6 and is 12 now`);
  });

  test('what has been locked meanwhile is told', async () => {
    preferences.setLocked(PER_SERVER, true);
    await next(endTrial);
    expect(trial().progress.applied).toBe(false);
    expect(trial().former?.notAgain).toContain('locked');
  });

  test('it is in effect again when everything is deleted in the middle', async () => {
    expect(await forgetTrials()).toBeUndefined();
    expect([held.trial, perServer(), inEffect()?.profileId]).toEqual([undefined, 4, 'c4-d1']);
  });

  test('what is deleted and cannot be put back is told', async () => {
    preferences.setUser(PER_SERVER, 12);
    expect(await forgetTrials()).toContain('c4-d1 could not be applied again');
    expect(held.trial).toBeUndefined();
  });
});

test('a trial that is refused leaves it in effect', async () => {
  await applyProfile(profile('c4-d1'), undefined);
  preferences.setLocked('network.http.max-persistent-connections-per-proxy', true);
  await expect(startTrial({ ...TRIAL, candidates: ['no-such'] })).rejects.toThrow('There is no profile');
  held.addFails = true;
  await expect(startTrial(TRIAL)).rejects.toThrow('full');
  expect([perServer(), inEffect()?.profileId]).toEqual([4, 'c4-d1']);
});

test('a trial that found nothing applied leaves nothing applied', async () => {
  await next(() => startTrial(TRIAL));
  await next(endTrial);
  expect([perServer(), inEffect()]).toEqual([6, null]);
  expect(trial()).not.toHaveProperty('former');
});
