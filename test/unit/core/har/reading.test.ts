/** How the parts of a HAR are read. */
import { describe, expect, it } from 'vitest';
import { tlsOf, versionOf } from '../../../../src/core/har/entry.ts';
import { addressOf, bytesOf, durationOf, labelOf, numberOf, pointInTime, resolveAddress } from '../../../../src/core/har/fields.ts';
import { phasesOf } from '../../../../src/core/har/timings.ts';

describe('numbers', () => {
  it('may be written as text', () => {
    expect(['12', ' -3.5 ', '1e3', '', 'x', '0x10', 'NaN', null, true, Number.NaN].map(numberOf)).toEqual([
      ...[12, -3.5, 1000],
      ...Array.from({ length: 7 }, () => undefined),
    ]);
  });

  it('are neither durations nor sizes where they cannot be', () => {
    expect([-1, 0, 5.5, 1e9, Number.POSITIVE_INFINITY].map(durationOf)).toEqual([undefined, 0, 5.5, undefined, undefined]);
    expect([-1, 0, 5.5, 1e300].map(bytesOf)).toEqual([undefined, 0, 6, undefined]);
  });
});

describe('points in time', () => {
  it('are read in every form a producer writes', () => {
    // 20,458 days from 1970-01-01 to 2026-01-05.
    const noon = 20_458 * 86_400_000 + 12 * 3_600_000;
    const forms = ['2026-01-05T12:00:00Z', '2026-01-05T12:00:00.000Z', '2026-01-05T13:00:00.000+01:00', '2026-01-05T03:30:00-0830'];
    for (const form of [...forms, '2026-01-05T12:00', '2026-01-05 12:00:00,0', '2026-01-05T12:00:00.0000000Z', noon]) {
      expect([form, pointInTime(form)]).toEqual([form, noon]);
    }
    expect(pointInTime('2026-01-05T12:00:00.448119Z')).toBeCloseTo(noon + 448.119, 3);
  });

  it('know leap years', () => {
    const day = (date: string) => (pointInTime(`${date}T00:00Z`) ?? Number.NaN) / 86_400_000;
    expect(day('1970-01-01')).toBe(0);
    expect(day('2024-03-01') - day('2024-02-28')).toBe(2);
    expect(day('2023-03-01') - day('2023-02-28')).toBe(1);
    expect(day('1900-03-01') - day('1900-02-28')).toBe(1);
    expect(day('2000-03-01') - day('2000-02-28')).toBe(2);
  });

  it('are none where they cannot be', () => {
    for (const none of [
      '',
      'yesterday',
      '2026-13-01T00:00Z',
      '2026-01-05',
      '0',
      {},
      null,
      `2026-01-05T12:00:00.${'0'.repeat(99)}`,
      -1e308,
    ]) {
      expect(pointInTime(none)).toBeUndefined();
    }
  });
});

describe('addresses', () => {
  it('give server and address without fragment', () => {
    const read = (text: string) => addressOf(text)?.url;
    expect(read('https://A.test')).toBe('https://a.test/');
    expect(read('HTTPS://a.test:443/x#y')).toBe('https://a.test/x');
    expect(read('http://a.test:8080?q')).toBe('http://a.test:8080/?q');
    expect(read('http://user:word@a.test/')).toBe('http://a.test/');
    expect(read('http://[::1]:8000/')).toBe('http://[::1]:8000/');
    for (const none of ['', 'a.test', 'https:', 'https:///x', 'http://', 'ftp://a.test/', 'data:,x', 'http:/a.test'])
      expect(read(none)).toBeUndefined();
  });

  it('are led on by redirects', () => {
    const base = addressOf('https://a.test/dir/page?q=1');
    const to = (target: string) => base && resolveAddress(target, base);
    expect(to('https://b.test')).toBe('https://b.test/');
    expect(to('//b.test/x')).toBe('https://b.test/x');
    expect(to('/x#y')).toBe('https://a.test/x');
    expect(to('x')).toBe('https://a.test/dir/x');
    expect(to('?q=2')).toBe('https://a.test/dir/page?q=2');
    expect(to('about:blank')).toBeUndefined();
  });

  it('have labels that upset no terminal', () => {
    const label = (text: string) => labelOf(addressOf(text) ?? { url: '', scheme: 'http', origin: '', host: '' });
    expect(label('https://a.test/dir/site.css?v=3')).toBe('site.css');
    expect(label('https://a.test/')).toBe('a.test');
    expect(label('https://a.test/\u001b[31mred"')).toBe('31mred');
    expect(label(`https://a.test/${'0123456789'.repeat(5)}.js`)).toBe(
      '012345678901234..890123456789.js'.replace('890123456789', '890123456789'),
    );
  });
});

