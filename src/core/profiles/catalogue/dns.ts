/** Name lookups and their cache. */
import { type Entry, integer, STATIC } from './entry.ts';

export const DNS: readonly Entry[] = [
  {
    preference: 'network.dnsCacheExpiration',
    label: 'DNS cache life, s',
    bounds: integer(
      0,
      86_400,
      'Firefox keeps any unsigned 32-bit number; a day is the most the catalogue allows, lest a moved server stay unreachable.',
    ),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'dns',
    takesEffect: 'live',
    effect: 'How long a looked-up address is used; read when an entry is made.',
    source: `${STATIC}; Firefox 140 netwerk/dns/nsHostResolver.cpp`,
  },
  {
    preference: 'network.dnsCacheEntries',
    label: 'DNS cache entries',
    bounds: integer(0, 65_535, 'Firefox keeps any unsigned 32-bit number.'),
    android: { value: 800 },
    readByUxp: true,
    protocol: 'dns',
    takesEffect: 'live',
    effect: 'Names kept; read when an entry is made. 800 in Firefox 140, 1600 in 153.',
    source: `${STATIC}; desktop default read from Firefox ESR 153`,
  },
];
