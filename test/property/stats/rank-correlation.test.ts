import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kendallTauB, spearmanRho } from '../../support/stats/rank-correlation.ts';

/** Few different values, so that ties abound. */
const value = fc.integer({ min: -4, max: 4 });
const things = fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 40 });
const close = (found: number | undefined, expected: number | undefined) =>
  expected === undefined || found === undefined ? found === expected : Math.abs(found - expected) < 1e-12;

describe.each([
  ['rho', spearmanRho],
  ['tau-b', kendallTauB],
] as const)('%s', (_, correlation) => {
  const of = (pairs: readonly (readonly [number, number])[]) =>
    correlation(
      pairs.map(([x]) => x),
      pairs.map(([, y]) => y),
    );

  it('lies in [-1, 1], and is 1 of a sample with itself', () => {
    fc.assert(
      fc.property(things, (pairs) => {
        expect(Math.abs(of(pairs) ?? 0)).toBeLessThanOrEqual(1);
        expect(close(of(pairs.map(([x]) => [x, x] as const)) ?? 1, 1)).toBe(true);
      }),
    );
  });

  it('is the same both ways round, in any order of the things, and on any rising scale', () => {
    fc.assert(
      fc.property(things, (pairs) => {
        const expected = of(pairs);
        expect(close(of(pairs.map(([x, y]) => [y, x] as const)), expected)).toBe(true);
        expect(close(of(pairs.toReversed()), expected)).toBe(true);
        expect(close(of(pairs.map(([x, y]) => [x ** 3, Math.exp(y)] as const)), expected)).toBe(true);
      }),
    );
  });

  it('changes its sign when one order is turned round', () => {
    fc.assert(
      fc.property(things, (pairs) => {
        const expected = of(pairs);
        expect(close(of(pairs.map(([x, y]) => [x, -y] as const)), expected && -expected)).toBe(true);
      }),
    );
  });
});

it('tau-b counts every pair', () => {
  fc.assert(
    fc.property(things, (pairs) => {
      let [agree, untiedX, untiedY] = [0, 0, 0];
      for (const [i, [x, y]] of pairs.entries()) {
        for (const [otherX, otherY] of pairs.slice(i + 1)) {
          agree += Math.sign(x - otherX) * Math.sign(y - otherY);
          untiedX += Math.abs(Math.sign(x - otherX));
          untiedY += Math.abs(Math.sign(y - otherY));
        }
      }
      const expected = untiedX * untiedY === 0 ? undefined : agree / Math.sqrt(untiedX * untiedY);
      expect(
        close(
          kendallTauB(
            pairs.map(([x]) => x),
            pairs.map(([, y]) => y),
          ),
          expected,
        ),
      ).toBe(true);
    }),
  );
});
