/**
 * The sending side of a connection: cuts a stream of bytes into segments as the congestion window allows, finds losses from what the
 * acknowledgements say (SACK with RACK's order of sending, RFC 8985), probes a silent tail, and times out. Every acknowledgement covers
 * all that arrived before it, so that lost acknowledgements cost nothing but time.
 * Timers run only while something really is lost: what a timeout does to packets that are only late, stacks undo (RFC 3522, RFC 5682).
 */
import { type CongestionControl, RateReduction } from './congestion-control.ts';
import type { RttEstimator } from './rtt-estimator.ts';
import { DELIVERED, IN_FLIGHT, LOST, NONE, type SegmentLog } from './workspace.ts';

/** The functions that a sender needs from its surroundings. */
export interface SenderPort {
  /** Puts a segment on the line. @returns whether it will arrive. */
  transmit(connection: number, segment: number, length: number, now: number): boolean;
  /** Wants `timer` to be called at this time. */
  schedule(connection: number, at: number): void;
  /** Asks for bytes that are only made when they can be sent (HTTP/2 frames); `write` is called where there are any. */
  pull(connection: number, unsent: number): void;
}

/** RFC 8985 counts later segments that arrived; three, as RFC 5681's duplicate acknowledgements. */
const REORDERING = 3;
const MAX_BACKOFF = 8;

export class TcpSender {
  readonly #port: SenderPort;
  readonly #log: SegmentLog;
  readonly #id: number;
  readonly #segmentBytes: number;
  readonly control: CongestionControl;
  readonly #rtt: RttEstimator;

  /** Bytes there are to send, ever. */
  written = 0;
  #nextByte = 0;
  #head = NONE;
  #tail = NONE;
  /** Believed to be in flight. */
  #outstanding = 0;
  #lost = 0;
  /** Segments in the order of their sending, each as often as it was sent; its length is the next turn. */
  readonly #sendings: number[] = [];
  /** Every sending before this turn is known to have arrived or to be lost. */
  #decided = 0;
  /** Lost segments in the order in which that was found, and how many of them were taken up. */
  readonly #losses: number[] = [];
  #takenUp = 0;
  #lastSentAt: number | undefined;

  // What arrived, in order of arrival, and how much of it this side knows.
  readonly arrivals: number[] = [];
  #known = 0;
  #latestTurn = NONE;
  #latestSentAt = 0;

  #recovery: RateReduction | undefined;
  #afterTimeout = false;
  #recoveryEnd = 0;
  #quota = 0;

  // Whether the window is what holds the sender back (Linux tcp_cwnd_validate).
  #limited = false;
  #maxOutstanding = 0;
  #usageEnd = 0;
  /** Round trip of the last acknowledgement, ms; `undefined`: it covered nothing that was sent only once. */
  #sampleMs: number | undefined;
  /** What was sent when the present round trip began ends here. */
  #roundEnd = 0;

  /** A segment or an acknowledgement of this connection was lost, and not all has arrived since. */
  #inDoubt = false;
  #deadline = Number.POSITIVE_INFINITY;
  #timerAt = Number.POSITIVE_INFINITY;
  #probed = false;
  #backoff = 0;
  #reorderingAt = Number.POSITIVE_INFINITY;

  retransmissions = 0;
  /** Time in which nothing moved because a tail was lost, ms. */
  silentMs = 0;

  constructor(
    port: SenderPort,
    deps: { id: number; segmentBytes: number; log: SegmentLog; control: CongestionControl; rtt: RttEstimator },
  ) {
    this.#port = port;
    this.#id = deps.id;
    this.#segmentBytes = deps.segmentBytes;
    this.#log = deps.log;
    this.control = deps.control;
    this.#rtt = deps.rtt;
  }

  write(bytes: number): void {
    this.written += bytes;
  }

