/**
 * How a sender's congestion window grows and shrinks, in segments: Reno (RFC 5681) and CUBIC (RFC 9438, as Linux has it: tcp_cubic.c, with
 * its slow start in `HyStart`). What to send, and what was lost, is the sender's business (`tcp-sender.ts`).
 */
import type { SimulatedLink } from './link.ts';

/** RFC 9438, sections 4.6 and 4.2. */
const CUBIC_BETA = 0.7;
const CUBIC_C = 0.4;
/** While no loss has been seen (slow start ended by HyStart), Linux grows by at least a segment for this many acknowledged: 5 % in a round trip. */
const CUBIC_MAX_PER_SEGMENT = 20;
/** RFC 5681, equation 4. */
const RENO_BETA = 0.5;
const MIN_SSTHRESH = 2;

type CongestionControlKind = NonNullable<SimulatedLink['congestionControl']>;

export class CongestionControl {
  /** Segments that may be outstanding. */
  window: number;
  ssthresh = Number.POSITIVE_INFINITY;
  readonly #kind: CongestionControlKind;
  readonly #initialWindow: number;
  // CUBIC: the window before the last reduction (0: there was none), where its growth is flat, when it began, and what Reno would have by now.
  #largest = 0;
  #plateau = 0;
  #epochStart: number | undefined;
  #inflectionMs = 0;
  #renoWindow = 0;
  #hystart: HyStart | undefined;

  constructor(kind: CongestionControlKind, initialWindow: number) {
    this.#kind = kind;
    if (kind === 'cubic') this.#hystart = new HyStart();
    this.#initialWindow = initialWindow;
    this.window = initialWindow;
  }

  get inSlowStart(): boolean {
    return this.window < this.ssthresh;
  }

  /** An acknowledgement gave a round-trip sample; `newRound`: of what was sent since the last round was acknowledged. */
  sampled({ now, rttMs, newRound }: { readonly now: number; readonly rttMs: number; readonly newRound: boolean }): void {
    // Linux leaves out samples of the second after growth began: they are of a queue that a loss has just shown.
    if (this.#hystart === undefined || (this.#epochStart !== undefined && now - this.#epochStart < 1000)) return;
    const full = this.#hystart.sampled({ now, rttMs, newRound, window: this.window });
    if (full && this.inSlowStart) this.ssthresh = this.window;
  }

  /** This many segments were acknowledged in order, and the window was what held the sender back. */
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
    this.ssthresh = Math.max(Math.floor(reference * beta), MIN_SSTHRESH);
    return this.ssthresh;
  }

