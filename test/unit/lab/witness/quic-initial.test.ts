import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { helloOf, initialPackets, varint } from '../../../../src/lab/witness/quic-initial.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** RFC 9001, appendix A.1: the connection id, and the client's keys that follow from it. */
const ID = hex('8394c8f03e515708');
const KEY = hex('1f369613dd76d5467730efcbe3b1a22d');
const IV = hex('fa044b2f42a3fd3b46fb255c');
const HEADER_KEY = hex('9f50449e04a0e810283a1e9933adedd2');

/** An Initial packet with number 2 in one byte, sealed with the keys of the RFC. */
function sealed(payload: Buffer): Buffer {
  // One byte of number, the payload, and 16 of the tag; a length of two bytes has 01 as its first bits.
  const length = 1 + payload.length + 16;
  const head = Buffer.concat([hex('c0 00000001 08'), ID, hex('00 00'), Buffer.from([0x40 | (length >> 8), length & 0xff]), hex('02')]);
  const nonce = Buffer.from(IV);
  nonce[11] = nonce.readUInt8(11) ^ 2;
  const sealing = createCipheriv('aes-128-gcm', KEY, nonce);
  sealing.setAAD(head);
  const body = Buffer.concat([sealing.update(payload), sealing.final(), sealing.getAuthTag()]);
  const packet = Buffer.concat([head, body]);
  const numberAt = head.length - 1;
  const masking = createCipheriv('aes-128-ecb', HEADER_KEY, null).setAutoPadding(false);
  const mask = masking.update(packet.subarray(numberAt + 4, numberAt + 20));
  packet[0] = packet.readUInt8(0) ^ (mask.readUInt8(0) & 0x0f);
  packet[numberAt] = packet.readUInt8(numberAt) ^ mask.readUInt8(1);
  return packet;
}

describe('Initial packets', () => {
  it('are opened with keys from their own connection id, and give the pieces of the handshake', () => {
    // PADDING, PING, CRYPTO at 0 with three bytes, CRYPTO at 3 with one, PADDING.
    const packet = sealed(Buffer.concat([hex('00 01 06 00 03 aabbcc 06 03 01 dd'), Buffer.alloc(30)]));
    const [first, second, ...more] = initialPackets(Buffer.concat([packet, packet]));
    expect(more).toEqual([]);
    expect(first).toEqual(second);
    expect(first?.connection).toBe('8394c8f03e515708');
    expect(first?.pieces).toEqual([
      { offset: 0, data: hex('aabbcc') },
      { offset: 3, data: hex('dd') },
    ]);
  });

  it('that were changed on their way, or end early, are passed over', () => {
    const packet = sealed(Buffer.concat([hex('01'), Buffer.alloc(30)]));
    const changed = Buffer.from(packet);
    changed[packet.length - 1] = changed.readUInt8(packet.length - 1) ^ 1;
    expect(initialPackets(changed)).toEqual([]);
    expect(initialPackets(packet.subarray(0, -1))).toEqual([]);
  });

  it('have numbers of 1, 2 or 4 bytes (RFC 9000, appendix A.1)', () => {
    expect(varint(hex('9d7f3e7d'), 0)).toEqual({ value: 494_878_333, end: 4 });
    expect(varint(hex('7bbd'), 0)).toEqual({ value: 15_293, end: 2 });
    expect(varint(hex('25'), 0)).toEqual({ value: 37, end: 1 });
  });

  it('make up no ClientHello while a piece is missing', () => {
    expect(helloOf([{ offset: 4, data: hex('00') }])).toBeUndefined();
    expect(helloOf([{ offset: 0, data: hex('01000005') }])).toBeUndefined();
  });
});
