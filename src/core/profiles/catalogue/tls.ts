/** Handshakes, and what spares a part of them. */
import { type Entry, integer, STATIC } from './entry.ts';

export const TLS: readonly Entry[] = [
  {
    preference: 'network.ssl_tokens_cache_capacity',
    label: 'TLS resumption tokens, KiB',
    bounds: integer(0, 1_048_576, 'Firefox shifts the number left by 10 bits; 1 GiB stays far from overflow.'),
    android: { value: 2048 },
    readByUxp: false,
    protocol: 'tls',
    takesEffect: 'live',
    effect: 'Room for session tickets, which spare a TLS 1.3 resumption the certificate exchange. 2048 in Firefox 140, 8192 in 153.',
    source: `${STATIC}; netwerk/base/SSLTokensCache.cpp; desktop default read from Firefox ESR 153`,
  },
];
