import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/random.ts';
import { isCounted } from '../../../src/core/trial/judged-loads.ts';
import { ONE_SITTING } from './browsing.ts';
import { everydayTrial, type TrialTruth } from './everyday-trial.ts';
import { BASELINE } from './judge.ts';
import { CANDIDATE, EVERYDAY_TRUTH, twoArms } from './truths.ts';

const run = (truth: TrialTruth = EVERYDAY_TRUTH, options = {}) => everydayTrial({ truth, mostLoads: 1000, ...options }, seededRandom(1));

describe('a simulated trial', () => {
  it('is told of every load, and ends by itself', () => {
    const { made, progress, state, loads, plan } = run({ ...EVERYDAY_TRUTH, arms: twoArms(Math.log(1.5)) });
    expect(state.kind).toBe('confirmed');
    expect(made).toBeLessThan(1000);
    // Every load that carries a mark was counted by the trial, that of the washout apart.
    const recorded = progress.stretches.flatMap(({ counts }) => Object.values(counts)).reduce((sum, own) => sum + own.recorded, 0);
    expect(loads.filter(isCounted)).toHaveLength(recorded);
    expect(new Set(loads.map(({ mark }) => mark.trialId))).toEqual(new Set([plan.id]));
  });

  it('loses the loads that it is told to lose', () => {
    const { loads, made, progress } = run({ ...EVERYDAY_TRUTH, lost: { [CANDIDATE]: 1 } }, { mostLoads: 100 });
    expect(made).toBe(100);
    expect(loads.filter(({ profileId }) => profileId === CANDIDATE)).toHaveLength(0);
    expect(loads.filter(({ profileId }) => profileId === BASELINE).length).toBeGreaterThan(30);
    expect(progress.stretches[0]?.counts[CANDIDATE]?.lost).toBeGreaterThan(20);
  });

  it('is looked at as often as said', () => {
    expect(run(EVERYDAY_TRUTH, { mostLoads: 60, lookEvery: 20 }).looks.map(({ made }) => made)).toEqual([20, 40, 60]);
  });

  it('gives each slot one effect', () => {
    const truth = {
      ...EVERYDAY_TRUTH,
      noiseSpread: 0,
      timeOfDay: 0,
      slotSpread: 1,
      contentSpread: 0,
      habits: { ...ONE_SITTING, pageSpread: 0 },
    };
    const { loads } = run(truth, { mostLoads: 60 });
    const levels = new Map<number, number[]>();
    for (const { mark, efficiency = 0 } of loads) {
      levels.set(mark.slot, [...(levels.get(mark.slot) ?? []), Math.log(efficiency)]);
    }
    expect(levels.size).toBeGreaterThan(8);
    for (const own of levels.values()) for (const level of own) expect(level).toBeCloseTo(own[0] ?? 0, 9);
    expect(new Set([...levels.values()].map(([level]) => level?.toFixed(6))).size).toBe(levels.size);
  });
});
