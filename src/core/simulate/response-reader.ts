/** What arrived, put in order: over TCP the bytes of a connection, over QUIC those of each response by itself. */
import { type Connection, HANDSHAKE, Reassembly } from './connection.ts';
import type { SegmentLog } from './segment-log.ts';

/** `bytes` more of the owner's are there, in order. */
export type Deliver = (owner: number, bytes: number) => void;

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
