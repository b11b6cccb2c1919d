/**
 * What slow start over an idle link takes, by hand. A connection of window W sends W segments, then two for each acknowledgement, so that
 * round k holds W x 2^(k-1) segments. With s the time of a full segment on the line:
 *
 *   the handshake ends at RTT; the request is at the server at 1.5 RTT (requests and acknowledgements cost nothing on the uplinks used here);
 *   the first segment of round 1 begins on the line at 1.5 RTT, and is there at 2 RTT + s;
 *   its acknowledgement is at the server RTT/2 later and starts round 2 at 2.5 RTT + s; so round k starts at (k + 0.5) RTT + (k - 1) s,
 *   one RTT + s after the round before it; and each ends half an RTT after its last segment has left the line.
 *
 * As soon as a round lasts as long as that (W x 2^(k-1) x s >= RTT + s), the line never falls idle again, and the rest is transmission.
 */
export interface IdleTransfer {
  readonly rttMs: number;
  /** Time of one full segment on the line, ms. */
  readonly segmentMs: number;
  readonly window: number;
  readonly segments: number;
}

/** From the start of the handshake to the last byte, ms. */
export function idleTransferMs({ rttMs, segmentMs, window, segments }: IdleTransfer): number {
  let left = segments;
  for (let round = 1; ; round++) {
    const size = window * 2 ** (round - 1);
    const startMs = (round + 0.5) * rttMs + (round - 1) * segmentMs;
    const fills = size * segmentMs >= rttMs + segmentMs;
    if (left <= size || fills) return startMs + left * segmentMs + rttMs / 2;
    left -= size;
  }
}

/** 1 kbit/s is 1 bit/ms. */
export const segmentTimeMs = (downKbps: number): number => (1460 * 8) / downKbps;
