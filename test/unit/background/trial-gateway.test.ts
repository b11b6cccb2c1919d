/** What the gateway does for a trial: switched, given back, and noticed when it is not as the slot wants it. */

import { beforeEach, expect, test } from 'vitest';
import { createBackground } from '../../../src/background/create-background.ts';
import { createTrialGateway, routeOf, switchedByPerson } from '../../../src/background/trial-gateway.ts';
import { createTrialRestore } from '../../../src/background/trial-restore.ts';
import { createTrialRunner } from '../../../src/background/trial-runner.ts';
import type { ComparedProfile } from '../../../src/core/compare/comparison.ts';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { beginTrial } from '../../../src/core/trial/stretches.ts';
import type { MarkedPageLoad } from '../../../src/core/trial/trial-mark.ts';
import { makeTrialPlan } from '../../../src/core/trial/trial-plan.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const held = { on: undefined as string | undefined, ended: false, refused: false };
const gateway: Parameters<typeof createTrialGateway>[0]['gateway'] = {
  gatewayProfile: () => held.on,
  gatewayHasEnded: () => held.ended,
  switchGatewayOn: async (profileId) => {
    if (held.refused) throw new PlumbfoxError('environment', 'The helper does not answer.');
    held.on = profileId;
    return { state: 'unsupported' };
  },
  switchGatewayOff: async () => {
    held.on = undefined;
    return { state: 'unsupported' };
  },
};
const deps = { stores: fakeStores(), networkPreferences: () => undefined };
const others = { ...deps, ...createBackground(deps) };
const trialGateway = createTrialGateway({ ...others, gateway });
const trialRestore = createTrialRestore({ ...others, trialGateway });
const { executeCommand } = createTrialRunner({ ...others, trialGateway, trialRestore });
const { gatewayDisturbance, returnGateway, switchGateway } = trialGateway;
const { switchGatewayOff, switchGatewayOn } = gateway;

const AT = 1_800_000_000_000;
const profiles: readonly ComparedProfile[] = [
  { id: 'firefox-default', carrier: 'none', role: 'baseline', depth: 1 },
  { id: 'c4-d6', carrier: 'gateway', role: 'candidate', connections: 4, depth: 6 },
  { id: 'c6-d4', carrier: 'gateway', role: 'candidate', connections: 6, depth: 4 },
];
const plan = makeTrialPlan({ id: 't-1', seed: 7, baseline: 'firefox-default', profiles, live: true, createdAt: AT });
const inSlotOf = (profileId: string): TrialRecord => {
  const progress = beginTrial(plan);
  return { plan, progress: { ...progress, current: { ...progress.current, profileId } }, before: {}, own: [], toldUntil: 0 };
};
const switchTo = (profileId: string) => executeCommand({ kind: 'switch-to', profileId, slot: 3 }, inSlotOf(profileId));
const revert = () => executeCommand({ kind: 'revert' }, inSlotOf('c4-d6'));

beforeEach(() => {
  useBrowser(fakeBrowser());
  Object.assign(held, { on: undefined, ended: false, refused: false });
});

test.each([undefined, 'c2-d6'])('each slot has it on with its numbers or off, and in the end it is as before (%s)', async (before) => {
  held.on = before;
  const seen: (string | undefined)[] = [];
  for (const id of ['firefox-default', 'c4-d6', 'c6-d4', 'firefox-default']) {
    expect(await switchTo(id)).toMatchObject({ event: { kind: 'switched', slot: 3 } });
    seen.push(held.on);
  }
  expect(seen).toEqual([undefined, 'c4-d6', 'c6-d4', undefined]);
  // In a Firefox without the Experiment API: no preference is looked at.
  expect(await revert()).toMatchObject({ event: { kind: 'reverted' } });
  expect(held.on).toBe(before);
});

test('one that cannot be had pauses the trial with the reason, and drops no profile', async () => {
  held.refused = true;
  expect(await switchTo('c4-d6')).toMatchObject({
    event: { kind: 'paused' },
    because: 'The gateway could not be switched on: The helper does not answer.',
  });
});

test('what the person has switched since is left alone', async () => {
  await switchGateway(plan, 'c4-d6');
  await switchedByPerson(() => switchGatewayOn('c1-d6'));
  await returnGateway();
  expect(held.on).toBe('c1-d6');
});

test('what the person had and cannot be had again is off', async () => {
  held.on = 'c2-d6';
  await switchGateway(plan, 'c4-d6');
  held.refused = true;
  await returnGateway();
  expect(held.on).toBeUndefined();
});

test('one that has ended by itself is told from one that was switched off, and is not switched on again by the trial’s end', async () => {
  held.on = 'c2-d6';
  await switchGateway(plan, 'c4-d6');
  Object.assign(held, { on: undefined, ended: true });
  expect(await gatewayDisturbance(inSlotOf('c4-d6'))).toContain('ended by itself');
  await returnGateway();
  expect(held.on).toBeUndefined();
  // Nothing of it is left for later.
  held.ended = false;
  await returnGateway();
  expect(held.on).toBeUndefined();
});

test('notices what is not as the slot wants it', async () => {
  await switchGateway(plan, 'c4-d6');
  expect(await gatewayDisturbance(inSlotOf('c4-d6'))).toBeUndefined();
  expect(await gatewayDisturbance(inSlotOf('firefox-default'))).toContain('was switched on with c4-d6 in the slot of firefox-default');
  await switchGatewayOff();
  expect(await gatewayDisturbance(inSlotOf('firefox-default'))).toBeUndefined();
  expect(await gatewayDisturbance(inSlotOf('c4-d6'))).toBe('The gateway was switched off.');
});

test.each([
  ['http://intranet.example/', { fromCache: false, proxied: true }, 'gateway'],
  ['http://intranet.example/', { fromCache: false, proxied: false }, 'direct'],
  ['http://intranet.example/', { fromCache: false }, 'direct'],
  ['http://intranet.example/', { fromCache: true, proxied: true }, 'not-carried'],
  ['https://intranet.example/', { fromCache: false, proxied: false }, 'not-carried'],
  ['http://unlisted.example/', { fromCache: false }, 'not-carried'],
  ['http://intranet.example:8080/', { fromCache: false }, 'not-carried'],
])('%s with %o came: %s', (url, wire, route) => {
  const load = { url, requests: [{ url, wire }] } as unknown as MarkedPageLoad;
  expect(routeOf(load, new Set(['http://intranet.example']))).toBe(route);
});
