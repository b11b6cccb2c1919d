/**
 * Hybrid slow start (S. Ha, I. Rhee, "Hybrid Slow Start for High-Bandwidth and Long-Distance Networks", 2008) as Linux has it in
 * tcp_cubic.c: slow start ends before packets are lost, where a queue shows by the round trips, or a round's acknowledgements come one
 * close behind another for half a round trip. Constants are Linux's.
 */

/** Smaller windows never end slow start, segments. */
const MIN_WINDOW = 16;
/** Acknowledgements closer than this are of one train, ms. */
const TRAIN_GAP_MS = 2;
/** Allowed for segmentation by the network card, ms. */
const TRAIN_SLACK_MS = 1;
/** Samples of a round before its least is judged. */
const SAMPLES = 8;
/** A queue shows when the least round trip of a round is longer by an eighth, within these bounds, ms. */
const MIN_DELAY_MS = 4;
const MAX_DELAY_MS = 16;

export interface HyStartSample {
  readonly now: number;
  readonly rttMs: number;
  /** The first of what was sent since the last round began. */
  readonly newRound: boolean;
  /** Segments. */
  readonly window: number;
}

export class HyStart {
  #leastMs = Number.POSITIVE_INFINITY;
  #roundStart: number | undefined;
  #lastAck = 0;
  #roundLeastMs = Number.POSITIVE_INFINITY;
  #samples = 0;

  /** @returns whether the path is full. */
  sampled({ now, rttMs, newRound, window }: HyStartSample): boolean {
    this.#leastMs = Math.min(this.#leastMs, rttMs);
    if (newRound || this.#roundStart === undefined) {
      this.#roundStart = now;
      this.#lastAck = now;
      this.#roundLeastMs = Number.POSITIVE_INFINITY;
      this.#samples = 0;
    }
    return window >= MIN_WINDOW && (this.#trainIsLong(now, this.#roundStart) || this.#queueShows(rttMs));
  }

  #trainIsLong(now: number, roundStart: number): boolean {
    if (now - this.#lastAck > TRAIN_GAP_MS) return false;
    this.#lastAck = now;
    return now - roundStart > (this.#leastMs + TRAIN_SLACK_MS) / 2;
  }

  #queueShows(rttMs: number): boolean {
    this.#roundLeastMs = Math.min(this.#roundLeastMs, rttMs);
    this.#samples += 1;
    const delayMs = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, this.#leastMs / 8));
    return this.#samples > SAMPLES && this.#roundLeastMs > this.#leastMs + delayMs;
  }
}
