/** What whole trials, simulated, contribute to the answer. */
import { describe, expect, it } from 'vitest';
import { slowerInTrial, trialAnswer, verdictBasis } from '../../../../src/core/answer/trial-answer.ts';
import { judgeTrial } from '../../../../src/core/trial/judge-trial.ts';
import { beginTrial } from '../../../../src/core/trial/stretches.ts';
import type { TrialProgress } from '../../../../src/core/trial/trial-progress.ts';
import type { TrialState } from '../../../../src/core/trial/trial-state.ts';
import { simulateTrial } from '../trial/simulated-trial.ts';
import { BASELINE, planOf, TURNS } from '../trial/trial-driver.ts';

const plan = planOf({ ...TURNS, slots: { kind: 'loads', perSlot: 5 } });
const begun = beginTrial(plan);

describe('a trial', () => {
  it('that has confirmed a profile answers with it, and with its figures as changes of speed', () => {
    const { state, progress } = simulateTrial(plan, { effects: { 'c1-d1': Math.log(1.25) } }, { seed: 1 });
    if (state.kind !== 'confirmed') throw new Error(state.kind);
    const { ratio = 0, low = 0, high = 0, loads, baselineLoads } = state.verdict;
    expect(trialAnswer({ plan, progress, state })).toEqual({
      from: 'trial',
      state: 'confirmed',
      profileId: 'c1-d1',
      carrier: 'none',
      change: { gain: ratio - 1, low: low - 1, high: high - 1 },
      loads: loads + baselineLoads,
    });
    // By the simulated loads, which no check objects to.
    expect(verdictBasis({ plan, state })).toEqual({ alpha: plan.alpha, loads, baselineLoads, passed: 4, tooEarly: 0, warned: 0 });
  });

  it('whose only candidate was slower answers with that, and with nothing to apply', () => {
    const { state, progress } = simulateTrial(plan, { effects: { 'c1-d1': Math.log(0.6) } }, { seed: 2 });
    expect(trialAnswer({ plan, progress, state })).toMatchObject({ state: 'slower', profiles: [{ profileId: 'c1-d1', carrier: 'none' }] });
    expect(slowerInTrial({ plan, progress, state })).toEqual(['c1-d1']);
    // Also when its loads are no longer in the store.
    const later = judgeTrial(plan, progress, []);
    expect(trialAnswer({ plan, progress, state: later })).toEqual(trialAnswer({ plan, progress, state }));
  });

  it('that has not begun is running, without a load', () => {
    const state = judgeTrial(plan, begun, []);
    expect(trialAnswer({ plan, progress: begun, state })).toEqual({
      from: 'trial',
      state: 'running',
      stage: 'collecting',
      isPaused: false,
      loads: 0,
    });
  });
});

describe('of a state', () => {
  const figures = { loads: 12, findings: [] };
  const finding = { profileId: 'c1-d1', ratio: 1.2, low: 1.1, high: 1.3, finding: 'better', loads: 8, baselineLoads: 7 } as const;
  const of = (state: Partial<TrialState>, progress: Partial<TrialProgress> = {}) =>
    trialAnswer({
      plan,
      progress: { ...begun, status: 'running', made: 20, ...progress },
      state: { sentence: '', checks: [], figures, ...state } as TrialState,
    });

  it.each([
    ['it was stopped by the person', { kind: 'stopped', reason: { kind: 'by-person' } }, { status: 'ended' }],
    ['a check failed until its loads were used up', { kind: 'invalid', reasons: [] }, { status: 'ended' }],
  ] as const)('nothing is answered where %s', (_, state, progress) => expect(of(state, progress)).toBeUndefined());

  it('a check that fails holds a running trial', () => {
    expect(of({ kind: 'invalid', reasons: [] })).toMatchObject({ state: 'running', stage: 'held', loads: 20 });
  });

  it('one that is ahead is shown with its interval', () => {
    expect(of({ kind: 'leading', leader: finding }, { status: 'paused' })).toMatchObject({
      stage: 'leading',
      isPaused: true,
      loads: 20,
      leader: { profileId: 'c1-d1', change: { gain: expect.closeTo(0.2), low: expect.closeTo(0.1) } },
    });
  });

  it('a verdict against the gateway itself keeps what the person gains apart from it', () => {
    const verdict = { ...finding, against: 'control', gain: 1.32 };
    expect(of({ kind: 'confirmed', verdict })).toMatchObject({
      change: { gain: expect.closeTo(0.32), low: undefined, high: undefined },
      alone: { gain: expect.closeTo(0.2), low: expect.closeTo(0.1), high: expect.closeTo(0.3) },
      loads: 15,
    });
  });

  it('no difference from the gateway itself is not called one from Firefox’s own settings, which the gateway may beat', () => {
    const verdict = { ...finding, ratio: 1.01, low: 0.99, high: 1.03, against: 'control', gain: 1.2 };
    expect(of({ kind: 'no-difference', reason: { kind: 'within-meaningful-change', verdict } })).toMatchObject({
      state: 'no-difference',
      alone: { gain: expect.closeTo(0.01), low: expect.closeTo(-0.01), high: expect.closeTo(0.03) },
    });
  });

  it('bounds that leave everything open are none', () => {
    const open = { ...finding, low: 0, high: Number.POSITIVE_INFINITY };
    expect(of({ kind: 'no-difference', reason: { kind: 'not-found', isFutile: false, closest: open } })).toMatchObject({
      closest: { change: { low: undefined, high: undefined } },
    });
  });

  it.each([
    [
      { kind: 'within-meaningful-change', verdict: finding },
      { state: 'no-difference', within: 0.03, loads: 15 },
    ],
    [
      { kind: 'not-found', isFutile: false, closest: finding },
      { state: 'open', closest: { profileId: 'c1-d1' }, loads: 15 },
    ],
    [
      { kind: 'not-found', isFutile: false, closest: undefined },
      { state: 'open', loads: 0 },
    ],
  ] as const)('no difference: %j', (reason, expected) => expect(of({ kind: 'no-difference', reason })).toMatchObject(expected));

  it('the baseline is never among those that were slower', () => {
    expect(slowerInTrial({ plan, progress: begun, state: judgeTrial(plan, begun, []) })).not.toContain(BASELINE);
  });
});
