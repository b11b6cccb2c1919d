/**
 * Everything between browser and servers: the two directions of the link, handshakes, requests on their way, servers that answer, and
 * responses that arrive. Knows nothing of why a request is made.
 */
import { MAX_REQUESTS } from '../graph/page-graph.ts';
import type { Random } from '../random.ts';
import { headerBytes, WINDOW_UPDATE_BYTES, wireBytes } from '../tcp-constants.ts';
import { CongestionControl } from './congestion-control.ts';
import { Connection, HANDSHAKE, ResponseReader } from './connection.ts';
import type { CompleteLink } from './link.ts';
import { PacketLine } from './packet-line.ts';
import type { PageColumns } from './page-columns.ts';
import { MIN_RTO_MS, RttEstimator } from './rtt-estimator.ts';
import { Server } from './server.ts';
import { type SenderPort, TcpSender } from './tcp-sender.ts';
import type { EventHeap, SegmentLog, Workspace } from './workspace.ts';

export interface TransportOwner {
  established(connection: Connection, now: number): void;
  /** `bytes` more of a response are there, in order. */
  received(connection: Connection, request: number, bytes: number, now: number): void;
  /** A timer that was set with `after`. */
  timer(kind: number, subject: number, now: number): void;
}

/** What packets and timers are about; kinds from `OWNER_KINDS` on belong to the owner. */
const SYN = 0;
const SYN_ACK = 1;
const HELLO = 2;
const DATA = 3;
const ACK = 4;
const REQUEST = 5;
const CREDIT = 6;
const SENDER_TIMER = 7;
const ANSWER_READY = 8;
/** A message from the browser that was lost, or that has to wait, is sent (again): added to its kind. */
const AGAIN = 16;
/** First kind of timer that is the owner's own; those below are the transport's. */
export const OWNER_KINDS = 32;

/** RFC 6298, section 2.1. */
const FIRST_TIMEOUT_MS = 1000;
/** Linux tcp_retries and tcp_syn_retries give up after about as many. */
const MAX_DOUBLINGS = 6;
/** A bound by which a message's kind, connection and request make one number. */
const MAX_CONNECTIONS = 1 << 20;

interface TransportDeps {
  readonly page: PageColumns;
  readonly link: CompleteLink;
  /** Bytes of an HTTP/2 or HTTP/3 stream that may be in flight. */
  readonly streamWindow: number;
  readonly random: Random;
  /** Cleared, and used only by this simulation until it is over. */
  readonly workspace: Workspace;
}

export class Transport implements SenderPort {
  readonly connections: Connection[] = [];
  readonly #down: PacketLine;
  readonly #up: PacketLine;
  readonly #heap: EventHeap;
  readonly #log: SegmentLog;
  readonly #deps: TransportDeps;
  readonly #owner: TransportOwner;
  readonly #server: Server;
  readonly #reader: ResponseReader;
  readonly #headerBytes: number;
  /** How often each message of the browser was lost. */
  readonly #tries = new Map<number, number>();
  readonly #resolvedAt: (number | undefined)[] = [];

  constructor(deps: TransportDeps, owner: TransportOwner) {
    const { link, page, random, streamWindow, workspace } = deps;
    this.#heap = workspace.heap;
    this.#log = workspace.log;
    this.#deps = deps;
    this.#owner = owner;
    const shared = { delayMs: link.rttMs / 2, queuePackets: link.queuePackets, jitterMs: link.jitterMs };
    this.#down = new PacketLine({ ...shared, rateKbps: link.downKbps, loss: link.lossDown }, random);
    this.#up = new PacketLine({ ...shared, rateKbps: link.upKbps, loss: link.lossUp }, random);
    this.#server = new Server(page, { streamWindow, segmentBytes: link.segmentBytes });
    this.#headerBytes = headerBytes(link.segmentBytes);
    this.#reader = new ResponseReader(this.#log);
  }

