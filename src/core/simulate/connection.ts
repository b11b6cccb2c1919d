/** One connection of a simulation: what the browser, the server and the line between them know of it. */
import type { TcpSender } from './tcp-sender.ts';
import type { SegmentLog } from './workspace.ts';

/** Bytes of a handshake, not of a response. */
export const HANDSHAKE = -1;

export class Connection {
  readonly id: number;
  readonly origin: number;
  readonly openedAt: number;
  /** `undefined`: requests cannot be sent yet. */
  establishedAt: number | undefined;
  /** Exchanges of the handshake done so far. */
  exchanges = 0;
  /** Bytes of the present exchange that are there. */
  handshakeBytes = 0;
  /** Requests given to it whose response is not complete. */
  outstanding = 0;
  closed = false;
  /** Opened because another one had no answer yet. */
  backup = false;

  /** Requests given to it before it was established. */
  waiting: number[] = [];
  /** Requests in the order in which they were sent; the server answers HTTP/1.1 in that order. */
  readonly sent: number[] = [];
  /** How many of them the server has taken up, and how many answered. */
  taken = 0;
  answered = 0;

  /** The server's end; there once the handshake of the transport is over. */
  sender: TcpSender | undefined;
  /** The response stream in pieces: whose, and where each ends. */
  readonly pieceOwners: number[] = [];
  readonly pieceEnds: number[] = [];
  /** First piece that is not there whole. */
  piece = 0;
  readonly received = new Reassembly();
  /** Bytes already handed to the requests. */
  delivered = 0;

  /** While something arrived after a gap, since when; and how long in total so far, ms. */
  gapSince: number | undefined;
  gapMs = 0;

  /** Waited until messages of the browser that were lost were sent again, ms. */
  resendingMs = 0;

  constructor(id: number, origin: number, openedAt: number) {
    this.id = id;
    this.origin = origin;
    this.openedAt = openedAt;
  }

  get idle(): boolean {
    return this.establishedAt !== undefined && this.outstanding === 0 && !this.closed;
  }

  /** Adds to the stream; a piece that continues the last one's response is one with it. */
  append(owner: number, bytes: number): void {
    const last = this.pieceEnds.length - 1;
    const end = (last < 0 ? 0 : (this.pieceEnds[last] as number)) + bytes;
    if (last >= this.piece && this.pieceOwners[last] === owner) this.pieceEnds[last] = end;
    else {
      this.pieceOwners.push(owner);
      this.pieceEnds.push(end);
    }
  }

  /** Time lost to gaps, to silence after the loss of a tail and to lost requests, up to now, ms. */
  stalledMs(now: number): number {
    return this.resendingMs + this.gapMs + (this.gapSince === undefined ? 0 : now - this.gapSince) + (this.sender?.silentMs ?? 0);
  }
}

/** Reassembles a stream from pieces that come in any order. */
export class Reassembly {
  /** Bytes that are there without a gap. */
  next = 0;
  /** Pieces beyond the gap, by their start. */
  #early: Map<number, number> | undefined;

  /** Whether pieces wait beyond a gap. */
  get gap(): boolean {
    return this.#early !== undefined && this.#early.size > 0;
  }

  add(start: number, length: number): void {
    if (start > this.next) {
      this.#early ??= new Map();
      this.#early.set(start, Math.max(length, this.#early.get(start) ?? 0));
      return;
    }
    this.next = Math.max(this.next, start + length);
    if (this.#early === undefined) return;
    for (let length = this.#early.get(this.next); length !== undefined; length = this.#early.get(this.next)) {
      this.#early.delete(this.next);
      this.next += length;
    }
  }
}

/** `bytes` more of the owner's are there, in order. */
type Deliver = (owner: number, bytes: number) => void;

/** Puts in order what arrived: over TCP the bytes of a connection, over QUIC those of each response by itself. */
export class ResponseReader {
  readonly #log: SegmentLog;
  /** QUIC: by request, and by connection for handshakes. */
  readonly #responses = new Map<number, Reassembly>();
  /** QUIC: bytes of each that were cut into segments. */
  readonly #cut = new Map<number, number>();

  constructor(log: SegmentLog) {
    this.#log = log;
  }

  readTcp(connection: Connection, segment: number, now: number, deliver: Deliver): void {
    const { received } = connection;
    received.add(this.#log.starts[segment] as number, this.#log.lengths[segment] as number);
    if (received.gap) connection.gapSince ??= now;
    else if (connection.gapSince !== undefined) {
      connection.gapMs += now - connection.gapSince;
      connection.gapSince = undefined;
    }
    while (connection.delivered < received.next) {
      const end = connection.pieceEnds[connection.piece] as number;
      const upTo = Math.min(end, received.next);
      const bytes = upTo - connection.delivered;
      const owner = connection.pieceOwners[connection.piece] as number;
      connection.delivered = upTo;
      if (upTo === end) connection.piece += 1;
      deliver(owner, bytes);
    }
  }

  /** Notes whose bytes a new QUIC packet carries: those of the piece that was written last. */
  own(connection: Connection, segment: number): void {
    const owner = connection.pieceOwners.at(-1) as number;
    const key = keyOf(connection, owner);
    const offset = this.#cut.get(key) ?? 0;
    this.#log.requests[segment] = owner;
    this.#log.offsets[segment] = offset;
    this.#cut.set(key, offset + (this.#log.lengths[segment] as number));
  }

  readQuic(connection: Connection, segment: number, deliver: Deliver): void {
    const owner = this.#log.requests[segment] as number;
    const key = keyOf(connection, owner);
    let response = this.#responses.get(key);
    if (response === undefined) {
      response = new Reassembly();
      this.#responses.set(key, response);
    }
    const before = response.next;
    response.add(this.#log.offsets[segment] as number, this.#log.lengths[segment] as number);
    if (response.next > before) deliver(owner, response.next - before);
  }
}

/** Requests are numbered from 0; the handshakes of connections below that. */
const keyOf = ({ id }: Connection, owner: number): number => (owner === HANDSHAKE ? -1 - id : owner);
