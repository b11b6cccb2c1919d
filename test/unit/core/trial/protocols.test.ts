/** A trial judges the pages of one protocol, and compares the others beside it. */
import { describe, expect, it } from 'vitest';
import { answerSentence } from '../../../../src/core/answer/format-answer.ts';
import { trialAnswer } from '../../../../src/core/answer/trial-answer.ts';
import type { LoadProtocol } from '../../../../src/core/compare/comparison.ts';
import { findProfile } from '../../../../src/core/profiles/presets.ts';
import { judgeTrial } from '../../../../src/core/trial/judge-trial.ts';
import { planProtocols, reachedProtocols } from '../../../../src/core/trial/protocol-plan.ts';
import { parseTrialProgress } from '../../../../src/protocol/trial-record.ts';
import { simulateTrial, type Truth } from './simulated-trial.ts';
import { planOf, TURNS } from './trial-driver.ts';

const SLOTS = { kind: 'loads', perSlot: 5 } as const;
/** Half of the pages each. */
const HALVES: readonly LoadProtocol[] = ['http/1.1', 'http/2'];
const REACHED: readonly LoadProtocol[] = ['http/1.1', 'mixed'];
const plan = planOf({ ...TURNS, slots: SLOTS, pages: 8, protocols: { judged: 'http/1.1', share: 0.5, reached: REACHED } });
const FASTER: Truth = { protocols: HALVES, effectsOver: { 'http/1.1': { 'c1-d1': Math.log(1.3) } } };

describe('a trial over two protocols', () => {
  it('confirms what is so over the judged one, with its figures, and shows the other beside it', () => {
    const { state, progress, loads } = simulateTrial(plan, FASTER, { seed: 1 });
    if (state.kind !== 'confirmed') throw new Error(state.kind);
    const { verdict } = state;
    expect(verdict.protocol).toBe('http/1.1');
    // A mean over both would be 14 %.
    expect(verdict.ratio).toBeGreaterThan(1.2);
    const counted = loads.filter(({ mark }) => !mark.washout);
    expect(verdict.loads + verdict.baselineLoads).toBeLessThan(counted.filter(({ protocol }) => protocol === 'http/1.1').length);
    expect(state.sentence).toMatch(/^Proven: 1 connection is \d+ % faster than Firefox's own settings over HTTP\/1\.1 \(/);
    const [other] = state.figures.others ?? [];
    expect(other).toMatchObject({ profileId: 'c1-d1', protocol: 'http/2' });
    expect(Math.abs(Math.log(other?.ratio ?? 0))).toBeLessThan(0.15);
    const answer = trialAnswer({ plan, progress, state });
    expect(answer && answerSentence(answer)).toMatch(/^1 connection is faster here over HTTP\/1\.1: \+/);
    const stored = parseTrialProgress(JSON.parse(JSON.stringify(progress)));
    expect(judgeTrial(plan, stored, []).sentence).toBe(state.sentence);
  });

  it('takes nothing that another protocol gains for a verdict', () => {
    const truth: Truth = { protocols: HALVES, effectsOver: { 'http/2': { 'c1-d1': Math.log(1.5) } } };
    const short = planOf({ ...TURNS, slots: SLOTS, mostLoadsPerArm: 180, protocols: plan.protocols });
    const { state } = simulateTrial(short, truth, { seed: 2 });
    expect(state.kind).not.toBe('confirmed');
    expect(state.figures.others?.[0]?.ratio).toBeGreaterThan(1.3);
  });

  it('drops a profile that does harm over another protocol, and says over which', () => {
    const truth: Truth = { protocols: HALVES, effectsOver: { 'http/2': { 'c1-d1': Math.log(0.6) } } };
    const { state, progress } = simulateTrial(plan, truth, { seed: 3 });
    expect(progress.dropped).toMatchObject([{ profileId: 'c1-d1', reason: 'harmful', found: { protocol: 'http/2' } }]);
    expect(state.sentence).toMatch(/1 connection was dropped early: \d+ % slower than Firefox's own settings over HTTP\/2 \(/);
  });

  it('whose person had no loads yet judges the protocol of most of its first draws', () => {
    const unplanned = planOf({ ...TURNS, slots: SLOTS, pages: 8 });
    const truth: Truth = { ...FASTER, protocols: ['http/1.1', 'http/1.1', 'http/2'] };
    const { state } = simulateTrial(unplanned, truth, { seed: 4 });
    expect(state).toMatchObject({ kind: 'confirmed', verdict: { protocol: 'http/1.1' } });
  });

  it('of one protocol alone names none', () => {
    const { state } = simulateTrial(planOf({ ...TURNS, slots: SLOTS }), { ...FASTER, protocols: ['http/1.1'] }, { seed: 1 });
    if (state.kind !== 'confirmed') throw new Error(state.kind);
    expect(state.verdict.protocol).toBeUndefined();
    expect(state.figures.others).toBeUndefined();
  });
});

describe('what a trial is planned to judge', () => {
  const of = (counts: Partial<Record<LoadProtocol | 'unknown', number>>) =>
    Object.entries(counts).flatMap(([protocol, count]) =>
      Array.from({ length: count }, () => (protocol === 'unknown' ? undefined : (protocol as LoadProtocol))),
    );

  it('is what most loads are, of what the profiles reach', () => {
    const history = of({ 'http/2': 20, mixed: 12, 'http/1.1': 8, unknown: 5 });
    expect(planProtocols(history, REACHED)).toEqual({ judged: 'mixed', share: 0.3, reached: REACHED });
    expect(planProtocols(history, ['http/2', 'mixed'])).toMatchObject({ judged: 'http/2', share: 0.5 });
    // Nothing that is reached was loaded: there is most to see in the others.
    expect(planProtocols(of({ 'http/2': 30 }), REACHED)).toMatchObject({ judged: 'http/2', share: 1 });
  });

  it('is not known from few loads', () => {
    expect(planProtocols(of({ 'http/1.1': 9, unknown: 40 }), REACHED)).toMatchObject({ judged: 'unknown', share: 1 });
  });

  it.each([
    ['c12-d1', 'none', ['http/1.1', 'mixed']],
    ['c4-d6', 'gateway', ['http/1.1', 'mixed']],
    ['c4-d6', 'http2', ['http/1.1', 'mixed', 'http/2']],
    ['betterfox', 'none', ['http/1.1', 'mixed', 'http/2', 'http/3']],
    ['firefox-default', 'none', []],
  ] as const)('%s carried by %s reaches %j', (id, carrier, reached) => {
    const profile = findProfile(id);
    expect(profile && reachedProtocols([{ profile, carrier }])).toEqual(reached);
  });
});
