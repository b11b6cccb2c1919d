/**
 * How a sender's congestion window grows and shrinks, in segments: Reno (RFC 5681) and CUBIC (RFC 9438). What to send, and what was lost,
 * is the sender's business (`tcp-sender.ts`).
 */

/** RFC 9438, sections 4.6 and 4.2. */
const CUBIC_BETA = 0.7;
const CUBIC_C = 0.4;
/** RFC 5681, equation 4. */
const RENO_BETA = 0.5;
const LEAST_SSTHRESH = 2;

export class CongestionControl {
  /** Segments that may be outstanding. */
  window: number;
  ssthresh = Number.POSITIVE_INFINITY;
  readonly #kind: 'reno' | 'cubic';
  readonly #initialWindow: number;
  // CUBIC: the window before the last reduction, when its growth began, and what Reno would have by now.
  #largest = 0;
  #epochStart: number | undefined;
  #inflectionMs = 0;
  #renoWindow = 0;

  constructor(kind: 'reno' | 'cubic', initialWindow: number) {
    this.#kind = kind;
    this.#initialWindow = initialWindow;
    this.window = initialWindow;
  }

  get inSlowStart(): boolean {
    return this.window < this.ssthresh;
  }

  /** So many segments were acknowledged in order, and the window was what held the sender back. */
  acknowledged(segments: number, { now, rttMs }: { readonly now: number; readonly rttMs: number }): void {
    if (this.inSlowStart) {
      this.window += segments;
      return;
    }
    if (this.#kind === 'reno') this.window += segments / this.window;
    else this.#cubic(segments, now, rttMs);
  }

  /** A loss was seen: @returns the window to come down to. */
  lost(outstanding: number): number {
    // Half of what was outstanding, as RFC 5681 has it; Linux (tcp_reno_ssthresh) halves the window, which spares a tail of a few segments.
    const reference = this.#kind === 'reno' ? Math.max(outstanding, 1) : this.window;
    const beta = this.#kind === 'reno' ? RENO_BETA : CUBIC_BETA;
    this.#largest = this.window < this.#largest ? (this.window * (1 + CUBIC_BETA)) / 2 : this.window;
    this.#epochStart = undefined;
    this.ssthresh = Math.max(Math.floor(reference * beta), LEAST_SSTHRESH);
    return this.ssthresh;
  }

  timedOut(outstanding: number): void {
    this.lost(outstanding);
    this.window = 1;
  }

  /** Nothing was sent for so many retransmission timeouts: half for each, never below the initial window (RFC 2861; Linux tcp_cwnd_restart). */
  idleFor(timeouts: number): void {
    const restart = Math.min(this.#initialWindow, this.window);
    this.ssthresh = this.ssthresh === Number.POSITIVE_INFINITY ? this.ssthresh : Math.max(this.ssthresh, 0.75 * this.window);
    this.window = Math.max(restart, Math.floor(this.window / 2 ** Math.min(30, timeouts)));
    this.#epochStart = undefined;
  }

  #cubic(segments: number, now: number, rttMs: number): void {
    if (this.#epochStart === undefined) {
      this.#epochStart = now;
      this.#largest = Math.max(this.#largest, this.window);
      this.#inflectionMs = 1000 * Math.cbrt((this.#largest - this.window) / CUBIC_C);
      this.#renoWindow = this.window;
    }
    const aheadMs = now - this.#epochStart + rttMs - this.#inflectionMs;
    const target = CUBIC_C * (aheadMs / 1000) ** 3 + this.#largest;
    this.#renoWindow += (3 * ((1 - CUBIC_BETA) / (1 + CUBIC_BETA)) * segments) / this.window;
    if (this.#renoWindow > target) this.window = Math.max(this.window, this.#renoWindow);
    else if (target > this.window) this.window += (segments * (Math.min(target, 1.5 * this.window) - this.window)) / this.window;
  }
}
