/** What fails when Firefox or the event page starts is kept until it succeeds, and nothing else ends it. */
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from '../../support/fake-browser.ts';

const browser = fakeBrowser();
const failing = vi.hoisted(() => ({ route: false, policy: false, helper: false }));

vi.mock('../../../src/adapters/browser.ts', () => ({ browser }));
vi.mock('../../../src/background/profile-switch.ts', () => ({
  dropLeftoverRoute: async () => {
    if (failing.route) throw new Error('the journal cannot be read');
  },
  notePolicy: async () => {
    if (failing.policy) throw new Error('the policy names no profile');
  },
}));
vi.mock('../../../src/background/gateway-course.ts', () => ({ settleGateway: async () => {} }));
vi.mock('../../../src/background/by-hand.ts', () => ({ settleByHand: async () => {} }));
vi.mock('../../../src/background/helper-health.ts', () => ({
  awaitHealth: async () => {
    if (failing.helper) throw new Error('the store cannot be read');
  },
}));
const followed = vi.hoisted(() => ({ times: 0 }));
vi.mock('../../../src/background/trial-course.ts', () => ({
  followTrial: async () => {
    followed.times++;
  },
}));
const { onFirefoxStart, onWake } = await import('../../../src/background/start-up.ts');
const { readRunState } = await import('../../../src/adapters/run-state.ts');

beforeEach(() => {
  Object.assign(failing, { route: false, policy: false, helper: false });
  browser.storage.session.held.clear();
});

test('a route that could not be dropped stays told, although the policy is read at every start of the event page', async () => {
  failing.route = true;
  await Promise.all([onFirefoxStart(), onWake()]);
  await onWake();
  expect(await readRunState()).toEqual({ routeFailure: 'the journal cannot be read' });
});

test('a policy that could not be read is told until it can be', async () => {
  failing.policy = true;
  await onWake();
  expect(await readRunState()).toEqual({ policyFailure: 'the policy names no profile' });
  failing.policy = false;
  await onWake();
  expect(await readRunState()).toEqual({});
});

test('what the helper has put in effect and could not be noted is told until it can be', async () => {
  failing.helper = true;
  await onWake();
  expect(await readRunState()).toEqual({ helperFailure: 'the store cannot be read' });
  failing.helper = false;
  await onWake();
  expect(await readRunState()).toEqual({});
});

test('a trial goes on when the event page wakes, whatever else fails', async () => {
  Object.assign(failing, { route: true, policy: true, helper: true });
  followed.times = 0;
  await Promise.all([onFirefoxStart(), onWake()]);
  expect(followed.times).toBe(2);
});
