/** One entry of a HAR as an observed request. */

import type { ObservedRequest } from '../graph/observed-load.ts';
import type { ContentClass } from '../graph/page-graph.ts';
import type { Address } from './address.ts';
import { addressOf, labelOf, resolveAddress, schemeOf } from './address.ts';
import { isFromCache } from './cached.ts';
import { classOf } from './content-class.ts';
import { type Fields, fieldsOf, numberOf, textOf } from './fields.ts';
import { headersOf } from './headers.ts';
import { askerOf } from './initiator.ts';
import { isResumed, maxStreamsOf, tlsOf, versionOf } from './protocol.ts';
import { requestSize, responseSize } from './sizes.ts';
import { phasesOf } from './timings.ts';

const PARTIAL_CONTENT = 206;

/** Why an entry is none of the page's requests over HTTP. */
export type Unreadable = 'no-http' | 'websocket' | 'no-address';

/** Of the page that the entry is of; see `PhaseContext` for both. */
export interface EntryContext {
  readonly pageStartMs: number | undefined;
  readonly tlsBesideConnect: boolean;
}

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
    fromCache: isFromCache(entry, headers),
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
    asker: askerOf(entry, requestHeaders),
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

/** `undefined`: not told. For style sheets and scripts only; nothing else can block. */
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
