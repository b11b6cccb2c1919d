/** Whether a HAR's response came from the browser's cache, or from a service worker, rather than from the network. */
import { durationOf, type Fields, fieldsOf, numberOf, textOf } from './fields.ts';
import type { Headers } from './headers.ts';

const PHASES = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'] as const;
const NOT_MODIFIED = 304;

/**
 * By a mark of the producer: `_fromCache` (Chrome), `_fetchType` (Safari), `_fetchedViaServiceWorker`, a `cache` object that names an entry (Firefox writes
 * `afterRequest`, chrome-har `beforeRequest`); or, without one, a response with contents for which nothing was transferred over no
 * connection. Never where bytes of it are known to have come, nor for 304, which the server sent. Chrome's own redirects to https are of
 * this kind too: it marks them with a header.
 */
export function isFromCache(entry: Fields, headers: Headers): boolean {
  const response = fieldsOf(entry.response);
  if (headers.byName.has('non-authoritative-reason')) return true;
  if (numberOf(response.status) === NOT_MODIFIED || (numberOf(response._transferSize) ?? 0) > 0) return false;
  return isMarked(entry, response) || transferredNothing(entry, response);
}

function isMarked(entry: Fields, response: Fields): boolean {
  const cache = fieldsOf(entry.cache);
  return (
    textOf(entry._fromCache) !== undefined ||
    entry._fromCache === true ||
    /cache|worker/i.test(textOf(entry._fetchType) ?? '') ||
    response._fetchedViaServiceWorker === true ||
    (typeof cache.beforeRequest === 'object' && cache.beforeRequest !== null && nothingToldOf(response)) ||
    ('afterRequest' in cache && tookNoTime(entry))
  );
}

/** Neither a body nor headers of it are said to have been on the wire. */
const nothingToldOf = (response: Fields): boolean => (numberOf(response.bodySize) ?? -1) <= 0;

const tookNoTime = (entry: Fields): boolean => {
  const timings = fieldsOf(entry.timings);
  return PHASES.every((phase) => (durationOf(timings[phase]) ?? 0) === 0);
};

function transferredNothing(entry: Fields, response: Fields): boolean {
  const hasContents = (numberOf(fieldsOf(response.content).size) ?? 0) > 0;
  const noneStated = numberOf(response._transferSize) === 0 && nothingToldOf(response);
  return hasContents && noneStated && entry.connection === undefined;
}
