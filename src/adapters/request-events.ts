/** webRequest as a stream of raw events. */
import * as v from 'valibot';
import { type RawPhase, type RawRequestEvent, requestTypeSchema } from '../core/measure/page-load.ts';
import { httpVersionOf } from '../core/measure/requests.ts';
import { storedUrl } from '../core/measure/stored-url.ts';
import { parseRawRequestEvent } from '../protocol/stored-records.ts';
import { browser } from './browser.ts';

/** The fields used of the four events; `proxyInfo`, sizes and document ids are Firefox's own and not in every type definition. */
interface Details {
  readonly requestId: string;
  readonly tabId: number;
  readonly frameId: number;
  readonly type: string;
  readonly url: string;
  readonly timeStamp: number;
  readonly incognito?: boolean;
  readonly documentId?: string;
  readonly documentUrl?: string;
  readonly responseSize?: number;
  readonly requestSize?: number;
  readonly fromCache?: boolean;
  readonly statusLine?: string;
  readonly statusCode?: number;
  readonly ip?: string | null;
  readonly proxyInfo?: { readonly type?: string } | null;
  readonly error?: string;
}

/**
 * Registers the listeners, which block nothing. Call at the top level: listeners added later miss the event that woke the page. The promise that
 * `receive` returns keeps the event page alive until it settles.
 * @param onUnreadable - Called for an event of an unknown form.
 */
export function listenToRequests(
  receive: (event: RawRequestEvent) => Promise<void>,
  onUnreadable: (error: unknown) => Promise<void>,
): void {
  const every = { urls: ['<all_urls>'], incognito: false };
  const settle = (phase: RawPhase, details: unknown): Promise<void> | undefined => {
    let event: RawRequestEvent | undefined;
    try {
      event = rawEventOf(phase, details as Details);
    } catch (error) {
      return onUnreadable(error);
    }
    return event && receive(event);
  };
  // By its type a listener that blocks nothing returns nothing, but Firefox waits for the promise that it returns.
  const listener = (phase: RawPhase) => (details: unknown) => settle(phase, details) as undefined;
  browser.webRequest.onBeforeRequest.addListener(listener('started'), every);
  browser.webRequest.onBeforeRedirect.addListener(listener('redirected'), every);
  browser.webRequest.onCompleted.addListener(listener('completed'), every);
  browser.webRequest.onErrorOccurred.addListener(listener('failed'), every);
}

/** `undefined` for what is not recorded: private windows, Firefox's own requests (tab -1), and anything but the network's schemes. */
export function rawEventOf(phase: RawPhase, details: Details): RawRequestEvent | undefined {
  if (phase === 'started' && !startIsNeeded(details)) return undefined;
  if (details.incognito === true || details.tabId < 0 || !/^(?:http|ws)s?:/.test(details.url)) return undefined;
  const ended = phase === 'redirected' || phase === 'completed';
  const httpVersion = ended ? httpVersionOf(details.statusLine) : undefined;
  return parseRawRequestEvent({
    phase,
    at: details.timeStamp,
    requestId: details.requestId,
    tabId: details.tabId,
    frameId: details.frameId,
    // A later Firefox may add types.
    type: v.is(requestTypeSchema, details.type) ? details.type : 'other',
    url: storedUrl(details.url),
    ...(details.documentId && { documentId: details.documentId }),
    ...(details.documentUrl && { documentUrl: storedUrl(details.documentUrl) }),
    ...(phase !== 'started' && sizesOf(details)),
    ...(httpVersion && details.fromCache !== true && { httpVersion }),
    ...(details.ip && { address: details.ip }),
    ...(ended && details.statusCode ? { status: details.statusCode } : {}),
    ...(details.proxyInfo !== undefined && { proxied: details.proxyInfo !== null && details.proxyInfo.type !== 'direct' }),
    ...(phase === 'failed' && { error: details.error ?? 'unknown' }),
  });
}

/** No content script sees when a navigation or a frame's request began. */
const startIsNeeded = ({ type, frameId }: Details): boolean => type === 'main_frame' || type === 'sub_frame' || frameId !== 0;

/** From the cache nothing came over the wire. Otherwise 0 means that Firefox has not counted (always so in onBeforeRedirect): the size is unknown. */
function sizesOf(details: Details): { responseBytes?: number; requestBytes?: number; fromCache: boolean } {
  const fromCache = details.fromCache === true;
  const response = fromCache ? 0 : counted(details.responseSize);
  const request = counted(details.requestSize);
  return { fromCache, ...(response !== undefined && { responseBytes: response }), ...(request !== undefined && { requestBytes: request }) };
}

const counted = (size: number | undefined): number | undefined => (size !== undefined && size > 0 ? size : undefined);
