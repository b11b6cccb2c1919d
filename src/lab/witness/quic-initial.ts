/**
 * The first packets of a QUIC client, read without answering them. Their keys come from the connection id in their own head (RFC 9001, section 5.2),
 * so whoever sees the packets can read the ClientHello, and the transport parameters in it.
 */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { type ClientHello, EXTENSION, parseClientHello } from './client-hello.ts';

/** Salt of QUIC version 1 (RFC 9001, section 5.2). */
const SALT = Buffer.from('38762cf7f55934b34d179ae6a4c80cadccbb7f0a', 'hex');
const VERSION_1 = 1;
const TAG_BYTES = 16;

/** Identifiers of RFC 9000, section 18.2, and RFC 9368, section 3. */
export const PARAMETER = { maxIdleTimeout: 1, maxData: 4, maxStreamDataLocal: 5, versionInformation: 0x11 } as const;

interface CryptoPiece {
  readonly offset: number;
  readonly data: Buffer;
}

export interface InitialPacket {
  /** The connection id that the client chose for the server, in hexadecimal. */
  readonly connection: string;
  /** In the order of the packet. */
  readonly pieces: readonly CryptoPiece[];
}

/** A number of RFC 9000, section 16, and where it ends. */
export function varint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  const length = 1 << (bytes.readUInt8(at) >> 6);
  let value = bytes.readUInt8(at) & 0x3f;
  for (let index = 1; index < length; index++) value = value * 256 + bytes.readUInt8(at + index);
  return { value, end: at + length };
}

const hmac = (key: Buffer, data: Buffer) => createHmac('sha256', key).update(data).digest();

/** HKDF-Expand-Label without context, of at most one block (RFC 8446, section 7.1). */
function expandLabel(secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  return hmac(secret, Buffer.concat([Buffer.from([0, length, name.length]), name, Buffer.from([0, 1])])).subarray(0, length);
}

/** Every Initial packet of a datagram that can be read; what is none, or of another version, is passed over. */
export function initialPackets(datagram: Buffer): readonly InitialPacket[] {
  const packets: InitialPacket[] = [];
  let rest = datagram;
  while (rest.length > 7 && (rest.readUInt8(0) & 0xf0) === 0xc0 && rest.readUInt32BE(1) === VERSION_1) {
    const idEnd = 6 + rest.readUInt8(5);
    const sourceEnd = idEnd + 1 + rest.readUInt8(idEnd);
    const token = varint(rest, sourceEnd);
    const length = varint(rest, token.end + token.value);
    const end = length.end + length.value;
    if (end > rest.length) break;
    const id = rest.subarray(6, idEnd);
    const payload = decrypt(rest.subarray(0, end), length.end, hmac(SALT, id));
    if (payload) packets.push({ connection: id.toString('hex'), pieces: cryptoPieces(payload) });
    rest = rest.subarray(end);
  }
  return packets;
}

/** RFC 9001, sections 5.3 and 5.4. `undefined`: not by the keys of this connection id. */
function decrypt(packet: Buffer, numberAt: number, initial: Buffer): Buffer | undefined {
  const secret = expandLabel(initial, 'client in', 32);
  const sample = packet.subarray(numberAt + 4, numberAt + 4 + 16);
  const masking = createCipheriv('aes-128-ecb', expandLabel(secret, 'quic hp', 16), null).setAutoPadding(false);
  const mask = masking.update(sample);
  const head = Buffer.from(packet.subarray(0, numberAt + 4));
  head[0] = head.readUInt8(0) ^ (mask.readUInt8(0) & 0x0f);
  const numberBytes = (head.readUInt8(0) & 3) + 1;
  for (let index = 0; index < numberBytes; index++) head[numberAt + index] = head.readUInt8(numberAt + index) ^ mask.readUInt8(1 + index);
  const bodyAt = numberAt + numberBytes;
  const nonce = Buffer.from(expandLabel(secret, 'quic iv', 12));
  const number = head.readUIntBE(numberAt, numberBytes);
  for (let index = 0; index < 4; index++) nonce[8 + index] = nonce.readUInt8(8 + index) ^ ((number >>> (8 * (3 - index))) & 0xff);
  const opening = createDecipheriv('aes-128-gcm', expandLabel(secret, 'quic key', 16), nonce);
  opening.setAAD(head.subarray(0, bodyAt));
  opening.setAuthTag(packet.subarray(packet.length - TAG_BYTES));
  try {
    return Buffer.concat([opening.update(packet.subarray(bodyAt, packet.length - TAG_BYTES)), opening.final()]);
  } catch {
    return undefined;
  }
}

/** Types of frames that a client's first packets have (RFC 9000, section 19). */
const PADDING = 0;
const PING = 1;
const CRYPTO = 6;

function cryptoPieces(payload: Buffer): readonly CryptoPiece[] {
  const pieces: CryptoPiece[] = [];
  let at = 0;
  while (at < payload.length) {
    const type = payload.readUInt8(at);
    if (type === PADDING || type === PING) {
      at += 1;
      continue;
    }
    if (type !== CRYPTO) return pieces;
    const offset = varint(payload, at + 1);
    const length = varint(payload, offset.end);
    at = length.end + length.value;
    pieces.push({ offset: offset.value, data: payload.subarray(length.end, at) });
  }
  return pieces;
}

/** The ClientHello that the pieces make up, in whatever order they came; `undefined` until none is missing. */
export function helloOf(pieces: readonly CryptoPiece[]): ClientHello | undefined {
  let message: Buffer = Buffer.alloc(0);
  for (const { offset, data } of [...pieces].sort((a, b) => a.offset - b.offset)) {
    if (offset > message.length) return undefined;
    if (offset + data.length > message.length) message = Buffer.concat([message, data.subarray(message.length - offset)]);
  }
  if (message.length < 4 || message.length < 4 + message.readUIntBE(1, 3)) return undefined;
  return parseClientHello(message);
}

/** Bodies of the transport parameters of a ClientHello (RFC 9000, section 18), by their identifiers. */
export function transportParameters({ extensions }: ClientHello): ReadonlyMap<number, Buffer> {
  const body = extensions.get(EXTENSION.quicTransportParameters) ?? Buffer.alloc(0);
  const parameters = new Map<number, Buffer>();
  let at = 0;
  while (at < body.length) {
    const id = varint(body, at);
    const length = varint(body, id.end);
    at = length.end + length.value;
    parameters.set(id.value, body.subarray(length.end, at));
  }
  return parameters;
}

/** A transport parameter that is a number; `undefined` where the client sent none. */
export function parameterIn(hello: ClientHello, parameter: number): number | undefined {
  const body = transportParameters(hello).get(parameter);
  return body && varint(body, 0).value;
}
