/** Which of the recorded requests is the page's document, and where its redirects begin. */
import { LONGEST_LOAD_MS } from '../measure/load-window.ts';
import type { ObservedRequest } from './observed-load.ts';

/** A request that got an answer, and when it was asked for on the record's clock, ms. */
export interface StartedRequest {
  readonly observed: ObservedRequest;
  readonly startMs: number;
}

export interface FoundDocument {
  readonly document: StartedRequest;
  /** First of the redirects that led to it, else the document itself. */
  readonly root: StartedRequest;
  /** No request looks like a document: the first one stands in for it. */
  readonly standIn: boolean;
}

/** Redirects from longer before are those of another navigation. */
const LONGEST_REDIRECTS_MS = LONGEST_LOAD_MS;
/** A document after more than this share of the requests is that of a frame: the record began after the page's own. Our own choice. */
const LATEST_SHARE = 0.5;

/**
 * The document the record names; else the earliest document that was answered.
 * @param started by start, at least one.
 */
export function findDocument(started: readonly [StartedRequest, ...StartedRequest[]], named: ObservedRequest | undefined): FoundDocument {
  const byName = named && started.find(({ observed }) => observed === named);
  const place = started.findIndex(({ observed }) => observed.class === 'document' && observed.outcome === 'answered');
  const earliest = place >= 0 && place <= started.length * LATEST_SHARE ? started[place] : undefined;
  const document = byName ?? earliest ?? started[0];
  return { document, root: firstHop(started, document), standIn: document !== byName && document !== earliest };
}

/** Each redirect is used once, so a loop of redirects ends. What the browser redirected by itself cost nothing and is passed over. */
function firstHop(started: readonly StartedRequest[], document: StartedRequest): StartedRequest {
  const hops = new Map<string, StartedRequest[]>();
  for (const request of started) {
    const { redirectsTo, fromCache } = request.observed;
    if (redirectsTo === undefined || fromCache || document.startMs - request.startMs > LONGEST_REDIRECTS_MS) continue;
    const leading = hops.get(redirectsTo);
    if (leading === undefined) hops.set(redirectsTo, [request]);
    else leading.push(request);
  }
  for (let at = document; ; ) {
    const leading = hops.get(at.observed.url) ?? [];
    let hop = leading.pop();
    while (hop !== undefined && (hop.startMs > at.startMs || hop === at)) hop = leading.pop();
    if (hop === undefined) return at;
    at = hop;
  }
}
