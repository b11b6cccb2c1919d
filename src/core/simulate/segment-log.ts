/** Every data segment that was ever cut from a stream, in columns: what the senders and receivers of one simulation share. */
import { lengthened } from './lengthened.ts';

/** States of a segment. */
export const IN_FLIGHT = 0;
export const LOST = 1;
export const DELIVERED = 2;
/** No segment. */
export const NONE = -1;

export class SegmentLog {
  /** First byte in the connection's stream. */
  starts = new Int32Array(1024);
  lengths = new Int32Array(1024);
  /** IN_FLIGHT, LOST or DELIVERED, as its sender believes. */
  states = new Uint8Array(1024);
  /** Turn of its last sending among those of its connection. */
  turns = new Int32Array(1024);
  sentAt = new Float64Array(1024);
  /** 1: sent more than once, so its round trip says nothing (Karn & Partridge 1987). */
  resent = new Uint8Array(1024);
  /** The next segment of the same connection, or NONE. */
  following = new Int32Array(1024);
  /** HTTP/3: whose bytes these are, and where they begin in that response; unused elsewhere. */
  requests = new Int32Array(1024);
  offsets = new Int32Array(1024);
  #size = 0;

  clear(): void {
    this.#size = 0;
  }

  add(start: number, length: number): number {
    if (this.#size === this.starts.length) this.#grow();
    const segment = this.#size++;
    this.starts[segment] = start;
    this.lengths[segment] = length;
    this.states[segment] = IN_FLIGHT;
    this.resent[segment] = 0;
    this.following[segment] = NONE;
    return segment;
  }

  #grow(): void {
    const size = this.starts.length * 2;
    this.starts = lengthened(this.starts, size);
    this.lengths = lengthened(this.lengths, size);
    this.states = lengthened(this.states, size);
    this.turns = lengthened(this.turns, size);
    this.sentAt = lengthened(this.sentAt, size);
    this.resent = lengthened(this.resent, size);
    this.following = lengthened(this.following, size);
    this.requests = lengthened(this.requests, size);
    this.offsets = lengthened(this.offsets, size);
  }
}
