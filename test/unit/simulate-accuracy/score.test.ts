import { describe, expect, it } from 'vitest';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { repeatsAsPredictions, scoreAccuracy, scoreScenario } from '../../accuracy/harness/score.ts';

/** `[predicted, measured]` of profiles a, b, c ... */
const scenario = (...pairs: readonly (readonly [number, number])[]) => ({
  name: 'page over link',
  profiles: pairs.map(([predictedMs, measuredMs], index) => ({ profileId: 'abcdefgh'[index] ?? '', predictedMs, measuredMs })),
});

describe('the score of a scenario', () => {
  it('has errors relative to what was measured', () => {
    // 1100 / 1000 - 1 = 0.1; 1800 / 2000 - 1 = -0.1; 3000 / 3000 - 1 = 0. Mean of sizes 0.2 / 3, mean 0.
    const { errors, meanError, bias } = scoreScenario(scenario([1100, 1000], [1800, 2000], [3000, 3000]));
    expect(errors.map(({ profileId }) => profileId)).toEqual(['a', 'b', 'c']);
    for (const [index, error] of [0.1, -0.1, 0].entries()) expect(errors[index]?.error).toBeCloseTo(error, 12);
    expect(meanError).toBeCloseTo(0.2 / 3, 12);
    expect(bias).toBeCloseTo(0, 12);
  });

  it('has the order of the profiles', () => {
    // Orders 1 2 3 and 1 3 2: rho 1/2, tau 1/3.
    const { spearman, kendall } = scoreScenario(scenario([1, 10], [2, 30], [3, 20]));
    expect(spearman).toBeCloseTo(1 / 2, 12);
    expect(kendall).toBeCloseTo(1 / 3, 12);
  });

  it('finds the best when the profile predicted fastest was measured within 3 % of the fastest', () => {
    expect(scoreScenario(scenario([1, 102.9], [2, 100])).bestFound).toBe(1);
    const missed = scoreScenario(scenario([1, 103.1], [2, 100]));
    expect(missed.bestFound).toBe(0);
    expect(missed.shortfall).toBeCloseTo(0.031, 12);
  });

  it('counts a tie for the fastest as the share that is good', () => {
    // a, b and c are predicted equal; b and c are within 3 %. Shortfalls 0.1, 0, 0.01.
    const { bestFound, shortfall } = scoreScenario(scenario([5, 110], [5, 100], [5 + 1e-9, 101], [6, 100]));
    expect(bestFound).toBeCloseTo(2 / 3, 12);
    expect(shortfall).toBeCloseTo(0.11 / 3, 12);
  });

  it('takes no order from predictions that are all equal, but for rounding', () => {
    expect(scoreScenario(scenario([5, 1], [5, 2], [5 + 1e-10, 3]))).toMatchObject({ spearman: 0, kendall: 0 });
  });

  it('asks for no order where none was measured', () => {
    expect(scoreScenario(scenario([5, 1], [6, 1]))).toMatchObject({ spearman: undefined, kendall: undefined });
    expect(scoreScenario(scenario([5, 1]))).toMatchObject({ spearman: undefined, kendall: undefined, bestFound: 1, shortfall: 0 });
  });

  it.each([
    ['no profile', scenario()],
    ['a predicted time of 0', scenario([0, 1])],
    ['a measured time that is none', scenario([1, Number.NaN])],
    ['an endless time', scenario([Number.POSITIVE_INFINITY, 1])],
    ['a profile twice', { name: 's', profiles: [...scenario([1, 1]).profiles, ...scenario([1, 1]).profiles] }],
  ])('refuses %s', (_, refused) => {
    expect(() => scoreScenario(refused)).toThrow(PlumbfoxError);
  });
});

describe('accuracy over scenarios', () => {
  it('counts every profile of every scenario once', () => {
    // Errors 0.01, -0.02 and 0.03, -0.04, 0.05: sizes sorted .01 .02 .03 .04 .05. Type 7: p50 at place 2, p90 at place 3.6, p95 at 3.8.
    const score = scoreAccuracy([
      scoreScenario(scenario([101, 100], [98, 100])),
      scoreScenario(scenario([103, 100], [96, 100], [105, 100])),
    ]);
    expect([score.scenarios, score.pairs]).toEqual([2, 5]);
    expect(score.errorP50).toBeCloseTo(0.03, 12);
    expect(score.errorP90).toBeCloseTo(0.046, 12);
    expect(score.errorP95).toBeCloseTo(0.048, 12);
    expect(score.bias).toBeCloseTo(0.03 / 5, 12);
    // All measured equal: no scenario has an order.
    expect(score.spearman).toBeUndefined();
  });

  it('takes the median of the correlations there are, and the mean of best found', () => {
    const forward = scoreScenario(scenario([1, 1], [2, 2], [3, 3]));
    const partly = scoreScenario(scenario([1, 10], [2, 30], [3, 20]));
    const alone = scoreScenario(scenario([1, 10]));
    const wrong = scoreScenario(scenario([2, 1], [1, 2]));
    // rho 1, 1/2 and -1: median 1/2. tau 1, 1/3, -1. Best found in 3 of 4.
    expect(scoreAccuracy([forward, partly, alone, wrong])).toMatchObject({ bestFound: 0.75 });
    expect(scoreAccuracy([forward, partly, alone, wrong]).spearman).toBeCloseTo(1 / 2, 12);
    expect(scoreAccuracy([forward, partly, alone, wrong]).kendall).toBeCloseTo(1 / 3, 12);
  });

  it('refuses nothing at all', () => {
    expect(() => scoreAccuracy([])).toThrow(PlumbfoxError);
  });
});

describe('repeats as predictions', () => {
  it('hold each turn of all profiles against the median of the others', () => {
    const turns = repeatsAsPredictions({
      name: 's',
      profiles: [
        { profileId: 'a', loadTimesMs: [10, 20, 40] },
        { profileId: 'b', loadTimesMs: [5, 7] },
        { profileId: 'c', loadTimesMs: [9] },
      ],
    });
    expect(turns.map(({ name }) => name)).toEqual(['s, turn 1', 's, turn 2']);
    expect(
      turns.map(({ profiles }) => profiles.map(({ profileId, predictedMs, measuredMs }) => [profileId, predictedMs, measuredMs])),
    ).toEqual([
      [
        ['a', 10, 30],
        ['b', 5, 7],
      ],
      [
        ['a', 20, 25],
        ['b', 7, 5],
      ],
    ]);
  });

  it('are none without a second load', () => {
    expect(repeatsAsPredictions({ name: 's', profiles: [{ profileId: 'a', loadTimesMs: [10] }] })).toEqual([]);
    expect(repeatsAsPredictions({ name: 's', profiles: [] })).toEqual([]);
  });
});
