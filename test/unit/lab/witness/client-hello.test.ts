import { describe, expect, it } from 'vitest';
import { EXTENSION, firstMessage, keyShares, parseClientHello } from '../../../../src/lab/witness/client-hello.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Written by hand after RFC 8446, section 4.1.2: version, random, no session id, one cipher suite, no compression, two extensions. */
const BODY = Buffer.concat([
  hex('0303'),
  Buffer.alloc(32, 0xaa),
  hex('00'),
  hex('0002 1301'),
  hex('01 00'),
  hex('0015'),
  // Key shares of x25519 (29) with two bytes and of group 4588 with one.
  hex('0033 000d 000b 001d 0002 0102 11ec 0001 03'),
  hex('002a 0000'),
]);
const MESSAGE = Buffer.concat([hex('01 00'), hex(BODY.length.toString(16).padStart(4, '0')), BODY]);
const record = (part: Buffer) => Buffer.concat([hex('16 0301'), hex(part.length.toString(16).padStart(4, '0')), part]);

describe('a ClientHello', () => {
  it('has extensions by type, and the groups of its key shares', () => {
    const hello = parseClientHello(MESSAGE);
    expect([...hello.extensions.keys()]).toEqual([EXTENSION.keyShare, EXTENSION.earlyData]);
    expect(keyShares(hello)).toEqual([29, 0x11ec]);
  });

  it('is whole only with its last byte, in one record or in two', () => {
    const one = record(MESSAGE);
    expect(firstMessage(one)).toEqual(MESSAGE);
    expect(firstMessage(one.subarray(0, -1))).toBeUndefined();
    const two = Buffer.concat([record(MESSAGE.subarray(0, 20)), record(MESSAGE.subarray(20))]);
    expect(firstMessage(two)).toEqual(MESSAGE);
    expect(firstMessage(two.subarray(0, 30))).toBeUndefined();
  });
});
