/** For one page over one link the ratio of efficiencies is the inverse ratio of load times, whatever the loads fetched and however fast they were. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../../src/core/compare/compare-profiles.ts';
import type { Comparison } from '../../../src/core/compare/comparison.ts';
import { compareField } from '../../../src/core/field/compare-field.ts';
import type { LoadSummary } from '../../../src/core/field/load-summary.ts';
import { measureLoad } from '../../../src/core/measure/measure-load.ts';
import { comparableLoads } from '../../../src/core/report/comparable-loads.ts';
import type { MeasuredLoad } from '../../../src/core/report/report.ts';
import { voided } from '../../../src/core/report/validity.ts';
import { bytes, kilobitsPerSecond, milliseconds } from '../../../src/core/units.ts';
import { waterfall } from '../../fixtures/waterfall.ts';

const [BASE, OTHER] = ['firefox-default', 'c4-d6'] as const;
const LINK = { rttMs: milliseconds(100), downKbps: kilobitsPerSecond(10_000) };

/** From far quicker than the link allows to slow; the connection new, reused, unknown, or hidden by a proxy. */
const oneLoad = fc.record({
  timeMs: fc.integer({ min: 20, max: 20_000 }),
  size: fc.option(fc.integer({ min: 100, max: 3_000_000 }), { freq: 10, nil: undefined }),
  connection: fc.constantFrom('reused send=1', 'connect=0-10 send=10', '', 'reused send=1 proxied'),
});
type OneLoad = typeof oneLoad extends fc.Arbitrary<infer T> ? T : never;
const pairs = fc.array(fc.tuple(oneLoad, oneLoad), { minLength: 1, maxLength: 8 });

/** Geometric mean over the pairs of the baseline's time over the other's. */
const inverseTimes = (all: readonly (readonly [OneLoad, OneLoad])[]): number =>
  Math.exp(all.reduce((sum, [base, other]) => sum + Math.log(base.timeMs / other.timeMs), 0) / all.length);

const ratioOf = ({ profiles }: Comparison): number | undefined => profiles.find(({ id }) => id === OTHER)?.versusBaseline.ratio;

function measured({ timeMs, size, connection }: OneLoad, at: Pick<MeasuredLoad, 'profileId' | 'block'>): MeasuredLoad {
  const line = `a.test/ main_frame fetch=0 ${connection} end=${timeMs}${size === undefined ? '' : ` bytes=${size}`}`;
  const measures = measureLoad(waterfall(`load event=${timeMs}\n${line}`), { link: LINK });
  return { ...at, page: 'p', link: 'l', order: 0, startedAt: 0, validity: { state: 'valid' }, readBack: [], measures };
}

const hasSize = (all: readonly (readonly [OneLoad, OneLoad])[]): boolean => all.flat().some(({ size }) => size !== undefined);

describe('the ratio of efficiencies is the inverse ratio of load times', () => {
  it('in a report', () => {
    fc.assert(
      fc.property(pairs.filter(hasSize), (all) => {
        const loads = all.flatMap(([base, other], block) => [
          measured(base, { profileId: BASE, block }),
          measured(other, { profileId: OTHER, block }),
        ]);
        const comparison = compareProfiles(comparableLoads(loads), { baseline: BASE });
        expect(ratioOf(comparison)).toBeCloseTo(inverseTimes(all), 9);
        expect(comparison.profiles.map((profile) => profile.versusBaseline.pairs)).toContain(all.length);
      }),
    );
  });

  it('of what is left where pages are set aside for want of a load of the baseline', () => {
    const size = fc.integer({ min: 100, max: 3_000_000 });
    const time = fc.integer({ min: 20, max: 20_000 });
    const pages = fc.array(fc.record({ size, base: time, other: time, isLost: fc.boolean() }), { minLength: 2, maxLength: 8 });
    /** More than half lost is a fault, and then nothing is set aside. */
    const someLeft = pages.filter((all) => 2 * all.filter(({ isLost }) => isLost).length <= all.length);
    fc.assert(
      fc.property(someLeft, (all) => {
        const loads = all.flatMap(({ size, base, other, isLost }, at) => {
          const load = (profileId: string, timeMs: number): MeasuredLoad => ({
            ...measured({ timeMs, size, connection: '' }, { profileId, block: 0 }),
            page: `p${at}`,
          });
          const lost = voided({ cause: 'lane-broke', why: 'Firefox ended' });
          return [isLost ? { ...load(BASE, base), validity: lost } : load(BASE, base), load(OTHER, other)];
        });
        const comparison = compareProfiles(comparableLoads(loads), { baseline: BASE });
        const [base, other] = comparison.profiles;
        const left = all.filter(({ isLost }) => !isLost);
        const expected = Math.exp(left.reduce((sum, one) => sum + Math.log(one.base / one.other), 0) / left.length);
        expect(ratioOf(comparison)).toBeCloseTo(expected, 9);
        expect((other?.efficiency.estimate ?? 0) / (base?.efficiency.estimate ?? 0) / expected).toBeCloseTo(1, 9);
        expect((base?.loadTimeMs.median ?? 0) / (other?.loadTimeMs.median ?? 0) / expected).toBeCloseTo(1, 9);
      }),
    );
  });

  it('of everyday loads', () => {
    const figures = ({ timeMs, size }: OneLoad, at: Pick<LoadSummary, 'profileId' | 'startedAt'>): LoadSummary => ({
      ...{ ...at, page: 1, site: 1, standing: 'whole', carrier: at.profileId === OTHER ? 'gateway' : 'none' },
      loadTimeMs: milliseconds(timeMs),
      ...(size !== undefined && { bytes: bytes(size) }),
      ...{ rttMs: LINK.rttMs, rttLowMs: LINK.rttMs, downKbps: LINK.downKbps },
    });
    fc.assert(
      fc.property(pairs.filter(hasSize), (all) => {
        const loads = all.flatMap(([base, other], at) => [
          figures(base, { profileId: BASE, startedAt: 120_000 * at }),
          figures(other, { profileId: OTHER, startedAt: 120_000 * at + 60_000 }),
        ]);
        expect(ratioOf(compareField(loads).comparison)).toBeCloseTo(inverseTimes(all), 9);
      }),
    );
  });
});
