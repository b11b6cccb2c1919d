/** Candidates against the baseline, by core's findings and its one rule of recommendation. */
import { describe, expect, it } from 'vitest';
import { armFindings, confirmingFindings, harmfulArms } from '../../../../src/core/trial/arm-findings.ts';
import type { TrialLoad } from '../../../../src/core/trial/stage-loads.ts';
import { BASELINE, planOf } from './trial-driver.ts';

interface Made {
  readonly profileId: string;
  readonly ratio: number;
  /** In each block, after the one that can be used. */
  readonly excluded?: number;
}

/** Forty blocks of two loads of every profile on one page; noise of some percents that no profile shares. */
function loadsOf(...arms: readonly Made[]): readonly TrialLoad[] {
  return Array.from({ length: 40 }, (_, block) =>
    arms.flatMap(({ profileId, ratio, excluded = 0 }, arm) =>
      Array.from({ length: 2 + excluded }, (_, at): TrialLoad => {
        const valid = at < 2;
        const slot = block * arms.length + arm;
        const efficiency = 0.3 * ratio * Math.exp(0.05 * Math.sin(7 * slot * slot + 3 * at));
        const mark = { trialId: 't1', block, slot, profileId, position: at + 1, washout: false };
        return {
          profileId,
          page: 'p',
          link: 'l',
          block,
          slot,
          mark,
          startedAt: slot,
          inEffect: valid,
          valid,
          efficiency,
          loadTimeMs: 1000,
        };
      }),
    ),
  ).flat();
}

const find = (loads: readonly TrialLoad[], candidates: number) => {
  const plan = planOf({ candidates });
  return armFindings(loads, { plan, arms: plan.profiles.map(({ id }) => id), plannedBlocks: undefined });
};

describe('armFindings', () => {
  it('names what the comparison recommends', () => {
    const { findings, recommended } = find(loadsOf({ profileId: BASELINE, ratio: 1 }, { profileId: 'c1-d1', ratio: 1.5 }), 1);
    expect(findings).toMatchObject([{ profileId: 'c1-d1', finding: 'better', loads: 80, baselineLoads: 80 }]);
    expect(recommended).toBe('c1-d1');
  });

  it('finds nothing where the comparison has no verdict: more than half of the loads are excluded', () => {
    const loads = loadsOf({ profileId: BASELINE, ratio: 1 }, { profileId: 'c1-d1', ratio: 1.5, excluded: 3 });
    const { findings, recommended } = find(loads, 1);
    expect(findings).toMatchObject([{ profileId: 'c1-d1', finding: 'undecided' }]);
    expect(recommended).toBeUndefined();
  });

  it('names the cheaper of two that are not separated, as the comparison does', () => {
    const arms = [BASELINE, 'c1-d1', 'c2-d1'].map((profileId, at) => ({ profileId, ratio: at === 0 ? 1 : 1.5 + 0.0001 * at }));
    expect(find(loadsOf(...arms), 2).recommended).toBe('c1-d1');
  });
});

describe('the planned end', () => {
  const plan = planOf();
  const arms = [BASELINE, 'c1-d1'];
  const all = loadsOf({ profileId: BASELINE, ratio: 1 }, { profileId: 'c1-d1', ratio: 1.024 });
  const planned = { ...plan, plannedLoadsPerArm: 2 * 40, mostLoadsPerArm: 200 };
  const findingOf = (loads: readonly TrialLoad[], made: readonly TrialLoad[]) =>
    confirmingFindings(loads, { plan: planned, arms, all: made, isUsedUp: false }).findings[0];

  it('is a block of the trial, also for pages that have no load in every block', () => {
    const judged = all.filter(({ block }) => block % 4 !== 0);
    const before = findingOf(
      judged.filter(({ block }) => block < 39),
      all.filter(({ block }) => block < 39),
    );
    const then = findingOf(judged, all);
    // Student's t at the end is narrower than the sequence of the looks before it.
    const width = (one: typeof then) => Math.log((one?.high ?? 0) / (one?.low ?? 0));
    expect(width(then)).toBeLessThan(0.75 * width(before));
    expect(width(then)).toBeLessThan(0.75 * width(findingOf(judged, judged)));
  });
});

describe('the harm stop', () => {
  it('asks for ten per cent, and for a finding of the comparison', () => {
    const harmful = (ratio: number, excluded = 0) => {
      const plan = planOf();
      const loads = loadsOf({ profileId: BASELINE, ratio: 1 }, { profileId: 'c1-d1', ratio, excluded });
      return harmfulArms(loads, { plan, arms: [BASELINE, 'c1-d1'] }).map(({ profileId }) => profileId);
    };
    expect(harmful(0.85)).toEqual(['c1-d1']);
    expect(harmful(0.95)).toEqual([]);
    expect(harmful(0.85, 3)).toEqual([]);
  });
});
