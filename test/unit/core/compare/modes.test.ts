import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ComparableLoad } from '../../../../src/core/compare/comparison.ts';
import { lastSplit, onGrid } from '../../../../src/core/compare/critical-bandwidth.ts';
import { dipOf } from '../../../../src/core/compare/dip-test.ts';
import { formatModes } from '../../../../src/core/compare/format-verdict.ts';
import { indexLoads } from '../../../../src/core/compare/load-index.ts';
import { findModes, MIN_FOR_MODES, spreadTies } from '../../../../src/core/compare/modes.ts';
import { modesByScenario } from '../../../../src/core/compare/summaries.ts';
import { seededRandom } from '../../../../src/core/random.ts';
import { gaussian } from './simulated-run.ts';

interface DipCase {
  readonly sample: readonly number[];
  readonly dip: number;
}
const { cases } = JSON.parse(readFileSync('test/fixtures/dip.json', 'utf8')) as { readonly cases: readonly DipCase[] };

describe('the dip', () => {
  it.each(cases)('of $sample.length values is $dip, as diptest says', ({ sample, dip }) => {
    expect(dipOf(sample)).toBeCloseTo(dip, 12);
  });

  it('of equal values is 0', () => {
    expect([dipOf([]), dipOf([3]), dipOf([3, 3, 3])]).toEqual([0, 0, 0]);
  });
});

describe('the critical bandwidth', () => {
  it('of two values far apart is half their distance, where the sum of two Gaussian curves loses its dent', () => {
    // Two curves of standard deviation h, 2 h apart, are just unimodal.
    const split = lastSplit(onGrid(Float64Array.from([0, 10])), 0.5);
    expect(split?.bandwidth).toBeGreaterThan(4.8);
    expect(split?.bandwidth).toBeLessThan(5.1);
    expect(split?.valley).toBeCloseTo(5, 0);
  });

  it('counts no valley with too little on one side', () => {
    const values = Float64Array.from([...Array.from({ length: 30 }, (_, at) => at / 100), 10]);
    expect(lastSplit(onGrid(values), 0.02)?.bandwidth).toBeGreaterThan(1);
    expect(lastSplit(onGrid(values), 0.1)).toBeUndefined();
  });
});

describe('rounded values', () => {
  it('are spread over the width of the rounding', () => {
    expect(spreadTies(Float64Array.from([100, 100, 200, 400, 400, 400, 400]))).toEqual({
      distinct: 3,
      // 100 wide: halves around 100, quarters around 400.
      values: Float64Array.from([75, 125, 200, 362.5, 387.5, 412.5, 437.5]),
    });
  });

  it('are not spread below 0, however far the next value is', () => {
    // The width is 1: from 0.5 to 1.5, not from -0.5.
    expect([...spreadTies(Float64Array.from([1, 1, 4, 8])).values]).toEqual([0.75, 1.25, 4, 8]);
  });

  it('stay as they are where all differ', () => {
    expect([...spreadTies(Float64Array.from([1, 2, 4])).values]).toEqual([1, 2, 4]);
  });
});

type Draw = (at: number) => number;

/** Share of samples in which groups are found. */
function found(
  count: number,
  { draw, samples }: { readonly draw: (random: ReturnType<typeof seededRandom>) => Draw; readonly samples: number },
): number {
  const random = seededRandom(count + 1);
  const one = draw(random);
  let several = 0;
  for (let sample = 0; sample < samples; sample++) {
    if (findModes(Array.from({ length: count }, (_, at) => one(at))).modes === 'several') several += 1;
  }
  return several / samples;
}

const SHAPES = {
  lognormal: (random) => () => 1000 * Math.exp(0.8 * gaussian(random)),
  normal: (random) => () => 1000 + 100 * gaussian(random),
  'skewed to the right': (random) => () => 1000 * Math.exp(-0.3 * Math.log(-Math.log(1 - random.next()))),
  'exponential beyond half its mean, in whole ms': (random) => () => Math.round(500 - 1000 * Math.log(1 - random.next())),
  'lognormal, rounded to 100 ms': (random) => () => 100 * Math.max(1, Math.round(12 * Math.exp(0.3 * gaussian(random)))),
} satisfies Readonly<Record<string, (random: ReturnType<typeof seededRandom>) => Draw>>;
/** 5 % and two standard errors of 400 samples. */
const MOST_FALSE = 0.072;

describe.each([20, 40, 100, 200])('of samples of %i values with one mode', (count) => {
  it.each(Object.entries(SHAPES))('hardly any falls into groups: %s', (_name, draw) => {
    expect(found(count, { draw, samples: 400 })).toBeLessThan(MOST_FALSE);
  });
});

it.each(['0.2', '0.5'])('of 20 whole ms, exponential beyond %s of their mean, at most 5 % fall into groups', (shift) => {
  const draw: (random: ReturnType<typeof seededRandom>) => Draw = (random) => () =>
    Math.round(1000 * (Number(shift) - Math.log(1 - random.next())));
  expect(found(20, { draw, samples: 8000 })).toBeLessThan(0.05);
});

it.each([40, 60, 100])('of %i values whose logarithms have a long tail, at most 5 % fall into groups', (count) => {
  const draw = (random: ReturnType<typeof seededRandom>) => () => 1000 * Math.exp(0.1 * Math.exp(0.8 * gaussian(random)));
  // 8, 11 and 13 % before small groups had to lie further off.
  expect(found(count, { draw, samples: 1000 })).toBeLessThan(0.05);
});

