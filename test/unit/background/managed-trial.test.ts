/** A trial that a policy defines is begun once, and not into another one. */

import { beforeEach, expect, test, vi } from 'vitest';
import { createBackground } from '../../../src/background/create-background.ts';
import { createStartUp } from '../../../src/background/start-up.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const browser = useBrowser(fakeBrowser());
const store = { ids: [] as string[], newest: undefined as undefined | { progress: { status: string; applied: boolean } } };
const startTrial = vi.fn(async (_wish: unknown, id = '') => void store.ids.push(id));
const deps = {
  stores: fakeStores({ hasTrial: async (id) => store.ids.includes(id), newestTrial: async () => store.newest as TrialRecord | undefined }),
  networkPreferences: () => undefined,
};
const { beginManagedTrial } = createStartUp({ ...deps, ...createBackground(deps), trialControl: { startTrial } });

const TRIAL = { id: 'policy-1', candidates: ['c4-d1'], slots: { kind: 'loads', perSlot: 3 } };
const manage = (held: object) => vi.spyOn(browser.storage.managed, 'get').mockResolvedValue({ ...held });
beforeEach(() => {
  Object.assign(store, { ids: [], newest: undefined });
  startTrial.mockClear();
});

test('once, as it is defined', async () => {
  manage({ profile: 'firefox-default', trial: TRIAL });
  await beginManagedTrial();
  await beginManagedTrial();
  expect(startTrial.mock.calls).toEqual([[{ candidates: ['c4-d1'], slots: { kind: 'loads', perSlot: 3 } }, 'policy-1']]);
});

test('when the one under way has ended and is taken back', async () => {
  manage({ profile: 'firefox-default', trial: TRIAL });
  for (const progress of [
    { status: 'running', applied: true },
    { status: 'ended', applied: true },
  ]) {
    store.newest = { progress };
    await beginManagedTrial();
    expect(startTrial).not.toHaveBeenCalled();
  }
  store.newest = { progress: { status: 'ended', applied: false } };
  await beginManagedTrial();
  expect(startTrial).toHaveBeenCalledOnce();
});

test('none where the policy defines none; what is no trial is refused', async () => {
  manage({ profile: 'c4-d1' });
  await beginManagedTrial();
  expect(startTrial).not.toHaveBeenCalled();
  manage({ profile: 'c4-d1', trial: { ...TRIAL, candidates: [] } });
  await expect(beginManagedTrial()).rejects.toThrow('defines no trial, that can be used');
});
