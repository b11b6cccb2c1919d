/** What a trial says in each state, and what it decides. */
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../../src/core/compare/recommend.ts';
import { decideTrial } from '../../../../src/core/trial/decide-trial.ts';
import { trialSentence } from '../../../../src/core/trial/format-trial.ts';
import { judgeTrial, lookAtTrial } from '../../../../src/core/trial/judge-trial.ts';
import { settledLoads } from '../../../../src/core/trial/judged-loads.ts';
import { beginTrial } from '../../../../src/core/trial/stretches.ts';
import type { ArmFinding, TrialProgress } from '../../../../src/core/trial/trial-progress.ts';
import type { TrialCheck } from '../../../../src/core/trial/trial-state.ts';
import { parseTrialProgress } from '../../../../src/protocol/trial-record.ts';
import { simulateTrial } from './simulated-trial.ts';
import { BASELINE, drive, planOf, TURNS } from './trial-driver.ts';

const plan = planOf({ ...TURNS, slots: { kind: 'loads', perSlot: 5 } });
const BETTER = { effects: { 'c1-d1': Math.log(1.25) } };

describe('a trial of two profiles', () => {
  it('has nothing to say before it begins', () => {
    const { state, decision } = lookAtTrial(plan, beginTrial(plan), []);
    expect(state).toMatchObject({ kind: 'collecting', sentence: 'The trial has not begun.', figures: { loads: 0 } });
    expect(state.checks.map(({ outcome }) => outcome)).not.toContain('failed');
    expect(decision).toEqual({ slot: 0, stretch: 1, step: { kind: 'go-on' } });
  });

  it('goes from collecting over leading to confirmed, on all loads of whole draws', () => {
    const { state, progress, loads, shown } = simulateTrial(plan, { effects: { 'c1-d1': Math.log(1.12) } }, { seed: 1 });
    expect(shown.filter((kind) => kind !== 'checking')).toEqual(['collecting', 'leading', 'confirmed']);
    expect(progress.end).toMatchObject({ kind: 'confirmed' });
    if (state.kind !== 'confirmed') throw new Error(state.kind);
    expect(state.verdict.loads + state.verdict.baselineLoads).toBe(
      settledLoads(plan, progress, loads).filter(({ mark }) => !mark.washout).length,
    );
    // No verdict before the sixth draw.
    expect(progress.current.block).toBeGreaterThanOrEqual(11);
    expect(state.verdict.low).toBeGreaterThan(1);
    expect(state.sentence).toMatch(
      /^Proven: 1 connection is \d+ % faster than Firefox's own settings \(\+.* % to \+.* %\), from \d+ loads with 1 connection and \d+ with Firefox's own settings\.$/,
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
    const unknown = planOf({ ...TURNS, slots: { kind: 'loads', perSlot: 2 }, mostLoadsPerArm: 72 });
    const { progress, loads } = simulateTrial(unknown, {}, { seed: 3 });
    const state = judgeTrial(
      unknown,
      { ...progress, end: { kind: 'no-difference' } },
      loads.map((own) => ({ ...own, efficiency: undefined })),
    );
    expect(state.sentence).toBe('All planned loads are made, too few of which count.');
  });

  it('ends without a difference when the loads are used up, and says what was seen', () => {
    const { state, progress } = simulateTrial(
      planOf({ ...TURNS, slots: { kind: 'loads', perSlot: 2 }, mostLoadsPerArm: 72 }),
      {},
      { seed: 7 },
    );
    expect(progress.end).toMatchObject({ kind: 'no-difference' });
    expect(state).toMatchObject({ kind: 'no-difference', reason: { kind: 'not-found', isFutile: false } });
    expect(state.sentence).toMatch(
      /^All planned loads are made and no difference is proven\. 1 connection looks .* than Firefox's own settings .*, from /,
    );
  });

  it('plans its end anew after six draws, stores it, and keeps to it when it is computed again', () => {
    const { progress, loads } = simulateTrial(plan, {}, { seed: 3 });
    const { plannedDraws = 0 } = progress;
    // Loads vary by 0.25 where 0.35 was expected: (0.25 / 0.35)^2 is half.
    expect(plannedDraws).toBeGreaterThanOrEqual(6);
    expect(plannedDraws).toBeLessThan(plan.plannedDraws);
    const again = lookAtTrial(plan, progress, loads.slice(100));
    expect(again.decision.plannedDraws).toBeUndefined();
  });

  it('stops early when a gain would hardly show any more, and says so', () => {
    const { state, progress } = simulateTrial(plan, { effects: { 'c1-d1': -0.02 } }, { seed: 4 });
    expect(progress.dropped).toMatchObject([{ profileId: 'c1-d1', reason: 'cannot-win' }]);
    expect(state).toMatchObject({ kind: 'no-difference', reason: { kind: 'not-found', isFutile: true } });
    expect(state.sentence).toMatch(/^The trial ended early: a gain of 10 % would hardly show any more\. 1 connection looks /);
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
    const short = planOf({ ...TURNS, slots: { kind: 'loads', perSlot: 2 }, mostLoadsPerArm: 72 });
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
  /** Six draws of three candidates and the baseline are over. */
  const four = planOf({ candidates: 3, seed: 4 });
  const over: TrialProgress = {
    ...drive(four, [{ kind: 'started', at: 1 }]).progress,
    current: { ...beginTrial(four).current, block: 11, slot: 47, phase: 'ended' },
  };
  const FAILED: readonly TrialCheck[] = [{ kind: 'carry-over', outcome: 'failed', sentence: '', after: 'a', ratio: 1, evidence: 120 }];
  const OPEN: readonly TrialCheck[] = [{ kind: 'carry-over', outcome: 'warning', sentence: '', after: 'a', ratio: 1, evidence: 12 }];
  const finding = (profileId: string, figures: Partial<ArmFinding>): ArmFinding => {
    return { profileId, ratio: 1, low: 0.9, high: 1.1, finding: 'undecided', loads: 50, baselineLoads: 50, ...figures };
  };
  interface Seen {
    readonly found: readonly ArmFinding[];
    readonly recommended?: string;
    readonly checks?: readonly TrialCheck[];
    readonly harmful?: readonly ArmFinding[];
    readonly end?: number;
    readonly progress?: TrialProgress;
  }
  const step = ({ found, recommended, checks = [], harmful = [], end = 20, progress = over }: Seen) => {
    const candidates = found.map((one): Candidate => candidateOf(one));
    const chosen = candidates.find(({ profile }) => profile.id === recommended);
    return decideTrial(four, progress, {
      candidates,
      recommended: chosen,
      findings: found,
      end,
      replanned: undefined,
      checks: () => checks,
      harmful,
    }).step;
  };
  const candidateOf = ({ profileId, ratio = 1, finding: verdict }: ArmFinding): Candidate => {
    const separation = { finding: verdict, ratio, low: 0.9, high: 1.1 } as Candidate['gain'];
    const profile = four.profiles.find(({ id }) => id === profileId) ?? { id: profileId, carrier: 'none', role: 'candidate', depth: 1 };
    const said = verdict === 'undecided' ? 'need-more-loads' : verdict;
    const shown = { profileId, against: BASELINE, separation, fault: undefined, without: [], verdict: said } as const;
    return { profile, shown, gain: separation, times: undefined };
  };
  const findings = [finding('c1-d1', { ratio: 1.02 }), finding('c2-d1', { ratio: 1.08 }), finding('c3-d1', { ratio: 0.97 })];

  it('drops the slower ones on the schedule, with their figures, and nothing in the middle of a draw', () => {
    // Of 20 draws one of three candidates goes after 3, and the next after 6.
    expect(step({ found: findings })).toEqual({
      kind: 'drop',
      arms: [findings[0], findings[2]].map((found) => ({ profileId: found?.profileId, reason: 'behind', found })),
    });
    const half = { ...over, current: { ...over.current, block: 10, slot: 43 } };
    expect(step({ found: findings, progress: half })).toEqual({ kind: 'go-on' });
  });

  it('ends with the recommended one when all others are behind it, and waits for open checks', () => {
    const better = finding('c2-d1', { ratio: 1.2, low: 1.05, high: 1.4, finding: 'better' });
    const found = [findings[0] ?? better, better];
    expect(step({ found, recommended: 'c2-d1' })).toEqual({ kind: 'end', as: 'confirmed', found: better });
    expect(step({ found, recommended: 'c2-d1', checks: OPEN })).toEqual({ kind: 'go-on' });
    expect(step({ found, recommended: 'c2-d1', checks: FAILED })).toEqual({ kind: 'go-on' });
  });

  it('drops what the harm stop names at the end of any block, also while a check fails; what is worse waits', () => {
    const harmful = finding('c3-d1', { ratio: 0.85, low: 0.75, high: 0.97, finding: 'worse' });
    expect(step({ found: findings, harmful: [harmful], checks: FAILED })).toEqual({
      kind: 'drop',
      arms: [{ profileId: 'c3-d1', reason: 'harmful', found: harmful, checkFailed: true }],
    });
    const inEffect: TrialProgress = { ...over, current: { ...over.current, phase: 'in-effect' } };
    expect(step({ found: findings, harmful: [harmful], progress: inEffect })).toEqual({ kind: 'go-on' });
    const worse = finding('c3-d1', { ratio: 0.95, low: 0.91, high: 0.99, finding: 'worse' });
    expect(step({ found: [worse] })).toEqual({ kind: 'drop', arms: [{ profileId: 'c3-d1', reason: 'worse', found: worse }] });
    expect(step({ found: [worse], checks: OPEN })).toEqual({ kind: 'go-on' });
  });

  it('ends without a difference at the planned end, and as invalid while a check fails then', () => {
    const [only = finding('', {})] = findings;
    expect(step({ found: [only], end: 6 })).toEqual({ kind: 'end', as: 'no-difference', found: only });
    expect(step({ found: [only], end: 6, checks: FAILED })).toEqual({ kind: 'end', as: 'invalid' });
    // A verdict waits for a check until twice as many draws are made.
    const same = finding('c1-d1', { finding: 'no-meaningful-difference' });
    expect(step({ found: [same], end: 4, checks: OPEN })).toEqual({ kind: 'go-on' });
    expect(step({ found: [same], end: 3, checks: OPEN })).toEqual({ kind: 'end', as: 'invalid' });
  });
});
