/** How the starts of HTTP/1.1 requests are spaced. */
import { boolean, clamped, type Entry, integer } from './entry.ts';
import { PACING_BURST, PACING_ENABLED, PACING_MIN_PARALLELISM, PACING_PER_SECOND } from './names.ts';

export const PACING: readonly Entry[] = [
  {
    preference: PACING_ENABLED,
    label: 'Request pacing',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
  },
  {
    preference: PACING_MIN_PARALLELISM,
    label: 'Connections free of pacing',
    bounds: clamped(1, 1024),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
  },
  {
    preference: PACING_PER_SECOND,
    label: 'Request pacing, starts/s',
    bounds: clamped(1, 10_000),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
  },
  {
    preference: PACING_BURST,
    label: 'Starts in one burst',
    bounds: integer(1, 10_000),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
  },
];
