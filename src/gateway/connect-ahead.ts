/**
 * When connections are opened. Pure.
 *
 * Firefox opens connections for requests that it still holds back (images wait for style sheets and scripts: bug 1793693,
 * `network.http.rendering-critical-requests-prioritization`), which the gateway does not see. Measured on Firefox 153, wiki
 * page, RTT 300 ms: all 6 connections stand 500 ms before the first image is sent. A gateway that waited for the requests
 * would cost a round trip that is not the profile's.
 */

/** `ahead`: as Firefox does, all of an origin's connections once a page is known to use it; `on-demand`: one per request that needs it. */
export type ConnectMode = 'on-demand' | 'ahead';

/** `network.http.connection-retry-timeout`, 250 ms (StaticPrefList.yaml): a second connection when the first has no answer yet. */
export const BACKUP_CONNECTION_MS = 250;

export interface Arrival {
  /** Requests of this origin since the last clean slate, this one included. */
  readonly count: number;
  /** A document, as its Accept tells: it alone does not show that more will come. */
  readonly document: boolean;
}

/** How many connections the origin should have open (or being opened) once this request has arrived. */
export function connectionsWanted(arrival: Arrival, { mode, limit }: { mode: ConnectMode; limit: number }): number {
  if (mode === 'on-demand') return 0;
  return arrival.document && arrival.count === 1 ? 1 : limit;
}
