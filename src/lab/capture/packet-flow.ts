/**
 * One direction of a connection: what was sent, and what the other side said about having got it. Positions count from the first byte of
 * data, so that the SYN is at -1; where the capture began later, from the first byte seen.
 */
import { TCP_FLAGS, type TcpSegment } from './tcp-segment.ts';

export interface SentSegment {
  readonly atMs: number;
  /** Number of the packet in the connection: tells what came first where times are equal. */
  readonly packet: number;
  readonly start: number;
  readonly dataBytes: number;
  /** The position after it, SYN and FIN counted as one byte each. */
  readonly end: number;
  /** How many of its bytes had been seen before. */
  readonly againBytes: number;
  /** The kept part of its data. */
  readonly data: Uint8Array;
}

export interface Acknowledgement {
  readonly atMs: number;
  readonly packet: number;
  /** All before this position has arrived. */
  readonly upTo: number;
  /** Ranges that have arrived beyond it. */
  readonly selective: readonly (readonly [number, number])[];
  /** What more the receiver has room for, bytes; absent: how the window is scaled was said before the capture began. */
  readonly windowBytes?: number;
}

export interface PacketFlow {
  readonly packets: number;
  /** SYN, data and FIN, by time. */
  readonly sent: readonly SentSegment[];
  /** The other side's acknowledgements of this direction's data. */
  readonly acknowledged: readonly Acknowledgement[];
}

export class FlowBuilder implements PacketFlow {
  packets = 0;
  readonly sent: SentSegment[] = [];
  readonly acknowledged: Acknowledgement[] = [];
  /** Shift of the windows that this side advertises; `undefined` until known. */
  windowScale: number | undefined;
  #base: number | undefined;
  /** The last position that was worked out: the next is near it. */
  #near = 0;
  readonly #seen: ByteRanges = byteRanges();

  send(segment: TcpSegment, packet: number): void {
    const synchronises = (segment.flags & TCP_FLAGS.syn) !== 0 ? 1 : 0;
    this.#base ??= (segment.sequence + synchronises) >>> 0;
    const start = this.#position(segment.sequence);
    this.packets += 1;
    const end = start + segment.dataBytes + synchronises + ((segment.flags & TCP_FLAGS.fin) !== 0 ? 1 : 0);
    if (end === start) return;
    const againBytes = this.#seen.add(start, end);
    const { atMs, dataBytes, data } = segment;
    this.sent.push({ atMs, packet, start, dataBytes, end, againBytes, data });
  }

  acknowledge(segment: TcpSegment, { packet, windowBytes }: { readonly packet: number; readonly windowBytes: number | undefined }): void {
    this.#base ??= segment.acknowledgement;
    this.acknowledged.push({
      atMs: segment.atMs,
      packet,
      upTo: this.#position(segment.acknowledgement),
      selective: segment.selective.map(([left, right]) => [this.#position(left), this.#position(right)] as const),
      ...(windowBytes !== undefined && { windowBytes }),
    });
  }

  /** Sequence numbers wrap around at 2^32; what is meant is the nearest to where the connection is. */
  #position(sequence: number): number {
    const wrapped = (sequence - (this.#base ?? 0) - this.#near) | 0;
    this.#near += wrapped;
    return this.#near;
  }
}

/** Which bytes of a stream have been seen. */
interface ByteRanges {
  /** @returns how many bytes of `[start, end)` had been there before. */
  add(start: number, end: number): number;
  /** Where the first hole begins, counted from the range that holds or follows `from`; `from` itself where nothing is there. */
  contiguousFrom(from: number): number;
}

export function byteRanges(): ByteRanges {
  /** Disjoint, ascending, never touching. Few: only what was lost or came out of order divides them. */
  const ranges: [number, number][] = [];
  return {
    add: (start, end) => {
      if (end <= start) return 0;
      const last = ranges.at(-1);
      if (!last || start > last[1]) {
        ranges.push([start, end]);
        return 0;
      }
      if (start === last[1]) {
        last[1] = end;
        return 0;
      }
      return insert(ranges, start, end);
    },
    contiguousFrom: (from) => {
      const at = firstEndingAtOrAfter(ranges, from);
      const range = ranges[at];
      return range && range[0] <= from ? range[1] : from;
    },
  };
}

function insert(ranges: [number, number][], start: number, end: number): number {
  const from = firstEndingAtOrAfter(ranges, start);
  let to = from;
  let known = 0;
  let low = start;
  let high = end;
  for (let range = ranges[to]; range && range[0] <= end; range = ranges[++to]) {
    known += Math.max(0, Math.min(end, range[1]) - Math.max(start, range[0]));
    low = Math.min(low, range[0]);
    high = Math.max(high, range[1]);
  }
  ranges.splice(from, to - from, [low, high]);
  return known;
}

const firstEndingAtOrAfter = (ranges: readonly (readonly [number, number])[], value: number): number =>
  lowerBound(ranges.length, (at) => (ranges[at]?.[1] ?? 0) < value);

/** The first index of which `isBefore` does not hold, by binary search; `length`: it holds of all. */
export function lowerBound(length: number, isBefore: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
