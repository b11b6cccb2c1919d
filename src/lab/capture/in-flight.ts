/**
 * The data that a sender had in the network, seen where it sends. Two counts: `outstandingBytes`, sent and not acknowledged, as tcptrace draws it;
 * and `flightBytes`, those of them that can still be in the network: snd.nxt - snd.fack + retransmitted and not yet confirmed (Mathis and
 * Mahdavi, "Forward Acknowledgement", SIGCOMM 1996), which leaves out what selective acknowledgements confirm and the holes below them.
 */
import type { Acknowledgement, PacketFlow, SentSegment } from './packet-flow.ts';

/** Holds from `atMs` until the next point. */
export interface InFlightPoint {
  readonly atMs: number;
  readonly outstandingBytes: number;
  readonly flightBytes: number;
}

/** One packet, and how things stand after it. */
export interface FlightStep extends InFlightPoint {
  readonly kind: 'sent' | 'sent-again' | 'acknowledged';
  /** The position after the last byte sent so far. */
  readonly sentUpTo: number;
  /** All before it is acknowledged. */
  readonly acknowledgedUpTo: number;
  /** The furthest position that is known to have arrived, by selective acknowledgement too. */
  readonly arrivedUpTo: number;
  /** The receiver's window, counted from `acknowledgedUpTo`; absent: not known. */
  readonly windowBytes?: number;
}

/** A step for every segment of data sent and every acknowledgement, in order. Only for a capture made where `flow` is sent. */
export function flightSteps(flow: PacketFlow): readonly FlightStep[] {
  const tracker = new Tracker();
  const steps: FlightStep[] = [];
  const data = flow.sent.filter(({ dataBytes }) => dataBytes > 0);
  let next = 0;
  for (const acknowledgement of flow.acknowledged) {
    for (let segment = data[next]; segment && segment.packet < acknowledgement.packet; segment = data[++next])
      steps.push(tracker.send(segment));
    steps.push(tracker.acknowledge(acknowledgement));
  }
  for (const segment of data.slice(next)) steps.push(tracker.send(segment));
  return steps;
}

class Tracker {
  /** No byte has been sent before the first: the SYN's own position, or the first byte seen. */
  #sentUpTo = Number.NEGATIVE_INFINITY;
  #acknowledgedUpTo = Number.NEGATIVE_INFINITY;
  #furthest = Number.NEGATIVE_INFINITY;
  #windowBytes: number | undefined;
  /** Sent again and not yet confirmed. */
  #again: { readonly start: number; readonly end: number }[] = [];

  send({ atMs, start, end, againBytes }: SentSegment): FlightStep {
    if (this.#sentUpTo === Number.NEGATIVE_INFINITY) {
      this.#acknowledgedUpTo = Number.isFinite(this.#acknowledgedUpTo) ? this.#acknowledgedUpTo : start;
      this.#furthest = Math.max(this.#furthest, this.#acknowledgedUpTo);
    }
    if (againBytes > 0 && end > this.#acknowledgedUpTo) this.#again.push({ start, end });
    this.#sentUpTo = Math.max(this.#sentUpTo, end);
    return this.#step(againBytes > 0 ? 'sent-again' : 'sent', atMs);
  }

  acknowledge({ atMs, upTo, selective, windowBytes }: Acknowledgement): FlightStep {
    this.#acknowledgedUpTo = Math.max(this.#acknowledgedUpTo, upTo);
    const arrived = selective.filter(([left, right]) => right > left && right <= this.#sentUpTo);
    this.#furthest = Math.max(this.#furthest, this.#acknowledgedUpTo, ...arrived.map(([, right]) => right));
    if (this.#again.length > 0)
      this.#again = this.#again.filter(
        ({ start, end }) => end > this.#acknowledgedUpTo && !arrived.some(([left, right]) => left <= start && end <= right),
      );
    this.#windowBytes = windowBytes;
    return this.#step('acknowledged', atMs);
  }

  #step(kind: FlightStep['kind'], atMs: number): FlightStep {
    const sentUpTo = Math.max(this.#sentUpTo, this.#acknowledgedUpTo);
    const beyond = Math.max(0, sentUpTo - this.#furthest);
    // What was sent again beyond the furthest arrival is among `beyond` already.
    const again = this.#again.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, this.#furthest) - start), 0);
    return {
      kind,
      atMs,
      outstandingBytes: Math.max(0, sentUpTo - this.#acknowledgedUpTo),
      flightBytes: beyond + again,
      sentUpTo,
      acknowledgedUpTo: this.#acknowledgedUpTo,
      arrivedUpTo: this.#furthest,
      ...(this.#windowBytes !== undefined && { windowBytes: this.#windowBytes }),
    };
  }
}

/** The receive window that the receiver of a direction announced. */
export interface ReceiveWindow {
  /** Bytes, scaled; both absent where how the window is scaled was said before the capture began. */
  readonly leastBytes?: number;
  readonly mostBytes?: number;
  /** Acknowledgements that closed the window, those that repeat it included. */
  readonly zeroWindows: number;
  /** What it was from a time on, ms; only changes. */
  readonly steps: readonly { readonly atMs: number; readonly bytes: number }[];
}

export function receiveWindow({ acknowledged }: PacketFlow): ReceiveWindow {
  const steps: { atMs: number; bytes: number }[] = [];
  let zeroWindows = 0;
  let leastBytes = Number.POSITIVE_INFINITY;
  let mostBytes = 0;
  for (const { atMs, windowBytes } of acknowledged) {
    if (windowBytes === undefined) continue;
    if (windowBytes === 0) zeroWindows += 1;
    leastBytes = Math.min(leastBytes, windowBytes);
    mostBytes = Math.max(mostBytes, windowBytes);
    if (steps.at(-1)?.bytes !== windowBytes) steps.push({ atMs, bytes: windowBytes });
  }
  return { zeroWindows, steps, ...(steps.length > 0 && { leastBytes, mostBytes }) };
}