describe('protocols', () => {
  it('are read in every form', () => {
    const forms = ['h2', 'HTTP/2.0', 'HTTP/2', 'h3', 'h3-29', 'http/2.0+quic/46', 'http/1.1', 'HTTP/1.0', 'unknown', '', undefined, 7];
    expect(forms.map((httpVersion) => versionOf({ response: { httpVersion } }))).toEqual([
      ...['http/2', 'http/2', 'http/2', 'http/3', 'http/3', 'http/3', 'http/1.1', 'http/1.0'],
      ...[undefined, undefined, undefined, undefined],
    ]);
    expect(versionOf({ request: { httpVersion: 'h2' }, response: { httpVersion: 'unknown' } })).toBe('http/2');
  });

  it('are read of what WebPageTest cuts out of a first line of HTTP/2, whatever it says of the request', () => {
    const of = (response: string, request: string) => versionOf({ response: { httpVersion: response }, request: { httpVersion: request } });
    expect([of('2.0', '1.1'), of('2 2', 'me:'), of('2 3', 'me:'), of('us:', 'me:'), of('K', 'me:')]).toEqual(Array(5).fill('http/2'));
    expect([of('1.1', '1.1'), of('1.0', ''), of('', '')]).toEqual(['http/1.1', 'http/1.0', undefined]);
  });

  it('of TLS below 1.2 count as 1.2', () => {
    expect([tlsOf({ _tls_version: 'TLS 1.1' }), tlsOf({ _securityDetails: { protocol: 'TLS 1.3' } }), tlsOf({})]).toEqual([
      '1.2',
      '1.3',
      undefined,
    ]);
  });
});

describe('phases', () => {
  const context = { pageStartMs: undefined, byFirefox: false, quic: false };
  const at = { startedDateTime: '1970-01-01T00:00:01Z' };
  const phases = { blocked: 5, dns: 10, connect: 60, ssl: 30, send: 1, wait: 40, receive: 20 };

  it('follow one another, TLS within the connection', () => {
    // 1,000 + 5 + 10 + 60 + 1 + 40 = 1,116.
    expect(phasesOf({ ...at, timings: phases, time: 136 }, context)).toEqual({
      ...{ startMs: 1000, firstByteMs: 1116, endMs: 1136, dnsMs: 10, handshakeMs: 30, handshakeCut: false, waitMs: 40 },
    });
  });

  it('have TLS beside the connection where the whole time says so, or where it is longer', () => {
    expect(phasesOf({ ...at, timings: phases, time: 166 }, context)).toMatchObject({ firstByteMs: 1146, handshakeMs: 60 });
    expect(phasesOf({ ...at, timings: { ...phases, ssl: 70 } }, context)).toMatchObject({ firstByteMs: 1186, handshakeMs: 60 });
  });

  it('have TLS where the producer has it while the time fits neither', () => {
    expect(phasesOf({ ...at, timings: phases, time: 9000 }, context)).toMatchObject({ handshakeMs: 30 });
    expect(phasesOf({ ...at, timings: phases, time: 9000 }, { ...context, byFirefox: true })).toMatchObject({ handshakeMs: 60 });
  });

  it('have one handshake on HTTP/3', () => {
    expect(phasesOf({ ...at, timings: { ...phases, ssl: 60 } }, { ...context, quic: true })).toMatchObject({
      handshakeMs: 60,
      firstByteMs: 1116,
    });
  });

  it('have no handshake on a connection that was open', () => {
    const timings = { ...phases, dns: -1, connect: -1, ssl: -1 };
    expect(phasesOf({ ...at, timings }, context)).toEqual({ startMs: 1000, firstByteMs: 1046, endMs: 1066, waitMs: 40 });
  });

  it('are unknown where they are not told', () => {
    expect(phasesOf({ ...at, timings: {} }, context)).toEqual({ startMs: 1000, startsWhenSent: true });
    expect(phasesOf({ ...at, time: 50 }, context)).toEqual({ startMs: 1000, endMs: 1050, startsWhenSent: true });
    expect(phasesOf({ timings: phases }, context)).toEqual({ dnsMs: 10, handshakeMs: 30, handshakeCut: false, waitMs: 40 });
    expect(phasesOf({ ...at, timings: { blocked: 0, wait: -1.4, receive: 0 } }, context)).toEqual({ startMs: 1000, endMs: 1000 });
  });
});
