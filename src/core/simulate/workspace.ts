/** Memory that one simulation after another uses: allocating it again each time took a third of the time. */
export class Workspace {
  readonly heap = new EventHeap();
  readonly log = new SegmentLog();

  clear(): void {
    this.heap.clear();
    this.log.clear();
  }
}

type Column = Float64Array | Int32Array | Uint8Array;

/** The same values in a new array of that length, at least as long. */
function lengthened(column: Float64Array, length: number): Float64Array<ArrayBuffer>;
function lengthened(column: Int32Array, length: number): Int32Array<ArrayBuffer>;
function lengthened(column: Uint8Array, length: number): Uint8Array<ArrayBuffer>;
function lengthened(column: Column, length: number): Column {
  const longer =
    column instanceof Float64Array
      ? new Float64Array(length)
      : column instanceof Int32Array
        ? new Int32Array(length)
        : new Uint8Array(length);
  longer.set(column);
  return longer;
}

/** States of a segment. */
export const IN_FLIGHT = 0;
export const LOST = 1;
export const DELIVERED = 2;
/** No segment. */
export const NONE = -1;

/** Every data segment that was ever cut from a stream, in columns: senders and receivers of a simulation share it. */
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

/** Timers of a simulation: a binary heap of (time, kind, subject), first come first served where times are equal. */
export class EventHeap {
  #times = new Float64Array(256);
  #turns = new Int32Array(256);
  #kinds = new Uint8Array(256);
  #subjects = new Int32Array(256);
  #details = new Int32Array(256);
  #size = 0;
  #turn = 0;

  /** The event taken last. */
  kind = 0;
  subject = 0;
  detail = 0;

  clear(): void {
    this.#size = 0;
    this.#turn = 0;
  }

  /** Infinity: there is none. */
  get nextTime(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#times[0] as number);
  }

  add(time: number, kind: number, subject: number, detail = 0): void {
    if (this.#size === this.#times.length) this.#grow();
    const turn = this.#turn++;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const parentTime = this.#times[parent] as number;
      // Turns only grow, so that an equal time never goes before its parent.
      if (parentTime <= time) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, { time, turn, kind, subject, detail });
  }

  /** Removes the earliest, and leaves it in `kind`, `subject` and `detail`. @returns its time. */
  take(): number {
    const time = this.#times[0] as number;
    this.kind = this.#kinds[0] as number;
    this.subject = this.#subjects[0] as number;
    this.detail = this.#details[0] as number;
    this.#size -= 1;
    if (this.#size > 0) this.#sink(this.#size);
    return time;
  }

  /** Puts the event at `last` where the root was, and lets it sink to its place. */
  #sink(last: number): void {
    const time = this.#times[last] as number;
    const turn = this.#turns[last] as number;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#before(child + 1, child)) child += 1;
      const childTime = this.#times[child] as number;
      if (childTime > time || (childTime === time && (this.#turns[child] as number) > turn)) break;
      this.#move(child, at);
      at = child;
    }
    this.#move(last, at);
  }

  #before(one: number, other: number): boolean {
    const difference = (this.#times[one] as number) - (this.#times[other] as number);
    return difference < 0 || (difference === 0 && (this.#turns[one] as number) < (this.#turns[other] as number));
  }

  #move(from: number, to: number): void {
    this.#times[to] = this.#times[from] as number;
    this.#turns[to] = this.#turns[from] as number;
    this.#kinds[to] = this.#kinds[from] as number;
    this.#subjects[to] = this.#subjects[from] as number;
    this.#details[to] = this.#details[from] as number;
  }

  #put(at: number, event: { time: number; turn: number; kind: number; subject: number; detail: number }): void {
    this.#times[at] = event.time;
    this.#turns[at] = event.turn;
    this.#kinds[at] = event.kind;
    this.#subjects[at] = event.subject;
    this.#details[at] = event.detail;
  }

  #grow(): void {
    const size = this.#times.length * 2;
    this.#times = lengthened(this.#times, size);
    this.#turns = lengthened(this.#turns, size);
    this.#kinds = lengthened(this.#kinds, size);
    this.#subjects = lengthened(this.#subjects, size);
    this.#details = lengthened(this.#details, size);
  }
}
