/** A page in columns, as the simulation runs over it: requests, servers and conditions by number. */
import { DEFAULT_ORIGIN, discoveriesOf, type OriginOptions, type PageGraph, type PageRequest } from '../graph/page-graph.ts';
import { CLIENT_HELLO_BYTES, DEFAULT_REQUEST_BYTES, FINISHED_BYTES, SERVER_FLIGHT_BYTES } from '../tcp-constants.ts';

/**
 * Turn of a request in the browser's queue: Firefox dispatches by priority (nsHttpConnectionMgr), and holds levels from
 * `FIRST_HELD_LEVEL` on back while blocking requests are in progress. Fonts that a page preloads go before its style sheets (lab, Firefox 153).
 */
const LEVEL = { document: 0, font: 0, stylesheet: 1, script: 2, fetch: 2, image: 3, media: 3, other: 3 } as const;
const BLOCKING_LEVEL = 1;
/** See `LEVEL`: the first that is held back, and how many there are. */
export const FIRST_HELD_LEVEL = 3;
export const LEVELS = 4;

export interface PageColumns {
  readonly count: number;
  readonly ids: readonly string[];
  readonly sizes: Int32Array;
  readonly requestSizes: Int32Array;
  readonly originOf: Int32Array;
  readonly levels: Uint8Array;
  readonly documents: Uint8Array;
  readonly blocking: Uint8Array;
  readonly serverMs: Float64Array;
  /** Conditions of each request. */
  readonly conditions: Int32Array;
  /** Requests without any, in the order of the page. */
  readonly roots: readonly number[];
  /** Conditions on the response to request p: positions `dependentsFrom[p]` to `dependentsFrom[p + 1]`, by bytes. */
  readonly dependentsFrom: Int32Array;
  readonly dependents: Int32Array;
  readonly dependentBytes: Int32Array;
  readonly dependentDelays: Float64Array;
  readonly origins: readonly OriginColumns[];
  /** The page's own sum, 0 where it is 0. */
  readonly totalBytes: number;
}

interface Condition {
  readonly on: number;
  readonly child: number;
  readonly bytes: number;
  readonly delayMs: number;
}

/** @param page - Checked: see `checkPage`. */
export function pageColumns({ requests, origins = {} }: PageGraph): PageColumns {
  const count = requests.length;
  const numbers = new Map(requests.map(({ id }, at) => [id, at]));
  const names = [...new Set(requests.map(({ origin }) => origin ?? DEFAULT_ORIGIN))];
  const originNumbers = new Map(names.map((name, at) => [name, at]));
  const column = (of: (request: PageRequest) => number) => Int32Array.from(requests, of);
  // Even an empty answer takes a byte to mark its end.
  const sizes = column(({ bytes }) => Math.max(1, Math.round(bytes)));
  const conditions = requests.flatMap((request, child) =>
    discoveriesOf(request).map(({ id, bytes, delayMs = 0 }): Condition => {
      const on = numbers.get(id) as number;
      return { on, child, bytes: Math.min(sizes[on] as number, Math.ceil(bytes ?? Number.POSITIVE_INFINITY)), delayMs };
    }),
  );
  conditions.sort((a, b) => a.on - b.on || a.bytes - b.bytes || a.child - b.child);
  const dependentsFrom = new Int32Array(count + 1);
  for (const { on } of conditions) dependentsFrom[on + 1] = (dependentsFrom[on + 1] as number) + 1;
  for (let at = 0; at < count; at++) dependentsFrom[at + 1] = (dependentsFrom[at + 1] as number) + (dependentsFrom[at] as number);
  const isBlocking = ({ class: kind, blocking }: PageRequest) => blocking ?? kind === 'stylesheet';
  return {
    count,
    ids: requests.map(({ id }) => id),
    sizes,
    requestSizes: column(({ requestBytes }) => Math.max(1, Math.round(requestBytes ?? DEFAULT_REQUEST_BYTES))),
    originOf: column(({ origin }) => originNumbers.get(origin ?? DEFAULT_ORIGIN) as number),
    levels: Uint8Array.from(requests, (request) =>
      isBlocking(request) ? Math.min(BLOCKING_LEVEL, LEVEL[request.class ?? 'other']) : LEVEL[request.class ?? 'other'],
    ),
    documents: Uint8Array.from(requests, ({ class: kind }) => (kind === 'document' ? 1 : 0)),
    blocking: Uint8Array.from(requests, (request) => (isBlocking(request) ? 1 : 0)),
    serverMs: Float64Array.from(requests, ({ serverMs }) => serverMs ?? 0),
    conditions: column((request) => discoveriesOf(request).length),
    roots: requests.flatMap((request, at) => (discoveriesOf(request).length === 0 ? at : [])),
    dependentsFrom,
    dependents: Int32Array.from(conditions, ({ child }) => child),
    dependentBytes: Int32Array.from(conditions, ({ bytes }) => bytes),
    dependentDelays: Float64Array.from(conditions, ({ delayMs }) => delayMs),
    origins: names.map((name) => originColumns(Object.hasOwn(origins, name) ? origins[name] : undefined)),
    totalBytes: requests.reduce((sum, { bytes }) => sum + Math.round(bytes), 0),
  };
}

/** A message of the browser and the server's answer to it, before the first request. */
interface HandshakeExchange {
  readonly upBytes: number;
  readonly downBytes: number;
}

export interface OriginColumns {
  readonly protocol: 'http/1.1' | 'http/2' | 'http/3';
  readonly secure: boolean;
  /** Over TCP: after its own handshake. HTTP/3: instead of one. */
  readonly exchanges: readonly HandshakeExchange[];
  readonly dnsMs: number;
  /** Streams at once that the server allows; `undefined`: it sets no limit. */
  readonly maxStreams: number | undefined;
}

/** What nginx (128), HAProxy (100), Node (100), Apache (100) and most others send: RFC 9113 recommends 100 or more. */
const USUAL_STREAMS = 100;

const HELLO: HandshakeExchange = { upBytes: CLIENT_HELLO_BYTES, downBytes: SERVER_FLIGHT_BYTES };
const RESUMED: HandshakeExchange = { upBytes: CLIENT_HELLO_BYTES, downBytes: FINISHED_BYTES };
const FINISHED: HandshakeExchange = { upBytes: FINISHED_BYTES, downBytes: FINISHED_BYTES };

/** What a server asks of a connection before the first request, in round trips and bytes. */
function originColumns(options: OriginOptions = {}): OriginColumns {
  const {
    protocol = 'http/1.1',
    tls = protocol === 'http/3' ? '1.3' : 'none',
    resumed = false,
    dnsMs = 0,
    maxStreams = USUAL_STREAMS,
  } = options;
  return {
    protocol,
    secure: tls !== 'none',
    exchanges: exchangesOf(protocol === 'http/3' ? '1.3' : tls, resumed),
    dnsMs,
    maxStreams: maxStreams === 'none' ? undefined : maxStreams,
  };
}

/** Round trips: TLS 1.3 one (RFC 8446, section 2), none with 0-RTT; TLS 1.2 two, one when resumed (RFC 5246, section 7.3). */
function exchangesOf(tls: 'none' | '1.2' | '1.3', resumed: boolean): readonly HandshakeExchange[] {
  switch (tls) {
    case 'none':
      return [];
    case '1.3':
      return resumed ? [] : [HELLO];
    case '1.2':
      return resumed ? [RESUMED] : [HELLO, FINISHED];
  }
}
