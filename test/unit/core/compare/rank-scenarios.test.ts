import { describe, expect, it } from 'vitest';
import type { ComparedProfile } from '../../../../src/core/compare/comparison.ts';
import { type RankableScenario, rankScenarios } from '../../../../src/core/compare/rank-scenarios.ts';
import { CONTROL, FIREFOX_DEFAULT, findProfile, profileSet } from '../../../../src/core/profiles/presets.ts';

const compared = (id: string, role: ComparedProfile['role'] = 'candidate'): ComparedProfile => {
  const profile = id === CONTROL.id ? CONTROL : id === FIREFOX_DEFAULT.id ? FIREFOX_DEFAULT : findProfile(id);
  if (profile === undefined) throw new Error(id);
  return { id, role, carrier: profile.depth > 1 ? 'gateway' : 'none', connections: profile.connections, depth: profile.depth };
};

const scenario = (efficiencies: Readonly<Record<string, number | undefined>>): RankableScenario => ({
  profiles: Object.entries(efficiencies).map(([id, efficiencyMedian]) => ({ id, efficiencyMedian })),
});

/** `id: firsts / top quartile / lasts` of each profile. */
const places = (ranking: ReturnType<typeof rankScenarios>) =>
  ranking.profiles.map(({ id, firsts, topQuartile, lasts }) => `${id}: ${firsts} / ${topQuartile} / ${lasts}`);

/** Mean efficiency of place p, from 1: .71 for the first, .45 for the 18th, as far apart as the memo says. */
const atPlace = (place: number): number => 0.71 - (0.26 * (place - 1)) / 17;

describe('the ranking of a study of 7 pages, 8 networks and 18 profiles', () => {
  const ids = (profileSet('fennec-18') ?? []).map(({ id }) => id);
  const profiles = ids.map((id) => compared(id, id === 'c1-d2' ? 'baseline' : 'candidate'));
  const fixed: Readonly<Record<string, (at: number) => number>> = {
    // First in 8, third in 22 more.
    'c4-d6': (at) => (at < 8 ? 1 : at < 30 ? 3 : 8),
    // First in 9, second in 18 more.
    'c5-d6': (at) => (at >= 8 && at < 17 ? 1 : at >= 17 && at < 35 ? 2 : 9),
    // Last in 48, 17th in 5, 16th in 3.
    'c1-d2': (at) => (at < 48 ? 18 : at < 53 ? 17 : 16),
    'c6-d4': (at) => (at < 48 ? 17 : at < 53 ? 16 : 17),
    // Takes the last place where c1-d2 does not.
    'c2-d2': (at) => (at < 48 ? 16 : 18),
  };
  const scenarios = Array.from({ length: 7 * 8 }, (_, at) => {
    const taken = new Map(Object.entries(fixed).map(([id, place]) => [place(at), id]));
    const others = ids.filter((id) => !(id in fixed));
    const turned = [...others.slice(at % others.length), ...others.slice(0, at % others.length)];
    const order = ids.map((_id, place) => taken.get(place + 1) ?? turned.shift() ?? '');
    return scenario(Object.fromEntries(order.map((id, place) => [id, atPlace(place + 1)])));
  });
  const ranking = rankScenarios(scenarios, { baseline: 'c1-d2', profiles });

  it('has the places that were dealt out', () => {
    expect(ids).toHaveLength(18);
    expect(ranking.scenarios).toBe(56);
    expect(places(ranking)).toEqual(
      expect.arrayContaining(['c4-d6: 8 / 30 / 0', 'c5-d6: 9 / 27 / 0', 'c1-d2: 0 / 0 / 48', 'c2-d2: 0 / 0 / 8']),
    );
  });

  it('has ceil(18 / 4) = 5 slots per scenario, each taken', () => {
    expect(ranking.slots).toBe(56 * 5);
    const total = (of: 'firsts' | 'topQuartile' | 'lasts') => ranking.profiles.reduce((sum, profile) => sum + profile[of], 0);
    expect([total('firsts'), total('topQuartile'), total('lasts')]).toEqual([56, 280, 56]);
  });

  it('has the spread between best and worst, and the gain over the baseline', () => {
    expect(ranking.meanSpread).toBeCloseTo(0.26, 12);
    // 5 times one place and 3 times two places above the last, each place being .26 / 17.
    const baseline = 0.45 + (0.26 / 17) * ((5 * 1 + 3 * 2) / 56);
    expect(ranking.baselineEfficiency).toBeCloseTo(baseline, 12);
    expect(ranking.gain).toBeCloseTo(0.71 / baseline - 1, 12);
  });

  it('picks nobody: places describe', () => {
    expect(Object.keys(ranking)).not.toContain('pick');
  });
});

