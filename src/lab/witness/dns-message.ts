/** DNS messages as a resolver over HTTPS takes and gives them (RFC 1035, section 4; RFC 8484), as far as the scenarios need them. */

import { generateKeyPairSync } from 'node:crypto';

/** https://www.iana.org/assignments/dns-parameters, as of 2026. */
export const RECORD = { a: 1, aaaa: 28, opt: 41, https: 65 } as const;

/** A question as it came. */
export interface Question {
  readonly name: string;
  readonly type: number;
  /** Codes of the EDNS options in it (RFC 6891). */
  readonly options: readonly number[];
  readonly bytes: number;
}

/** A record of an answer. */
export interface Answer {
  readonly type: number;
  readonly ttlS: number;
  readonly data: Buffer;
}

const HEAD_BYTES = 12;
const RECORD_HEAD_BYTES = 10;
/** A response to a recursive query, without error. */
const RESPONSE_FLAGS = 0x8180;
/** The name at offset 12, which is that of the question. */
const SAME_NAME = 0xc00c;

export function parseQuestion(message: Buffer): Question {
  const labels: string[] = [];
  let at = HEAD_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = message.readUInt16BE(at + 1);
  return { name: labels.join('.'), type, options: ednsOptions(message, at + 5), bytes: message.length };
}

function ednsOptions(message: Buffer, from: number): readonly number[] {
  // The record of RFC 6891 has the root as its name: one byte.
  if (message.readUInt16BE(10) === 0 || message.readUInt16BE(from + 1) !== RECORD.opt) return [];
  const codes: number[] = [];
  let at = from + 1 + RECORD_HEAD_BYTES;
  while (at + 4 <= message.length) {
    codes.push(message.readUInt16BE(at));
    at += 4 + message.readUInt16BE(at + 2);
  }
  return codes;
}

/** The answer to a query, with its own question in it; without records: there are none of this type. */
export function answerTo(query: Buffer, answers: readonly Answer[]): Buffer {
  let end = HEAD_BYTES;
  while (query.readUInt8(end) > 0) end += 1 + query.readUInt8(end);
  const head = Buffer.from(query.subarray(0, end + 5));
  head.writeUInt16BE(RESPONSE_FLAGS, 2);
  head.writeUInt16BE(answers.length, 6);
  head.writeUInt32BE(0, 8);
  const records = answers.map(({ type, ttlS, data }) => {
    const record = Buffer.alloc(2 + RECORD_HEAD_BYTES);
    record.writeUInt16BE(SAME_NAME, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(ttlS, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}

/** Data of an A record. */
export const ipv4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number));
/** Data of an AAAA record of `::1`. */
export const IPV6_LOOPBACK: Buffer = Buffer.concat([Buffer.alloc(15), Buffer.from([1])]);

/** Parameters of an HTTPS record. */
export interface ServiceParameters {
  readonly alpn?: readonly string[];
  readonly port?: number;
  /** An ECHConfigList (RFC 9849, section 4). */
  readonly ech?: Buffer;
}

/** Data of an HTTPS record of priority 1 for the name itself (RFC 9460, section 2.2); keys in their order. */
export function httpsRecord({ alpn, port, ech }: ServiceParameters): Buffer {
  const parts: Buffer[] = [Buffer.from([0, 1, 0])];
  const parameter = (key: number, value: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt16BE(key, 0);
    head.writeUInt16BE(value.length, 2);
    parts.push(head, value);
  };
  if (alpn) parameter(1, Buffer.concat(alpn.map((id) => Buffer.from([id.length, ...Buffer.from(id)]))));
  if (port !== undefined) parameter(3, Buffer.from([port >> 8, port & 0xff]));
  if (ech) parameter(5, ech);
  return Buffer.concat(parts);
}

/** Key, KDF and AEAD of RFC 9849's own example: X25519, HKDF-SHA256, AES-128-GCM (RFC 9180, section 7). */
const X25519 = [0, 0x20];
const SUITES = [0, 1, 0, 1];
const ECH_VERSION = [0xfe, 0x0d];

/** An ECHConfigList of one key that nobody has kept, with the name to be shown (RFC 9849, section 4). */
export function echConfigList(publicName: string): Buffer {
  // The last 32 bytes of the key's DER form are the key (RFC 8410, section 4).
  const key = generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const name = Buffer.from(publicName);
  const contents = Buffer.concat([
    Buffer.from([1, ...X25519, 0, key.length]),
    key,
    Buffer.from([0, SUITES.length, ...SUITES, 0, name.length]),
    name,
    Buffer.from([0, 0]),
  ]);
  const config = Buffer.concat([Buffer.from([...ECH_VERSION, contents.length >> 8, contents.length & 0xff]), contents]);
  return Buffer.concat([Buffer.from([config.length >> 8, config.length & 0xff]), config]);
}
