/** A page as the simulator takes it: every request with what must have arrived before it is requested. */

import type { HttpVersion } from '../measure/page-load.ts';

/** What a request is for: decides its turn in the browser's queue, and whether it holds others back. */
export const CONTENT_CLASSES = ['document', 'stylesheet', 'script', 'font', 'fetch', 'image', 'media', 'other'] as const;
export type ContentClass = (typeof CONTENT_CLASSES)[number];

/** A request is asked for `delayMs` after the first `bytes` bytes of the response to `id` are there, in order. */
export interface Discovery {
  readonly id: string;
  /** Bytes of the response, headers included. Absent: the whole response. 0: with the response's first byte. */
  readonly bytes?: number;
  /** What the browser's processor needs in between, ms. 0 unless given. */
  readonly delayMs?: number;
}

export interface PageRequest {
  /** Unique on the page. */
  readonly id: string;
  /** Response bytes, headers included; 1,460 go into a segment. */
  readonly bytes: number;
  /** Bytes of the request, headers included. `DEFAULT_REQUEST_BYTES` unless given. */
  readonly requestBytes?: number;
  /** Name of the server, any text; a key of the page's `origins` where more is known of it. One server for all unless given. */
  readonly origin?: string;
  /** `other` unless given. */
  readonly class?: ContentClass;
  /**
   * Whether requests that do not block wait for it, as Firefox has images wait for style sheets and for scripts of the head (bug 1793693).
   * Unless given: style sheets do, nothing else does.
   */
  readonly blocking?: boolean;
  /** What the server needs between the last byte of the request and the first of the response, ms. 0 unless given. */
  readonly serverMs?: number;
  /** All of these must hold; absent: it is asked for at the start. */
  readonly after?: Discovery | readonly Discovery[];
}

/** What is known of a server; everything has a default. */
export interface OriginOptions {
  /** `http/1.1` unless given. */
  readonly protocol?: Exclude<HttpVersion, 'http/1.0'>;
  /** `none` unless given; HTTP/3 is always 1.3. */
  readonly tls?: 'none' | '1.2' | '1.3';
  /** A session from before is taken up again: TLS 1.2 saves a round trip, TLS 1.3 and QUIC another (0-RTT). False unless given. */
  readonly resumed?: boolean;
  /** Looking its name up, ms, once. 0 unless given. */
  readonly dnsMs?: number;
  /** SETTINGS_MAX_CONCURRENT_STREAMS of HTTP/2; absent: 100, what servers usually send. `none`: it sends no limit. */
  readonly maxStreams?: number | 'none';
}

/** A page as the simulator loads it. */
export interface PageGraph {
  /** At least one, at most `MAX_REQUESTS`. The order is that of the page: what comes first is asked for first. */
  readonly requests: readonly PageRequest[];
  readonly origins?: Readonly<Record<string, OriginOptions>>;
}

/** Above this a page is refused: no page of the HTTP Archive's has so many, and a mistake is likelier. */
export const MAX_REQUESTS = 20_000;
/** The server of requests that name none. */
export const DEFAULT_ORIGIN = 'origin';

/** What a request waits for, as a list; an unchecked one may hold anything. */
export function discoveriesOf({ after }: PageRequest): readonly Discovery[] {
  if (after === undefined) return [];
  return Array.isArray(after) ? after : [after as Discovery];
}

/** All responses together; a larger page is a mistake, and would take minutes to simulate. */
export const MAX_BYTES = 2 ** 30;
