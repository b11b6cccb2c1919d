import { describe, expect, it } from 'vitest';
import { planLoads } from '../../../../src/core/compare/planned-loads.ts';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { candidatesOf, makeTrialPlan, replannedDraws, type TrialPlanOptions } from '../../../../src/core/trial/trial-plan.ts';
import { parseTrialPlan } from '../../../../src/protocol/trial-record.ts';
import { armsOf, BASELINE } from './trial-driver.ts';

const OPTIONS: TrialPlanOptions = { id: 't1', seed: 5, baseline: BASELINE, profiles: armsOf(3), live: true, createdAt: 1_700_000_000_000 };

/** At the last of the looks, of which there are three intervals. */
const AS_EXPECTED = { logSd: 0.35, change: 0.1, alpha: 0.05 * 0.9 * 0.845, intervals: 3 };
/** Of 18 loads of an arm in a draw, those of slots that follow one of its own: twice 2 and 3/8 slots of 3 loads. */
const SETTLED = 14.25;

describe('makeTrialPlan', () => {
  it('fills in what is not said', () => {
    const plan = makeTrialPlan(OPTIONS);
    expect(plan).toMatchObject({
      format: 1,
      // Together until it is known what there is.
      protocols: { judged: 'unknown', share: 1, reached: [] },
      slots: { kind: 'loads', perSlot: 3 },
      alpha: 0.05,
      slotsPerTurn: 3,
      // 720 loads of each.
      mostDraws: 40,
    });
    const { loadsPerProfile } = planLoads({ ...AS_EXPECTED, everyday: { loadsPerDraw: SETTLED, pages: 60 } });
    expect(plan.plannedDraws).toBe(Math.ceil(loadsPerProfile / SETTLED));
    expect(candidatesOf(plan)).toEqual(['c1-d1', 'c2-d1', 'c3-d1']);
  });

  it('takes sessions for slots where the applier is not live, and refuses any others', () => {
    expect(makeTrialPlan({ ...OPTIONS, live: false }).slots).toEqual({ kind: 'session' });
    expect(() => makeTrialPlan({ ...OPTIONS, live: false, slots: { kind: 'minutes', perSlot: 10 } })).toThrow(/must be sessions/);
  });

  it.each<[string, Partial<TrialPlanOptions>, RegExp]>([
    ['a lone profile', { profiles: armsOf(0) }, /at least two/],
    ['too many', { profiles: armsOf(32) }, /at most 32/],
    ['one twice', { profiles: [...armsOf(1), ...armsOf(1)] }, /twice/],
    ['no baseline', { baseline: 'c9-d9' }, /not among the profiles/],
    ['an id with a space', { id: 'my trial' }, /letters, digits/],
    ['a seed that is no whole number', { seed: 0.5 }, /whole number/],
    ['alpha 0', { alpha: 0 }, /\(0, 1\)/],
    ['alpha that is no number', { alpha: Number.NaN }, /\(0, 1\)/],
    ['half a load per slot', { slots: { kind: 'loads', perSlot: 0.5 } }, /whole number from 1/],
    ['no minutes', { slots: { kind: 'minutes', perSlot: 0 } }, /minutes/],
    ['no loads at most', { mostLoadsPerArm: 0 }, /whole number from 1/],
    ['fewer loads than a verdict takes', { mostLoadsPerArm: 107 }, /at least 108 loads/],
    ['a time that is none', { createdAt: Number.NaN }, /ms since 1970/],
  ])('refuses %s', (_, change, message) => {
    const make = () => makeTrialPlan({ ...OPTIONS, ...change });
    expect(make).toThrow(PlumbfoxError);
    expect(make).toThrow(message);
  });

  it('is the same after JSON and the schema', () => {
    const plan = makeTrialPlan(OPTIONS);
    expect(parseTrialPlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
    expect(() => parseTrialPlan({ ...plan, format: 2 })).toThrow();
    expect(() => parseTrialPlan({ ...plan, alpha: 1 })).toThrow();
  });

  it('plans again by how much loads vary: from six draws on, and to the most', () => {
    const plan = makeTrialPlan({ ...OPTIONS, profiles: armsOf(1) });
    // (2.27 + 0.84)^2 * 0.13^2 / ln(1.1)^2 = 18.0, with t at 3.8 % of 17 degrees.
    expect(replannedDraws(plan, 0.13 ** 2)).toBe(18);
    expect(replannedDraws(plan, 1e-4)).toBe(6);
    expect(replannedDraws(plan, 10)).toBe(plan.mostDraws);
  });

  it('refuses what would take more loads than anybody waits for, and says why', () => {
    const rare = { judged: 'http/1.1', share: 0.05, reached: ['http/1.1', 'mixed'] } as const;
    expect(() => makeTrialPlan({ ...OPTIONS, protocols: rare })).toThrow(
      'Pages over HTTP/1.1 are only 5 % of your newest loads: a change of 10 % would take more than 5000 loads of each profile',
    );
    expect(makeTrialPlan({ ...OPTIONS, protocols: { ...rare, share: 0.2 } }).plannedDraws).toBeGreaterThan(40);
  });

  it('takes as many more loads as fewer of them are of the protocol that it judges', () => {
    const all = makeTrialPlan(OPTIONS);
    const half = makeTrialPlan({ ...OPTIONS, protocols: { judged: 'http/1.1', share: 0.5, reached: ['http/1.1', 'mixed'] } });
    expect(half.plannedDraws / all.plannedDraws).toBeGreaterThan(1.8);
    expect(half.plannedDraws / all.plannedDraws).toBeLessThan(2.4);
    expect(half.mostDraws).toBe(80);
    expect(() => makeTrialPlan({ ...OPTIONS, protocols: { judged: 'http/1.1', share: 0, reached: [] } })).toThrow(/share/);
  });
});
