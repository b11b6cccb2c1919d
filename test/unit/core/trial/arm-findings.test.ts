/** Candidates against the baseline, by core's findings and its one rule of recommendation. */
import { describe, expect, it } from 'vitest';
import { armsAtAnyLook, armsAtLooks, findingsOf, harmfulArms } from '../../../../src/core/trial/arm-findings.ts';
import type { TrialLoad } from '../../../../src/core/trial/judged-loads.ts';
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
  const judged = armsAtAnyLook(loads, { plan, end: 20 });
  return { findings: findingsOf(judged, loads, BASELINE), recommended: judged.recommended?.profile.id };
};

describe('the arms at any look', () => {
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

describe('the arms at the planned looks', () => {
  const plan = planOf();
  const active = [BASELINE, 'c1-d1'];
  const upTo = (loads: readonly TrialLoad[], draws: number) => loads.filter(({ block }) => block < 2 * draws);
  const at = (loads: readonly TrialLoad[], draws: number, end = 20) => {
    const own = upTo(loads, draws);
    return findingsOf(armsAtLooks(own, { plan, active, draws, end }), own, BASELINE)[0];
  };
  const width = (one: ReturnType<typeof at>) => Math.log((one?.high ?? 0) / (one?.low ?? 0));
  const close = loadsOf({ profileId: BASELINE, ratio: 1 }, { profileId: 'c1-d1', ratio: 1.024 });

  it('have the shorter interval at the end, whichever pages have loads in each draw', () => {
    const judged = close.filter(({ block }) => block % 8 > 1);
    expect(width(at(close, 20))).toBeLessThan(0.75 * width(at(close, 19)));
    expect(width(at(judged, 20))).toBeLessThan(0.75 * width(at(judged, 19)));
  });

  it('find nothing before the sixth draw, however much faster one is', () => {
    const far = loadsOf({ profileId: BASELINE, ratio: 1 }, { profileId: 'c1-d1', ratio: 3 });
    expect([at(far, 5, 10)?.finding, at(far, 6, 10)?.finding]).toEqual(['undecided', 'better']);
  });

  it('keep what was found at a look, as a check may have held it back', () => {
    const gone = loadsOf({ profileId: BASELINE, ratio: 1 }, { profileId: 'c1-d1', ratio: 1.2 }).map((load) =>
      // From the look after eight draws on it is as much slower.
      load.block >= 16 && load.profileId === 'c1-d1' ? { ...load, efficiency: (load.efficiency ?? 1) / 1.6 } : load,
    );
    expect([at(gone, 8)?.finding, at(gone, 9)?.finding]).toEqual(['better', 'better']);
  });
});

describe('the harm stop', () => {
  it('asks for ten per cent, and for a finding of the comparison', () => {
    const harmful = (ratio: number, excluded = 0) => {
      const plan = planOf();
      const loads = loadsOf({ profileId: BASELINE, ratio: 1 }, { profileId: 'c1-d1', ratio, excluded });
      return harmfulArms(loads, { plan }).map(({ profileId }) => profileId);
    };
    expect(harmful(0.85)).toEqual(['c1-d1']);
    expect(harmful(0.95)).toEqual([]);
    expect(harmful(0.85, 3)).toEqual([]);
  });
});
