import { describe, expect, it } from 'vitest';
import { planLoads } from '../../../../src/core/compare/planned-loads.ts';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import { candidatesOf, makeTrialPlan, type TrialPlanOptions } from '../../../../src/core/trial/trial-plan.ts';
import { parseTrialPlan } from '../../../../src/protocol/trial-record.ts';
import { armsOf, BASELINE } from './trial-driver.ts';

const OPTIONS: TrialPlanOptions = { id: 't1', seed: 5, baseline: BASELINE, profiles: armsOf(3), live: true, createdAt: 1_700_000_000_000 };

/** At the one look on which four fifths of alpha are spent. */
const AS_EXPECTED = { logSd: 0.35, change: 0.1, alpha: 0.04, looks: 'once' } as const;
/** Of 9 loads of an arm in a block, those of slots that follow one of its own: 2 and 3/8 slots of 3 loads. */
const SETTLED = 7.125;

describe('makeTrialPlan', () => {
  it('fills in what is not said', () => {
    const plan = makeTrialPlan(OPTIONS);
    expect(plan).toMatchObject({
      format: 3,
      // Together until it is known what there is.
      protocols: { judged: 'unknown', share: 1, reached: [] },
      slots: { kind: 'loads', perSlot: 3 },
      alpha: 0.05,
      meaningfulChange: 0.03,
      targetChange: 0.1,
      power: 0.8,
      // 10 loads for each of 4 arms.
      screening: { loadsPerRound: 40 },
      slotsPerTurn: 3,
    });
    const { loadsPerProfile } = planLoads({ ...AS_EXPECTED, everyday: { loadsPerDraw: SETTLED, pages: 60 } });
    // Whole draws of two blocks, and one draw more.
    expect(plan.plannedLoadsPerArm).toBe(2 * 9 * (1 + Math.ceil(loadsPerProfile / SETTLED / 2)));
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
    ['a target that is no share', { targetChange: 1 }, /\(0, 1\)/],
    ['a target below what means something', { targetChange: 0.02 }, /above the meaningful change/],
    ['half a load per slot', { slots: { kind: 'loads', perSlot: 0.5 } }, /whole number from 1/],
    ['no minutes', { slots: { kind: 'minutes', perSlot: 0 } }, /minutes/],
    ['no loads at most', { mostLoadsPerArm: 0 }, /whole number from 1/],
    ['no loads in a round', { screening: { loadsPerRound: 0 } }, /whole number from 1/],
    ['a time that is none', { createdAt: Number.NaN }, /ms since 1970/],
  ])('refuses %s', (_, change, message) => {
    const make = () => makeTrialPlan({ ...OPTIONS, ...change });
    expect(make).toThrow(PlumbfoxError);
    expect(make).toThrow(message);
  });

  it('is the same after JSON and the schema', () => {
    const plan = makeTrialPlan({ ...OPTIONS, screening: null });
    expect(parseTrialPlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
    expect(() => parseTrialPlan({ ...plan, format: 4 })).toThrow();
    expect(() => parseTrialPlan({ ...plan, alpha: 1 })).toThrow();
  });

  it('reads a plan of the first format, whose turns are of one slot', () => {
    const { slotsPerTurn: _, protocols, ...plan } = { ...makeTrialPlan(OPTIONS), format: 1 as const };
    expect(parseTrialPlan(plan)).toEqual({ ...plan, slotsPerTurn: 1, protocols });
    expect(parseTrialPlan(parseTrialPlan(plan))).toEqual({ ...plan, slotsPerTurn: 1, protocols });
  });

  it('reads a plan of the second format, which judged all protocols together', () => {
    const { protocols, ...plan } = { ...makeTrialPlan(OPTIONS), format: 2 as const };
    expect(parseTrialPlan(plan)).toEqual({ ...plan, protocols });
  });

  it('refuses what would take more loads than anybody waits for, and says why', () => {
    const rare = { judged: 'http/1.1', share: 0.05, reached: ['http/1.1', 'mixed'] } as const;
    expect(() => makeTrialPlan({ ...OPTIONS, protocols: rare })).toThrow(
      'Pages over HTTP/1.1 are only 5 % of your newest loads: a change of 10 % would take more than 5000 loads of each profile',
    );
    expect(makeTrialPlan({ ...OPTIONS, protocols: { ...rare, share: 0.2 } }).plannedLoadsPerArm).toBeLessThan(5_000);
  });

  it('takes as many more loads as fewer of them are of the protocol that it judges', () => {
    const all = makeTrialPlan(OPTIONS);
    const half = makeTrialPlan({ ...OPTIONS, protocols: { judged: 'http/1.1', share: 0.5, reached: ['http/1.1', 'mixed'] } });
    expect(half.plannedLoadsPerArm / all.plannedLoadsPerArm).toBeGreaterThan(1.8);
    expect(half.plannedLoadsPerArm / all.plannedLoadsPerArm).toBeLessThan(2.4);
    expect(half.mostLoadsPerArm).toBeGreaterThanOrEqual(2 * 500);
    expect(half.screening).toEqual({ loadsPerRound: 80 });
    expect(() => makeTrialPlan({ ...OPTIONS, protocols: { judged: 'http/1.1', share: 0, reached: [] } })).toThrow(/share/);
  });
});
