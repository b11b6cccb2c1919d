/** A delay that varies with time, with the mean and the standard deviation requested. Pure: drawn from a seed. */
import { type Random, seededRandom } from '../../core/random.ts';

/**
 * For how long a delay remembers itself, ms: the correlation of two delays falls to 1/e in this time. Without any memory the packets of a
 * burst, which must stay in order, would all wait for the slowest, and jitter would be a longer delay. A few rounds of a
 * mobile network's scheduler.
 */
const JITTER_MEMORY_MS = 20;
/** A delay stays the same for this long: a quarter of its memory. */
const STEP_MS = JITTER_MEMORY_MS / 4;
const KEPT_OF_STEP = Math.exp(-STEP_MS / JITTER_MEMORY_MS);
/** After this many steps a ten-millionth of a deviation is left: e^-16. */
const STEPS_REMEMBERED = 64;

/**
 * A lognormal delay, since delays are never negative and their tail is long: the exponential of an Ornstein-Uhlenbeck process, sampled
 * exactly in steps of time from `startMs`. What it is at a time follows only from the seed, whatever packets come before: loads of one seed
 * meet the same delays, though no two of them send the same packets.
 * @param meanMs - At 0 there is nothing to vary.
 * @param startMs - Absent: the first time that is requested.
 * @returns the delay at a time; times must not fall.
 */
export function varyingDelay({
  meanMs,
  sdMs,
  seed,
  startMs,
}: {
  readonly meanMs: number;
  readonly sdMs: number;
  readonly seed: number;
  readonly startMs?: number | undefined;
}): (atMs: number) => number {
  if (meanMs <= 0) return () => 0;
  const sigma = Math.sqrt(Math.log(1 + (sdMs / meanMs) ** 2));
  const first = seededRandom(seed).integer(2 ** 32);
  const drawn = Math.sqrt(1 - KEPT_OF_STEP * KEPT_OF_STEP);
  let deviation = 0;
  let step = Number.NEGATIVE_INFINITY;
  let beganMs = startMs;
  return (atMs) => {
    beganMs ??= atMs;
    const wanted = Math.floor((atMs - beganMs) / STEP_MS);
    for (step = Math.max(step, wanted - STEPS_REMEMBERED); step < wanted; ) {
      step += 1;
      deviation = KEPT_OF_STEP * deviation + drawn * standardNormal(seededRandom(first + step));
    }
    return meanMs * Math.exp(sigma * deviation - (sigma * sigma) / 2);
  };
}

/** Box and Muller, 1958. */
export const standardNormal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** Mean and standard deviation of figures that come one after another (Welford 1962). */
interface RunningDeviation {
  add(figure: number): void;
  /** Absent: fewer than two were added. */
  sd(): number | undefined;
  reset(): void;
}

/** Nothing is added yet. Of a sample: divided by one less than there are. */
export function runningDeviation(): RunningDeviation {
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
