/** Every data segment that was ever cut from a stream, in columns: what the senders and receivers of one simulation share. */

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
    const into = <T extends Int32Array | Uint8Array | Float64Array>(to: T, from: T): T => {
      to.set(from as never);
      return to;
    };
    this.starts = into(new Int32Array(size), this.starts);
    this.lengths = into(new Int32Array(size), this.lengths);
    this.states = into(new Uint8Array(size), this.states);
    this.turns = into(new Int32Array(size), this.turns);
    this.sentAt = into(new Float64Array(size), this.sentAt);
    this.resent = into(new Uint8Array(size), this.resent);
    this.following = into(new Int32Array(size), this.following);
    this.requests = into(new Int32Array(size), this.requests);
    this.offsets = into(new Int32Array(size), this.offsets);
  }
}
