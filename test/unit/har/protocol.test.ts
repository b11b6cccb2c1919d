import { describe, expect, it } from 'vitest';
import { isResumed, maxStreamsOf, tlsOf, versionOf } from '../../../src/core/har/protocol.ts';

describe('the version', () => {
  it.each([
    ...['h3', 'h3-29', 'HTTP/3.0', 'http/2.0+quic/99', 'quic'].map((text) => [text, 'http/3'] as const),
    ...['h2', 'h2c', ' H2 ', 'HTTP/2.0', 'spdy/3.1'].map((text) => [text, 'http/2'] as const),
    ...['HTTP/1.1', '1.1'].map((text) => [text, 'http/1.1'] as const),
    ...['http/1.0', '1.0'].map((text) => [text, 'http/1.0'] as const),
    ...[
      'unknown',
      '',
      'xh2',
      'xh3',
      'xhttp/1.0',
      'xhttp/1.1',
      'h20',
      'h30',
      'x1.1',
      '1.10',
      'x1.0',
      '1.00',
      'xhttp/2',
      'xhttp/3',
      'xspdy',
      'http/1x1',
      5,
    ].map((text) => [text, undefined] as const),
  ])('of %j is %j', (httpVersion, expected) => {
    expect(versionOf({ response: { httpVersion } })).toBe(expected);
  });
  it('is that of the response, the protocol, the request, or of what TLS agreed on', () => {
    const all = { _protocol: 'h2', request: { httpVersion: '1.1' }, _tls_next_proto: 'h3' };
    expect(versionOf({ ...all, response: { httpVersion: '1.0' } })).toBe('http/1.0');
    expect(versionOf({ ...all, response: { httpVersion: 'unknown' } })).toBe('http/2');
    expect(versionOf({ ...all, _protocol: undefined })).toBe('http/1.1');
    expect(versionOf({ _tls_next_proto: 'h3' })).toBe('http/3');
    expect(versionOf({})).toBeUndefined();
  });
});

it.each([
  [{ _tls_version: 'TLS 1.3' }, '1.3'],
  [{ _tls_version: 'TLS 1.2' }, '1.2'],
  [{ _tls_version: 'TLS 1.0' }, '1.2'],
  [{ _securityDetails: { protocol: 'TLS 1.3' } }, '1.3'],
  [{ _tls_version: 'TLS 1.2', _securityDetails: { protocol: 'TLS 1.3' } }, '1.2'],
  [{ _securityDetails: { protocol: 'QUIC' } }, '1.3'],
  [{ _tls_version: 'SSL 3' }, undefined],
  [{ _tls_version: '11.3' }, undefined],
  [{ _tls_version: '1.30' }, undefined],
  [{}, undefined],
] as const)('TLS of %j is %j', (entry, expected) => {
  expect(tlsOf(entry)).toBe(expected);
});

it('knows a resumed session only where that is said', () => {
  expect([true, 'TRUE', 'true'].map((said) => isResumed({ _tls_resumed: said }))).toEqual([true, true, true]);
  expect([false, 'false', 1, undefined].map((said) => isResumed({ _tls_resumed: said }))).toEqual([false, false, false, false]);
});

it('knows how many streams a server takes', () => {
  const of = (limit: unknown) => maxStreamsOf({ _http2_server_settings: { SETTINGS_MAX_CONCURRENT_STREAMS: limit } });
  expect([100, '128', 1, 0, -1, 'many'].map(of)).toEqual([100, 128, 1, undefined, undefined, undefined]);
  expect(maxStreamsOf({})).toBeUndefined();
});
