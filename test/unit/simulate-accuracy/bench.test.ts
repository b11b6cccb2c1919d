import { describe, expect, it } from 'vitest';
import { resolveProfiles } from '../../../src/core/profiles/resolve-profiles.ts';
import { allMet, type BenchFigures, benchJson, benchText } from '../../bench/simulate/bench-figures.ts';
import { type Cost, growthExponent } from '../../bench/simulate/growth.ts';
import { longResponse, STUDIES, widePage } from '../../bench/simulate/workloads.ts';

const SIZES = [50, 100, 200, 400, 800, 1600, 3200];
const costs = (ms: (size: number) => number): readonly Cost[] => SIZES.map((size) => ({ size, ms: ms(size) }));

describe('growth', () => {
  it('is 1 for n log n, whatever the unit', () => {
    expect(growthExponent(costs((n) => 0.003 * n * Math.log2(n)))).toBeCloseTo(1, 12);
  });

  it('is its power for a power of n log n, below 1 for n alone and well above for n squared', () => {
    expect(growthExponent(costs((n) => (n * Math.log(n)) ** 1.5))).toBeCloseTo(1.5, 12);
    expect(growthExponent(costs((n) => n))).toBeLessThan(0.9);
    expect(growthExponent(costs((n) => n * n))).toBeGreaterThan(1.6);
  });

  it('is between two points the slope of their line', () => {
    // n log n of 50 and 100 is 195.6 and 460.5; twice the time: log 2 / log (460.5 / 195.6).
    const slope = Math.log(2) / Math.log((100 * Math.log(100)) / (50 * Math.log(50)));
    expect(
      growthExponent([
        { size: 50, ms: 1 },
        { size: 100, ms: 2 },
      ]),
    ).toBeCloseTo(slope, 12);
  });

  it.each([
    ['one size', [{ size: 50, ms: 1 }]],
    [
      'a size without a logarithm of its own',
      [
        { size: 1, ms: 1 },
        { size: 2, ms: 1 },
      ],
    ],
    [
      'no time at all',
      [
        { size: 50, ms: 0 },
        { size: 100, ms: 1 },
      ],
    ],
  ])('refuses %s', (_, refused) => {
    expect(() => growthExponent(refused)).toThrow(/at least two sizes/);
  });
});

describe('workloads', () => {
  it.each(STUDIES)('are $what', ({ workloads, profileSet, profiles }) => {
    expect(workloads).toHaveLength(56);
    const requests = [...new Set(workloads.map(({ page }) => page))].map((page) => page.requests.length);
    expect(requests).toHaveLength(7);
    expect(Math.max(...requests)).toBeLessThanOrEqual(120);
    expect(resolveProfiles([profileSet])).toHaveLength(profiles);
  });

  it('are of the size asked for', () => {
    expect(widePage(1000).requests).toHaveLength(1000);
    expect(longResponse(50).requests[0]?.bytes).toBe(73_000);
  });
});

describe('what the benchmark found', () => {
  const timing = (medianMs: number) => ({ medianMs, leastMs: medianMs - 1, mostMs: medianMs + 1 });
  const figures = (ms: number, growth: number): BenchFigures => ({
    machine: { node: 'v20.0.0', cores: 2, processor: 'a processor' },
    busy: { before: 0.1, after: 1.2 },
    rounds: 9,
    contests: [{ what: 'a study', ours: timing(ms), lantern: timing(500), barMs: 250 }],
    growths: [{ what: 'requests', costs: costs((n) => (n * Math.log(n)) ** growth) }],
  });

  it('is held against the bars', () => {
    expect(allMet(figures(250, 1))).toBe(true);
    expect(allMet(figures(251, 1))).toBe(false);
    expect(allMet(figures(250, 1.1))).toBe(false);
  });

  it('says on which machine, and what Lantern took', () => {
    const text = benchText(figures(251, 1));
    expect(text).toContain('Node v20.0.0, 2 cores (a processor), load average 0.1 before and 1.2 after');
    expect(text).toMatch(/a study +251 ms +250 ms to 252 ms +at most 250 ms +MISSED/);
    expect(text).toMatch(/the same by Lantern [\d.]+ +500 ms/);
    expect(text).toMatch(/growth with requests: .* 1\.00 +50 to 3200 +at most 1\.05 +met/);
    expect(JSON.parse(JSON.stringify(benchJson(figures(1, 1))))).toMatchObject({ met: true, growths: [{ what: 'requests' }] });
  });
});
