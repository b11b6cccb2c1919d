/** Requests that wait for a connection: by level, and within a level in the order in which they came. */
import { FIRST_HELD_LEVEL, LEVELS } from './page-columns.ts';

export class WaitingRequests {
  readonly #levels: number[][] = Array.from({ length: LEVELS }, () => []);
  readonly #heads: number[] = Array.from({ length: LEVELS }, () => 0);

  /** How many wait. */
  length = 0;

  add(request: number, level: number): void {
    this.length += 1;
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

  /** The first of the first `most` below `end` that `is`, in the order of their turns. @returns its level and turn; `undefined`: none. */
  find(end: number, most: number, is: (request: number) => boolean): { readonly level: number; readonly turn: number } | undefined {
    let left = most;
    for (let level = 0; level < end; level++) {
      const requests = this.#levels[level] as number[];
      for (let turn = this.#heads[level] as number; turn < requests.length && left > 0; turn++, left--) {
        if (is(requests[turn] as number)) return { level, turn };
      }
    }
    return undefined;
  }

  /** Takes the one that was found. */
  takeFound({ level, turn }: { readonly level: number; readonly turn: number }): number {
    if (turn === this.#heads[level]) return this.take(level);
    this.length -= 1;
    return (this.#levels[level] as number[]).splice(turn, 1)[0] as number;
  }

  take(level: number): number {
    const at = this.#heads[level] as number;
    this.length -= 1;
    this.#heads[level] = at + 1;
    return (this.#levels[level] as number[])[at] as number;
  }
}

/** Levels that may be sent now. */
export const openLevels = (heldBack: boolean): number => (heldBack ? FIRST_HELD_LEVEL : LEVELS);
