/** What the gateway does and its simulation repeats. */

/**
 * Probation: what an origin goes through before anything is pipelined to it. An origin that sends surplus responses shows it then before the next
 * request is sent; in the middle of a pipeline nothing shows which response is the surplus one.
 */
export const PROBATION = {
  /** So many responses come one at a time on each connection: a page and some of its pieces, a round trip or two over four connections. Chosen. */
  answers: 8,
  /**
   * After each of them its connection takes the next request only when so long no byte has come, or a round trip (as its handshake took) where that
   * is longer, ms: a surplus response that comes late must find nothing outstanding, or it passes for the next one. Chosen.
   */
  quietMs: 100,
} as const;
