/** One entry of a HAR as an observed request. */
import type { ObservedInitiators, ObservedRequest } from '../graph/observed-load.ts';
import type { ContentClass } from '../graph/page-graph.ts';
import type { HttpVersion } from '../measure/page-load.ts';
import { classOf } from './content-class.ts';
import {
  type Address,
  addressOf,
  bytesOf,
  durationOf,
  type Fields,
  fieldsOf,
  type Headers,
  headersOf,
  labelOf,
  listOf,
  numberOf,
  resolveAddress,
  schemeOf,
  textOf,
} from './fields.ts';
import { requestSize, responseSize } from './sizes.ts';
import { type PhaseContext, phasesOf } from './timings.ts';

const PARTIAL_CONTENT = 206;

/** Why an entry does not count as a request over HTTP. */
export type Unreadable = 'no-http' | 'websocket' | 'no-address';

/** What is known of the entry's page. */
type EntryContext = Omit<PhaseContext, 'quic'>;

export function requestOfEntry(entry: Fields, context: EntryContext): ObservedRequest | Unreadable {
  const request = fieldsOf(entry.request);
  const text = textOf(request.url) ?? '';
  const address = addressOf(text);
  if (address === undefined) return unreadable(text);
  if (textOf(entry._resourceType)?.toLowerCase() === 'websocket') return 'websocket';
  return observed(entry, { address, context });
}

function unreadable(text: string): Unreadable {
  const scheme = schemeOf(text);
  if (scheme === undefined || scheme === 'http' || scheme === 'https') return 'no-address';
  return scheme === 'ws' || scheme === 'wss' ? 'websocket' : 'no-http';
}

function observed(entry: Fields, { address, context }: { address: Address; context: EntryContext }): ObservedRequest {
  const [request, response] = [fieldsOf(entry.request), fieldsOf(entry.response)];
  const [requestHeaders, headers] = [headersOf(request.headers), headersOf(response.headers)];
  const httpVersion = versionOf(entry);
  const classed = classOf(entry, { url: address.url, requestHeaders });
  const size = responseSize(entry, headers);
  const target = redirectOf(response, headers.byName.get('location'));
  const redirectsTo = target === undefined ? undefined : resolveAddress(target, address);
  const requestBytes = requestSize(entry, { headers: requestHeaders, pathLength: address.url.length - address.origin.length });
  const [tls, maxStreams, blocking, connection] = [
    tlsOf(entry),
    maxStreamsOf(entry),
    blockingOf(entry, classed.class),
    connectionOf(entry),
  ];
  return {
    url: address.url,
    label: labelOf(address),
    origin: address.origin,
    secure: address.scheme === 'https',
    ...classed,
    outcome: outcomeOf(response, { redirected: redirectsTo !== undefined, size }),
    ...(redirectsTo !== undefined && { redirectsTo }),
    fromCache: isFromCache(entry, headers, context),
    isWholeGet: textOf(request.method)?.toUpperCase() === 'GET' && numberOf(response.status) !== PARTIAL_CONTENT,
    ...(isPushed(entry) && { pushed: true }),
    timing: phasesOf(entry, { ...context, quic: httpVersion === 'http/3' }),
    size,
    ...(requestBytes !== undefined && { requestBytes }),
    ...(httpVersion !== undefined && { httpVersion }),
    ...(tls !== undefined && { tls }),
    ...(isResumed(entry) && { resumed: true }),
    ...(maxStreams !== undefined && { maxStreams }),
    ...(blocking !== undefined && { blocking }),
    ...(connection !== undefined && { connection }),
    initiators: initiatorsOf(entry, requestHeaders),
  };
}

/** `redirectURL`, which Firefox and others also fill without a redirect, or the header, of a redirecting status. */
function redirectOf(response: Fields, location: string | undefined): string | undefined {
  const status = numberOf(response.status) ?? 0;
  return status >= 300 && status < 400 && status !== 304 ? (textOf(response.redirectURL) ?? location) : undefined;
}

/** Without a status nothing came, unless bytes of it are known to have come (Firefox leaves the status of a pushed response out). */
function outcomeOf(
  response: Fields,
  { redirected, size }: { redirected: boolean; size: ObservedRequest['size'] },
): ObservedRequest['outcome'] {
  if (redirected) return 'redirected';
  if ((numberOf(response.status) ?? 0) > 0) return 'answered';
  return (size.total ?? 0) > 0 || (size.body ?? 0) > 0 || (size.content ?? 0) > 0 ? 'answered' : 'failed';
}

