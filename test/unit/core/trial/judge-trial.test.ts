/** What a trial says in each state, and what it decides. */
import { describe, expect, it } from 'vitest';
import { decideTrial } from '../../../../src/core/trial/decide-trial.ts';
import { trialSentence } from '../../../../src/core/trial/format-trial.ts';
import { judgeTrial, lookAtTrial } from '../../../../src/core/trial/judge-trial.ts';
import { settledLoads } from '../../../../src/core/trial/stage-loads.ts';
import { beginTrial } from '../../../../src/core/trial/stretches.ts';
import { betterHalf } from '../../../../src/core/trial/successive-halving.ts';
import type { TrialPlan } from '../../../../src/core/trial/trial-plan.ts';
import type { ArmFinding, TrialProgress } from '../../../../src/core/trial/trial-progress.ts';
import type { TrialCheck } from '../../../../src/core/trial/trial-state.ts';
import { parseTrialProgress } from '../../../../src/protocol/trial-record.ts';
import { simulateTrial } from './simulated-trial.ts';
import { BASELINE, drive, load, planOf, TURNS } from './trial-driver.ts';

const plan = planOf({ ...TURNS, slots: { kind: 'loads', perSlot: 5 } });
const BETTER = { effects: { 'c1-d1': Math.log(1.25) } };

