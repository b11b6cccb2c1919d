/** Noise of a load's log efficiency: mean 0, standard deviation 1, whatever its shape. */
import type { Random } from '../../../src/core/random.ts';

export type Noise = (random: Random) => number;

/** Box & Muller 1958. */
export const normal: Noise = (random) => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** Heavy tails: Student's t with 3 degrees of freedom, whose variance is 3. */
export const studentT3: Noise = (random) => {
  const chiSquare = normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2;
  return normal(random) / Math.sqrt(chiSquare / 3) / Math.sqrt(3);
};

/**
 * Two modes, as from a cache that hits seven times of ten: 0.3 and 0.7 at distance 2 with 0.4 around each. Variance before
 * scaling: 4 * 0.3 * 0.7 + 0.16 = 1.
 */
export const bimodal: Noise = (random) => (random.next() < 0.7 ? 0.6 : -1.4) + 0.4 * normal(random);

/** Skewed: a log-normal of log-sd 0.8, centred; mean exp(0.32), variance exp(0.64) (exp(0.64) - 1). Slow loads are the tail. */
export const skewed: Noise = (random) => -(Math.exp(0.8 * normal(random)) - Math.exp(0.32)) / Math.sqrt(Math.exp(0.64) * Math.expm1(0.64));

export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - random.next());
}
