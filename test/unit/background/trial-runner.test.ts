/** How a trial is carried on: command by command, until it asks for nothing. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { ComparedProfile } from '../../../src/core/compare/compared-profile.ts';
import { advance } from '../../../src/core/trial/advance.ts';
import { beginTrial } from '../../../src/core/trial/begin-trial.ts';
import type { TrialCommand } from '../../../src/core/trial/trial-event.ts';
import { makeTrialPlan } from '../../../src/core/trial/trial-plan.ts';
import type { TrialRecord } from '../../../src/protocol/trial-record.ts';

const AT = 1_800_000_000_000;
const SESSION = { id: 's-1', since: AT - 1_000 };

const held = vi.hoisted(() => ({ trial: undefined as unknown, alarm: undefined as number | undefined, switches: 0 }));

vi.mock('../../../src/adapters/browser-session.ts', () => ({ browserSession: async () => SESSION }));
vi.mock('../../../src/adapters/run-state.ts', () => ({ writeRunState: async () => undefined }));
vi.mock('../../../src/adapters/wake-alarms.ts', () => ({
  setAlarm: async (_: string, at: number | undefined) => {
    held.alarm = at;
  },
}));
vi.mock('../../../src/adapters/trial-store.ts', () => ({
  newestTrial: async () => held.trial,
  openNavigations: async () => [],
  changeTrial: async ({ step }: { step: (trial: unknown, news: unknown) => { trial: unknown } }) => {
    held.trial = step(held.trial, { began: [], settled: [] }).trial;
    return held.trial;
  },
}));
vi.mock('../../../src/background/recorder.ts', () => ({ recordEvent: async () => undefined, settleEvents: async () => undefined }));
vi.mock('../../../src/background/trial-gateway.ts', () => ({ routeOf: () => 'direct', carriedSites: async () => new Set() }));
vi.mock('../../../src/background/trial-restore.ts', () => ({ disturbance: async () => undefined }));
vi.mock('../../../src/background/trial-runner.ts', () => ({
  carryOut: async (command: TrialCommand) => {
    if (command.kind !== 'switch-to') throw new Error(`Not expected: ${command.kind}`);
    held.switches += 1;
    if (held.switches > 3) throw new Error('It is switched without end');
    return { event: { kind: 'switched', at: Date.now(), slot: command.slot } };
  },
}));

const { tellTrial } = await import('../../../src/background/trial-runner.ts');

const ARMS = ['firefox-default', 'c8-d1'] as const;

beforeEach(() => {
  vi.useFakeTimers({ now: AT + 1_000, toFake: ['Date'] });
  const profiles = ARMS.map((id, at): ComparedProfile => ({ id, carrier: 'none', role: at === 0 ? 'baseline' : 'candidate', depth: 1 }));
  const plan = makeTrialPlan({ id: 't-1', seed: 7, baseline: 'firefox-default', profiles, live: true, createdAt: AT });
  const { progress } = advance(beginTrial(plan), { kind: 'started', at: AT }, plan);
  held.trial = { plan, progress, before: {}, own: [], toldUntil: 0 } satisfies TrialRecord;
  held.switches = 0;
  return () => vi.useRealTimers();
});

test('puts the profile of the slot in effect, and waits for what happens then', async () => {
  const trial = await tellTrial({ kind: 'clock', at: AT + 1_000 });
  expect(trial?.progress.current).toMatchObject({ phase: 'in-effect', since: AT + 1_000 });
  expect(held).toMatchObject({ switches: 1, alarm: undefined });
});

test('goes on after the clock was set back by an hour', async () => {
  vi.setSystemTime(AT - 3_600_000);
  const trial = await tellTrial({ kind: 'clock', at: AT - 3_600_000 });
  expect(trial?.progress.current).toMatchObject({ phase: 'in-effect', since: AT - 3_600_000 });
  expect(held.switches).toBe(1);
});

test('does not switch without end while the clock is a little behind the slot’s beginning, but tries again later', async () => {
  vi.setSystemTime(AT - 2_000);
  const trial = await tellTrial({ kind: 'clock', at: AT - 2_000 });
  expect(trial?.progress.current.phase).toBe('switching');
  // Half a minute later: `nextLookAt`.
  expect(held).toMatchObject({ switches: 1, alarm: AT - 2_000 + 30_000 });
});
