import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';

const IDS = ['a', 'b', 'c'];
const PROFILES = IDS.map((id, at) => ({ id, carrier: 'none' as const, role: 'candidate' as const, connections: at + 1, depth: 1 }));

const anyLoad: fc.Arbitrary<ComparableLoad> = fc.record({
  profileId: fc.constantFrom(...IDS),
  page: fc.constantFrom('p', 'q'),
  link: fc.constantFrom('l', 'm'),
  block: fc.integer({ min: 0, max: 5 }),
  valid: fc.boolean(),
  efficiency: fc.option(fc.double({ min: 0.01, max: 1, noNaN: true }), { nil: undefined }),
  loadTimeMs: fc.option(fc.double({ min: 1, max: 60_000, noNaN: true }), { nil: undefined }),
});
const anyLoads = fc.array(anyLoad, { maxLength: 80 });

function versus(loads: readonly ComparableLoad[], { baseline, id }: { readonly baseline: string; readonly id: string }) {
  const found = compareProfiles(loads, { baseline, profiles: PROFILES }).profiles.find((profile) => profile.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found.versusBaseline;
}

function close(found: number | undefined, expected: number | undefined): void {
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(Math.log(found ?? Number.NaN)).toBeCloseTo(Math.log(expected), 6);
}

describe('compareProfiles, whatever the loads', () => {
  it('never throws, never says NaN, and keeps the estimate within its interval', () => {
    fc.assert(
      fc.property(anyLoads, (loads) => {
        const comparison = compareProfiles(loads, { baseline: 'a', profiles: PROFILES });
        expect(JSON.stringify(comparison)).not.toMatch(/NaN|undefined|null(?!,"state")/);
        for (const { versusBaseline } of comparison.profiles) {
          const { ratio, low, high } = versusBaseline;
          if (ratio === undefined || low === undefined || high === undefined) continue;
          expect(low).toBeLessThanOrEqual(ratio * (1 + 1e-12));
          expect(high).toBeGreaterThanOrEqual(ratio * (1 - 1e-12));
        }
      }),
    );
  });

  it('does not mind the order of the loads', () => {
    fc.assert(
      fc.property(anyLoads, (loads) => {
        const one = versus(loads, { baseline: 'a', id: 'b' });
        const other = versus([...loads].reverse(), { baseline: 'a', id: 'b' });
        close(other.ratio, one.ratio);
        close(other.low, one.low);
        expect(other.verdict).toBe(one.verdict);
      }),
    );
  });

  it('turns the ratio and its interval over when profile and baseline change places', () => {
    fc.assert(
      fc.property(anyLoads, (loads) => {
        const one = versus(loads, { baseline: 'a', id: 'b' });
        const other = versus(loads, { baseline: 'b', id: 'a' });
        close(other.ratio, one.ratio && 1 / one.ratio);
        close(other.low, one.high && 1 / one.high);
        close(other.high, one.low && 1 / one.low);
      }),
    );
  });

  it('does not mind what a page or a link is like in itself', () => {
    fc.assert(
      fc.property(anyLoads, fc.double({ min: 0.5, max: 2, noNaN: true }), (loads, factor) => {
        const scaled = loads.map((load) =>
          load.page === 'p' && load.efficiency !== undefined ? { ...load, efficiency: load.efficiency * factor } : load,
        );
        const one = versus(loads, { baseline: 'a', id: 'b' });
        close(versus(scaled, { baseline: 'a', id: 'b' }).ratio, one.ratio);
        close(versus(scaled, { baseline: 'a', id: 'b' }).low, one.low);
      }),
    );
  });
});
