/** Times of works that take turns, so that what else the machine does meets all of them. */
import { median } from '../../../src/core/stats/quantile.ts';

export interface Timing {
  readonly medianMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

export interface Turns {
  /** Each work so often before anything is timed. */
  readonly warmUp: number;
  readonly rounds: number;
}

/** @returns a timing for each work, in their order. */
export function timeInTurns(works: readonly (() => void)[], { warmUp, rounds }: Turns): readonly Timing[] {
  for (let round = 0; round < warmUp; round++) for (const work of works) work();
  const times = works.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) times[index]?.push(timeOf(work));
  }
  return times.map((ofWork) => ({ medianMs: median(ofWork) ?? Number.NaN, leastMs: Math.min(...ofWork), mostMs: Math.max(...ofWork) }));
}

/** Shorter works are repeated within a turn: no clock is fine enough for them. */
const LONG_ENOUGH_MS = 5;

/** The same for works of any length, short ones repeated: ms for doing each once. */
export function timeShortInTurns(works: readonly (() => void)[], turns: Turns): readonly Timing[] {
  // All of them before any is judged: code that has not run often is slow.
  for (let round = 0; round < turns.warmUp; round++) for (const work of works) work();
  const repeated = works.map((work) => ({ work, repeats: Math.ceil(LONG_ENOUGH_MS / Math.max(timeOf(work), 1e-3)) }));
  const many = repeated.map(({ work, repeats }) => () => {
    for (let repeat = 0; repeat < repeats; repeat++) work();
  });
  return timeInTurns(many, turns).map(({ medianMs, leastMs, mostMs }, index) => {
    const repeats = repeated[index]?.repeats ?? Number.NaN;
    return { medianMs: medianMs / repeats, leastMs: leastMs / repeats, mostMs: mostMs / repeats };
  });
}

function timeOf(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
