/** What a TLS ClientHello offers, read from its bytes (RFC 8446, section 4.1.2). */
import type { Socket } from 'node:net';

export interface ClientHello {
  /** Bodies by the type of the extension. */
  readonly extensions: ReadonlyMap<number, Buffer>;
}

/** Types of https://www.iana.org/assignments/tls-extensiontype-values, as of 2026. */
export const EXTENSION = {
  serverName: 0,
  preSharedKey: 41,
  earlyData: 42,
  keyShare: 51,
  quicTransportParameters: 57,
} as const;

const RECORD_HEAD_BYTES = 5;
const MESSAGE_HEAD_BYTES = 4;
const HANDSHAKE_RECORD = 22;
const RANDOM_BYTES = 34;

/** @param message - The handshake message with its head of four bytes. */
export function parseClientHello(message: Buffer): ClientHello {
  let at = MESSAGE_HEAD_BYTES + RANDOM_BYTES;
  at += 1 + message.readUInt8(at);
  at += 2 + message.readUInt16BE(at);
  at += 1 + message.readUInt8(at);
  const end = at + 2 + message.readUInt16BE(at);
  at += 2;
  const extensions = new Map<number, Buffer>();
  while (at + 4 <= end) {
    const length = message.readUInt16BE(at + 2);
    extensions.set(message.readUInt16BE(at), message.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return { extensions };
}

/** The first message of a TLS connection, once all of it is there; a client may spread it over several records. */
export function firstMessage(received: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  while (at + RECORD_HEAD_BYTES <= received.length && received.readUInt8(at) === HANDSHAKE_RECORD) {
    const end = at + RECORD_HEAD_BYTES + received.readUInt16BE(at + 3);
    if (end > received.length) break;
    parts.push(received.subarray(at + RECORD_HEAD_BYTES, end));
    at = end;
  }
  const message = Buffer.concat(parts);
  if (message.length < MESSAGE_HEAD_BYTES) return undefined;
  const length = MESSAGE_HEAD_BYTES + message.readUIntBE(1, 3);
  return message.length < length ? undefined : message.subarray(0, length);
}

/** Reads it from a new connection and puts the bytes back, so that whoever serves the connection finds them. */
export function clientHelloIn(socket: Socket, onHello: (hello: ClientHello) => void): void {
  let received: Buffer = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const message = firstMessage(received);
    if (!message) return;
    socket.removeListener('data', read);
    socket.pause();
    socket.unshift(received);
    onHello(parseClientHello(message));
  };
  socket.on('data', read);
}

/** Groups for which the client sends a key share (RFC 8446, section 4.2.8). */
export function keyShares({ extensions }: ClientHello): readonly number[] {
  const body = extensions.get(EXTENSION.keyShare);
  const groups: number[] = [];
  for (let at = 2; body && at + 4 <= body.length; at += 4 + body.readUInt16BE(at + 2)) groups.push(body.readUInt16BE(at));
  return groups;
}
