/** Whether requests had to open their connection, as far as Resource Timing shows. */

import type { RequestRecord } from './page-load.ts';
import { isNetworkRequest } from './requests.ts';

/** `none`: no connection was needed. `unknown`: not told, or hidden behind a proxy. */
export type ConnectionState = 'cold' | 'reused' | 'none' | 'unknown';

/**
 * Cold: connecting took measurable time. Reused: connectStart equals connectEnd, as Firefox reports for a connection that was open
 * already (dom/performance/PerformanceTiming.cpp). Three caveats: a connection opened ahead of need counts as cold only for what was left
 * to do after fetchStart; a handshake shorter than the clock's step (1 ms) looks reused, which on loopback is every one; and a
 * proxied request shows the connection to the proxy, which says nothing of the one to the origin.
 */
export function connectionState(request: RequestRecord): ConnectionState {
  if (!isNetworkRequest(request)) return 'none';
  const { connectStart, connectEnd } = request.timing ?? {};
  if (request.wire?.proxied === true || connectStart === undefined || connectEnd === undefined) return 'unknown';
  return connectEnd > connectStart ? 'cold' : 'reused';
}

export interface ConnectionUse {
  readonly cold: number;
  readonly reused: number;
}

/** Requests that opened a connection and requests that found one open. `undefined`: it is known of none. Source: Resource Timing. */
export function connectionUse(requests: readonly RequestRecord[]): ConnectionUse | undefined {
  const states = requests.map(connectionState);
  const cold = states.filter((state) => state === 'cold').length;
  const reused = states.filter((state) => state === 'reused').length;
  return cold + reused === 0 ? undefined : { cold, reused };
}