it('a flat sample is taken for groups in 5 % where there are many values, and in not much more where there are few', () => {
  const draw = (random: ReturnType<typeof seededRandom>) => () => Math.exp(random.next());
  expect(found(40, { draw, samples: 400 })).toBeLessThan(0.2);
  expect(found(1000, { draw, samples: 100 })).toBeLessThan(0.12);
});

describe('two groups four standard deviations apart', () => {
  const halves: (random: ReturnType<typeof seededRandom>) => Draw = (random) => (at) =>
    1000 * Math.exp(0.1 * (gaussian(random) + 4 * (at % 2)));

  it('are found in 80 % of samples of 40 values', () => {
    // Less two standard errors of 400 samples.
    expect(found(40, { draw: halves, samples: 400 })).toBeGreaterThan(0.76);
  });

  it('are found nearly always in 200', () => {
    expect(found(200, { draw: halves, samples: 200 })).toBeGreaterThan(0.97);
  });
});

/** 60 values of 1.2 s and 40 of 3.4 s, each within 5 %. */
const groups = () => {
  const random = seededRandom(9);
  return Array.from({ length: 100 }, (_, at) => (at < 60 ? 1200 : 3400) * Math.exp(0.05 * gaussian(random)));
};

describe('what is found', () => {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

  it('names the groups, their shares and how far they are apart', () => {
    const found = findModes(groups());
    if (found.modes !== 'several') throw new Error(found.modes);
    expect(found.peaks.map(({ share }) => share)).toEqual([0.6, 0.4]);
    expect(found.peaks.map(({ at }) => seconds(at))).toEqual(['1.2 s', '3.4 s']);
    expect(found.peaks[0]?.high).toBeLessThan(found.peaks[1]?.low ?? 0);
    // ln(3.4 / 1.2) = 1.04 over 0.05.
    expect(found.separation).toBeGreaterThan(17);
    expect(found.separation).toBeLessThan(25);
    expect(formatModes(found, seconds)).toBe('loads fall into two groups: 60 % around 1.2 s, 40 % around 3.4 s');
  });

  it('is not changed by order, unit or one load that hung', () => {
    const values = groups();
    const shares = (of: readonly number[]) => {
      const modes = findModes(of);
      return modes.modes === 'several' ? modes.peaks.map(({ share }) => Math.round(share * 20)) : modes.modes;
    };
    expect(shares(values.toReversed())).toEqual([12, 8]);
    expect(shares(values.map((ms) => ms / 1000))).toEqual([12, 8]);
    expect(shares([...values, 60_000])).toEqual([12, 8]);
  });

  it('can be three groups', () => {
    const random = seededRandom(2);
    const modes = findModes(
      Array.from({ length: 120 }, (_, at) => [500, 1000, 2000][at % 3] as number).map((ms) => ms * Math.exp(0.08 * gaussian(random))),
    );
    expect(modes.modes === 'several' && modes.peaks.map(({ share }) => share.toFixed(2))).toEqual(['0.33', '0.33', '0.33']);
    expect(formatModes(modes, seconds)).toMatch(/^loads fall into three groups: 33 % around 0.5 s, 33 % around 1.0 s, 33 % around 2.0 s$/);
  });

  it('is the same of 100,000 values, which are examined by their quantiles', () => {
    const random = seededRandom(4);
    const modes = findModes(Array.from({ length: 100_000 }, (_, at) => (at % 5 === 0 ? 3400 : 1200) * Math.exp(0.1 * gaussian(random))));
    expect(modes.modes === 'several' && modes.peaks.map(({ share }) => share.toFixed(3))).toEqual(['0.800', '0.200']);
  });

  it('is nothing where there are too few values, or too few different ones', () => {
    expect(findModes([])).toEqual({ modes: 'too-few-values' });
    expect(findModes(groups().slice(0, MIN_FOR_MODES - 1))).toEqual({ modes: 'too-few-values' });
    expect(findModes(Array.from({ length: 50 }, (_, at) => 1 + (at % 2)))).toEqual({ modes: 'too-few-values' });
    expect(findModes(Array.from({ length: 50 }, () => 7))).toEqual({ modes: 'too-few-values' });
    expect(formatModes({ modes: 'too-few-values' }, String)).toBeUndefined();
    expect(formatModes({ modes: 'one' }, String)).toBeUndefined();
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('is refused for a value of %d', (value) => {
    expect(() => findModes([value, 1, 2])).toThrow(/positive/);
    expect(() => findModes([...groups(), value])).toThrow(/positive/);
  });
});

it('of all loads, only profiles on a page and link whose valid loads fall into groups are named', () => {
  const load = (profileId: string, link: string, loadTimeMs: number): ComparableLoad => ({
    ...{ profileId, link, loadTimeMs, page: 'wiki', block: 0, valid: true, efficiency: 0.5 },
  });
  // One mode on either link: pooled they would be two.
  const single = groups().map((ms) => load('c1-d2', ms < 2000 ? 'near' : 'far', ms));
  const twofold = groups().map((ms) => load('c4-d6', 'far', ms));
  const lost = groups().map((ms) => ({ ...load('c8-d1', 'far', ms), valid: ms < 2000 }));
  const named = modesByScenario(indexLoads([...single, ...twofold, ...lost], ['c1-d2', 'c4-d6', 'c8-d1']));
  expect(named.map(({ profileId, page, link }) => [profileId, page, link])).toEqual([['c4-d6', 'wiki', 'far']]);
  expect(named[0]?.modes.peaks).toHaveLength(2);
});