describe('a trial of two profiles', () => {
  it('has nothing to say before it begins', () => {
    const { state, decision } = lookAtTrial(plan, beginTrial(plan), []);
    expect(state).toMatchObject({ kind: 'collecting', sentence: 'The trial has not begun.', figures: { loads: 0, blocks: 0 } });
    expect(state.checks.map(({ outcome }) => outcome)).not.toContain('failed');
    expect(decision).toEqual({ slot: 0, stretch: 1, step: { kind: 'go-on' } });
  });

  it('goes from collecting over leading to confirmed, on fresh loads alone', () => {
    const { state, progress, loads, shown } = simulateTrial(plan, BETTER, { seed: 1 });
    expect(shown.filter((kind) => kind !== 'checking')).toEqual(['collecting', 'leading', 'confirmed']);
    expect(progress.end).toMatchObject({ kind: 'confirmed' });
    if (state.kind !== 'confirmed') throw new Error(state.kind);
    const from = progress.stretches.find(({ stage }) => stage === 'confirming')?.fromSlot ?? 0;
    const fresh = loads.filter(({ mark }) => mark.slot >= from && !mark.washout);
    expect(state.verdict.loads + state.verdict.baselineLoads).toBe(settledLoads(plan, progress, fresh).length);
    expect(fresh.length).toBeLessThan(loads.filter(({ mark }) => !mark.washout).length);
    expect(state.verdict.low).toBeGreaterThan(1);
    expect(state.sentence).toMatch(
      /^Confirmed on fresh page loads: 1 connection is \d+ % faster than Firefox's own settings \(\+.* % to \+.* %\), from \d+ loads with 1 connection and \d+ with Firefox's own settings\.$/,
    );
  });

  it('keeps what it has confirmed when its loads are dropped from the store', () => {
    const { state, progress, loads } = simulateTrial(plan, BETTER, { seed: 1 });
    const stored = parseTrialProgress(JSON.parse(JSON.stringify(progress)));
    for (const kept of [0.7, 0.2, 0]) {
      const { kind, sentence } = judgeTrial(plan, stored, loads.slice(Math.round(loads.length * (1 - kept))));
      expect({ kind, sentence }).toEqual({ kind: 'confirmed', sentence: state.sentence });
    }
  });

  it('drops a harmful candidate at once, and says that none is left', () => {
    const { state, progress } = simulateTrial(plan, { effects: { 'c1-d1': Math.log(0.6) } }, { seed: 2 });
    // Figures, no sentence: what is said of them is made when it is shown.
    expect(progress.dropped).toEqual([
      {
        profileId: 'c1-d1',
        reason: 'harmful',
        block: expect.any(Number),
        found: expect.objectContaining({ finding: 'worse', low: expect.any(Number) }),
      },
    ]);
    expect(state).toMatchObject({ kind: 'stopped', reason: { kind: 'no-candidate-left' } });
    // With the interval of the harm stop where the trial's own is not bounded yet.
    expect(state.figures.findings).toMatchObject([{ profileId: 'c1-d1', low: expect.any(Number), high: expect.any(Number) }]);
    expect(state.sentence).toMatch(
      /^The trial is over: no candidate is left to compare with Firefox's own settings\. 1 connection was dropped early: \d+ % slower than Firefox's own settings \(−\d+ % to −[\d.]+ %\), from \d+ loads with 1 connection and \d+ with Firefox's own settings\.$/,
    );
  });

  it('drops a harmful candidate also while a check fails, and calls that no verdict', () => {
    const truth = { effects: { 'c1-d1': Math.log(0.5) }, lost: { 'c1-d1': 0.5 } };
    const { state, progress, loads } = simulateTrial(plan, truth, { seed: 5, mostLoads: 600 });
    expect(state.checks.filter(({ outcome }) => outcome === 'failed').map(({ kind }) => kind)).toContain('lost-loads');
    expect(progress.end).toEqual({ kind: 'no-candidate-left' });
    expect(progress.dropped).toMatchObject([{ profileId: 'c1-d1', reason: 'harmful', checkFailed: true }]);
    expect(state.kind).toBe('invalid');
    expect(state.sentence).toMatch(
      / 1 connection has no more slots, because its pages loaded much slower\. That proves nothing while a check fails\.$/,
    );
    // The loads that failed the check may be dropped from the store later; that makes no verdict.
    const later = judgeTrial(plan, progress, loads.slice(-5));
    expect(later.kind).toBe('invalid');
    expect(later.sentence).toMatch(/^No verdict: a check had failed\. 1 connection has no more slots/);
    const several = { ...later, kind: 'invalid', reasons: [], unproven: ['c3-d1'] } as const;
    expect(trialSentence(several, { plan, progress })).toContain(
      ' 3 connections have no more slots, because their pages loaded much slower.',
    );
  });

  it('says nothing of a candidate that was dropped once a check fails', () => {
    const { progress, loads } = simulateTrial(plan, { effects: { 'c1-d1': Math.log(0.6) } }, { seed: 2 });
    expect(progress.end).toEqual({ kind: 'no-candidate-left' });
    const mismatched = loads.map((own) => (own.profileId === 'c1-d1' ? { ...own, valid: false, inEffect: false } : own));
    const state = judgeTrial(plan, progress, mismatched);
    expect(state.kind).toBe('invalid');
    expect(state.sentence).toContain('1 connection was not in effect');
    expect(state.sentence).not.toMatch(/efficient|faster|slower than/);
  });

  it('does not call it no difference when the loads are used up and none can be compared', () => {
    const unknown = planOf({ ...TURNS, slots: { kind: 'loads', perSlot: 5 }, mostLoadsPerArm: 40 });
    const { progress, loads } = simulateTrial(unknown, {}, { seed: 3 });
    const state = judgeTrial(
      unknown,
      { ...progress, end: { kind: 'no-difference' } },
      loads.map((own) => ({ ...own, efficiency: undefined })),
    );
    expect(state.sentence).toBe('Not enough data: of the 40 page loads planned with each, too few can be compared.');
  });

  it('ends without a difference when the loads are used up, and says what was seen', () => {
    const { state, progress } = simulateTrial(
      planOf({ ...TURNS, slots: { kind: 'loads', perSlot: 5 }, mostLoadsPerArm: 40 }),
      {},
      { seed: 7 },
    );
    expect(progress.end).toMatchObject({ kind: 'no-difference' });
    expect(state).toMatchObject({ kind: 'no-difference', reason: { kind: 'loads-used-up' } });
    expect(state.sentence).toMatch(
      /^Not enough data: the 40 page loads planned with each leave it open\. 1 connection looks .* than Firefox's own settings .*, from /,
    );
  });

  it('ends without a difference when the interval lies within what means something', () => {
    const { state } = simulateTrial(plan, { spread: 0.02 }, { seed: 4 });
    expect(state).toMatchObject({ kind: 'no-difference', reason: { kind: 'within-meaningful-change' } });
    expect(state.sentence).toMatch(
      /^No real difference: 1 connection and Firefox's own settings differ by less than 3 %\. 1 connection is /,
    );
  });

  it('is invalid, and shows no finding, while a profile loses half its loads', () => {
    const { state, progress, shown } = simulateTrial(plan, { ...BETTER, lost: { 'c1-d1': 0.5 } }, { seed: 5, mostLoads: 200 });
    expect(progress.status).toBe('running');
    expect(shown).not.toContain('confirmed');
    if (state.kind !== 'invalid') throw new Error(state.kind);
    expect(state.reasons.map(({ kind }) => kind)).toContain('lost-loads');
    expect(state.figures.findings).toEqual([]);
    expect(state.sentence).toMatch(/^No verdict\. /);
    expect(state.sentence).not.toMatch(/efficient|faster|slower/);
  });

  it('ends as invalid when the loads are used up while a check fails', () => {
    const short = planOf({ ...TURNS, slots: { kind: 'loads', perSlot: 5 }, mostLoadsPerArm: 60 });
    const { state, progress } = simulateTrial(short, { lost: { 'c1-d1': 0.5 } }, { seed: 6 });
    expect(progress.end).toEqual({ kind: 'invalid' });
    expect(state.kind).toBe('invalid');
  });

  it('says that the person stopped it', () => {
    const { progress } = drive(plan, [
      { kind: 'started', at: 1 },
      { kind: 'stopped', at: 2 },
    ]);
    expect(judgeTrial(plan, progress, [])).toMatchObject({
      kind: 'stopped',
      sentence: 'The trial was stopped before it reached a verdict.',
    });
  });

  it('does not depend on the order of the loads, and leaves out those of another trial', () => {
    const { progress, loads, state } = simulateTrial(plan, BETTER, { seed: 7, mostLoads: 150 });
    const foreign = loads.map((own) => ({ ...own, efficiency: 0.01, mark: { ...own.mark, trialId: 't0' } }));
    const { figures } = judgeTrial(plan, progress, [...foreign, ...loads.toReversed()]);
    expect(figures.loads).toBe(state.figures.loads);
    for (const [at, { ratio }] of figures.findings.entries()) expect(ratio).toBeCloseTo(state.figures.findings[at]?.ratio ?? 0, 9);
  });
});

