/**
 * One direction of a connection: what was sent, and what the other side said about having got it. Positions count from the first byte of
 * data, so that the SYN is at -1; where the capture began later, from the first byte seen.
 */
import { type ByteRanges, byteRanges } from './byte-ranges.ts';
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
  /** Of this direction's data, by the other side. */
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

  acknowledge(segment: TcpSegment, facts: { readonly packet: number; readonly windowBytes: number | undefined }): void {
    this.#base ??= segment.acknowledgement;
    const { packet, windowBytes } = facts;
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