const isPushed = (entry: Fields): boolean => entry._was_pushed === true || (numberOf(entry._was_pushed) ?? 0) > 0;

function connectionOf(entry: Fields): string | undefined {
  const stated = [entry.connection, entry._connectionId, entry._socket].find(
    (value) => value !== undefined && value !== '' && value !== null,
  );
  return typeof stated === 'number' ? String(stated) : textOf(stated);
}

/** Priorities of Chrome: scripts of the head that block parsing are High, others Medium or below; sheets that do not apply are lowest. */
const BLOCKING_PRIORITIES = new Set(['high', 'veryhigh', 'highest']);
const IDLE_PRIORITIES = new Set(['verylow', 'lowest']);
const BLOCKING_WORDS = new Set(['blocking', 'in_body_parser_blocking']);
const FREE_WORDS = new Set(['non_blocking', 'dynamically_injected_non_blocking']);

/** Only style sheets and scripts can block. `undefined`: the record does not say. */
function blockingOf(entry: Fields, contentClass: ContentClass): boolean | undefined {
  if (contentClass !== 'stylesheet' && contentClass !== 'script') return undefined;
  const word = textOf(entry._renderBlocking)?.toLowerCase() ?? '';
  if (BLOCKING_WORDS.has(word)) return true;
  if (FREE_WORDS.has(word)) return false;
  const request = fieldsOf(entry.request);
  const stated = [entry._initialPriority, entry._initial_priority, request._initialPriority, entry._priority, request._priority];
  const priority = stated.map(textOf).find((each) => each !== undefined);
  if (priority === undefined) return undefined;
  return contentClass === 'script' ? BLOCKING_PRIORITIES.has(priority.toLowerCase()) : !IDLE_PRIORITIES.has(priority.toLowerCase());
}

/** Protocols, in the many ways in which producers write them. */
const VERSIONS: readonly (readonly [RegExp, HttpVersion])[] = [
  // `http/2.0+quic/99` is what Chrome wrote for QUIC; `h3-29` a draft.
  [/quic|^h3\b|^http\/3/, 'http/3'],
  // WebPageTest cuts three characters out of the first line: `2.0`, `2 2` of `HTTP/2 200`, `us:` of `:status:` and `me:` of `:method:`.
  [/^h2c?\b|^http\/2|^spdy|^2(?:\.0| \d)?$|^(?:us|me):$/, 'http/2'],
  [/^http\/1\.1|^1\.1$/, 'http/1.1'],
  [/^http\/1\.0|^1\.0$/, 'http/1.0'],
];