  /** Sends what may be sent. */
  flush(now: number): void {
    this.#restartWhenIdle(now);
    let sentAny = false;
    while (this.#mayTransmit()) {
      if (this.#lost > 0) this.#resend(this.#firstLost(), now);
      else if (this.#hasUnsent()) this.#sendNew(now);
      else break;
      sentAny = true;
    }
    if (sentAny) this.#arm(now);
  }

  /** An acknowledgement of the first `count` arrivals. */
  acknowledged(count: number, now: number): void {
    const delivered = this.#learn(count, now);
    if (delivered === 0) return;
    this.#backoff = 0;
    this.#probed = false;
    const inOrder = this.#advance();
    this.#sampleRound(now);
    const lostBefore = this.#lost;
    if (this.#head !== NONE && (this.#log.turns[this.#head] as number) < this.#latestTurn) this.#findLosses(now);
    this.#grow({ inOrder, delivered, clean: inOrder > 0 && this.#lost <= lostBefore, now });
    this.flush(now);
    if (this.#head !== NONE) {
      this.#arm(now);
      return;
    }
    this.#inDoubt = false;
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  /** An acknowledgement was lost on its way. */
  doubt(now: number): void {
    this.#inDoubt = true;
    this.#arm(now);
  }

  /** The timer that was requested. */
  timer(now: number): void {
    // An earlier one was requested since, or has already come.
    if (now < this.#timerAt) return;
    this.#timerAt = Number.POSITIVE_INFINITY;
    if (now >= this.#reorderingAt) {
      this.#reorderingAt = Number.POSITIVE_INFINITY;
      this.#declareLost(() => true);
      this.flush(now);
    }
    if (now >= this.#deadline) this.#silence(now);
    this.#schedule();
  }

  #mayTransmit(): boolean {
    if (this.#recovery !== undefined) return this.#quota > 0;
    return this.#outstanding < Math.floor(this.control.window);
  }

  #hasUnsent(): boolean {
    const unsent = this.written - this.#nextByte;
    if (unsent < this.#segmentBytes) this.#port.pull(this.#id, unsent);
    return this.#nextByte < this.written;
  }

  #restartWhenIdle(now: number): void {
    if (this.#head !== NONE || this.#lastSentAt === undefined) return;
    const timeouts = Math.floor((now - this.#lastSentAt) / this.#rtt.timeoutMs);
    if (timeouts < 1 || !this.#hasUnsent()) return;
    this.control.idleFor(timeouts);
    this.#maxOutstanding = 0;
    this.#lastSentAt = now;
  }

  #sendNew(now: number): void {
    const length = Math.min(this.#segmentBytes, this.written - this.#nextByte);
    const segment = this.#log.add(this.#nextByte, length);
    if (this.#head === NONE) this.#head = segment;
    else this.#log.following[this.#tail] = segment;
    this.#tail = segment;
    this.#nextByte += length;
    this.#put(segment, now);
  }

  #resend(segment: number, now: number): void {
    if (this.#log.states[segment] === LOST) this.#lost -= 1;
    else this.#outstanding -= 1;
    this.#log.states[segment] = IN_FLIGHT;
    this.#log.resent[segment] = 1;
    this.retransmissions += 1;
    this.#put(segment, now);
  }

  #put(segment: number, now: number): void {
    this.#outstanding += 1;
    this.#log.turns[segment] = this.#sendings.length;
    this.#sendings.push(segment);
    this.#log.sentAt[segment] = now;
    this.#lastSentAt = now;
    if (this.#recovery !== undefined) {
      this.#quota -= 1;
      this.#recovery.sent();
    }
    if (!this.#port.transmit(this.#id, segment, this.#log.lengths[segment] as number, now)) this.#inDoubt = true;
    const limited = this.#outstanding >= Math.floor(this.control.window);
    const start = this.#head === NONE ? this.#nextByte : (this.#log.starts[this.#head] as number);
    if (start >= this.#usageEnd || limited || (!this.#limited && this.#outstanding > this.#maxOutstanding)) {
      this.#limited = limited;
      this.#maxOutstanding = this.#outstanding;
      this.#usageEnd = this.#nextByte;
    }
  }

  #firstLost(): number {
    let segment = this.#losses[this.#takenUp++] as number;
    while (this.#log.states[segment] !== LOST) segment = this.#losses[this.#takenUp++] as number;
    return segment;
  }

  /** @returns how many segments were not known to have arrived before. */
  #learn(count: number, now: number): number {
    const { states, turns, sentAt, resent } = this.#log;
    let delivered = 0;
    for (; this.#known < count; this.#known++) {
      const segment = this.arrivals[this.#known] as number;
      if (states[segment] === DELIVERED) continue;
      if (states[segment] === LOST) this.#lost -= 1;
      else this.#outstanding -= 1;
      states[segment] = DELIVERED;
      delivered += 1;
      if (resent[segment] === 0) {
        this.#sampleMs = now - (sentAt[segment] as number);
        this.#rtt.sample(this.#sampleMs);
      }
      if ((turns[segment] as number) > this.#latestTurn) {
        this.#latestTurn = turns[segment] as number;
        this.#latestSentAt = sentAt[segment] as number;
      }
    }
    return delivered;
  }

  /** Lets go of what arrived in order. @returns how many segments. */
  #advance(): number {
    let count = 0;
    while (this.#head !== NONE && this.#log.states[this.#head] === DELIVERED) {
      this.#head = this.#log.following[this.#head] as number;
      count += 1;
    }
    if (this.#head === NONE) this.#tail = NONE;
    return count;
  }

  #sampleRound(now: number): void {
    if (this.#sampleMs === undefined) return;
    const start = this.#head === NONE ? this.#nextByte : (this.#log.starts[this.#head] as number);
    const newRound = start > this.#roundEnd;
    if (newRound) this.#roundEnd = this.#nextByte;
    this.control.sampled({ now, rttMs: this.#sampleMs, newRound });
    this.#sampleMs = undefined;
  }

  #findLosses(now: number): void {
    const early = this.#latestSentAt - this.#rtt.minMs / 4;
    this.#declareLost((segment, turn) => turn <= this.#latestTurn - REORDERING || (this.#log.sentAt[segment] as number) < early);
    if (this.#decided < this.#latestTurn && this.#reorderingAt === Number.POSITIVE_INFINITY) {
      this.#reorderingAt = now + this.#rtt.minMs / 4;
      this.#schedule();
    }
  }

  /** Declares lost what was sent before the last that arrived and has not arrived, as long as `isLost`: both conditions end with the order. */
  #declareLost(isLost: (segment: number, turn: number) => boolean): void {
    const before = this.#outstanding + this.#lost;
    const lostBefore = this.#lost;
    for (; this.#decided < this.#latestTurn; this.#decided++) {
      const segment = this.#sendings[this.#decided] as number;
      if (!this.#isUnderWay(segment, this.#decided)) continue;
      if (!isLost(segment, this.#decided)) break;
      this.#lose(segment);
    }
    if (this.#lost > lostBefore && this.#recovery === undefined && !this.#afterTimeout) {
      const { window } = this.control;
      this.#recovery = new RateReduction(this.control.lost(before), window);
      this.#recoveryEnd = this.#nextByte;
      this.#quota = 1;
    }
  }

  /** Whether that sending of it is the last, and not known to have arrived. */
  #isUnderWay(segment: number, turn: number): boolean {
    return this.#log.states[segment] === IN_FLIGHT && this.#log.turns[segment] === turn;
  }

  #lose(segment: number): void {
    this.#log.states[segment] = LOST;
    this.#losses.push(segment);
    this.#outstanding -= 1;
    this.#lost += 1;
  }

  #grow({ inOrder, delivered, clean, now }: { inOrder: number; delivered: number; clean: boolean; now: number }): void {
    const recovering = this.#recovery !== undefined || this.#afterTimeout;
    const start = this.#head === NONE ? this.#nextByte : (this.#log.starts[this.#head] as number);
    if (recovering && start >= this.#recoveryEnd) {
      if (this.#recovery !== undefined) this.control.window = this.control.ssthresh;
      this.#recovery = undefined;
      this.#afterTimeout = false;
      return;
    }
    if (this.#recovery !== undefined) {
      this.#quota = this.#recovery.quota({ delivered, outstanding: this.#outstanding, clean });
      return;
    }
    const held = this.#limited || (this.control.inSlowStart && this.control.window < 2 * this.#maxOutstanding);
    const segments = this.#afterTimeout ? delivered : inOrder;
    if (segments > 0 && (held || this.#afterTimeout)) this.control.acknowledged(segments, { now, rttMs: this.#rtt.smoothedMs });
  }

  #silence(now: number): void {
    this.#deadline = Number.POSITIVE_INFINITY;
    if (this.#head === NONE) return;
    this.silentMs += Math.max(0, now - (this.#lastSentAt ?? now) - this.#rtt.smoothedMs);
    if (!this.#probed && this.#recovery === undefined && !this.#afterTimeout && this.#lost === 0) {
      this.#probed = true;
      if (this.#hasUnsent()) this.#sendNew(now);
      else this.#resend(this.#lastInFlight(), now);
      this.#arm(now);
      return;
    }
    const before = this.#outstanding + this.#lost;
    for (; this.#decided < this.#sendings.length; this.#decided++) {
      const segment = this.#sendings[this.#decided] as number;
      if (this.#isUnderWay(segment, this.#decided)) this.#lose(segment);
    }
    if (!this.#afterTimeout) this.control.timedOut(before);
    else this.control.window = 1;
    this.#recovery = undefined;
    this.#afterTimeout = true;
    this.#recoveryEnd = this.#nextByte;
    this.#backoff = Math.min(this.#backoff + 1, MAX_BACKOFF);
    this.flush(now);
  }

  /** Something is in flight whenever this is called. */
  #lastInFlight(): number {
    let turn = this.#sendings.length - 1;
    while (!this.#isUnderWay(this.#sendings[turn] as number, turn)) turn -= 1;
    return this.#sendings[turn] as number;
  }

  #arm(now: number): void {
    if (!this.#inDoubt) return;
    const canProbe = !this.#probed && this.#recovery === undefined && !this.#afterTimeout;
    const waitMs = canProbe ? this.#rtt.probeMs(this.#outstanding) : this.#rtt.backedOffMs(this.#backoff);
    this.#deadline = now + waitMs;
    this.#schedule();
  }

  /** One event at a time: it is requested again only where it comes too late. */
  #schedule(): void {
    const at = Math.min(this.#deadline, this.#reorderingAt);
    if (at >= this.#timerAt) return;
    this.#timerAt = at;
    this.#port.schedule(this.#id, at);
  }
}
