/** What the gateway does and its simulation repeats, and where it is not predicted. */

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

/**
 * How far the gateway knows the sites of a load. `first-visit`: not at all, they go through probation; `known-site`: they have passed it, and some
 * connection to each has been open since (at most two minutes after a page).
 */
export const GATEWAY_VISITS = ['first-visit', 'known-site'] as const;
export type GatewayVisit = (typeof GATEWAY_VISITS)[number];

/**
 * Gains through the gateway are predicted over round trips from here on, ms. Of the accuracy corpus' gains of 3 % and more none of 4 held over 20 ms,
 * 3 were losses of as much; over 50 ms all of 10 held (docs/accuracy.md). A loss of 22 % over 30 ms had been predicted as a gain of 27 %.
 */
export const MIN_GATEWAY_RTT_MS = 50;

/** Why a change of speed is not predicted though the simulation has one. */
export const WITHHELD = ['short-round-trips'] as const;
export type Withheld = (typeof WITHHELD)[number];
