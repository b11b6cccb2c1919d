/**
 * One direction of a simulated link: serialisation at the rate, a drop-tail queue counted in packets, random loss, then the way.
 * No packet overtakes another, so that what is in flight is a ring in order of arrival and costs nothing to keep sorted.
 */
import type { Random } from '../random.ts';
import { WIRE_BYTES_PER_PAYLOAD_BYTE } from '../tcp-constants.ts';

export interface LineFigures {
  readonly delayMs: number;
  readonly rateKbps: number;
  /** Packets that may wait for the line, the one being sent included. */
  readonly queuePackets: number;
  readonly loss: number;
  readonly jitterMs: number;
}

export class PacketLine {
  readonly #delayMs: number;
  readonly #msPerByte: number;
  readonly #queuePackets: number;
  readonly #loss: number;
  readonly #jitterMs: number;
  readonly #random: Random;

  #lineFreeAt = 0;
  #lastArrival = 0;
  #busyMs = 0;

  // The ring: positions grow for ever, and are masked into the arrays.
  #departures = new Float64Array(64);
  #arrivals = new Float64Array(64);
  #kinds = new Uint8Array(64);
  #subjects = new Int32Array(64);
  #details = new Int32Array(64);
  #head = 0;
  /** The first packet that may still wait for the line. */
  #waiting = 0;
  #tail = 0;

  /** The packet taken last. */
  kind = 0;
  subject = 0;
  detail = 0;

  constructor(figures: LineFigures, random: Random) {
    this.#delayMs = figures.delayMs;
    this.#msPerByte = 8 / (figures.rateKbps * WIRE_BYTES_PER_PAYLOAD_BYTE);
    this.#queuePackets = figures.queuePackets;
    this.#loss = figures.loss;
    this.#jitterMs = figures.jitterMs;
    this.#random = random;
  }

  /** Infinity: nothing is in flight. */
  get nextTime(): number {
    return this.#head === this.#tail ? Number.POSITIVE_INFINITY : (this.#arrivals[this.#head & (this.#arrivals.length - 1)] as number);
  }

  /** How long the line was busy until `now`, of all that was put on it so far, ms. */
  busyUntil(now: number): number {
    return this.#busyMs - Math.max(0, this.#lineFreeAt - now);
  }

  /** @returns whether it will arrive. A packet of 0 bytes waits its turn and takes no time of its own. */
  send(now: number, bytes: number, kind: number, subject: number, detail: number): boolean {
    const mask = this.#departures.length - 1;
    while (this.#waiting < this.#tail && (this.#departures[this.#waiting & mask] as number) <= now) this.#waiting += 1;
    if (this.#tail - this.#waiting >= this.#queuePackets) return false;
    const time = bytes * this.#msPerByte;
    const departure = (this.#lineFreeAt > now ? this.#lineFreeAt : now) + time;
    this.#lineFreeAt = departure;
    this.#busyMs += time;
    // Lost on the way: it had its time on the line.
    if (this.#loss > 0 && this.#random.next() < this.#loss) return false;
    let arrival = departure + this.#delayMs;
    if (this.#jitterMs > 0) arrival = Math.max(this.#lastArrival, arrival + this.#jitterMs * this.#random.next());
    this.#lastArrival = arrival;
    if (this.#tail - this.#head > mask) this.#grow();
    const at = this.#tail & (this.#departures.length - 1);
    this.#tail += 1;
    this.#departures[at] = departure;
    this.#arrivals[at] = arrival;
    this.#kinds[at] = kind;
    this.#subjects[at] = subject;
    this.#details[at] = detail;
    return true;
  }

  /** Removes the first to arrive, and leaves it in `kind`, `subject` and `detail`. @returns its time. */
  take(): number {
    const at = this.#head & (this.#arrivals.length - 1);
    this.#head += 1;
    if (this.#waiting < this.#head) this.#waiting = this.#head;
    this.kind = this.#kinds[at] as number;
    this.subject = this.#subjects[at] as number;
    this.detail = this.#details[at] as number;
    return this.#arrivals[at] as number;
  }

  #grow(): void {
    const count = this.#tail - this.#head;
    const mask = this.#departures.length - 1;
    const size = this.#departures.length * 2;
    const old = [this.#departures, this.#arrivals, this.#kinds, this.#subjects, this.#details] as const;
    const grown = [
      new Float64Array(size),
      new Float64Array(size),
      new Uint8Array(size),
      new Int32Array(size),
      new Int32Array(size),
    ] as const;
    for (let k = 0; k < count; k++) {
      for (let column = 0; column < old.length; column++) {
        (grown[column] as Float64Array)[k] = (old[column] as Float64Array)[(this.#head + k) & mask] as number;
      }
    }
    [this.#departures, this.#arrivals, this.#kinds, this.#subjects, this.#details] = grown;
    this.#waiting -= this.#head;
    this.#head = 0;
    this.#tail = count;
  }
}
