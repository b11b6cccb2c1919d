/** HTTP/1.1 pipelining as Gecko had it up to 53. */
import type { KnobBounds } from '../knob.ts';
import { boolean, type Entry, integer } from './entry.ts';

const GECKO_52 = 'Gecko 52 modules/libpref/init/all.js and netwerk/protocol/http/nsHttpHandler.cpp; removed by bug 1340655';
/** Last Gecko with HTTP/1.1 pipelining: bug 1340655 removed it in 54. */
const LAST_PIPELINING = 53;

/** Members of `network.http.pipelining*`: read by Gecko up to 53 and its forks (Pale Moon, Basilisk), ignored by Firefox 54 and later. */
function legacy(name: string, options: { label: string; bounds: KnobBounds; effect: string }): Entry {
  return {
    preference: `network.http.${name}`,
    label: options.label,
    bounds: options.bounds,
    android: 'as-desktop',
    versions: { until: LAST_PIPELINING },
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'never',
    effect: `${options.effect} Firefox 54 and later ignore it.`,
    source: GECKO_52,
  };
}

export const LEGACY: readonly Entry[] = [
  legacy('pipelining', { label: 'Pipelining', bounds: boolean, effect: 'HTTP/1.1 pipelining on plain http.' }),
  legacy('pipelining.ssl', { label: 'Pipelining over TLS', bounds: boolean, effect: 'HTTP/1.1 pipelining on https.' }),
  legacy('proxy.pipelining', {
    label: 'Pipelining through a proxy',
    bounds: boolean,
    effect: 'HTTP/1.1 pipelining through an HTTP proxy.',
  }),
  legacy('pipelining.maxrequests', {
    label: 'Pipeline depth',
    bounds: integer(1, 65_535, 'The clamp of Gecko 52; Gecko 1.8 to 2.0 clamped to 8 (NS_HTTP_MAX_PIPELINED_REQUESTS).'),
    effect: 'Most requests outstanding on one connection; late Gecko adapts below it (2 until a server has proved itself).',
  }),
  legacy('pipelining.max-optimistic-requests', {
    label: 'Optimistic requests',
    bounds: integer(1, 65_535),
    effect: 'Most requests pipelined where a new connection would have been allowed instead.',
  }),
  legacy('pipelining.aggressive', {
    label: 'Aggressive pipelining',
    bounds: boolean,
    effect: 'Pipelines without waiting for a server to prove itself.',
  }),
  legacy('pipelining.maxsize', {
    label: 'Largest pipelined response, bytes',
    bounds: integer(1000, 100_000_000),
    effect: 'A response larger than this stops further pipelining on its connection.',
  }),
  legacy('pipelining.reschedule-on-timeout', {
    label: 'Reschedule behind a slow response',
    bounds: boolean,
    effect: 'Requests held up by the one ahead of them move to another connection.',
  }),
  legacy('pipelining.reschedule-timeout', {
    label: 'Wait before rescheduling, ms',
    bounds: integer(500, 65_535),
    effect: 'How long requests wait behind the one ahead of them before they move.',
  }),
  legacy('pipelining.read-timeout', {
    label: 'Wait before giving up a pipeline, ms',
    bounds: integer(5000, 65_535),
    effect: 'A pipelined request unanswered for this long starts again without pipelining.',
  }),
];