  timedOut(outstanding: number): void {
    this.lost(outstanding);
    if (this.#kind === 'cubic') this.#hystart = new HyStart();
    this.window = 1;
  }

  /**
   * Nothing was sent for this many retransmission timeouts: the window halves for each, never below the initial window (RFC 2861; Linux
   * tcp_cwnd_restart).
   */
  idleFor(timeouts: number): void {
    const restart = Math.min(this.#initialWindow, this.window);
    this.ssthresh = this.ssthresh === Number.POSITIVE_INFINITY ? this.ssthresh : Math.max(this.ssthresh, 0.75 * this.window);
    this.window = Math.max(restart, Math.floor(this.window / 2 ** Math.min(30, timeouts)));
    this.#epochStart = undefined;
  }

  #cubic(segments: number, now: number, rttMs: number): void {
    if (this.#epochStart === undefined) {
      this.#epochStart = now;
      this.#plateau = Math.max(this.#largest, this.window);
      this.#inflectionMs = 1000 * Math.cbrt((this.#plateau - this.window) / CUBIC_C);
      this.#renoWindow = this.window;
    }
    const aheadMs = now - this.#epochStart + rttMs - this.#inflectionMs;
    const target = CUBIC_C * (aheadMs / 1000) ** 3 + this.#plateau;
    this.#renoWindow += (3 * ((1 - CUBIC_BETA) / (1 + CUBIC_BETA)) * segments) / this.window;
    const cubic = (segments * Math.max(0, Math.min(target, 1.5 * this.window) - this.window)) / this.window;
    const least = this.#largest === 0 ? segments / CUBIC_MAX_PER_SEGMENT : 0;
    this.window = Math.max(this.window + Math.max(cubic, least), this.#renoWindow > target ? this.#renoWindow : 0);
  }
}

/**
 * How much may be sent for each acknowledgement while losses are made good: proportional rate reduction (RFC 6937). Of its two bounds the
 * conservative one, except for acknowledgements that advance without showing further losses, as Linux has it (tcp_cwnd_reduction).
 */
export class RateReduction {
  readonly #target: number;
  /** The window when the loss was seen. */
  readonly #before: number;
  #delivered = 0;
  #sent = 0;

  constructor(target: number, before: number) {
    this.#target = target;
    this.#before = Math.max(1, before);
  }

  /** `delivered` segments arrived; `outstanding` are believed to be in flight. @returns how many may be sent now. */
  quota({ delivered, outstanding, clean }: { readonly delivered: number; readonly outstanding: number; readonly clean: boolean }): number {
    this.#delivered += delivered;
    const proportional = Math.ceil((this.#delivered * this.#target) / this.#before) - this.#sent;
    const bounded = Math.min(this.#target - outstanding, Math.max(this.#delivered - this.#sent, delivered) + (clean ? 1 : 0));
    const quota = outstanding > this.#target ? proportional : bounded;
    // The first retransmission goes out at once.
    return Math.max(quota, this.#sent === 0 ? 1 : 0);
  }

  sent(): void {
    this.#sent += 1;
  }
}

/** Hybrid slow start: smaller windows never end it, segments. */
const MIN_WINDOW = 16;
/** Acknowledgements closer than this are of one train, ms. */
const TRAIN_GAP_MS = 2;
/** Allowed for segmentation by the network card, ms. */
const TRAIN_SLACK_MS = 1;
/** Samples of a round before its minimum counts. */
const SAMPLES = 8;
/** A queue shows when the minimum round trip of a round is longer by an eighth, within these bounds, ms. */
const MIN_DELAY_MS = 4;
const MAX_DELAY_MS = 16;

interface HyStartSample {
  readonly now: number;
  readonly rttMs: number;
  /** The first of what was sent since the last round began. */
  readonly newRound: boolean;
  /** Segments. */
  readonly window: number;
}

/**
 * Hybrid slow start (S. Ha, I. Rhee, "Hybrid Slow Start for High-Bandwidth and Long-Distance Networks", 2008) as Linux has it in
 * tcp_cubic.c: slow start ends before packets are lost, where a queue shows by the round trips, or a round's acknowledgements come one
 * close behind another for half a round trip. Constants are Linux's.
 */
class HyStart {
  #minMs = Number.POSITIVE_INFINITY;
  #roundStart: number | undefined;
  #lastAck = 0;
  #roundMinMs = Number.POSITIVE_INFINITY;
  #samples = 0;

  /** @returns whether the path is full. */
  sampled({ now, rttMs, newRound, window }: HyStartSample): boolean {
    this.#minMs = Math.min(this.#minMs, rttMs);
    if (newRound || this.#roundStart === undefined) {
      this.#roundStart = now;
      this.#lastAck = now;
      this.#roundMinMs = Number.POSITIVE_INFINITY;
      this.#samples = 0;
    }
    return window >= MIN_WINDOW && (this.#trainIsLong(now, this.#roundStart) || this.#queueShows(rttMs));
  }

  #trainIsLong(now: number, roundStart: number): boolean {
    if (now - this.#lastAck > TRAIN_GAP_MS) return false;
    this.#lastAck = now;
    return now - roundStart > (this.#minMs + TRAIN_SLACK_MS) / 2;
  }

  #queueShows(rttMs: number): boolean {
    this.#roundMinMs = Math.min(this.#roundMinMs, rttMs);
    this.#samples += 1;
    const delayMs = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, this.#minMs / 8));
    return this.#samples > SAMPLES && this.#roundMinMs > this.#minMs + delayMs;
  }
}
