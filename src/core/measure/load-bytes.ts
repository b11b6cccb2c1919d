import { type Bytes, bytes } from '../units.ts';
import type { RequestRecord } from './page-load.ts';
import { isNetworkRequest } from './requests.ts';

/**
 * Response bytes on the wire, headers included, as Gecko counts them (nsIHttpChannel.transferSize, webRequest's `responseSize`).
 * What came from a cache counts 0. `undefined` as soon as one response of the network has an unknown size: a sum with a hole in it
 * would pass for a smaller page. Source: webRequest.
 */
export function loadBytes(requests: readonly RequestRecord[]): Bytes | undefined {
  let sum = 0;
  for (const request of requests) {
    const size = responseBytes(request);
    if (size === undefined) return undefined;
    sum += size;
  }
  return bytes(sum);
}

/** Response bytes of one request; `undefined`: unknown. */
function responseBytes(request: RequestRecord): number | undefined {
  if (!isNetworkRequest(request)) return 0;
  if (request.wire?.responseBytes !== undefined) return request.wire.responseBytes;
  return sendsNextToNothing(request) ? 0 : undefined;
}

/** Responses whose size Firefox does not tell and which the sum can do without. */
function sendsNextToNothing({ outcome, type, wire, timing }: RequestRecord): boolean {
  // Firefox tells no size of a redirect (onBeforeRedirect has none); it is a header of a few hundred bytes.
  if (outcome.state === 'redirected') return true;
  // A WebSocket's messages are not a response; its opening handshake is a header.
  if (type === 'websocket') return true;
  // Blocked, refused or unreachable: no response began.
  return outcome.state === 'failed' && wire?.status === undefined && timing?.responseStart === undefined;
}
