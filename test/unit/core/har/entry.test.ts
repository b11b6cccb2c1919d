import { describe, expect, it } from 'vitest';
import type { ObservedRequest } from '../../../../src/core/graph/observed-load.ts';
import { isFromCache, isResumed, maxStreamsOf, requestOfEntry, tlsOf, versionOf } from '../../../../src/core/har/entry.ts';
import { headersOf } from '../../../../src/core/har/fields.ts';

const context = { pageStartMs: undefined, byFirefox: false };

function read(entry: object): ObservedRequest {
  const request = requestOfEntry({ request: { url: 'http://h.test/x' }, ...entry }, context);
  if (typeof request === 'string') throw new Error(request);
  return request;
}

describe('an entry', () => {
  it('says nothing but its address where nothing else is told', () => {
    expect(read({})).toStrictEqual({
      ...{ url: 'http://h.test/x', label: 'x', origin: 'http://h.test', secure: false, class: 'other', classBasis: 'unknown' },
      ...{ outcome: 'failed', fromCache: false, isWholeGet: false, timing: { startsWhenSent: true }, size: {}, initiators: { named: [] } },
    });
  });

  it('is a request with all that is told of it', () => {
    const entry = {
      request: {
        ...{ method: 'get', url: 'https://h.test/a/s.css', headersSize: 300, bodySize: 20 },
        headers: [{ name: 'Referer', value: 'https://h.test/' }],
      },
      response: {
        ...{ status: 301, httpVersion: 'h3', headersSize: 100, bodySize: 50, redirectURL: '' },
        headers: [{ name: 'Location', value: '/b/t.css' }],
      },
      ...{ startedDateTime: '1970-01-01T00:00:01Z', timings: { blocked: 0, connect: 60, ssl: 60, wait: 40, receive: 10 } },
      ...{ _renderBlocking: 'Blocking', _was_pushed: 1, _tls_version: 'TLS 1.3', _tls_resumed: true, connection: '443' },
      _http2_server_settings: { SETTINGS_MAX_CONCURRENT_STREAMS: 100 },
    };
    expect(read(entry)).toStrictEqual({
      ...{ url: 'https://h.test/a/s.css', label: 's.css', origin: 'https://h.test', secure: true },
      ...{ class: 'stylesheet', classBasis: 'address', outcome: 'redirected', redirectsTo: 'https://h.test/b/t.css' },
      ...{ fromCache: false, isWholeGet: true, pushed: true },
      // On HTTP/3 all 60 ms are one handshake.
      timing: { startMs: 1000, firstByteMs: 1100, endMs: 1110, handshakeMs: 60, handshakeCut: true, waitMs: 40 },
      // Of its one header 8 + 8 characters and 4; 19 more.
      size: { headers: 100, headersText: 39, body: 50 },
      ...{ requestBytes: 320, httpVersion: 'http/3', tls: '1.3', resumed: true, maxStreams: 100, blocking: true, connection: '443' },
      initiators: { named: [], referer: 'https://h.test/' },
    });
  });

  it('has a request as long as its path and its headers, where no length is stated', () => {
    // `/x`, the 16 characters around it, and 1 + 2 characters of a header with 4 around them.
    const request = { url: 'http://h.test/x', headers: [{ name: 'a', value: 'bc' }] };
    expect(read({ request }).requestBytes).toBe(2 + 16 + 7);
  });

  it('has no handshake where all of it is TLS, but on HTTP/3', () => {
    const timings = { blocked: 0, connect: 60, ssl: 60, wait: 40, receive: 10 };
    expect(read({ response: { httpVersion: 'h2' }, timings }).timing).not.toHaveProperty('handshakeMs');
    expect(read({ timings }).timing).not.toHaveProperty('handshakeMs');
  });

  it.each([
    [undefined, 'no-address'],
    ['', 'no-address'],
    [7, 'no-address'],
    ['no scheme', 'no-address'],
    ['http:/x', 'no-address'],
    ['https://', 'no-address'],
    ['ws://h.test/', 'websocket'],
    ['WSS://h.test/', 'websocket'],
    ['data:,x', 'no-http'],
    ['wsx://h.test/', 'no-http'],
  ])('of %j is none of the page: %s', (url, why) => {
    expect(requestOfEntry({ request: { url } }, context)).toBe(why);
  });

  it('is a WebSocket where the producer says so, whatever the address', () => {
    expect(requestOfEntry({ request: { url: 'https://h.test/' }, _resourceType: 'WebSocket' }, context)).toBe('websocket');
  });
});

