/** A trial that cannot be judged, or not even read, can still be stopped or forgotten. */

import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import type { NetworkPreferences } from '../../../src/adapters/applier-experiment-api.ts';
import { createBackground } from '../../../src/background/create-background.ts';
import { createTrialControl } from '../../../src/background/trial-control.ts';
import { createTrialRestore } from '../../../src/background/trial-restore.ts';
import { createTrialStatus } from '../../../src/background/trial-status.ts';
import type { ComparedProfile } from '../../../src/core/compare/comparison.ts';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { advance } from '../../../src/core/trial/advance.ts';
import { loadsLeft } from '../../../src/core/trial/course.ts';
import { beginTrial } from '../../../src/core/trial/stretches.ts';
import { makeTrialPlan } from '../../../src/core/trial/trial-plan.ts';
import type { TrialState } from '../../../src/core/trial/trial-state.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const AT = 1_800_000_000_000;

const held = {
  trial: undefined as TrialRecord | 'unreadable' | undefined,
  judge: async (): Promise<unknown> => undefined,
  reverted: 0,
  deleted: 0,
};
useBrowser(fakeBrowser());
const deps = {
  stores: fakeStores({
    newestTrial: async () => (held.trial === 'unreadable' ? v.parse(v.never(), held.trial) : held.trial),
    deleteTrials: async () => {
      held.deleted += 1;
    },
  }),
  networkPreferences: () => ({}) as NetworkPreferences,
};
const background = createBackground(deps);
const profileSwitch = {
  ...background.profileSwitch,
  revertProfile: async () => {
    held.reverted += 1;
    return { restored: [], leftAlone: [] };
  },
};
const trialRestore = createTrialRestore({ ...deps, ...background, profileSwitch });
const { trialFacts } = createTrialStatus({
  ...deps,
  ...background,
  trialLoads: { judge: async () => (await held.judge()) as TrialState },
});
const { forgetTrials } = createTrialControl({ ...deps, ...background, profileSwitch, trialRestore });

const ARMS = ['firefox-default', 'c8-d1', 'c4-d1'] as const;

beforeEach(() => {
  const profiles = ARMS.map((id, at): ComparedProfile => ({ id, carrier: 'none', role: at === 0 ? 'baseline' : 'candidate', depth: 1 }));
  const plan = makeTrialPlan({ id: 't-1', seed: 7, baseline: 'firefox-default', profiles, live: true, createdAt: AT });
  const { progress } = advance(beginTrial(plan), { kind: 'started', at: AT }, plan);
  const found = { profileId: 'c4-d1', ratio: 0.88, low: 0.8, high: 0.95, finding: 'worse' as const, loads: 9, baselineLoads: 9 };
  const dropped = [{ profileId: 'c4-d1', reason: 'harmful' as const, found, block: 0 }];
  held.trial = { plan, progress: { ...progress, dropped }, before: {}, own: [], toldUntil: 0 } satisfies TrialRecord;
  Object.assign(held, { reverted: 0, deleted: 0 });
});

const droppedArm = async () => (await trialFacts(AT)).current?.arms.find(({ profileId }) => profileId === 'c4-d1')?.dropped;

test('a trial whose loads cannot be judged is shown, so that it can be stopped, and says nothing of profiles', async () => {
  held.judge = async () => {
    throw new PlumbfoxError('bad-input', 'A load has the efficiency 0.');
  };
  const { current, failure } = await trialFacts(AT);
  expect(failure).toBeUndefined();
  expect(current).toMatchObject({ stateKind: 'invalid', sentence: expect.stringContaining('A load has the efficiency 0.') });
  expect(await droppedArm()).toBe('the reason is withheld while a check fails');
});

