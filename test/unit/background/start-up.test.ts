/** What fails when Firefox or the event page starts is kept until it succeeds, and nothing else ends it. */
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from '../../support/fake-browser.ts';

const browser = fakeBrowser();
const { failing, failed } = vi.hoisted(() => {
  const reasons: Record<string, string> = {};
  const fail = (part: string) => async () => {
    const why = reasons[part];
    if (why !== undefined) throw new Error(why);
  };
  return { failing: reasons, failed: fail };
});

vi.mock('../../../src/adapters/browser.ts', () => ({ browser }));
vi.mock('../../../src/background/profile-switch.ts', () => ({ dropLeftoverRoute: failed('route'), notePolicy: failed('policy') }));
vi.mock('../../../src/background/gateway.ts', () => ({ settleGateway: failed('gateway') }));
vi.mock('../../../src/background/manual-profile.ts', () => ({ settleByHand: failed('byHand') }));
vi.mock('../../../src/background/start-up.ts', () => ({ beginManagedTrial: failed('managedTrial') }));
vi.mock('../../../src/background/helper-health.ts', () => ({ awaitHealth: failed('helper') }));
const followed = vi.hoisted(() => ({ times: 0 }));
vi.mock('../../../src/background/trial-runner.ts', () => ({
  followTrial: async () => {
    followed.times++;
  },
}));
const { onFirefoxStart, onWake } = await import('../../../src/background/start-up.ts');
const { startFailures } = await import('../../../src/adapters/failure-notes.ts');

beforeEach(() => {
  for (const part of Object.keys(failing)) delete failing[part];
  browser.storage.session.held.clear();
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
