/** How many loads a trial is expected to take, and still takes: rounds of 10 for each profile, then 185 of each that is confirmed. */
import { describe, expect, it } from 'vitest';
import { beginTrial } from '../../../../src/core/trial/stretches.ts';
import { loadsLeft, loadsOfEach } from '../../../../src/core/trial/successive-halving.ts';
import type { TrialPlan } from '../../../../src/core/trial/trial-plan.ts';
import type { TrialProgress, TrialStretch } from '../../../../src/core/trial/trial-progress.ts';
import { BASELINE, planOf, TURNS } from './trial-driver.ts';

/** Turns of one slot of two loads: a block has two of each profile. */
const trialOf = (candidates: number): TrialPlan => ({ ...planOf({ candidates }), plannedLoadsPerArm: 185 });

const own = { carrier: 'none', role: 'baseline', depth: 1 } as const;
const carried = { carrier: 'gateway', depth: 6 } as const;
const THROUGH_GATEWAY: TrialPlan = {
  ...planOf({
    profiles: [
      { id: BASELINE, ...own },
      { id: 'c4-d6', role: 'candidate', ...carried },
      { id: 'control', ...own, carrier: 'gateway', role: 'control' },
    ],
  }),
  plannedLoadsPerArm: 185,
};

/** So many loads of each of these arms. */
const stretch = (stage: TrialStretch['stage'], round: number, loads: Readonly<Record<string, number>>): TrialStretch => ({
  stage,
  round,
  fromSlot: 12 * round,
  arms: Object.keys(loads),
  counts: Object.fromEntries(Object.entries(loads).map(([id, attempted]) => [id, { attempted, recorded: attempted, lost: 0 }])),
});
const progressOf = (plan: TrialPlan, ...stretches: readonly TrialStretch[]): TrialProgress => ({
  ...beginTrial(plan),
  stretches: [...stretches],
});

describe('a trial takes', () => {
  // Two profiles: one round of 2 x 10, then 2 x 185. Four candidates: log2 4 = 2 rounds of 5 x 10.
  it.each([
    [1, 390],
    [2, 30 + 370],
    [3, 2 * 40 + 370],
    [4, 2 * 50 + 370],
    [7, 3 * 80 + 370],
  ])('with %d candidates %d loads that count', (candidates, loads) => {
    const plan = trialOf(candidates);
    expect(loadsLeft(beginTrial(plan), plan)).toBe(loads);
  });

  it('those of the control, too', () => {
    expect(loadsLeft(beginTrial(THROUGH_GATEWAY), THROUGH_GATEWAY)).toBe(30 + 3 * 185);
  });

  it('no rounds where the candidates run side by side', () => {
    const plan: TrialPlan = { ...trialOf(3), screening: null };
    expect(loadsLeft(beginTrial(plan), plan)).toBe(370);
  });
});

describe('a trial still takes', () => {
  const plan = trialOf(3);
  const first = stretch('screening', 0, { [BASELINE]: 10, 'c1-d1': 10, 'c2-d1': 10, 'c3-d1': 10 });

  it('what is left of its rounds, and the confirmation of one', () => {
    const begun = stretch('screening', 0, { [BASELINE]: 6, 'c1-d1': 6, 'c2-d1': 0, 'c3-d1': 0 });
    expect(loadsLeft(progressOf(plan, begun), plan)).toBe(28 + 40 + 370);
    // The second round has 40 loads, too.
    expect(loadsLeft(progressOf(plan, first, stretch('screening', 1, { [BASELINE]: 9, 'c1-d1': 9, 'c2-d1': 7 })), plan)).toBe(15 + 370);
  });

  it('a round less where a candidate was dropped before its end', () => {
    const begun = stretch('screening', 0, { [BASELINE]: 5, 'c1-d1': 5, 'c2-d1': 5, 'c3-d1': 5 });
    const without = { ...stretch('screening', 0, { [BASELINE]: 1, 'c1-d1': 0, 'c2-d1': 0 }), fromSlot: 8 };
    expect(loadsLeft(progressOf(plan, begun, without), plan)).toBe(19 + 370);
  });

  it('no less than the confirmation where the only candidate is behind after its round', () => {
    const behind = stretch('screening', 0, { [BASELINE]: 18, 'c1-d1': 18 });
    expect(loadsLeft(progressOf(trialOf(1), behind), trialOf(1))).toBe(370);
  });

  it('what the confirmation needs of each profile that is left, the control among them', () => {
    const confirming = stretch('confirming', 1, { [BASELINE]: 85, 'c1-d1': 85 });
    expect(loadsLeft(progressOf(plan, first, confirming), plan, 100)).toBe(200);
    const controlled = stretch('confirming', 1, { [BASELINE]: 85, 'c4-d6': 85, control: 85 });
    expect(loadsLeft(progressOf(THROUGH_GATEWAY, controlled), THROUGH_GATEWAY, 100)).toBe(300);
  });
});

describe('of each profile there are', () => {
  const plan = trialOf(3);
  const first = stretch('screening', 0, { [BASELINE]: 10, 'c1-d1': 10, 'c2-d1': 10, 'c3-d1': 10 });
  const second = stretch('screening', 1, { [BASELINE]: 4, 'c1-d1': 2, 'c2-d1': 2 });

  it('those of its round, which are no part of the confirmation where some drop out with it', () => {
    expect(loadsOfEach(progressOf(plan, first), plan)).toEqual({ soFar: 10, planned: 10 });
    // 40 for three: in blocks of 6, seven.
    expect(loadsOfEach(progressOf(plan, first, second), plan)).toEqual({ soFar: 4, planned: 14 });
  });

  it('as many as there are in whole blocks, in slots and turns as trials have them', () => {
    // Three slots of three loads: 9 of each in a block. Two profiles have 20 in a round, four 40.
    const usual = (candidates: number): TrialPlan => {
      const own = planOf({ candidates, ...TURNS, slots: { kind: 'loads', perSlot: 3 } });
      return { ...own, plannedLoadsPerArm: 185 };
    };
    expect(loadsOfEach(beginTrial(usual(3)), usual(3))).toEqual({ soFar: 0, planned: 18 });
    expect(loadsOfEach(beginTrial(usual(1)), usual(1))).toEqual({ soFar: 0, planned: 18 + 185 });
  });

  it('those of the confirmation alone, once it has begun', () => {
    const confirming = stretch('confirming', 2, { [BASELINE]: 3, 'c1-d1': 2 });
    expect(loadsOfEach(progressOf(plan, first, second, confirming), plan)).toEqual({ soFar: 3, planned: 185 });
  });
});
