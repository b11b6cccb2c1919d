/** A trial through the gateway has a control: what the gateway does by itself is not taken for what a profile does. */
import { expect, test } from 'vitest';
import type { ComparedProfile } from '../../src/core/compare/comparison.ts';
import { advance } from '../../src/core/trial/advance.ts';
import { beginTrial } from '../../src/core/trial/stretches.ts';
import { candidatesOf, makeTrialPlan } from '../../src/core/trial/trial-plan.ts';
import { dropArms } from '../../src/core/trial/turn-slots.ts';
import { simulateTrial } from '../unit/core/trial/simulated-trial.ts';

const AT = 1_800_000_000_000;
const BASELINE: ComparedProfile = { id: 'firefox-default', carrier: 'none', role: 'baseline', depth: 1 };
const DEEP: ComparedProfile = { id: 'c4-d6', carrier: 'gateway', role: 'candidate', connections: 4, depth: 6 };
const DIRECT: ComparedProfile = { id: 'c8-d1', carrier: 'none', role: 'candidate', connections: 8, depth: 1 };
const CONTROL: ComparedProfile = { id: 'control', carrier: 'gateway', role: 'control', connections: 6, depth: 1 };

const planOf = (...profiles: readonly ComparedProfile[]) =>
  makeTrialPlan({ id: 't-1', seed: 7, baseline: BASELINE.id, profiles: [BASELINE, ...profiles], live: true, createdAt: AT, pages: 8 });

test('a gain that is the gateway’s alone is not the profile’s', () => {
  const gateway = Math.log(1.3);
  const truth = { effects: { 'c4-d6': gateway, control: gateway } };
  const { state, progress } = simulateTrial(planOf(DEEP, CONTROL), truth, { seed: 1, mostLoads: 1_500 });
  expect(state.kind).not.toBe('confirmed');
  // More than 3 %: gateway profiles are compared with the control.
  expect(state.figures.control).toMatchObject({ controlId: 'control', baselineId: 'firefox-default', used: true });
  expect(progress.stretches.every(({ arms }) => arms.includes('control'))).toBe(true);
  // As a candidate, of which no more is known, it would be called better.
  const { state: without } = simulateTrial(planOf(DEEP), truth, { seed: 1, mostLoads: 1_500 });
  expect(without.kind).toBe('confirmed');
});

test('what a profile gains over the control is its own, and is confirmed as such', () => {
  const effects = { 'c4-d6': Math.log(1.7), control: Math.log(1.2) };
  const { state } = simulateTrial(planOf(DEEP, CONTROL), { effects }, { seed: 2, mostLoads: 3_000 });
  expect(state).toMatchObject({ kind: 'confirmed', verdict: { profileId: 'c4-d6', finding: 'better', against: 'control' } });
  expect(state.sentence).toContain("faster than Firefox's own settings through the gateway");
  expect(state.sentence).toContain('With what the gateway does by itself');
});

const FOUND = { profileId: 'c4-d6', ratio: 0.8, finding: 'worse', loads: 9, baselineLoads: 9 } as const;

test('the control is no candidate, and goes with the last profile that needs it', () => {
  const plan = planOf(DEEP, DIRECT, CONTROL);
  expect(candidatesOf(plan)).toEqual(['c4-d6', 'c8-d1']);
  expect(() => planOf(CONTROL)).toThrow('at least two profiles');
  const { progress } = advance(beginTrial(plan), { kind: 'started', at: AT }, plan);
  const drop = (profileId: string) => dropArms(progress, [{ profileId, reason: 'worse', found: FOUND, block: 0 }], AT + 1, plan);
  expect(drop('c4-d6').stretches.at(-1)?.arms).toEqual(['firefox-default', 'c8-d1']);
  expect(drop('c4-d6').dropped.map(({ profileId }) => profileId)).toEqual(['c4-d6', 'control']);
  expect(drop('c8-d1').stretches.at(-1)?.arms).toEqual(['firefox-default', 'c4-d6', 'control']);
  const both = dropArms(drop('c8-d1'), [{ profileId: 'c4-d6', reason: 'worse', found: FOUND, block: 0 }], AT + 2, plan);
  expect(both.end).toEqual({ kind: 'no-candidate-left' });
});
