/** A sender's picture of the round trip, and how long it waits for an acknowledgement (RFC 6298, with Linux's bounds). */

/** Linux TCP_RTO_MIN; RFC 6298 has 1 s, which no stack in use keeps. */
export const MIN_RTO_MS = 200;
/** Linux TCP_RTO_MAX. */
const MAX_RTO_MS = 120_000;

export class RttEstimator {
  #smoothed: number;
  #variation: number;
  #least: number;

  /** @param sampleMs - of the handshake. */
  constructor(sampleMs: number) {
    this.#smoothed = sampleMs;
    this.#variation = sampleMs / 2;
    this.#least = sampleMs;
  }

  get smoothedMs(): number {
    return this.#smoothed;
  }

  get minMs(): number {
    return this.#least;
  }

  /** Linux keeps the variation's part at 200 ms or more, not the whole. */
  get timeoutMs(): number {
    return Math.min(MAX_RTO_MS, this.#smoothed + Math.max(MIN_RTO_MS, 4 * this.#variation));
  }

  /** The timeout after this many in a row. */
  backedOffMs(timeouts: number): number {
    return Math.min(MAX_RTO_MS, this.timeoutMs * 2 ** timeouts);
  }

  /** When a tail loss probe is due (RFC 8985, section 7.2; a lone segment may meet a delayed acknowledgement). */
  probeMs(outstanding: number): number {
    return Math.min(this.timeoutMs, 2 * this.#smoothed + (outstanding === 1 ? MIN_RTO_MS : 0));
  }

  sample(ms: number): void {
    this.#variation = 0.75 * this.#variation + 0.25 * Math.abs(this.#smoothed - ms);
    this.#smoothed = 0.875 * this.#smoothed + 0.125 * ms;
    if (ms < this.#least) this.#least = ms;
  }
}
