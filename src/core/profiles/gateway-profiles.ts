/** Offered for the gateway: the pick of 2008, and what it was picked among. */
export const GATEWAY_PROFILES = ['c4-d6', 'c6-d4', 'c2-d6', 'c1-d6'] as const;

/** More requests at once Firefox sends to no proxy: `network.http.max-persistent-connections-per-proxy` as shipped (all.js). */
export const MAX_THROUGH_GATEWAY = 32;