describe('a redirect', () => {
  const target = (response: object) => read({ response }).redirectsTo;
  const location = { headers: [{ name: 'Location', value: '/l' }] };

  it('is where its status says so, 304 aside', () => {
    const found = [200, 299, 300, 307, 399, 400, 304, undefined].filter((status) => target({ status, ...location }) !== undefined);
    expect(found).toEqual([300, 307, 399]);
    expect(target({ status: 200, redirectURL: '/r' })).toBeUndefined();
  });

  it('leads where the producer says, else the header', () => {
    expect(target({ status: 301, redirectURL: '/r' })).toBe('http://h.test/r');
    expect(target({ status: 301, redirectURL: '/r', ...location })).toBe('http://h.test/r');
    expect(target({ status: 301, redirectURL: '', ...location })).toBe('http://h.test/l');
  });

  it('is an answer where it leads nowhere', () => {
    expect(read({ response: { status: 301 } }).outcome).toBe('answered');
    expect(read({ response: { status: 301, redirectURL: 'about:blank' } }).outcome).toBe('answered');
  });
});

it.each<readonly [object, string]>([
  [{ response: { status: 200 } }, 'answered'],
  [{ response: { status: 404 } }, 'answered'],
  [{ response: { status: 0 } }, 'failed'],
  [{ response: { status: -1, bodySize: 0, content: { size: 0 } } }, 'failed'],
  // Of the whole, of the body and of the contents.
  [{ _bytesIn: 5 }, 'answered'],
  [{ response: { bodySize: 5 } }, 'answered'],
  [{ response: { content: { size: 5 } } }, 'answered'],
])('by %j a request was %s', (entry, outcome) => {
  expect(read(entry).outcome).toBe(outcome);
});

it.each([
  [{ method: 'GET' }, 200, true],
  [{ method: 'gEt' }, undefined, true],
  [{ method: 'GET' }, 206, false],
  [{ method: 'POST' }, 200, false],
  [{}, 200, false],
])('%j with %j fetches the whole: %j', (request, status, whole) => {
  expect(read({ request: { url: 'http://h.test/x', ...request }, response: { status } }).isWholeGet).toBe(whole);
});

it('was pushed where the producer says so', () => {
  expect([true, 1, '1', 0, '0', -1, false, undefined].map((_was_pushed) => read({ _was_pushed }).pushed)).toEqual([
    ...[true, true, true],
    ...Array.from({ length: 5 }, () => undefined),
  ]);
});

it.each<readonly [object, string | undefined]>([
  [{ connection: '1', _connectionId: '2', _socket: '3' }, '1'],
  [{ connection: '', _connectionId: '2', _socket: '3' }, '2'],
  [{ connection: null, _socket: '3' }, '3'],
  [{ _socket: 3 }, '3'],
  [{ connection: 0 }, '0'],
  [{ connection: {} }, undefined],
])('by %j the connection is %j', (entry, connection) => {
  expect(read(entry).connection).toBe(connection);
});

describe('what blocks', () => {
  const blocking = (type: string, more: object = {}) => read({ _resourceType: type, ...more }).blocking;

  it('is told in words', () => {
    for (const type of ['script', 'stylesheet']) {
      const told = (_renderBlocking: string) => blocking(type, { _renderBlocking });
      expect(['blocking', 'In_Body_Parser_Blocking'].map(told)).toEqual([true, true]);
      expect(['non_blocking', 'Dynamically_Injected_Non_Blocking'].map(told)).toEqual([false, false]);
      expect(['potentially_blocking', ''].map(told)).toEqual([undefined, undefined]);
    }
    // The word comes before the priority.
    expect(blocking('script', { _renderBlocking: 'non_blocking', _priority: 'High' })).toBe(false);
    expect(blocking('stylesheet', { _renderBlocking: 'blocking', _priority: 'Lowest' })).toBe(true);
  });

  it('follows from the priority: a script by a high one, a style sheet by all but the lowest', () => {
    const priorities = ['VeryHigh', 'Highest', 'High', 'Medium', 'Low', 'VeryLow', 'Lowest'];
    const of = (type: string) => priorities.map((_priority) => blocking(type, { _priority }));
    expect(of('script')).toEqual([true, true, true, false, false, false, false]);
    expect(of('stylesheet')).toEqual([true, true, true, true, true, false, false]);
  });

  it('looks for the priority where Chrome, WebPageTest and browsertime have it', () => {
    const request = (more: object) => ({ request: { url: 'http://h.test/x', ...more } });
    for (const more of [{ _initialPriority: 'High' }, { _initial_priority: 'High' }, { _priority: 'High' }]) {
      expect(blocking('script', more)).toBe(true);
    }
    expect(blocking('script', request({ _initialPriority: 'High' }))).toBe(true);
    expect(blocking('script', request({ _priority: 'High' }))).toBe(true);
    // What it began with says more than what it came to.
    expect(blocking('script', { _initialPriority: 'High', _priority: 'Low' })).toBe(true);
  });

  it('is not known without either, and is no picture', () => {
    expect([blocking('script'), blocking('stylesheet')]).toEqual([undefined, undefined]);
    expect(blocking('image', { _renderBlocking: 'blocking', _priority: 'High' })).toBeUndefined();
    expect(blocking('font', { _renderBlocking: 'non_blocking' })).toBeUndefined();
  });
});

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

