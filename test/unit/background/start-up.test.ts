/** What fails when Firefox or the event page starts is kept until it succeeds, and nothing else ends it. */

import { beforeEach, expect, test } from 'vitest';
import { startFailures } from '../../../src/adapters/failure-notes.ts';
import { createStartUp } from '../../../src/background/start-up.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const browser = useBrowser(fakeBrowser());
const failing: Record<string, string> = {};
const failed = (part: string) => async () => {
  const why = failing[part];
  if (why !== undefined) throw new Error(why);
};
const followed = { times: 0 };
const { onFirefoxStart, onWake } = createStartUp({
  stores: fakeStores({
    // A policy defines a trial.
    hasTrial: async () => {
      await failed('managedTrial')();
      return true;
    },
  }),
  gateway: { settleGateway: failed('gateway') },
  helperHealth: {
    awaitHealth: async () => {
      await failed('helper')();
      return { awaitsConfirmation: false };
    },
  },
  leftPages: { lookForLeftPages: () => undefined, recordLeftPages: async () => ({ areLeft: false }) },
  manualProfile: { settleManual: failed('byHand') },
  profileSwitch: { dropLeftoverRoute: failed('route'), notePolicy: failed('policy') },
  trialControl: { startTrial: async () => undefined },
  trialRunner: {
    advanceTrial: async () => {
      followed.times++;
    },
  },
});

beforeEach(async () => {
  await browser.storage.managed.set({ profile: 'firefox-default', trial: { id: 'policy-1', candidates: ['c4-d1'] } });
  for (const part of Object.keys(failing)) delete failing[part];
  browser.storage.session.held.clear();
});

// Comes first: the event page remembers it.
test('the first event page of a run of Firefox sets when it began', async () => {
  await onWake();
  expect(browser.storage.session.held.get('browserSession')).toMatchObject({ since: performance.timeOrigin });
});

test('a route that could not be dropped stays told, although the rest is looked after at every start of the event page', async () => {
  failing.route = 'the journal cannot be read';
  await Promise.all([onFirefoxStart(), onWake()]);
  await onWake();
  expect(await startFailures()).toEqual([{ part: 'route', why: 'the journal cannot be read' }]);
});

test.each(['gateway', 'byHand', 'policy', 'managedTrial', 'helper'])(
  'what failed of %s is told under its own name until it succeeds',
  async (part) => {
    failing[part] = 'the store cannot be read';
    await onWake();
    expect(await startFailures()).toEqual([{ part, why: 'the store cannot be read' }]);
    delete failing[part];
    await onWake();
    expect(await startFailures()).toEqual([]);
  },
);

test('one that fails keeps none of the others from being looked after; a policy that cannot be read is told once', async () => {
  Object.assign(failing, { gateway: 'g', byHand: 'b', policy: 'p', managedTrial: 'p', helper: 'h' });
  await onWake();
  expect((await startFailures()).map(({ part, why }) => `${part}: ${why}`)).toEqual(['gateway: g', 'byHand: b', 'policy: p', 'helper: h']);
});

test('a trial goes on when the event page wakes, whatever else fails', async () => {
  Object.assign(failing, { route: 'r', policy: 'p', helper: 'h' });
  followed.times = 0;
  await Promise.all([onFirefoxStart(), onWake()]);
  expect(followed.times).toBe(2);
});
