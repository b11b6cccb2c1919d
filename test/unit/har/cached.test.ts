import { expect, it } from 'vitest';
import { isFromCache } from '../../../src/core/har/cached.ts';
import { headersOf } from '../../../src/core/har/headers.ts';

const none = headersOf([]);
const cached = { _fromCache: 'memory' };
const nothingCame = { _transferSize: 0, content: { size: 10 } };

it.each<readonly [string, object]>([
  ['a mark of Chrome', cached],
  ['a plain one', { _fromCache: true }],
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
  expect(isFromCache({ ...entry }, none)).toBe(true);
});

it.each<readonly [string, object]>([
  ['nothing is said', {}],
  ['a mark that says no', { _fromCache: false }],
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
  expect(isFromCache({ ...entry }, none)).toBe(false);
});

it("takes Chrome's own redirects for what they are, whatever else is said", () => {
  const redirect = headersOf([{ name: 'Non-Authoritative-Reason', value: 'HSTS' }]);
  expect(isFromCache({ response: { status: 304, _transferSize: 5 } }, redirect)).toBe(true);
});
