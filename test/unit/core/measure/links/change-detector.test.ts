import { expect, it } from 'vitest';
import { ChangeDetector, type DetectedChange } from '../../../../../src/core/measure/links/change-detector.ts';
import { newCluster, update } from '../../../../../src/core/measure/links/cluster.ts';

/** A network known from one load: its spreads are wider by the root of 2 (0.25 of the round trip, 0.5 of the rate). */
const network = newCluster(0);
update(network, { site: 1, cost: [4, -9], leastRtt: undefined });

/** Each load: how far it is off, in spreads, by the round trip and by the rate. */
function doubtOf(...loads: readonly (readonly [number | undefined, number | undefined])[]): ChangeDetector {
  const doubt = new ChangeDetector();
  const costOf = (off: number | undefined, expected: number, spread: number) =>
    off === undefined ? undefined : expected + off * spread * Math.SQRT2;
  for (const [at, [rtt, rate]] of loads.entries()) {
    doubt.see(network, { at: at + 10, load: { site: 1, cost: [costOf(rtt, 4, 0.25), costOf(rate, -9, 0.5)], leastRtt: undefined } });
  }
  return doubt;
}
const about = ({ since, strength }: DetectedChange) => ({ since, strength: expect.closeTo(strength, 9) });

it('is calm over loads that are off by one spread at most', () => {
  const doubt = doubtOf([0.9, -0.9], [-0.9, 0.9], [0.9, undefined]);
  expect(doubt.isCalm).toBe(true);
  expect(doubt.detect(0.01)).toBeUndefined();
});

it.each([
  ['slower by the round trip', [2.5, 0]],
  ['faster by the round trip', [-2.5, 0]],
  ['slower by the rate', [0, 2.5]],
  ['faster by the rate', [0, -2.5]],
  ['with the round trip alone', [2.5, undefined]],
  ['with the rate alone', [undefined, -2.5]],
] as const)('adds up what is beyond one spread, in fifths: %s', (_, off) => {
  const doubt = doubtOf([0, 0], off, off);
  expect(doubt.isCalm).toBe(false);
  // 2 x (2.5 - 1) of 5.
  expect(doubt.detect(0.5)).toEqual(about({ since: 11, strength: 0.6 }));
  expect(doubt.detect(0.7)).toBeUndefined();
});

it('counts three spreads of one load at most', () => {
  // 2 x (3 - 1) of 5, exactly.
  expect(doubtOf([30, 0], [30, 0]).detect(0.8)).toEqual({ since: 10, strength: 0.8 });
  expect(doubtOf([30, 0], [30, 0]).detect(1)).toBeUndefined();
  expect(doubtOf([30, 0], [30, 0], [30, 0]).detect(1)).toEqual({ since: 10, strength: 1.2 });
});

it('begins anew where it had gone', () => {
  // Slower: 1, 0, 1.5; the other side: 0, 1.5, 0.
  expect(doubtOf([2, 0], [-2.5, 0], [2.5, 0]).detect(0.2)).toEqual(about({ since: 12, strength: 0.3 }));
});

it('goes by the strongest, of two as strong by the round trip', () => {
  expect(doubtOf([0, 30], [2, undefined]).detect(0.1)).toEqual(about({ since: 10, strength: 0.4 }));
  expect(doubtOf([undefined, 30], [30, undefined]).detect(0.1)).toEqual({ since: 11, strength: 0.4 });
});

it('is gone when it is cleared', () => {
  const doubt = doubtOf([30, 30], [-30, -30]);
  doubt.clear();
  expect(doubt.isCalm).toBe(true);
});
