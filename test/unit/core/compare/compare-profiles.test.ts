import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad, Comparison } from '../../../../src/core/compare/comparison.ts';
import { noVerdictSentence } from '../../../../src/core/compare/format-verdict.ts';
import { BASELINE, baseline, control, direct, gateway, type SimulatedProfile, simulate } from './simulated-run.ts';

const C4D6 = gateway({ connections: 4, depth: 6, efficiency: 0.62 });
const DEFAULT_RUN = [baseline(), gateway({ connections: 1, depth: 2, efficiency: 0.27 }), C4D6, direct(8, 0.5), control(0.5)];

function compare(loads: readonly ComparableLoad[], profiles: readonly SimulatedProfile[]): Comparison {
  return compareProfiles(loads, { baseline: BASELINE, profiles });
}

function verdictsOf({ profiles }: Comparison): Readonly<Record<string, string>> {
  return Object.fromEntries(profiles.map(({ id, versusBaseline }) => [id, versusBaseline.verdict]));
}

function profileOf(comparison: Comparison, id: string): Comparison['profiles'][number] {
  const found = comparison.profiles.find((profile) => profile.id === id);
  if (found === undefined) throw new Error(`no profile ${id}`);
  return found;
}

/** Two scenarios, two profiles; efficiencies are given by hand. */
function load(profileId: string, block: number, facts: Partial<ComparableLoad> = {}): ComparableLoad {
  return { profileId, page: 'wiki', link: 'slow', block, valid: true, efficiency: 0.5, loadTimeMs: 1000, ...facts };
}

