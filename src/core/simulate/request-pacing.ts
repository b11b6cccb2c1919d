/**
 * When the requests of a whole browser may start while many connections are busy (network.http.pacing.requests.*, bug 437953): each takes a
 * place when it is first tried, and keeps it.
 */
import { TokenBucket } from './token-bucket.ts';

export interface PacingFigures {
  /** Busy connections up to which nothing is paced. */
  readonly above: number;
  readonly perSecond: number;
  readonly burst: number;
}

export class RequestPacing {
  readonly #above: number;
  readonly #bucket: TokenBucket;
  /** By request. */
  readonly #admissions = new Map<number, number>();

  constructor(figures: PacingFigures) {
    this.#above = figures.above;
    this.#bucket = new TokenBucket(figures);
  }

  applies(busy: number): boolean {
    return busy > this.#above;
  }

  /** @returns when the request may start: now where nothing is paced, or its turn has come. */
  admission(request: number, { now, busy }: { readonly now: number; readonly busy: number }): number {
    const known = this.#admissions.get(request);
    if (known !== undefined) return Math.max(now, known);
    if (!this.applies(busy)) return now;
    const at = this.#bucket.reserve(now);
    this.#admissions.set(request, at);
    return at;
  }
}