test('what a dropped profile had done wrong is said only while no check fails', async () => {
  held.judge = async () => ({ kind: 'collecting', sentence: '', checks: [], figures: { loads: 0, findings: [] } });
  expect(await droppedArm()).toMatch(/^12 % slower than Firefox's own settings/);
  held.judge = async () => ({ kind: 'invalid', sentence: '', checks: [], figures: { loads: 0, findings: [] } });
  expect(await droppedArm()).toBe('the reason is withheld while a check fails');
});

test('what was predicted of a candidate is told with its loads, apart from what they have shown', async () => {
  held.judge = async () => ({ kind: 'collecting', sentence: '', checks: [], figures: { loads: 0, findings: [] } });
  held.trial = { ...(held.trial as TrialRecord), predicted: [{ profileId: 'c8-d1', ratio: 1.06 }] };
  const { current } = await trialFacts(AT);
  expect(current?.arms.map(({ predictedRatio }) => predictedRatio)).toEqual([undefined, 1.06, undefined]);
});

test('what pages of another protocol say is no warning', async () => {
  const other = {
    profileId: 'c8-d1',
    ratio: 0.97,
    low: 0.9,
    high: 1.05,
    finding: 'undecided',
    protocol: 'http/2',
    loads: 12,
    baselineLoads: 14,
  };
  const unbounded = { ...other, ratio: undefined, low: undefined, high: undefined };
  held.judge = async () => ({
    kind: 'collecting',
    sentence: '',
    checks: [],
    figures: { loads: 0, findings: [], others: [other, unbounded] },
  });
  const { current } = await trialFacts(AT);
  expect(current?.warnings).toEqual([]);
  expect(current?.otherProtocols).toEqual([
    "Apart from the verdict: 8 connections are 3 % slower than Firefox's own settings over HTTP/2 (−10 % to +5 %), from 12 loads with 8 connections and 14 with Firefox's own settings. That proves nothing, but much slower pages end their slots.",
    "Apart from the verdict: 8 connections are not compared with Firefox's own settings yet over HTTP/2, from 12 loads with 8 connections and 14 with Firefox's own settings. That proves nothing, but much slower pages end their slots.",
  ]);
});

test('what the person has made, and still makes, is told in page loads', async () => {
  const trial = held.trial as TrialRecord;
  held.trial = { ...trial, progress: { ...trial.progress, made: 40, plannedDraws: 10 } };
  held.judge = async () => ({ kind: 'collecting', sentence: '', checks: [], figures: { loads: 0, findings: [] } });
  const { plan, progress } = held.trial as TrialRecord;
  expect((await trialFacts(AT)).current).toMatchObject({ made: 40, loadsLeft: loadsLeft(plan, progress) });
});

test('a slot is counted within its block, whose turns are of several slots', async () => {
  held.judge = async () => ({ kind: 'collecting', sentence: '', checks: [], figures: { loads: 0, findings: [] } });
  const trial = held.trial as TrialRecord;
  // Three profiles with turns of three slots: nine to a block.
  const turn = async (slot: number) => {
    held.trial = { ...trial, progress: { ...trial.progress, current: { ...trial.progress.current, block: Math.floor(slot / 9), slot } } };
    return (await trialFacts(AT)).current?.turn;
  };
  expect(await turn(4)).toMatchObject({ block: 0, slot: 4, slotInBlock: 4 });
  expect(await turn(11)).toMatchObject({ block: 1, slot: 11, slotInBlock: 2 });
});

test('a store that cannot be read is told as such', async () => {
  held.judge = async () => {
    throw new DOMException('', 'UnknownError');
  };
  await expect(trialFacts(AT)).rejects.toThrow(DOMException);
});

test.each(['unreadable', 'applied', 'none'] as const)(
  'forgetting takes back what may be applied, and deletes the trial (%s)',
  async (trial) => {
    if (trial !== 'applied') held.trial = trial === 'none' ? undefined : trial;
    await forgetTrials();
    expect(held).toMatchObject({ reverted: trial === 'none' ? 0 : 1, deleted: 1 });
  },
);
