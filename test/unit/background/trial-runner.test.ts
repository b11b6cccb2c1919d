/** How a trial is carried on: command by command, until it asks for nothing. */

import { beforeEach, expect, test, vi } from 'vitest';
import type { NetworkPreferences } from '../../../src/adapters/applier-experiment-api.ts';
import { createBackground } from '../../../src/background/create-background.ts';
import { createTrialRunner } from '../../../src/background/trial-runner.ts';
import type { ComparedProfile } from '../../../src/core/compare/comparison.ts';
import { advance } from '../../../src/core/trial/advance.ts';
import { beginTrial } from '../../../src/core/trial/stretches.ts';
import { makeTrialPlan } from '../../../src/core/trial/trial-plan.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';
import { FOUR } from '../../support/applied-live.ts';
import { useBrowser } from '../../support/browser-global.ts';
import { fakeStores } from '../../support/fake-background.ts';
import { fakeBrowser } from '../../support/fake-browser.ts';

const AT = 1_800_000_000_000;
const held = { trial: undefined as TrialRecord | undefined, switches: 0 };
const browser = useBrowser(fakeBrowser());
const alarm = () => browser.alarms.held.get('trial');
const deps = {
  stores: fakeStores({
    newestTrial: async () => held.trial,
    changeTrial: async ({ step }) => {
      held.trial = held.trial && step(held.trial, { began: [], settled: [] }).trial;
      return held.trial;
    },
  }),
  networkPreferences: () => ({ forgetLost: async () => undefined }) as Partial<NetworkPreferences> as NetworkPreferences,
};
const { dispatch } = createTrialRunner({
  ...deps,
  ...createBackground(deps),
  profileSwitch: {
    applyProfile: async () => {
      held.switches += 1;
      if (held.switches > 3) throw new Error('It is switched without end');
      return FOUR;
    },
    revertProfile: async () => ({ restored: [], leftAlone: [] }),
  },
  recorder: { recordEvent: async () => undefined, settleEvents: async () => undefined },
  trialRestore: { ...createBackground(deps).trialRestore, disturbance: async () => undefined },
});

const ARMS = ['firefox-default', 'c8-d1'] as const;

beforeEach(() => {
  vi.useFakeTimers({ now: AT + 1_000, toFake: ['Date'] });
  const profiles = ARMS.map((id, at): ComparedProfile => ({ id, carrier: 'none', role: at === 0 ? 'baseline' : 'candidate', depth: 1 }));
  const plan = makeTrialPlan({ id: 't-1', seed: 7, baseline: 'firefox-default', profiles, live: true, createdAt: AT });
  const { progress } = advance(beginTrial(plan), { kind: 'started', at: AT }, plan);
  held.trial = { plan, progress, before: {}, own: [], toldUntil: 0 } satisfies TrialRecord;
  held.switches = 0;
  browser.storage.session.held.set('browserSession', { id: 's-1', since: AT - 1_000 });
  return () => vi.useRealTimers();
});

test('puts the profile of the slot in effect, and waits for what happens then', async () => {
  const trial = await dispatch({ kind: 'clock', at: AT + 1_000 });
  expect(trial?.progress.current).toMatchObject({ phase: 'in-effect', since: AT + 1_000 });
  expect([held.switches, alarm()]).toEqual([1, undefined]);
});

test('goes on after the clock was set back by an hour', async () => {
  vi.setSystemTime(AT - 3_600_000);
  const trial = await dispatch({ kind: 'clock', at: AT - 3_600_000 });
  expect(trial?.progress.current).toMatchObject({ phase: 'in-effect', since: AT - 3_600_000 });
  expect(held.switches).toBe(1);
});

test('does not switch without end while the clock is a little behind the slot’s beginning, but tries again later', async () => {
  vi.setSystemTime(AT - 2_000);
  const trial = await dispatch({ kind: 'clock', at: AT - 2_000 });
  expect(trial?.progress.current.phase).toBe('switching');
  // Half a minute later: `nextLookAt`.
  expect([held.switches, alarm()]).toEqual([1, AT - 2_000 + 30_000]);
});
