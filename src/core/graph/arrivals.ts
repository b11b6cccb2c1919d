/** How many bytes had arrived by any moment of a load. Built once; each question takes the logarithm of the number of requests. */
import type { PlacedRequest } from './place-requests.ts';

interface Knot {
  readonly atMs: number;
  /** Bytes that had arrived by then. */
  readonly bytes: number;
}

/** The bytes of a response are spread evenly from its first to its last byte; one whose times are unknown counts for nothing. */
export class Arrivals {
  readonly #knots: readonly Knot[];

  /** @param bytes of each response on the wire. */
  constructor(requests: readonly PlacedRequest[], bytes: readonly number[]) {
    const changes = requests.flatMap(({ firstByteMs, endMs }, index) => {
      const size = bytes[index] ?? 0;
      if (firstByteMs === undefined || endMs === undefined) return [];
      if (endMs <= firstByteMs) return [{ atMs: endMs, jump: size, slope: 0 }];
      const slope = size / (endMs - firstByteMs);
      return [
        { atMs: firstByteMs, jump: 0, slope },
        { atMs: endMs, jump: 0, slope: -slope },
      ];
    });
    const knots: Knot[] = [];
    let [arrived, rate, before] = [0, 0, 0];
    for (const { atMs, jump, slope } of changes.sort((a, b) => a.atMs - b.atMs)) {
      arrived += rate * (atMs - before);
      if (jump > 0) knots.push({ atMs, bytes: arrived });
      arrived += jump;
      knots.push({ atMs, bytes: arrived });
      rate += slope;
      before = atMs;
    }
    this.#knots = knots;
  }

  by(atMs: number): number {
    let [low, high] = [0, this.#knots.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#knots[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
      else high = middle;
    }
    const [before, next] = [this.#knots[low - 1], this.#knots[low]];
    if (before === undefined) return 0;
    if (next === undefined || next.atMs <= before.atMs) return before.bytes;
    return before.bytes + ((next.bytes - before.bytes) * (atMs - before.atMs)) / (next.atMs - before.atMs);
  }
}
