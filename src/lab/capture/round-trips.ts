/**
 * Round trips measured on one direction of a connection: from a segment to the acknowledgement that ends exactly where it ends. Not of
 * segments that were sent more than once (Karn and Partridge 1987), nor where a segment before it was sent after it: the
 * acknowledgement may have waited for that one. SYN and FIN count, as they do for tcptrace.
 */
import type { PacketFlow, SentSegment } from './packet-flow.ts';

export interface RoundTrips {
  readonly samples: number;
  /** ms; all absent without samples. */
  readonly minMs?: number;
  readonly meanMs?: number;
  readonly maxMs?: number;
}

interface Waiting {
  readonly start: number;
  readonly end: number;
  atMs: number;
  again: boolean;
}

export function roundTrips({ sent, acknowledged }: PacketFlow): RoundTrips {
  let minMs = Number.POSITIVE_INFINITY;
  let maxMs = 0;
  let sumMs = 0;
  let samples = 0;
  /** Ascending by `end`. */
  const waiting: Waiting[] = [];
  let oldest = 0;
  let next = 0;
  for (const { packet, atMs, upTo } of acknowledged) {
    for (let segment = sent[next]; segment && segment.packet < packet; segment = sent[++next]) noteSent(waiting, oldest, segment);
    let latestMs = Number.NEGATIVE_INFINITY;
    for (let each = waiting[oldest]; each && each.end <= upTo; each = waiting[++oldest]) {
      if (each.end === upTo && !each.again && each.atMs >= latestMs) {
        samples += 1;
        sumMs += atMs - each.atMs;
        minMs = Math.min(minMs, atMs - each.atMs);
        maxMs = Math.max(maxMs, atMs - each.atMs);
      }
      latestMs = Math.max(latestMs, each.atMs);
    }
  }
  return samples === 0 ? { samples } : { samples, minMs, meanMs: sumMs / samples, maxMs };
}

/** A segment seen before makes ambiguous all that it overlaps and that still waits; one that fills a hole takes its place in the order. */
function noteSent(waiting: Waiting[], oldest: number, { start, end, atMs, againBytes }: SentSegment): void {
  let at = waiting.length;
  while (at > oldest && (waiting[at - 1]?.end ?? start) > start) {
    at -= 1;
    const overlapped = waiting[at];
    if (overlapped && overlapped.start < end) {
      overlapped.again = true;
      overlapped.atMs = atMs;
    }
  }
  if (againBytes === 0) waiting.splice(at, 0, { start, end, atMs, again: false });
  else if (end > (waiting.at(-1)?.end ?? end)) waiting.push({ start, end, atMs, again: true });
}
