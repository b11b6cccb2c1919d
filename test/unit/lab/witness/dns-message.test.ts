import { describe, expect, it } from 'vitest';
import { answerTo, echConfigList, httpsRecord, ipv4, parseQuestion, RECORD } from '../../../../src/lab/witness/dns-message.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** RFC 1035, section 4.1: one question for A of a.b, and a record of EDNS (RFC 6891) with the empty option 12. */
const QUERY = hex('0000 0100 0001 0000 0000 0001  01 61 01 62 00 0001 0001  00 0029 1000 00000000 0004 000c 0000');

describe('DNS messages', () => {
  it('ask for a name, a type, and with options', () => {
    expect(parseQuestion(QUERY)).toEqual({ name: 'a.b', type: RECORD.a, options: [12], bytes: QUERY.length });
  });

  it('answer with the question and its records', () => {
    const answer = answerTo(QUERY, [{ type: RECORD.a, ttlS: 5, data: ipv4('127.0.0.1') }]);
    expect(answer).toEqual(hex('0000 8180 0001 0001 0000 0000  01 61 01 62 00 0001 0001  c00c 0001 0001 00000005 0004 7f000001'));
  });

  it('describe a service: priority 1, its own name, protocols and port (RFC 9460, section 2.2)', () => {
    expect(httpsRecord({ alpn: ['h3'], port: 443 })).toEqual(hex('0001 00 0001 0003 02 6833 0003 0002 01bb'));
  });
});

it('a list of one key has its lengths right (RFC 9849, section 4)', () => {
  const list = echConfigList('a.b');
  // Two bytes of length, then version and length of the contents, then the contents: id, KEM, key of 32, suite, and the name.
  expect(list.readUInt16BE(0)).toBe(list.length - 2);
  expect(list.subarray(2, 4)).toEqual(hex('fe0d'));
  expect(list.readUInt16BE(4)).toBe(list.length - 6);
  expect(list.subarray(6, 11)).toEqual(hex('01 0020 0020'));
  expect(list.subarray(43)).toEqual(hex('0004 0001 0001 00 03 612e62 0000'));
});
