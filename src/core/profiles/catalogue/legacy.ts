/** HTTP/1.1 pipelining as Gecko had it up to 53. */
import type { KnobBounds } from '../knob.ts';
import { boolean, type Entry, integer } from './entry.ts';

/** Last Gecko with HTTP/1.1 pipelining: bug 1340655 removed it in 54. */
const LAST_PIPELINING = 53;

/** Members of `network.http.pipelining*`: read by Gecko up to 53 and its forks (Pale Moon, Basilisk), ignored by Firefox 54 and later. */
function legacy(name: string, options: { label: string; bounds: KnobBounds }): Entry {
  return {
    preference: `network.http.${name}`,
    label: options.label,
    bounds: options.bounds,
    android: 'as-desktop',
    versions: { until: LAST_PIPELINING },
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'never',
  };
}

export const LEGACY: readonly Entry[] = [
  legacy('pipelining', { label: 'Pipelining', bounds: boolean }),
  legacy('pipelining.ssl', { label: 'Pipelining over TLS', bounds: boolean }),
  legacy('proxy.pipelining', {
    label: 'Pipelining through a proxy',
    bounds: boolean,
  }),
  legacy('pipelining.maxrequests', {
    label: 'Pipeline depth',
    bounds: integer(1, 65_535),
  }),
  legacy('pipelining.max-optimistic-requests', {
    label: 'Optimistic requests',
    bounds: integer(1, 65_535),
  }),
  legacy('pipelining.aggressive', {
    label: 'Aggressive pipelining',
    bounds: boolean,
  }),
  legacy('pipelining.maxsize', {
    label: 'Largest pipelined response, bytes',
    bounds: integer(1000, 100_000_000),
  }),
  legacy('pipelining.reschedule-on-timeout', {
    label: 'Reschedule behind a slow response',
    bounds: boolean,
  }),
  legacy('pipelining.reschedule-timeout', {
    label: 'Wait before rescheduling, ms',
    bounds: integer(500, 65_535),
  }),
  legacy('pipelining.read-timeout', {
    label: 'Wait before giving up a pipeline, ms',
    bounds: integer(5000, 65_535),
  }),
];
