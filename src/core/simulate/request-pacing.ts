/**
 * When the requests of a whole browser may start while many connections are active (network.http.pacing.requests.*, bug 437953): each asks
 * once for a token, and waits for it in the order of asking; with few active connections it starts all the same, and its place goes to the next.
 * Follows TryDispatchTransaction of nsHttpConnectionMgr.cpp and EventTokenBucket.cpp of Firefox 140 to 153.
 */

interface PacingFigures {
  /** Active connections up to which nothing is paced. */
  readonly above: number;
  readonly perSecond: number;
  /** Tokens that gather at most. */
  readonly burst: number;
}

/** Sums of intervals that are no binary fractions. */
const ROUNDING = 1e-9;

export class RequestPacing {
  readonly #above: number;
  readonly #burst: number;
  readonly #intervalMs: number;
  #tokens: number;
  #countedAt = 0;
  /** Those that asked, and whether they have their token. */
  readonly #asked = new Map<number, boolean>();
  /** Those without, in the order of asking, from `#head` on; some have started since. */
  readonly #queue: number[] = [];
  #head = 0;

  constructor({ above, perSecond, burst }: PacingFigures) {
    this.#above = above;
    this.#burst = burst;
    this.#intervalMs = 1000 / perSecond;
    this.#tokens = burst;
  }

  /** The first call asks for a token. @param active - Connections of HTTP/1.1 that are busy, and all that are being opened. */
  mayStart(request: number, { now, active }: { readonly now: number; readonly active: number }): boolean {
    return this.#hasToken(request, now) || this.isLifted(active);
  }

  /** Whether requests start without a token. */
  isLifted(active: number): boolean {
    return active <= this.#above;
  }

  /** It waits no longer. */
  started(request: number): void {
    if (this.#asked.get(request) === false) this.#asked.set(request, true);
  }

  /** When the next that waits gets its token; `undefined`: none waits. */
  nextAt(now: number): number | undefined {
    this.#skipStarted();
    if (this.#head === this.#queue.length) return undefined;
    this.#count(now);
    return now + Math.max(0, 1 - this.#tokens) * this.#intervalMs;
  }

  /** @returns the requests that get a token now, in their order. */
  admit(now: number): readonly number[] {
    this.#count(now);
    const admitted: number[] = [];
    for (this.#skipStarted(); this.#head < this.#queue.length && this.#take(); this.#skipStarted()) {
      const request = this.#queue[this.#head++] as number;
      this.#asked.set(request, true);
      admitted.push(request);
    }
    return admitted;
  }

  #hasToken(request: number, now: number): boolean {
    const known = this.#asked.get(request);
    if (known !== undefined) return known;
    this.#count(now);
    const has = this.#take();
    this.#asked.set(request, has);
    if (!has) this.#queue.push(request);
    return has;
  }

  #take(): boolean {
    if (this.#tokens < 1 - ROUNDING) return false;
    this.#tokens -= 1;
    return true;
  }

  #count(now: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#countedAt) / this.#intervalMs);
    this.#countedAt = now;
  }

  #skipStarted(): void {
    while (this.#head < this.#queue.length && this.#asked.get(this.#queue[this.#head] as number) === true) this.#head += 1;
  }
}