/** The response's version, else the request's; `undefined`: neither is known. */
export function versionOf(entry: Fields): HttpVersion | undefined {
  const texts = [fieldsOf(entry.response).httpVersion, entry._protocol, fieldsOf(entry.request).httpVersion, entry._tls_next_proto];
  for (const text of texts) {
    const version = textOf(text)?.toLowerCase().trim();
    const found = version === undefined ? undefined : VERSIONS.find(([pattern]) => pattern.test(version))?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `_tls_version` of WebPageTest, or `_securityDetails` of Chrome's protocol. */
export function tlsOf(entry: Fields): '1.2' | '1.3' | undefined {
  const stated = textOf(entry._tls_version) ?? textOf(fieldsOf(entry._securityDetails).protocol);
  const version = /\b1\.[0-3]\b/.exec(stated ?? '')?.[0];
  if (version === undefined) return stated !== undefined && /quic/i.test(stated) ? '1.3' : undefined;
  // 1.0 and 1.1 take the round trips of 1.2.
  return version === '1.3' ? '1.3' : '1.2';
}

/** Only WebPageTest states it; other producers' false means unknown. */
export const isResumed = (entry: Fields): boolean => entry._tls_resumed === true || textOf(entry._tls_resumed)?.toLowerCase() === 'true';

/** The server's SETTINGS_MAX_CONCURRENT_STREAMS; `undefined`: the record does not say. */
export function maxStreamsOf(entry: Fields): number | undefined {
  const limit = bytesOf(fieldsOf(entry._http2_server_settings).SETTINGS_MAX_CONCURRENT_STREAMS);
  return limit === undefined || limit < 1 ? undefined : limit;
}

const PHASES = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'] as const;
const NOT_MODIFIED = 304;

/**
 * Whether the response came from the browser's cache, or from a service worker, rather than from the network.
 *
 * A mark of the producer decides: `_fromCache` (Chrome), `_fromDiskCache` and its like (puppeteer), `_fetchType` (Safari), `_fetchedViaServiceWorker`, a `cache` object that names an entry (Firefox writes
 * `afterRequest`, chrome-har `beforeRequest`); or, without one, a response with contents for which nothing was transferred over no
 * connection. Never where bytes of it are known to have come, nor for 304, which the server sent. Chrome's own redirects to https are of
 * this kind too: it marks them with a header. Firefox marks only a 304; see `unmarkedByFirefox`.
 */
export function isFromCache(entry: Fields, headers: Headers, { byFirefox }: Pick<EntryContext, 'byFirefox'>): boolean {
  const response = fieldsOf(entry.response);
  if (headers.byName.has('non-authoritative-reason')) return true;
  if (numberOf(response.status) === NOT_MODIFIED || (numberOf(response._transferSize) ?? 0) > 0) return false;
  return isMarked(entry, response) || transferredNothing(entry, response) || (byFirefox && unmarkedByFirefox(entry, response));
}

function isMarked(entry: Fields, response: Fields): boolean {
  const cache = fieldsOf(entry.cache);
  return (
    textOf(entry._fromCache) !== undefined ||
    [entry._fromCache, entry._fromDiskCache, entry._fromMemoryCache, entry._fromServiceWorker].includes(true) ||
    /cache|worker/i.test(textOf(entry._fetchType) ?? '') ||
    response._fetchedViaServiceWorker === true ||
    (typeof cache.beforeRequest === 'object' && cache.beforeRequest !== null && nothingStated(response)) ||
    ('afterRequest' in cache && tookNoTime(entry))
  );
}

/** No byte of the response is stated to have been on the wire. */
const nothingStated = (response: Fields): boolean => (numberOf(response.bodySize) ?? -1) <= 0;

const tookNoTime = (entry: Fields): boolean => {
  const timings = fieldsOf(entry.timings);
  return PHASES.every((phase) => (durationOf(timings[phase]) ?? 0) === 0);
};

function transferredNothing(entry: Fields, response: Fields): boolean {
  const hasContents = (numberOf(fieldsOf(response.content).size) ?? 0) > 0;
  const noneStated = numberOf(response._transferSize) === 0 && nothingStated(response);
  return hasContents && noneStated && entry.connection === undefined;
}

/**
 * What Firefox's network panel (har-builder.js of ESR 153) writes of a 200 from its cache, with `bodySize` as if it had come: no connection, no
 * time and no headers on the wire. Each alone is also written of responses of the network.
 */
const unmarkedByFirefox = (entry: Fields, response: Fields): boolean =>
  (numberOf(response.status) ?? 0) > 0 &&
  connectionOf(entry) === undefined &&
  (numberOf(response.headersSize) ?? 0) <= 0 &&
  tookNoTime(entry);

/** Call frames and asynchronous parents that are looked at; deeper ones are the same scripts again. */
const MAX_FRAMES = 40;
const MAX_PARENTS = 10;
const MAX_DETAIL_LENGTH = 100_000;

/**
 * The initiator in the three forms there are: an address (WebPageTest, browsertime), Chrome's object with an address or a call stack, and
 * browsertime's `_initiator_detail`, that object as JSON text.
 */
export function initiatorsOf(entry: Fields, headers: Headers): ObservedInitiators {
  const initiators = [
    ...addresses([textOf(entry._initiator)]),
    ...ofObject(fieldsOf(entry._initiator)),
    ...ofObject(detailOf(entry._initiator_detail)),
  ];
  const referer = addresses([headers.byName.get('referer'), textOf(entry._documentURL)])[0];
  return { named: [...new Set(initiators)], ...(referer !== undefined && { referer }) };
}

const addresses = (texts: readonly (string | undefined)[]): readonly string[] =>
  texts.flatMap((text) => (text === undefined ? [] : (addressOf(text)?.url ?? [])));

function ofObject(initiator: Fields): readonly string[] {
  const urls = [textOf(initiator.url)];
  let stack = fieldsOf(initiator.stack);
  for (let depth = 0; depth < MAX_PARENTS && Array.isArray(stack.callFrames); depth++) {
    urls.push(
      ...listOf(stack.callFrames)
        .slice(0, MAX_FRAMES)
        .map((frame) => textOf(fieldsOf(frame).url)),
    );
    stack = fieldsOf(stack.parent);
  }
  return addresses(urls);
}

function detailOf(detail: unknown): Fields {
  if (typeof detail !== 'string' || detail.length > MAX_DETAIL_LENGTH) return {};
  try {
    return fieldsOf(JSON.parse(detail));
  } catch {
    // It is a hint only, and without it the other rules hold.
    return {};
  }
}