it('the memo’s arithmetic: a mean of .45 and a spread of .26 are 58 %', () => {
  const profiles = [compared('c1-d2', 'baseline'), compared('c4-d6')];
  // Means .45 and .71; the ratios of the single scenarios are others.
  const scenarios = [scenario({ 'c1-d2': 0.3, 'c4-d6': 0.5 }), scenario({ 'c1-d2': 0.6, 'c4-d6': 0.92 })];
  const { meanSpread, baselineEfficiency, gain } = rankScenarios(scenarios, { baseline: 'c1-d2', profiles });
  expect([meanSpread, baselineEfficiency].map((figure) => figure?.toFixed(4))).toEqual(['0.2600', '0.4500']);
  expect(Math.round((gain ?? 0) * 100)).toBe(58);
});

describe('places', () => {
  const four = ['firefox-default', 'c2-d1', 'c4-d1', 'c8-d1'].map((id) =>
    compared(id, id === 'firefox-default' ? 'baseline' : 'candidate'),
  );
  const rank = (...scenarios: RankableScenario[]) =>
    rankScenarios(scenarios, { baseline: 'firefox-default', profiles: [...four, compared('control', 'control')] });

  it('are shared: a tie for first is a first for each', () => {
    const ranking = rank(scenario({ 'firefox-default': 0.5, 'c2-d1': 0.7, 'c4-d1': 0.7, 'c8-d1': 0.6 }));
    // One slot for four: both of the tie have it.
    expect(places(ranking)).toEqual(['c2-d1: 1 / 1 / 0', 'c4-d1: 1 / 1 / 0', 'c8-d1: 0 / 0 / 0', 'firefox-default: 0 / 0 / 1']);
    expect(ranking.slots).toBe(1);
  });

  it('make nobody last where all are equal', () => {
    const ranking = rank(scenario({ 'firefox-default': 0.5, 'c2-d1': 0.5 }));
    expect(places(ranking).slice(0, 2)).toEqual(['c2-d1: 1 / 1 / 0', 'firefox-default: 1 / 1 / 0']);
  });

  it('are not given to a profile without a figure, and the slots follow', () => {
    const ranking = rank(
      scenario({ 'firefox-default': 0.5, 'c2-d1': undefined, 'c4-d1': 0.6, 'c8-d1': undefined }),
      scenario({ 'firefox-default': 0.4, 'c2-d1': 0.3 }),
      scenario({ 'firefox-default': undefined, 'c2-d1': 0.9 }),
    );
    expect([ranking.scenarios, ranking.slots]).toEqual([2, 2]);
    expect(ranking.profiles.map(({ id, ranked, meanEfficiency }) => [id, ranked, meanEfficiency])).toEqual([
      ['c4-d1', 1, 0.6],
      ['firefox-default', 2, 0.45],
      ['c2-d1', 1, 0.3],
      ['c8-d1', 0, undefined],
    ]);
  });

  it('are not given to the control, which is no choice', () => {
    const ranking = rank(scenario({ 'firefox-default': 0.5, 'c2-d1': 0.4, control: 0.9 }));
    expect(places(ranking)[0]).toBe('firefox-default: 1 / 1 / 0');
    expect(ranking.profiles.map(({ id }) => id)).not.toContain('control');
  });
});

it('refuses what cannot be ranked', () => {
  const profiles = [compared('firefox-default', 'baseline'), compared('c4-d1')];
  expect(() => rankScenarios([], { baseline: 'c2-d1', profiles })).toThrow('The baseline c2-d1 is not among the profiles to be ranked');
  for (const figure of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => rankScenarios([scenario({ 'c4-d1': figure })], { baseline: 'firefox-default', profiles })).toThrow(
      /must be positive and finite/,
    );
  }
});