const none = headersOf([]);
const cached = { _fromCache: 'memory' };
const nothingCame = { _transferSize: 0, content: { size: 10 } };

it.each<readonly [string, object]>([
  ['a mark of Chrome', cached],
  ['a plain one', { _fromCache: true }],
  ['one of the disk', { _fromDiskCache: true }],
  ["one of memory, in puppeteer's words", { _fromMemoryCache: true }],
  ['one of a worker', { _fromServiceWorker: true }],
  ['though 0 bytes are told', { ...cached, response: { status: 200, _transferSize: 0 } }],
  ["Safari's cache", { _fetchType: 'Memory Cache' }],
  ["Safari's worker", { _fetchType: 'Service Worker' }],
  ['a service worker', { response: { _fetchedViaServiceWorker: true } }],
  ['an entry before, and nothing told of the wire', { cache: { beforeRequest: {} } }],
  ['an entry before, and no body', { cache: { beforeRequest: {} }, response: { bodySize: 0 } }],
  ['an entry after, and no time', { cache: { afterRequest: null }, timings: { blocked: 0, wait: -1 } }],
  ['contents of which nothing came', { response: nothingCame }],
  ['nor a body', { response: { ...nothingCame, bodySize: 0 } }],
])('is from a cache: %s', (_, entry) => {
  expect(isFromCache({ ...entry }, none, context)).toBe(true);
});

it.each<readonly [string, object]>([
  ['nothing is said', {}],
  ['a mark that says no', { _fromCache: false, _fromDiskCache: false }],
  ['an empty one', { _fromCache: '' }],
  ['the server said so', { ...cached, response: { status: 304 } }],
  ['bytes came', { ...cached, response: { _transferSize: 1 } }],
  ['over the network', { _fetchType: 'Network Load' }],
  ['no service worker', { response: { _fetchedViaServiceWorker: 'no' } }],
  ['an entry before, but a body', { cache: { beforeRequest: {} }, response: { bodySize: 1 } }],
  ['no entry before', { cache: { beforeRequest: null } }],
  ['only a word before', { cache: { beforeRequest: 'x' } }],
  ...['blocked', 'dns', 'connect', 'send', 'wait', 'receive'].map(
    (phase) => [`an entry after, but time: ${phase}`, { cache: { afterRequest: {} }, timings: { [phase]: 1 } }] as const,
  ),
  ['no time, but no entry', { cache: {}, timings: { wait: 0 } }],
  ['no contents', { response: { _transferSize: 0, content: { size: 0 } } }],
  ['it is not said that nothing came', { response: { content: { size: 10 } } }],
  ['a body came', { response: { ...nothingCame, bodySize: 5 } }],
  ['over a connection', { response: nothingCame, connection: '443' }],
])('is not from a cache: %s', (_, entry) => {
  expect(isFromCache({ ...entry }, none, context)).toBe(false);
});

describe('Firefox, which marks nothing of a 200 from its cache', () => {
  const byFirefox = { byFirefox: true };
  const response = { status: 200, headersSize: 0, bodySize: 50_018 };
  const noTime = { blocked: 0, dns: 0, connect: 0, ssl: 0, send: 0, wait: 0, receive: 0 };

  it.each<readonly [string, object]>([
    ['all times 0', { response, timings: noTime }],
    ['no times, sizes of -1', { response: { status: 200, headersSize: -1, bodySize: -1 }, timings: {} }],
    ['no size of headers', { response: { status: 200, bodySize: -1 }, timings: {} }],
  ])('takes one for that: %s', (_, entry) => {
    expect(isFromCache({ ...entry }, none, byFirefox)).toBe(true);
    // Of another producer it says only that nobody looked.
    expect(isFromCache({ ...entry }, none, context)).toBe(false);
  });

  it.each<readonly [string, object]>([
    ['a connection', { response, timings: noTime, connection: '443' }],
    ['headers on the wire, as of a document without a connection', { response: { ...response, headersSize: 215 }, timings: noTime }],
    ['time', { response, timings: { ...noTime, wait: 40 } }],
    ['a 304', { response: { ...response, status: 304 }, timings: noTime, cache: { afterRequest: {} } }],
    ['no answer', { response: { ...response, status: 0 }, timings: noTime }],
  ])('takes none for that with %s', (_, entry) => {
    expect(isFromCache({ ...entry }, none, byFirefox)).toBe(false);
  });
});

it("takes Chrome's own redirects for what they are, whatever else is said", () => {
  const redirect = headersOf([{ name: 'Non-Authoritative-Reason', value: 'HSTS' }]);
  expect(isFromCache({ response: { status: 304, _transferSize: 5 } }, redirect, context)).toBe(true);
});
