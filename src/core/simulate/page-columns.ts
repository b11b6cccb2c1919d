/** A page in columns, as the simulation runs over it: requests, servers and conditions by number. */

import { DEFAULT_ORIGIN, type Discovery, type PageGraph, type PageRequest } from '../graph/page-graph.ts';
import { DEFAULT_REQUEST_BYTES } from '../tcp-constants.ts';
import { type OriginColumns, originColumns } from './origin-columns.ts';

/**
 * Turn of a request in the browser's queue: Firefox dispatches by priority (nsHttpConnectionMgr), and holds levels from
 * `FIRST_HELD_LEVEL` on back while blocking requests are under way. Fonts that a page preloads go before its style sheets (lab, Firefox 153).
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
  /** As the page says, 0 where it says 0. */
  readonly totalBytes: number;
}

interface Condition {
  readonly on: number;
  readonly child: number;
  readonly bytes: number;
  readonly delayMs: number;
}

/** @param page - Checked: see `check-page.ts`. */
export function pageColumns({ requests, origins = {} }: PageGraph): PageColumns {
  const count = requests.length;
  const numbers = new Map(requests.map(({ id }, at) => [id, at]));
  const names = [...new Set(requests.map(({ origin }) => origin ?? DEFAULT_ORIGIN))];
  const originNumbers = new Map(names.map((name, at) => [name, at]));
  const column = (of: (request: PageRequest) => number) => Int32Array.from(requests, of);
  // Even an empty answer takes a byte to tell its end.
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

/** What a request waits for, as a list; one that is not checked yet may hold anything. */
export function discoveriesOf({ after }: PageRequest): readonly Discovery[] {
  if (after === undefined) return [];
  return Array.isArray(after) ? after : [after as Discovery];
}
