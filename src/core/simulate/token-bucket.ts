/** Admits a burst, then one at a time at a steady rate, first come first served (Firefox: EventTokenBucket). */
export class TokenBucket {
  readonly #burst: number;
  readonly #intervalMs: number;
  /** When the next would be admitted were there no burst: the virtual scheduling of ITU-T I.371. */
  #dueAt = 0;

  constructor({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }) {
    this.#burst = burst;
    this.#intervalMs = 1000 / perSecond;
  }

  /** Takes the next place. @returns when it is admitted, now or later. */
  reserve(now: number): number {
    const due = Math.max(this.#dueAt, now);
    this.#dueAt = due + this.#intervalMs;
    return Math.max(now, due - (this.#burst - 1) * this.#intervalMs);
  }
}