describe('compareProfiles', () => {
  it('gives each profile its figures and a verdict with its reason', () => {
    const comparison = compare(simulate({ profiles: DEFAULT_RUN, blocks: 3, seed: 1 }), DEFAULT_RUN);
    expect(verdictsOf(comparison)).toMatchObject({ [BASELINE]: 'baseline', 'c1-d2': 'worse', 'c4-d6': 'better' });
    const { versusBaseline, loads, voidLoads } = profileOf(comparison, 'c4-d6');
    expect({ loads, voidLoads }).toEqual({ loads: 12, voidLoads: 0 });
    expect(versusBaseline.ratio).toBeCloseTo(0.62 / 0.5, 1);
    expect(versusBaseline.reason).toMatch(/^c4-d6 was faster in 12 of 12 pairs: 2\d % faster than c6-d1-gateway \(\+\d+ % to \+\d+ %\)\.$/);
  });

  it('takes the geometric mean of ratios within page, link and block', () => {
    // Ratios 2 and 8 on one scenario, 1 and 1 on the other: geometric means 4 and 1, of both 2.
    const loads = [0, 1].flatMap((block) => [
      load(BASELINE, block, { efficiency: 0.1 }),
      load('c8-d1', block, { efficiency: block === 0 ? 0.2 : 0.8 }),
      load(BASELINE, block, { page: 'images', efficiency: 0.3 }),
      load('c8-d1', block, { page: 'images', efficiency: 0.3 }),
    ]);
    const { versusBaseline, efficiency } = profileOf(compare(loads, [baseline(), direct(8, 0.5)]), 'c8-d1');
    expect(versusBaseline.ratio).toBeCloseTo(2, 12);
    // sqrt(0.2 * 0.8) = 0.4 and 0.3: geometric mean sqrt(0.12).
    expect(efficiency.estimate).toBeCloseTo(Math.sqrt(0.12), 12);
  });

  it('gives efficiencies, load times, the ratio and the sentence of one definition: none contradicts another', () => {
    // Lopsided loads: by medians the times of the two would be 1,000 and 900 ms, while the ratio is below 1.
    const idealMs = 500;
    const times = { [BASELINE]: [990, 1000, 1100, 1000, 1010, 1000], 'c8-d1': [900, 2000, 900, 2100, 900, 890] };
    const loads = Object.entries(times).flatMap(([id, own]) =>
      own.map((loadTimeMs, block) => load(id, block, { loadTimeMs, efficiency: idealMs / loadTimeMs })),
    );
    const comparison = compare(loads, [baseline(), direct(8, 0.5)]);
    const [shipped, eight] = [profileOf(comparison, BASELINE), profileOf(comparison, 'c8-d1')];
    const ratio = eight.versusBaseline.ratio ?? Number.NaN;
    expect(ratio).toBeLessThan(1);
    expect((eight.efficiency.estimate ?? 0) / (shipped.efficiency.estimate ?? 0)).toBeCloseTo(ratio, 12);
    expect((shipped.loadTimeMs.median ?? 0) / (eight.loadTimeMs.median ?? 0)).toBeCloseTo(ratio, 12);
  });

  it('gives the efficiency of one profile without an interval', () => {
    // Logs 0 and -2 in one scenario: mean -1. All that 2 loads of one mode show is that mode.
    const loads = [load(BASELINE, 0, { efficiency: 1 }), load(BASELINE, 1, { efficiency: Math.exp(-2) })];
    const { efficiency } = profileOf(compare(loads, [baseline(), direct(8, 0.5)]), BASELINE);
    expect(efficiency).toEqual({ estimate: expect.closeTo(Math.exp(-1), 12), low: undefined, high: undefined });
  });

  it('drops a pair of which one load is void or has no efficiency, and says so', () => {
    const loads = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((block) => [
      load(BASELINE, block, { valid: block !== 1 }),
      block === 2 ? { ...load('c8-d1', block), efficiency: undefined } : load('c8-d1', block, { efficiency: 0.5 + block / 1e5 }),
    ]);
    const comparison = compare(loads, [baseline(), direct(8, 0.5)]);
    const { versusBaseline, voidLoads } = profileOf(comparison, 'c8-d1');
    expect(profileOf(comparison, BASELINE).voidLoads).toBe(1);
    expect(voidLoads).toBe(0);
    expect(versusBaseline.reason).toContain('over 6 pairs. 2 incomplete pairs excluded.');
  });

  it('calls equal loads no meaningful difference', () => {
    const loads = [0, 1, 2, 3, 4, 5].flatMap((block) => [load(BASELINE, block), load('c8-d1', block, { efficiency: 0.5 + block / 1e4 })]);
    const { versusBaseline } = profileOf(compare(loads, [baseline(), direct(8, 0.5)]), 'c8-d1');
    expect(versusBaseline.verdict).toBe('no-meaningful-difference');
    expect(versusBaseline.reason).toMatch(/^c8-d1 and firefox-default differ by less than 3 %: as fast \(/);
  });

  it('does not call a sure change below 3 % better or worse', () => {
    // 2.9 % in every pair, hardly any spread: the interval excludes no change, and lies within 3 %.
    const loads = Array.from({ length: 12 }, (_, block) => block).flatMap((block) => [
      load(BASELINE, block),
      load('c8-d1', block, { efficiency: 0.5 * (1.028 + block / 1e5) }),
    ]);
    const { versusBaseline } = profileOf(compare(loads, [baseline(), direct(8, 0.5)]), 'c8-d1');
    expect(versusBaseline.low).toBeGreaterThan(1);
    expect(versusBaseline.verdict).toBe('no-meaningful-difference');
  });

  it('bounds nothing with one pair per scenario, and asks for more', () => {
    const { versusBaseline } = profileOf(compare([load(BASELINE, 0), load('c8-d1', 0)], [baseline(), direct(8, 0.5)]), 'c8-d1');
    expect(versusBaseline).toMatchObject({ verdict: 'need-more-loads', ratio: 1, low: undefined, high: undefined, loadsNeeded: undefined });
  });

  it('says of profiles without loads that there are none yet', () => {
    const comparison = compare([], DEFAULT_RUN);
    expect(verdictsOf(comparison)['c8-d1']).toBe('need-more-loads');
    const none = { profileId: null, state: 'none', sentence: 'No recommendation yet: no pair of loads is complete.' };
    expect(comparison.recommendation).toEqual({
      ...none,
      settingsAlone: { ...none, sentence: `By settings alone: n${none.sentence.slice(1)}` },
    });
    expect(comparison.scenarios).toEqual([]);
  });

  it('has medians of type 7 for every scenario and profile', () => {
    const loads = [load(BASELINE, 0, { efficiency: 0.2 }), load(BASELINE, 1, { efficiency: 0.4, loadTimeMs: 3000 })];
    expect(compare(loads, [baseline(), direct(8, 0.5)]).scenarios).toEqual([
      {
        page: 'wiki',
        link: 'slow',
        profiles: [
          { id: BASELINE, loads: 2, efficiencyMedian: expect.closeTo(0.3, 12), loadTimeMsMedian: 2000 },
          { id: 'c8-d1', loads: 0, efficiencyMedian: undefined, loadTimeMsMedian: undefined },
        ],
      },
    ]);
  });

  it('weighs every scenario alike in the load time', () => {
    // Medians 1000 and 4000: geometric mean 2000, although one scenario has three times the loads.
    const loads = [...[0, 1, 2].map((block) => load(BASELINE, block)), load(BASELINE, 0, { page: 'images', loadTimeMs: 4000 })];
    expect(profileOf(compare(loads, [baseline(), direct(8, 0.5)]), BASELINE).loadTimeMs.median).toBeCloseTo(2000, 9);
  });

  it('leaves out loads of profiles it was not asked about', () => {
    expect(compare([load('betterfox', 0)], [baseline(), direct(8, 0.5)]).scenarios).toEqual([]);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses an efficiency of %d by name', (efficiency) => {
    expect(() => compare([load(BASELINE, 3, { efficiency })], [baseline()])).toThrow(
      `firefox-default on page wiki over link slow, block 3 has the efficiency ${efficiency}`,
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses a block of %d, of which there is no second load', (block) => {
    expect(() => compare([load(BASELINE, block), load(BASELINE, block), load(BASELINE, 0)], [baseline()])).toThrow('block');
  });

  it.each([
    ['the baseline is missing', { profiles: [direct(8, 0.5)] }, 'is not among the profiles'],
    ['a profile is named twice', { profiles: [baseline(), direct(8, 0.5), direct(8, 0.5)] }, 'named twice'],
    ['there are two controls', { profiles: [baseline(), control(0.5), { ...control(0.5), id: 'other' }] }, 'one control at most'],
    ['alpha is not a chance', { profiles: [baseline()], alpha: 0 }, 'alpha'],
    ['no number of pairs is planned', { profiles: [baseline()], plannedPairs: Number.POSITIVE_INFINITY }, 'Planned pairs'],
  ])('refuses when %s', (_, options, words) => {
    expect(() => compareProfiles([], { baseline: BASELINE, ...options })).toThrow(words);
  });
});

describe('checks before a verdict', () => {
  const voidOf = (id: string, upTo: number) => (one: ComparableLoad) =>
    one.profileId === id && one.block < upTo ? { ...one, valid: false } : one;

  it('gives none to a profile that lost more than half of its loads', () => {
    const loads = simulate({ profiles: DEFAULT_RUN, blocks: 6, seed: 2 });
    // Of a cause that has nothing to do with load times: else so many more than the baseline's would leave no verdict (lost-loads.test.ts).
    const unrelated = loads.map(voidOf('c4-d6', 3)).map((load) => (load.valid ? load : { ...load, lostTo: 'unrelated' as const }));
    const half = compare(unrelated, DEFAULT_RUN);
    const more = compare(loads.map(voidOf('c4-d6', 4)), DEFAULT_RUN);
    expect(verdictsOf(half)['c4-d6']).toBe('better');
    expect(profileOf(more, 'c4-d6').versusBaseline).toMatchObject({
      verdict: 'no-verdict',
      reason: 'No verdict: 16 of the 24 loads of c4-d6 were excluded or have no efficiency.',
    });
    expect(more.recommendation.profileId).not.toBe('c4-d6');
  });

  it('gives none to any profile when it is the baseline that lost them', () => {
    const comparison = compare(simulate({ profiles: DEFAULT_RUN, blocks: 6, seed: 2 }).map(voidOf(BASELINE, 4)), DEFAULT_RUN);
    expect(new Set(Object.values(verdictsOf(comparison)))).toEqual(new Set(['baseline', 'no-verdict']));
    expect(comparison.recommendation.state).toBe('none');
  });

  it('gives none to a profile without a usable load in one scenario', () => {
    const loads = simulate({ profiles: DEFAULT_RUN, blocks: 6, seed: 2 }).map((one) =>
      one.profileId === 'c4-d6' && one.page === 'page-1' && one.link === 'link-0' ? { ...one, valid: false } : one,
    );
    expect(profileOf(compare(loads, DEFAULT_RUN), 'c4-d6').versusBaseline).toMatchObject({
      verdict: 'no-verdict',
      reason: 'No verdict: no load of c4-d6 on page page-1 over link link-0 can be used.',
    });
  });

  it('gives none to gateway profiles when the control lost its loads', () => {
    const comparison = compare(simulate({ profiles: DEFAULT_RUN, blocks: 6, seed: 2 }).map(voidOf('c6-d1-gateway', 6)), DEFAULT_RUN);
    expect(verdictsOf(comparison)).toMatchObject({ 'c1-d2': 'no-verdict', 'c4-d6': 'no-verdict' });
    expect(verdictsOf(comparison)['c8-d1']).not.toBe('no-verdict');
    expect(comparison.control?.sentence).toMatch(/^The gateway's own cost is not known: /);
  });
});

describe('loads alone', () => {
  const both = (facts: readonly Partial<ComparableLoad>[]) => facts.map((one, at) => load('firefox-default', at, one));

  it('are of the profiles that their names say: 4 connections cost less than 5', () => {
    const loads = Array.from({ length: 12 }, (_, block) => block).flatMap((block) => [
      load('c5-d6', block, { efficiency: 0.606 + 0.002 * (block % 2) }),
      load('c4-d6', block, { efficiency: 0.604 + 0.002 * (block % 3) }),
      load('firefox-default', block, { efficiency: 0.5 + 0.001 * (block % 2) }),
    ]);
    const { profiles, recommendation } = compareProfiles(loads, { baseline: BASELINE, seed: 1 });
    expect(profiles.map(({ id, role, carrier }) => [id, role, carrier])).toEqual([
      [BASELINE, 'baseline', 'none'],
      ['c5-d6', 'candidate', 'gateway'],
      ['c4-d6', 'candidate', 'gateway'],
    ]);
    expect(recommendation.profileId).toBe('c4-d6');
  });

  it('without the baseline are refused, none at all are not', () => {
    expect(() => compareProfiles(both([{}]), { baseline: 'firefox-defualt' })).toThrow(/baseline firefox-defualt is not among/);
    expect(compareProfiles([], { baseline: BASELINE }).profiles).toHaveLength(1);
  });

  it('of a page that cannot be used are a fault of a run, not of everyday loads', () => {
    const loads = [0, 1, 2, 3].flatMap((block) => [
      load(BASELINE, block, { slot: 2 * block }),
      load('c8-d1', block, { slot: 2 * block + 1 }),
      load('c8-d1', block, { slot: 2 * block + 1, page: 'broken', valid: block > 0, efficiency: undefined }),
    ]);
    const some = loads.filter(({ page, block }) => page === 'wiki' || block === 0);
    const verdict = (estimate: 'paired' | 'adjusted') =>
      profileOf(compareProfiles(some, { baseline: BASELINE, estimate }), 'c8-d1').versusBaseline.verdict;
    expect(verdict('paired')).toBe('no-verdict');
    expect(verdict('adjusted')).not.toBe('no-verdict');
  });

  it('get figures and no verdict where the profiles took no turns drawn at random', () => {
    const loads = simulate({ profiles: DEFAULT_RUN, blocks: 3, seed: 1 });
    const { versusBaseline } = profileOf(
      compareProfiles(loads, { baseline: BASELINE, profiles: DEFAULT_RUN, turns: 'as-they-came' }),
      'c4-d6',
    );
    expect(versusBaseline).toMatchObject({ verdict: 'no-verdict', reason: noVerdictSentence({ kind: 'unrandomised' }) });
    expect(versusBaseline.ratio).toBeDefined();
  });
});
