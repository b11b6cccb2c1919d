/** How the starts of HTTP/1.1 requests are spaced. */
import { ALL_JS, boolean, clamped, type Entry, HANDLER, integer, MANAGER } from './entry.ts';
import { PACING_BURST, PACING_ENABLED, PACING_MIN_PARALLELISM, PACING_PER_SECOND } from './names.ts';

export const PACING: readonly Entry[] = [
  {
    preference: PACING_ENABLED,
    label: 'Pacing of request starts',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect:
      'A token bucket spaces the starts of requests once more connections than min-parallelism are active; scripts and style sheets pass it by.',
    source: `${HANDLER}; Firefox 140 ${MANAGER} TryDispatchTransaction; default ${ALL_JS}`,
  },
  {
    preference: PACING_MIN_PARALLELISM,
    label: 'Connections free of pacing',
    bounds: clamped(1, 1024),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect: 'Up to this many active connections, request starts are not paced.',
    source: `${HANDLER} (clamp 1..1024); default ${ALL_JS}`,
  },
  {
    preference: PACING_PER_SECOND,
    label: 'Paced starts per second',
    bounds: clamped(1, 10_000),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect: 'Rate at which the pacing bucket admits requests.',
    source: `${HANDLER} (clamp 1..10000); default ${ALL_JS}`,
  },
  {
    preference: PACING_BURST,
    label: 'Starts in one burst',
    bounds: integer(
      1,
      10_000,
      'Firefox raises 0 to 1 and has no upper clamp; above the rate of one second (hz, at most 10000) the bucket never binds.',
    ),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect: 'Credit of the pacing bucket: starts admitted at once before the rate applies.',
    source: `${HANDLER}; default ${ALL_JS}`,
  },
];
