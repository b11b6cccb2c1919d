import { describe, expect, test } from 'vitest';
import { answersTo, nameDelayMs } from '../../../../src/lab/lane/lane-names.ts';
import { parseLink } from '../../../../src/lab/link/parse-link.ts';
import { namedServer, serverName } from '../../../../src/lab/pages/server-names.ts';
import { ipv4, RECORD } from '../../../../src/lab/witness/dns-message.ts';

describe('names of servers', () => {
  test('hold the server and the visitor, in letters that a name may have', () => {
    expect(serverName(3, 'x1-2k')).toBe('s3-x1-2k.lab.test');
    expect(namedServer(serverName(11, 'Warm up_0'))).toEqual({ server: 11, visitor: 'warm-up-0' });
    expect(serverName(0, 'x'.repeat(100)).split('.')[0]?.length).toBeLessThanOrEqual(63);
  });
  test.each(['lab.test', 's1.lab.test', 's1-a.lab.test.example', 'x1-a.lab.test'])('%s is none', (name) =>
    expect(namedServer(name)).toBeUndefined(),
  );
});

describe('what the name server of a lane answers', () => {
  const name = serverName(1, 'a');
  test('the address of a server, of which there are twelve, two at an address', () => {
    expect(answersTo({ name, type: RECORD.a })).toMatchObject([{ type: RECORD.a, data: ipv4('198.18.0.2') }]);
    expect(answersTo({ name: serverName(11, 'a'), type: RECORD.a })).toMatchObject([{ data: ipv4('198.18.0.7') }]);
    expect(answersTo({ name: serverName(12, 'a'), type: RECORD.a })).toEqual([]);
    expect(answersTo({ name: 'example.org', type: RECORD.a })).toEqual([]);
  });
  test('an HTTPS record with HTTP/3 first, and nothing of version 6', () => {
    const [record] = answersTo({ name, type: RECORD.https });
    // Priority 1, the name itself, key 1 (alpn) of 6 bytes (RFC 9460, section 2.2).
    expect(record?.data).toEqual(Buffer.from([0, 1, 0, 0, 1, 0, 6, 2, ...Buffer.from('h3'), 2, ...Buffer.from('h2')]));
    expect(answersTo({ name, type: RECORD.aaaa })).toEqual([]);
  });
  test('after the round trip of the link', () => expect(nameDelayMs(parseLink('rtt=90,down=1000'))).toBe(90));
});
