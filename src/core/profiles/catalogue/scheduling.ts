/** Which of the requests that wait goes first, and which is held back. */
import { ALL_JS, boolean, type Entry, HANDLER, millisecondsKnob, STATIC } from './entry.ts';

export const SCHEDULING: readonly Entry[] = [
  {
    preference: 'network.http.throttle.enable',
    label: 'Throttling of background responses',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: false,
    protocol: 'all',
    takesEffect: 'live',
    effect: 'Reading of background and throttleable responses is suspended and resumed in turns while others load.',
    source: `${HANDLER}; default ${ALL_JS}`,
  },
  {
    preference: 'network.http.tailing.enabled',
    label: 'Tailing of trackers',
    bounds: boolean,
    android: 'as-desktop',
    readByUxp: false,
    protocol: 'all',
    takesEffect: 'live',
    effect: 'Requests to known trackers wait until the others of the page are under way.',
    source: STATIC,
  },
  millisecondsKnob('network.http.tailing.delay-quantum', {
    readByUxp: false,
    label: 'Tailing delay per request, ms',
    max: 60_000,
    protocol: 'all',
    effect: 'A tailed request waits this long for each request of the page still under way, plus once.',
    source: `${STATIC}; ${HANDLER} (clamp 0..60000)`,
  }),
];
