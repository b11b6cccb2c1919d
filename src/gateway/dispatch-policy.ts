/**
 * When connections are opened, and which takes which waiting request. Pure: the caller describes the queue and the connections of one origin,
 * executes the decision, and calls again until there is none.
 */

/**
 * `appended`: a request may join a connection that is already waiting for responses (bug 447866's later behaviour).
 * `bundled`: requests go only onto a connection with nothing outstanding, up to `depth` of those waiting at once
 * (Firefox in 2008).
 */
export type DispatchMode = 'appended' | 'bundled';

/** The limits for one origin, both at least 1. */
export interface DispatchLimits {
  readonly connections: number;
  readonly depth: number;
  readonly mode: DispatchMode;
}

export interface ConnectionLoad {
  /** Assigned requests whose response is not complete. */
  readonly outstanding: number;
  /** False once it is known to close; it still counts as a connection until it is closed. */
  readonly accepting: boolean;
  /** How many more requests it may get; absent: any number. */
  readonly room?: number;
  /** Whether the TCP connection is established; absent: it is. */
  readonly established?: boolean;
}

interface DispatchDecision {
  /** Number of requests at the head of the queue that are taken: 1, or a bundle. */
  readonly take: number;
  /** Index of the connection, or `new`: open one. */
  readonly connection: number | 'new';
}

/**
 * A request joins an open connection with fewer outstanding than this rather than wait a round trip for one that is still
 * being established: one small response ahead costs less than a handshake on the far links that depth is for.
 */
const JOIN_RATHER_THAN_WAIT = 2;

/**
 * The next assignment, or `undefined` when every waiting request has to wait. First come, first served.
 *
 * Order of preference: an open connection with nothing outstanding; where one is being established ahead of demand, an open
 * connection with one outstanding, else the one being established; a new connection while the origin has fewer than the
 * limit; the connection with the fewest outstanding below `depth`.
 */
export function nextDispatch(
  waiting: number,
  connections: readonly ConnectionLoad[],
  limits: DispatchLimits,
): DispatchDecision | undefined {
  if (waiting === 0) return undefined;
  const idle = idleConnection(connections, limits);
  if (idle >= 0) {
    const bundle = limits.mode === 'bundled' ? Math.min(waiting, limits.depth) : 1;
    return { take: Math.min(bundle, connections[idle]?.room ?? limits.depth), connection: idle };
  }
  if (connections.length < limits.connections) return { take: 1, connection: 'new' };
  if (limits.mode === 'bundled') return undefined;
  const joined = leastLoaded(connections, (c) => c.outstanding < limits.depth);
  return joined < 0 ? undefined : { take: 1, connection: joined };
}

function idleConnection(connections: readonly ConnectionLoad[], limits: DispatchLimits): number {
  const idle = (c: ConnectionLoad) => c.accepting && c.outstanding === 0;
  const open = connections.findIndex((c) => idle(c) && c.established !== false);
  if (open >= 0) return open;
  const establishing = connections.findIndex(idle);
  if (establishing < 0 || limits.mode === 'bundled') return establishing;
  const max = Math.min(limits.depth, JOIN_RATHER_THAN_WAIT);
  const joined = leastLoaded(connections, (c) => c.established !== false && c.outstanding < max);
  return joined < 0 ? establishing : joined;
}

/** A connection that may still be being established. */
export interface EstablishingLoad extends ConnectionLoad {
  readonly established: boolean;
}

/**
 * A request that waits for a connection still being established should not wait there while another connection has
 * nothing to do (as in Firefox, where a request belongs to no connection before it is sent).
 * `from` and `to` are indexes; `undefined` when nothing is to be moved. Only meaningful with an empty queue.
 */
export function nextMove(connections: readonly EstablishingLoad[]): { readonly from: number; readonly to: number } | undefined {
  const to = connections.findIndex((c) => c.established && c.accepting && c.outstanding === 0);
  if (to < 0) return undefined;
  const from = connections.findIndex((c) => !c.established && c.outstanding > 0);
  return from < 0 ? undefined : { from, to };
}

function leastLoaded(connections: readonly ConnectionLoad[], allowed: (c: ConnectionLoad) => boolean): number {
  let best = -1;
  let bestOutstanding = Number.POSITIVE_INFINITY;
  for (const [index, connection] of connections.entries()) {
    if (!connection.accepting || connection.outstanding >= bestOutstanding || !allowed(connection)) continue;
    best = index;
    bestOutstanding = connection.outstanding;
  }
  return best;
}

/**
 * When connections are opened. Firefox opens connections for requests that it still holds back (images wait for style sheets and scripts: bug
 * 1793693, `network.http.rendering-critical-requests-prioritization`), which the gateway does not see. Measured on Firefox 153, wiki page, RTT
 * 300 ms: all 6 connections are established 500 ms before the first image is sent. A gateway that waited for the requests would cost a round trip
 * that is not the profile's.
 *
 * `ahead`: all of an origin's connections once a page is known to use it, as in Firefox; `on-demand`: one per request that needs it.
 */
export type ConnectMode = 'on-demand' | 'ahead';

export interface Arrival {
  /** Requests of this origin since its connections were last dropped, this one included. */
  readonly count: number;
  /** Whether its Accept is that of a document, which alone does not show that more requests will come. */
  readonly document: boolean;
}

/** How many connections the origin should have open (or being opened) once this request has arrived. */
export function connectionsWanted(arrival: Arrival, { mode, limit }: { mode: ConnectMode; limit: number }): number {
  if (mode === 'on-demand') return 0;
  return arrival.document && arrival.count === 1 ? 1 : limit;
}
