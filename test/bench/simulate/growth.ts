/** How cost grows with size, told from times at several sizes. Pure. */
import { PlumbfoxError } from '../../../src/core/errors.ts';

export interface Cost {
  /** Above 1: the logarithm of 1 is 0. */
  readonly size: number;
  /** Above 0. */
  readonly ms: number;
}

/**
 * The exponent e of ms = a (size log size)^e by least squares on logarithms: 1 for n log n, below it for what grows more slowly (0.86 for
 * n alone, between 50 and 3,200), 1.7 for n squared.
 * @throws PlumbfoxError bad-input with fewer than two sizes, or a figure that has no logarithm.
 */
export function growthExponent(costs: readonly Cost[]): number {
  const points = costs.map(({ size, ms }) => ({ x: Math.log(size * Math.log(size)), y: Math.log(ms) }));
  const finite = points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  if (!finite || new Set(costs.map(({ size }) => size)).size < 2) {
    throw new PlumbfoxError('bad-input', 'Growth is told from at least two sizes above 1 and times above 0');
  }
  const middle = { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
  const spread = points.reduce((sum, { x }) => sum + (x - middle.x) ** 2, 0);
  return points.reduce((sum, { x, y }) => sum + (x - middle.x) * (y - middle.y), 0) / spread;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
