/** A page as the simulator takes it: every request with what must have arrived before it is requested. */

import * as v from 'valibot';
import { count, notNegative, type Shape } from '../schema.ts';

/** What a request is for: decides its turn in the browser's queue, and whether it holds others back. */
export const CONTENT_CLASSES = ['document', 'stylesheet', 'script', 'font', 'fetch', 'image', 'media', 'other'] as const;
export type ContentClass = (typeof CONTENT_CLASSES)[number];

/** Above this a page is refused: no page of the HTTP Archive's has so many, and a mistake is likelier. */
export const MAX_REQUESTS = 20_000;

const discoverySchema = v.object({
  id: v.string(),
  /** Bytes of the response, headers included. Absent: the whole response. 0: with the response's first byte. */
  bytes: v.exactOptional(notNegative),
  /** What the browser's processor needs in between, ms. 0 unless given. */
  delayMs: v.exactOptional(notNegative),
});
/** A request is asked for `delayMs` after the first `bytes` bytes of the response to `id` are there, in order. */
export type Discovery = Shape<typeof discoverySchema>;

const pageRequestSchema = v.object({
  /** Unique on the page. */
  id: v.string(),
  /** Response bytes, headers included; 1,460 go into a segment. */
  bytes: notNegative,
  /** Bytes of the request, headers included. `DEFAULT_REQUEST_BYTES` unless given. */
  requestBytes: v.exactOptional(notNegative),
  /** Name of the server, any text; a key of the page's `origins` where more is known of it. One server for all unless given. */
  origin: v.exactOptional(v.string()),
  /** `other` unless given. */
  class: v.exactOptional(v.picklist(CONTENT_CLASSES)),
  /**
   * Whether requests that do not block wait for it, as Firefox has images wait for style sheets and for scripts of the head (bug 1793693).
   * Unless given: style sheets do, nothing else does.
   */
  blocking: v.exactOptional(v.boolean()),
  /** What the server needs between the last byte of the request and the first of the response, ms. 0 unless given. */
  serverMs: v.exactOptional(notNegative),
  /** All of these must hold; absent: it is asked for at the start. */
  after: v.exactOptional(v.union([discoverySchema, v.array(discoverySchema)])),
});
export type PageRequest = Shape<typeof pageRequestSchema>;

const originOptionsSchema = v.object({
  /** `http/1.1` unless given. */
  protocol: v.exactOptional(v.picklist(['http/1.1', 'http/2', 'http/3'])),
  /** `none` unless given; HTTP/3 is always 1.3. */
  tls: v.exactOptional(v.picklist(['none', '1.2', '1.3'])),
  /** A session from before is taken up again: TLS 1.2 saves a round trip, TLS 1.3 and QUIC another (0-RTT). False unless given. */
  resumed: v.exactOptional(v.boolean()),
  /** Looking its name up, ms, once. 0 unless given. */
  dnsMs: v.exactOptional(notNegative),
  /** SETTINGS_MAX_CONCURRENT_STREAMS of HTTP/2; absent: 100, what servers usually send. `none`: it sends no limit. */
  maxStreams: v.exactOptional(v.union([count, v.literal('none')])),
});
/** What is known of a server; everything has a default. */
export type OriginOptions = Shape<typeof originOptionsSchema>;

export const pageGraphSchema = v.object({
  /** At least one, at most `MAX_REQUESTS`. The order is that of the page: what comes first is asked for first. */
  requests: v.pipe(v.array(pageRequestSchema), v.minLength(1), v.maxLength(MAX_REQUESTS)),
  origins: v.exactOptional(v.record(v.string(), originOptionsSchema)),
});
/** A page as the simulator loads it. */
export type PageGraph = Shape<typeof pageGraphSchema>;

/** The server of requests that name none. */
export const DEFAULT_ORIGIN = 'origin';

/** What a request waits for, as a list; an unchecked one may hold anything. */
export function discoveriesOf({ after }: PageRequest): readonly Discovery[] {
  if (after === undefined) return [];
  return Array.isArray(after) ? after : [after as Discovery];
}

/** All responses together; a larger page is a mistake, and would take minutes to simulate. */
export const MAX_BYTES = 2 ** 30;
