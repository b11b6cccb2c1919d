/** Finds which responses were there when a request was asked for. Built once per load; each question takes the logarithm of its size. */
import type { PlacedRequest } from './place-requests.ts';

/** HARs cut `startedDateTime` to whole ms and give durations in fractions: what ended within this much later may have been first. */
const CLOCK_STEP_MS = 1;

/** When a response can have had an effect at the earliest, given the clock's step; never before it was asked for. */
export const effectiveMs = ({ startMs, endMs }: PlacedRequest): number | undefined =>
  endMs === undefined ? undefined : Math.max(startMs, endMs - CLOCK_STEP_MS);

/** `position`: of the request in the order of their start. `endMs`: as recorded, not rounded by the clock's step. */
export interface Finished {
  readonly position: number;
  readonly endMs: number;
}

/** The latest of some responses to be complete when the request at a position was asked for. */
export class FinishedBefore {
  readonly #byEffect: readonly (Finished & { readonly effectMs: number })[];

  /** @param positions of those that count. */
  constructor(requests: readonly PlacedRequest[], positions: readonly number[]) {
    this.#byEffect = positions
      .flatMap((position) => {
        const request = requests[position];
        const effectMs = request && effectiveMs(request);
        return request?.endMs === undefined || effectMs === undefined ? [] : [{ position, endMs: request.endMs, effectMs }];
      })
      .sort((a, b) => a.effectMs - b.effectMs || a.position - b.position);
  }

  /**
   * Always an earlier position: requests are in order of their start, and an effect at the same moment counts only of an earlier one.
   * `undefined`: none was complete.
   */
  latest(startMs: number, position: number): Finished | undefined {
    let [low, high] = [0, this.#byEffect.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const candidate = this.#byEffect[middle];
      const before =
        candidate !== undefined && (candidate.effectMs < startMs || (candidate.effectMs === startMs && candidate.position < position));
      if (before) low = middle + 1;
      else high = middle;
    }
    return this.#byEffect[low - 1];
  }
}