describe('what is decided', () => {
  const finding = (profileId: string, figures: Partial<ArmFinding>): ArmFinding => {
    return { profileId, ratio: 1, low: 0.9, high: 1.1, finding: 'undecided', loads: 50, baselineLoads: 50, ...figures };
  };
  const PASSED: readonly TrialCheck[] = [];
  const OPEN: readonly TrialCheck[] = [{ kind: 'carry-over', outcome: 'warning', sentence: '', after: 'a', ratio: 1, evidence: 12 }];
  const FAILED: readonly TrialCheck[] = [{ kind: 'carry-over', outcome: 'failed', sentence: '', after: 'a', ratio: 1, evidence: 120 }];
  const step = (of: TrialPlan, progress: TrialProgress, findings: readonly ArmFinding[], checks = PASSED, recommended?: string) =>
    decideTrial(of, progress, { findings, checks: () => checks, recommended, harmful: [] }).step;
  const withHarmful = (progress: TrialProgress, harmful: readonly ArmFinding[], checks = PASSED) =>
    decideTrial(four, progress, { findings: harmful, checks: () => checks, recommended: undefined, harmful }).step;

  /** The first two blocks of three candidates and the baseline, of two loads each; 16 of 16 loads of the first round. */
  const four = planOf({ candidates: 3, seed: 4, screening: { loadsPerRound: 16 } });
  const round = Array.from({ length: 8 }, (_, slot) => slot).reduce(
    (progress, slot) =>
      drive(
        four,
        [
          ...(slot === 0
            ? [{ kind: 'started' as const, at: 1 }]
            : [
                { kind: 'looked' as const, at: 100 * slot - 1, decision: { slot: slot - 1, stretch: 1, step: { kind: 'go-on' as const } } },
              ]),
          { kind: 'switched', at: 100 * slot + 2, slot },
          ...[0, 1, 2].flatMap((at) => load(`${slot}-${at}`, 100 * slot + 10 + 10 * at)),
        ],
        progress,
      ).progress,
    beginTrial(four),
  );
  const findings = [finding('c1-d1', { ratio: 1.02 }), finding('c2-d1', { ratio: 1.08 }), finding('c3-d1', { ratio: 0.97 })];

  it('keeps the better half of a round, rounded up', () => {
    expect(round.current).toMatchObject({ phase: 'ended', slot: 7 });
    expect(step(four, round, findings)).toEqual({ kind: 'next-round', keep: ['c2-d1', 'c1-d1'] });
    expect(betterHalf(findings.slice(0, 2)).map(({ profileId }) => profileId)).toEqual(['c2-d1']);
  });

  it('confirms the candidate whose interval excludes no change, before its round is over', () => {
    expect(
      step(
        four,
        round,
        [findings[0] ?? finding('', {}), finding('c2-d1', { ratio: 1.2, low: 1.05, high: 1.4, finding: 'better' })],
        PASSED,
        'c2-d1',
      ),
    ).toEqual({
      kind: 'confirm',
      profileId: 'c2-d1',
    });
  });

  it('drops what the harm stop names, and what is worse once no check is open, at the end of a block', () => {
    const inEffect: TrialProgress = { ...round, current: { ...round.current, phase: 'in-effect' } };
    const harmful = finding('c3-d1', { ratio: 0.85, low: 0.75, high: 0.97, finding: 'worse' });
    expect(withHarmful(round, [harmful], OPEN)).toMatchObject({ kind: 'drop', arms: [{ profileId: 'c3-d1', reason: 'harmful' }] });
    expect(withHarmful(inEffect, [harmful], OPEN)).toEqual({ kind: 'go-on' });
    const worse = finding('c3-d1', { ratio: 0.95, low: 0.91, high: 0.99, finding: 'worse' });
    expect(step(four, inEffect, [worse])).toEqual({ kind: 'go-on' });
    expect(step(four, round, [worse], OPEN)).not.toMatchObject({ kind: 'drop' });
    expect(step(four, round, [worse])).toMatchObject({
      kind: 'drop',
      arms: [{ profileId: 'c3-d1', reason: 'worse', found: worse }],
    });
    const wide = finding('c3-d1', { ratio: 0.85, low: 0.6, high: 1.2 });
    expect(step(four, inEffect, [wide])).toEqual({ kind: 'go-on' });
  });

  it('ends without a difference when the loads are used up, one candidate within what means something and the other open', () => {
    const wide = planOf({ candidates: 3, seed: 4, screening: null, mostLoadsPerArm: 4 });
    const findings = [finding('c1-d1', {}), finding('c2-d1', { ratio: 1, low: 0.98, high: 1.02, finding: 'no-meaningful-difference' })];
    expect(step(wide, round, findings)).toEqual({ kind: 'end', as: 'no-difference', found: findings[0] });
    // What has been found waits for a check; what is open does not.
    expect(step(wide, round, findings, OPEN)).toEqual({ kind: 'go-on' });
    expect(step(wide, round, [finding('c1-d1', {})], OPEN)).toMatchObject({ kind: 'end', as: 'no-difference' });
  });

  it('decides nothing while a check fails, but drops what the harm stop names', () => {
    const worse = finding('c3-d1', { ratio: 0.95, low: 0.91, high: 0.99, finding: 'worse' });
    expect(step(four, round, [worse], FAILED)).toEqual({ kind: 'go-on' });
    const harmful = finding('c3-d1', { ratio: 0.85, low: 0.75, high: 0.97, finding: 'worse' });
    expect(withHarmful(round, [harmful], FAILED)).toEqual({
      kind: 'drop',
      arms: [{ profileId: 'c3-d1', reason: 'harmful', found: harmful, checkFailed: true }],
    });
  });

  it('lets what fresh loads have found wait for an open check, and ends once it has closed', () => {
    const chosen = drive(
      four,
      [{ kind: 'looked', at: 900, decision: { slot: 7, stretch: 1, step: { kind: 'confirm', profileId: 'c2-d1' } } }],
      round,
    ).progress;
    const only = chosen.current.profileId;
    const confirming: TrialProgress = {
      ...chosen,
      current: { ...chosen.current, phase: 'ended', slot: 11, block: 2 },
    };
    expect([BASELINE, 'c2-d1']).toContain(only);
    const better = finding('c2-d1', { ratio: 1.1, low: 1.02, high: 1.2, finding: 'better' });
    expect(step(four, confirming, [better], OPEN)).toEqual({ kind: 'go-on' });
    expect(step(four, confirming, [better])).toEqual({ kind: 'end', as: 'confirmed', found: better });
    expect(step(four, confirming, [finding('c2-d1', { finding: 'no-meaningful-difference' })])).toMatchObject({
      kind: 'end',
      as: 'no-difference',
    });
  });
});
