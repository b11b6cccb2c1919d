/** A delay that varies from packet to packet, with the mean and the standard deviation asked for. Pure: drawn from a seed. */
import type { Random } from '../../core/random.ts';

/**
 * For how long a delay remembers itself, ms: the correlation of two delays falls to 1/e in this time. Without any memory the packets of a
 * burst, which must stay in order, would all wait for the slowest, and jitter would be a longer delay. Our own choice: a few rounds of a
 * mobile network's scheduler.
 */
export const JITTER_MEMORY_MS = 20;

/**
 * A lognormal delay, since delays are never negative and their tail is long: the exponential of an Ornstein-Uhlenbeck process, sampled
 * exactly at whatever times packets come.
 * @param meanMs - At 0 there is nothing to vary.
 * @returns the delay of a packet at a time; times must not fall.
 */
export function varyingDelay({ meanMs, sdMs, random }: { meanMs: number; sdMs: number; random: Random }): (atMs: number) => number {
  if (meanMs <= 0) return () => 0;
  const sigma = Math.sqrt(Math.log(1 + (sdMs / meanMs) ** 2));
  let deviation = standardNormal(random);
  let lastMs: number | undefined;
  return (atMs) => {
    const kept = Math.exp(-Math.max(0, atMs - (lastMs ?? atMs)) / JITTER_MEMORY_MS);
    lastMs = atMs;
    deviation = kept * deviation + Math.sqrt(1 - kept * kept) * standardNormal(random);
    return meanMs * Math.exp(sigma * deviation - (sigma * sigma) / 2);
  };
}

/** Box and Muller, 1958. */
export const standardNormal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** Mean and standard deviation of figures that come one after another (Welford 1962). */
export interface Spread {
  add(figure: number): void;
  /** Absent: fewer than two were added. */
  sd(): number | undefined;
  reset(): void;
}

/** Nothing is added yet. Of a sample: divided by one less than there are. */
export function spread(): Spread {
  let count = 0;
  let mean = 0;
  let squares = 0;
  return {
    add: (figure) => {
      count += 1;
      const off = figure - mean;
      mean += off / count;
      squares += off * (figure - mean);
    },
    sd: () => (count < 2 ? undefined : Math.sqrt(squares / (count - 1))),
    reset: () => {
      count = 0;
      mean = 0;
      squares = 0;
    },
  };
}