  /** How long the downlink was busy with what has arrived by now, ms. */
  busyMs(now: number): number {
    return Math.max(0, this.#down.busyUntil(now - this.#deps.link.rttMs / 2));
  }

  after(kind: number, subject: number, at: number): void {
    this.#heap.add(at, kind, subject);
  }

  /** One packet or timer. @returns its time; `undefined`: nothing will ever happen again. */
  step(): number | undefined {
    const down = this.#down.nextTime;
    const up = this.#up.nextTime;
    const timer = this.#heap.nextTime;
    if (down <= up && down <= timer) {
      if (down === Number.POSITIVE_INFINITY) return undefined;
      const now = this.#down.take();
      this.#atBrowser(this.#down.kind, this.#down.subject, this.#down.detail, now);
      return now;
    }
    if (up <= timer) {
      const now = this.#up.take();
      this.#atServer(this.#up.kind, this.#up.subject, this.#up.detail, now);
      return now;
    }
    const now = this.#heap.take();
    this.#atTime(this.#heap.kind, this.#heap.subject, this.#heap.detail, now);
    return now;
  }

  open(origin: number, now: number): Connection {
    this.#resolvedAt[origin] ??= now + this.#origin(origin).dnsMs;
    const at = Math.max(now, this.#resolvedAt[origin] as number);
    const connection = new Connection(this.connections.length, origin, at);
    this.connections.push(connection);
    // A resumed QUIC connection is established at once: whoever opens it must have it first.
    if (at > now || this.#isQuic(connection)) this.#heap.add(at, SYN + AGAIN, connection.id);
    else this.#begin(connection, now);
    return connection;
  }

  /** Sends a request on an established connection. */
  send(connection: Connection, request: number, now: number): void {
    connection.sent.push(request);
    this.#sendUp(REQUEST, connection.id, request, now);
  }

  /** The browser has taken half a window of a stream, and allows as many bytes more. */
  allow(connection: Connection, request: number, now: number): void {
    this.#sendUp(CREDIT, connection.id, request, now);
  }

  // What a sender asks for.

  transmit(id: number, segment: number, length: number, now: number): boolean {
    const connection = this.connections[id] as Connection;
    if (this.#isQuic(connection) && this.#log.resent[segment] === 0) this.#reader.own(connection, segment);
    return this.#down.send(now, length + this.#headerBytes, DATA, id, segment);
  }

  schedule(id: number, at: number): void {
    this.#heap.add(at, SENDER_TIMER, id);
  }

  pull(id: number, unsent: number): void {
    const connection = this.connections[id] as Connection;
    if (this.#origin(connection.origin).protocol !== 'http/1.1') this.#server.fill(connection, unsent, this.#isQuic(connection));
  }

  #origin(origin: number): PageColumns['origins'][number] {
    return this.#deps.page.origins[origin] as PageColumns['origins'][number];
  }

  #isQuic(connection: Connection): boolean {
    return this.#origin(connection.origin).protocol === 'http/3';
  }

  #begin(connection: Connection, now: number): void {
    if (!this.#isQuic(connection)) {
      this.#sendUp(SYN, connection.id, 0, now);
      return;
    }
    this.#startSender(connection, this.#deps.link.rttMs);
    this.#continueHandshake(connection, now);
  }

  #startSender(connection: Connection, roundTripMs: number): void {
    const { link } = this.#deps;
    connection.sender = new TcpSender(this, {
      id: connection.id,
      segmentBytes: link.segmentBytes,
      log: this.#log,
      control: new CongestionControl(link.congestionControl, link.initialWindow),
      rtt: new RttEstimator(roundTripMs),
    });
  }

  #continueHandshake(connection: Connection, now: number): void {
    if (connection.exchanges < this.#origin(connection.origin).exchanges.length) {
      this.#sendUp(HELLO, connection.id, connection.exchanges, now);
      return;
    }
    connection.establishedAt = now;
    this.#owner.established(connection, now);
  }

  /** A message from the browser; one that is lost is sent again when its timeout is over. */
  #sendUp(kind: number, id: number, detail: number, now: number): void {
    const connection = this.connections[id] as Connection;
    if (this.#up.send(now, this.#upBytes(kind, connection, detail), kind, id, detail)) return;
    const key = (kind * MAX_CONNECTIONS + id) * MAX_REQUESTS + detail;
    const tries = this.#tries.get(key) ?? 0;
    this.#tries.set(key, tries + 1);
    const waitMs = this.#againAfterMs(kind, { tries, alone: connection.outstanding <= 1 });
    connection.resendingMs += waitMs;
    this.#heap.add(now + waitMs, kind + AGAIN, id, detail);
  }

