import { performance } from 'node:perf_hooks';

/** Ten times what a quiet machine takes. */
const LONGEST_MS = 15_000;

/**
 * Looks until what is seen is as wanted, and gives what was seen last, wanted or not: so that an assertion says what there was instead, where
 * `expect.poll` ends for want of time.
 */
export async function lastSeen<T>(look: () => Promise<T>, isWanted: (seen: T) => boolean): Promise<T> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    const seen = await look();
    if (isWanted(seen) || performance.now() > until) return seen;
    await new Promise((done) => setTimeout(done, 50));
  }
}
