/** Admits a burst, then one at a time at a steady rate (Firefox: EventTokenBucket). */
export class TokenBucket {
  readonly #burst: number;
  readonly #perMs: number;
  #credit: number;
  #at = 0;

  constructor({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }) {
    this.#burst = burst;
    this.#perMs = perSecond / 1000;
    this.#credit = burst;
  }

  /** @returns `now`: one is admitted; a later time: none is, ask again then. */
  take(now: number): number {
    this.#credit = Math.min(this.#burst, this.#credit + (now - this.#at) * this.#perMs);
    this.#at = now;
    // What rounding leaves of a whole token is a whole token.
    if (this.#credit < 1 - 1e-9) return now + (1 - this.#credit) / this.#perMs;
    this.#credit = Math.max(0, this.#credit - 1);
    return now;
  }
}
