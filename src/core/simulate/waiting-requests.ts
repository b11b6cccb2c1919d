/** Requests that wait for a connection: by level, and within a level in the order in which they came. */
import { FIRST_HELD_LEVEL, LEVELS } from './page-columns.ts';

export class WaitingRequests {
  readonly #levels: number[][] = Array.from({ length: LEVELS }, () => []);
  readonly #heads: number[] = Array.from({ length: LEVELS }, () => 0);

  add(request: number, level: number): void {
    (this.#levels[level] as number[]).push(request);
  }

  /** Levels up to, not including, `end`. */
  count(end: number): number {
    let sum = 0;
    for (let level = 0; level < end; level++) sum += (this.#levels[level] as number[]).length - (this.#heads[level] as number);
    return sum;
  }

  /** Level of the first; -1: none waits below `end`. */
  firstLevel(end: number): number {
    for (let level = 0; level < end; level++) {
      if ((this.#heads[level] as number) < (this.#levels[level] as number[]).length) return level;
    }
    return -1;
  }

  /** The first on that level; it stays. */
  first(level: number): number {
    return (this.#levels[level] as number[])[this.#heads[level] as number] as number;
  }

  /** All that were ever on that level, in their order. */
  ever(level: number): readonly number[] {
    return this.#levels[level] as number[];
  }

  /** How many of them were taken. */
  taken(level: number): number {
    return this.#heads[level] as number;
  }

  take(level: number): number {
    const at = this.#heads[level] as number;
    this.#heads[level] = at + 1;
    return (this.#levels[level] as number[])[at] as number;
  }
}

/** Levels that may be sent now. */
export const openLevels = (heldBack: boolean): number => (heldBack ? FIRST_HELD_LEVEL : LEVELS);
