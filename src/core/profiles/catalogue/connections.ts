/** How many TCP connections are opened, and how long they are kept. */
import { ALL_JS, clamped, type Entry, GECKOVIEW, HANDLER, MANAGER, millisecondsKnob } from './entry.ts';
import { BACKUP_AFTER, KEEP_ALIVE, PACING_ENABLED, PER_PROXY, PER_SERVER, TOTAL_CONNECTIONS, URGENT_START } from './names.ts';

const BACKUP_CONNECTION = {
  preference: BACKUP_AFTER,
  why: 'Where a handshake takes longer than this (250 ms as shipped), Firefox opens a second, backup connection: on links of that round-trip time servers see more connections than the limit suggests.',
};
const URGENT = {
  preference: URGENT_START,
  why: 'Urgent requests (the document itself, a click) may open this many connections above the limit (3 as shipped).',
};
const PACING = {
  preference: PACING_ENABLED,
  why: 'With more than min-parallelism (6) connections active, request starts are paced: a limit above 6 is held back by it.',
};
const SERVER_DECIDES = {
  preference: 'network.http.http2.enabled',
  why: 'Origins that speak HTTP/2 or HTTP/3 use one connection whatever this says.',
};

export const CONNECTIONS: readonly Entry[] = [
  {
    preference: PER_SERVER,
    label: 'Connections per server',
    bounds: clamped(1, 255),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect:
      'Most HTTP/1.1 connections open at once to one server (scheme, host, port and partition). Lowering it holds only after the idle connections are closed: kept-alive ones above the new limit are still used.',
    source: `${HANDLER} (clamp 1..255); Firefox 140 ${MANAGER} MaxPersistConnections; default ${ALL_JS}`,
    confoundedBy: [PACING, URGENT, BACKUP_CONNECTION, SERVER_DECIDES],
  },
  {
    preference: PER_PROXY,
    label: 'Connections per proxy',
    bounds: clamped(1, 255),
    android: { value: 20 },
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect: 'Stands in for the per-server limit on plain http through an HTTP proxy; https through CONNECT keeps the per-server limit.',
    source: `${HANDLER} (clamp 1..255); Firefox 140 ${MANAGER} MaxPersistConnections; defaults ${ALL_JS}, ${GECKOVIEW} (bug 648603)`,
    confoundedBy: [PACING],
  },
  {
    preference: TOTAL_CONNECTIONS,
    label: 'Connections in all',
    bounds: {
      type: 'integer',
      min: 1,
      max: 65_535,
      why: 'Firefox clamps to the sockets it may open less 8, at most 992, and keeps 16 bits; a larger value is stored and acts as that limit.',
      clamp: { min: 1, max: 992, beyond: 'nearest' },
    },
    android: { value: 128 },
    readByUxp: true,
    protocol: 'tcp',
    takesEffect: 'live',
    effect: 'Most TCP connections open at once to all servers; at the limit idle connections are closed first.',
    source: `${HANDLER} (MaxSocketCount); netwerk/base/nsSocketTransportService2.cpp; defaults ${ALL_JS}`,
  },
  {
    preference: URGENT_START,
    label: 'Extra connections for urgent requests',
    bounds: clamped(1, 255),
    android: 'as-desktop',
    readByUxp: false,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect: 'Urgent requests (the document itself, a click) may exceed the per-server limit by this many connections.',
    source: `${HANDLER} (clamp 1..255); Firefox 140 ${MANAGER} AtActiveConnectionLimit; default ${ALL_JS}`,
  },
  {
    preference: 'network.http.request.max-start-delay',
    label: 'Longest hang of a kept-alive connection, s',
    bounds: clamped(0, 65_535),
    android: 'as-desktop',
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'new-connections',
    effect:
      'A connection on which the gap between two reads reaches this many seconds is not kept alive afterwards. The comment in all.js (requests waiting to start) describes older code.',
    source: `${HANDLER} (clamp 0..65535); Firefox 140 netwerk/protocol/http/nsHttpConnection.cpp OnSocketReadable; default ${ALL_JS}`,
  },
  {
    preference: KEEP_ALIVE,
    label: 'Idle life of a connection, s',
    bounds: clamped(1, 65_535),
    android: { value: 109 },
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect: 'How long an idle connection is kept for reuse.',
    source: `${HANDLER} (clamp 1..65535); defaults ${ALL_JS}, ${GECKOVIEW} (bug 1007959)`,
  },
  millisecondsKnob(BACKUP_AFTER, {
    readByUxp: true,
    label: 'Wait before a backup connection, ms',
    max: 3000,
    protocol: 'tcp',
    effect: 'A handshake unanswered for this long gets a second connection beside it; 0 turns that off.',
    source: `${HANDLER} (clamp 0..3000); default ${ALL_JS}`,
  }),
];