  /**
   * Until a lost message is sent again: a round trip and the quarter that RACK waits where others were sent after it (RFC 8985), else a
   * timeout, which doubles.
   */
  #againAfterMs(kind: number, { tries, alone }: { readonly tries: number; readonly alone: boolean }): number {
    const { rttMs } = this.#deps.link;
    if (kind === SYN) return FIRST_TIMEOUT_MS * 2 ** Math.min(MAX_DOUBLINGS, tries);
    return tries === 0 && !alone ? 1.25 * rttMs : (rttMs + MIN_RTO_MS) * 2 ** Math.min(MAX_DOUBLINGS, alone ? tries : tries - 1);
  }

  #upBytes(kind: number, connection: Connection, detail: number): number {
    const { page, link } = this.#deps;
    switch (kind) {
      case HELLO:
        return wireBytes(this.#origin(connection.origin).exchanges[detail]?.upBytes ?? 0, link.segmentBytes);
      case REQUEST:
        return wireBytes(page.requestSizes[detail] as number, link.segmentBytes);
      case CREDIT:
        return wireBytes(WINDOW_UPDATE_BYTES, link.segmentBytes);
      default:
        // A link's round trip is that of a SYN: it takes no time besides.
        return 0;
    }
  }

  #atServer(kind: number, id: number, detail: number, now: number): void {
    const connection = this.connections[id] as Connection;
    const { sender } = connection;
    switch (kind) {
      case SYN:
        // A lost answer costs what a lost SYN does.
        if (!this.#down.send(now, 0, SYN_ACK, id, 0)) this.#heap.add(now + FIRST_TIMEOUT_MS, SYN + AGAIN, id);
        return;
      case ACK:
        sender?.acknowledged(detail, now);
        return;
      case HELLO: {
        const { downBytes } = this.#origin(connection.origin).exchanges[detail] as { downBytes: number };
        connection.append(HANDSHAKE, downBytes);
        sender?.write(downBytes);
        break;
      }
      case REQUEST:
        for (const request of this.#server.arrived(connection, detail, this.#multiplexed(connection))) {
          const waitMs = this.#deps.page.serverMs[request] as number;
          if (waitMs > 0) this.#heap.add(now + waitMs, ANSWER_READY, id, request);
          else this.#server.ready(connection, request, this.#multiplexed(connection));
        }
        break;
      case CREDIT:
        this.#server.allow(connection, detail);
        break;
    }
    sender?.flush(now);
  }

  #multiplexed(connection: Connection): boolean {
    return this.#origin(connection.origin).protocol !== 'http/1.1';
  }

  #atTime(kind: number, id: number, detail: number, now: number): void {
    if (kind >= OWNER_KINDS) {
      this.#owner.timer(kind, id, now);
      return;
    }
    const connection = this.connections[id] as Connection;
    if (kind === SENDER_TIMER) connection.sender?.timer(now);
    else if (kind === ANSWER_READY) {
      this.#server.ready(connection, detail, this.#multiplexed(connection));
      connection.sender?.flush(now);
    } else if (kind === SYN + AGAIN && connection.sender === undefined) this.#begin(connection, now);
    else if (kind > AGAIN + SYN) this.#sendUp(kind - AGAIN, id, detail, now);
  }

  #atBrowser(kind: number, id: number, segment: number, now: number): void {
    const connection = this.connections[id] as Connection;
    if (kind === SYN_ACK) {
      if (connection.sender !== undefined) return;
      this.#startSender(connection, now - connection.openedAt);
      this.#continueHandshake(connection, now);
      return;
    }
    const sender = connection.sender as TcpSender;
    sender.arrivals.push(segment);
    if (!this.#up.send(now, this.#headerBytes, ACK, id, sender.arrivals.length)) sender.doubt(now);
    if (this.#isQuic(connection))
      this.#reader.readQuic(connection, segment, (owner, bytes) => this.#received(connection, owner, bytes, now));
    else this.#reader.readTcp(connection, segment, now, (owner, bytes) => this.#received(connection, owner, bytes, now));
  }

  #received(connection: Connection, owner: number, bytes: number, now: number): void {
    if (owner !== HANDSHAKE) {
      this.#owner.received(connection, owner, bytes, now);
      return;
    }
    connection.handshakeBytes += bytes;
    const exchange = this.#origin(connection.origin).exchanges[connection.exchanges];
    if (exchange === undefined || connection.handshakeBytes < exchange.downBytes) return;
    connection.handshakeBytes -= exchange.downBytes;
    connection.exchanges += 1;
    this.#continueHandshake(connection, now);
  }
}
