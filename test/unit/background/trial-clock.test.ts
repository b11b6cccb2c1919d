import { beforeEach, describe, expect, test } from 'vitest';
import { createBackground } from '../../../src/background/create-background.ts';
import { advance, commandFor, type TrialEvent } from '../../../src/core/trial/advance.ts';
import { beginTrial } from '../../../src/core/trial/stretches.ts';
import { makeTrialPlan, type SlotRule } from '../../../src/core/trial/trial-plan.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';
import { fakeStores } from '../../support/fake-background.ts';

const store = { open: [] as number[] };
const deps = {
  stores: fakeStores({ openNavigations: async (since) => store.open.filter((at) => at >= since) }),
  networkPreferences: () => undefined,
};
const { nextLookAt } = createBackground(deps).trialRunner;

const AT = 1_800_000_000_000;
const MINUTE = 60_000;
const profiles = ['firefox-default', 'c8-d1'].map((id, at) => ({
  id,
  carrier: 'none' as const,
  role: at === 0 ? ('baseline' as const) : ('candidate' as const),
  depth: 1,
}));
const PLAN = makeTrialPlan({ id: 't-1', seed: 7, baseline: 'firefox-default', profiles, live: true, createdAt: AT });

function trialAfter(slots: SlotRule, events: readonly TrialEvent[]): TrialRecord {
  const plan = { ...PLAN, slots };
  const all: readonly TrialEvent[] = [{ kind: 'started', at: AT }, ...events];
  const progress = all.reduce((before, event) => advance(before, event, plan).progress, beginTrial(plan));
  return { plan, progress, before: {}, own: [], toldUntil: 0 };
}

const MINUTES: SlotRule = { kind: 'minutes', perSlot: 10 };
const LOADS: SlotRule = { kind: 'loads', perSlot: 5 };
const inEffect: TrialEvent = { kind: 'switched', at: AT + 1_000, slot: 0 };

beforeEach(() => {
  store.open = [];
});

describe('the alarm', () => {
  test('is at the end of a slot by minutes', async () => {
    expect(await nextLookAt(trialAfter(MINUTES, [inEffect]), AT + 2_000)).toBe(AT + 1_000 + 10 * MINUTE);
  });

  test('allows for the time before an interruption', async () => {
    const events: TrialEvent[] = [
      inEffect,
      // 4 of 10 minutes are spent when it pauses.
      { kind: 'paused', at: AT + 1_000 + 4 * MINUTE },
      { kind: 'resumed', at: AT + 60 * MINUTE },
      { kind: 'switched', at: AT + 61 * MINUTE, slot: 0 },
    ];
    expect(await nextLookAt(trialAfter(MINUTES, events), AT + 62 * MINUTE)).toBe(AT + 61 * MINUTE + 6 * MINUTE);
  });

  test('is not needed in a slot by loads, nor when nothing is to be done', async () => {
    store.open = [AT];
    expect(await nextLookAt(trialAfter(LOADS, [inEffect]), AT + 2_000)).toBeUndefined();
    const over: TrialEvent[] = [
      { kind: 'stopped', at: AT + 2_000 },
      { kind: 'reverted', at: AT + 3_000 },
    ];
    expect(await nextLookAt(trialAfter(LOADS, over), AT + 4_000)).toBeUndefined();
  });

  test('is when the last page that is loading is given up, while a switch or a revert waits for it', async () => {
    store.open = [AT - 90_000, AT - 30_000, AT - 500_000];
    // 120 s after it began (trial-defaults.ts), and a millisecond.
    const givenUp = AT - 30_000 + 120_000 + 1;
    expect(await nextLookAt(trialAfter(LOADS, []), AT + 1_000)).toBe(givenUp);
    expect(await nextLookAt(trialAfter(LOADS, [inEffect, { kind: 'stopped', at: AT + 2_000 }]), AT + 2_000)).toBe(givenUp);
  });

  test('is not needed while the person has to put the profile in place', async () => {
    const events: TrialEvent[] = [
      { kind: 'browser-started', at: AT, sessionId: 's-1' },
      { kind: 'prepared', at: AT + 1, slot: 0 },
      { kind: 'browser-started', at: AT + 2, sessionId: 's-2' },
    ];
    const trial = trialAfter({ kind: 'session' }, events);
    expect(commandFor(trial.progress, trial.plan)?.kind).toBe('verify');
    expect(await nextLookAt(trial, AT + 3)).toBeUndefined();
  });

  test('is half a minute away after a switch that failed with no page loading', async () => {
    const failed: TrialEvent = { kind: 'switch-failed', at: AT + 1_000, slot: 0, reason: 'locked' };
    expect(await nextLookAt(trialAfter(LOADS, [failed]), AT + 2_000)).toBe(AT + 32_000);
  });
});
