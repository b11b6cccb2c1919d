/**
 * What to do with the connection of a request whose client went away. Pure.
 * HTTP/1.1 cannot cancel one response: either the connection is closed, which throws away what the others on it have under
 * way, or the response is read and discarded.
 */

/**
 * Bytes worth reading and discarding to keep a connection that others wait on: about what a closed connection costs,
 * a round trip and a new slow start (initial window of 10 segments, RFC 6928, doubled twice).
 */
export const DISCARD_LIMIT_BYTES = 64 * 1024;

export interface AbandonedResponse {
  /** Requests of other, present clients outstanding on the connection. */
  readonly othersOutstanding: number;
  /** Whether its response head has come. */
  readonly begun: boolean;
  /** Body bytes still to come, where the head said so. */
  readonly remainingBytes: number | undefined;
  /** Bytes discarded so far. */
  readonly discardedBytes: number;
}

/** Closing is safe for the others: while this response is at the head of the connection, none of theirs has begun. */
export function whenAbandoned(response: AbandonedResponse): 'close' | 'discard' {
  if (response.othersOutstanding === 0) return 'close';
  if (!response.begun) return 'discard';
  return Math.max(response.remainingBytes ?? 0, response.discardedBytes) > DISCARD_LIMIT_BYTES ? 'close' : 'discard';
}
