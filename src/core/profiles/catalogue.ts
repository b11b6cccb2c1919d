/**
 * Every preference Plumbfox may set, with what is known of it. Nothing outside this list is ever written.
 * Desktop defaults are those of Firefox ESR 153 (a browser test compares them with a real one); Android defaults are those of
 * `mobile/android/app/geckoview-prefs.js` and, where it is silent, of `all.js` and `StaticPrefList.yaml`, ESR 140.
 * Paths under "Firefox" are files of https://searchfox.org/mozilla-esr140/source/ ; "Gecko 52" of the ESR 52 tree.
 */
import type { Knob, KnobBounds, KnobProtocol, PreferenceValue } from './knob.ts';

/** Names of the knobs that other files speak of; what each does is in its entry below. */
export const PER_SERVER = 'network.http.max-persistent-connections-per-server';
export const PER_PROXY = 'network.http.max-persistent-connections-per-proxy';
export const PACING_ENABLED = 'network.http.pacing.requests.enabled';
export const URGENT_START = 'network.http.max-urgent-start-excessive-connections-per-host';
export const HTTP2_CONCURRENT = 'network.http.http2.default-concurrent';
export const HTTP2_PULL_ALLOWANCE = 'network.http.http2.pull-allowance';
export const HTTP2_PUSH_ALLOWANCE = 'network.http.http2.push-allowance';
const HTTP3_MAX_DATA = 'network.http.http3.max_data';
export const HTTP3_MAX_STREAM_DATA = 'network.http.http3.max_stream_data';
export const TOTAL_CONNECTIONS = 'network.http.max-connections';
export const BACKUP_AFTER = 'network.http.connection-retry-timeout';
export const PACING_MIN_PARALLELISM = 'network.http.pacing.requests.min-parallelism';
export const PACING_PER_SECOND = 'network.http.pacing.requests.hz';
export const PACING_BURST = 'network.http.pacing.requests.burst';
export const READ_SIZE = 'network.buffer.cache.size';
export const READ_COUNT = 'network.buffer.cache.count';
export const KEEP_ALIVE = 'network.http.keep-alive.timeout';

const INT32_MAX = 2_147_483_647;
const HANDLER = 'Firefox 140 netwerk/protocol/http/nsHttpHandler.cpp PrefsChanged';
const MANAGER = 'netwerk/protocol/http/nsHttpConnectionMgr.cpp';
const STATIC = 'Firefox 140 modules/libpref/init/StaticPrefList.yaml';
const ALL_JS = 'Firefox 140 modules/libpref/init/all.js';
const GECKOVIEW = 'mobile/android/app/geckoview-prefs.js';
const GECKO_52 = 'Gecko 52 modules/libpref/init/all.js and netwerk/protocol/http/nsHttpHandler.cpp; removed by bug 1340655';
/** Last Gecko with HTTP/1.1 pipelining: bug 1340655 removed it in 54. */
const LAST_PIPELINING = 53;

const boolean: KnobBounds = { type: 'boolean' };
const integer = (min: number, max: number, why?: string): KnobBounds => ({
  type: 'integer',
  min,
  max,
  ...(why === undefined ? {} : { why }),
});
const both = <T>(value: T) => ({ desktop: value, android: value });
const gone = { desktop: undefined, android: undefined };

/** A knob as it is listed: read by every version known, and blurred by nothing, unless given. */
type Entry = Omit<Knob, 'versions' | 'confoundedBy'> & Partial<Pick<Knob, 'versions' | 'confoundedBy'>>;

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

/** Members of `network.http.pipelining*`: read by Gecko up to 53 and its forks (Pale Moon, Basilisk), ignored by Firefox 54 and later. */
function legacy(name: string, options: { label: string; bounds: KnobBounds; effect: string }): Entry {
  return {
    preference: `network.http.${name}`,
    label: options.label,
    bounds: options.bounds,
    defaults: gone,
    versions: { until: LAST_PIPELINING },
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'never',
    effect: `${options.effect} Firefox 54 and later ignore it.`,
    source: GECKO_52,
  };
}

function millisecondsKnob(
  preference: string,
  options: { label: string; max: number; shipped: number; readByUxp: boolean; protocol: KnobProtocol; effect: string; source: string },
): Entry {
  return {
    preference,
    label: options.label,
    bounds: integer(0, options.max),
    defaults: both(options.shipped),
    readByUxp: options.readByUxp,
    protocol: options.protocol,
    takesEffect: 'live',
    effect: options.effect,
    source: options.source,
  };
}

const CONNECTIONS: readonly Entry[] = [
  {
    preference: PER_SERVER,
    label: 'Connections per server',
    bounds: integer(1, 255),
    defaults: both(6),
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
    bounds: integer(1, 255),
    defaults: { desktop: 32, android: 20 },
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
    bounds: integer(
      1,
      65_535,
      'Firefox clamps to the sockets it may open less 8, at most 992, and keeps 16 bits; a larger value is stored and acts as that limit.',
    ),
    defaults: { desktop: 900, android: 128 },
    readByUxp: true,
    protocol: 'tcp',
    takesEffect: 'live',
    effect: 'Most TCP connections open at once to all servers; at the limit idle connections are closed first.',
    source: `${HANDLER} (MaxSocketCount); netwerk/base/nsSocketTransportService2.cpp; defaults ${ALL_JS}`,
  },
  {
    preference: URGENT_START,
    label: 'Extra connections for urgent requests',
    bounds: integer(1, 255),
    defaults: both(3),
    readByUxp: false,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect: 'Urgent requests (the document itself, a click) may exceed the per-server limit by this many connections.',
    source: `${HANDLER} (clamp 1..255); Firefox 140 ${MANAGER} AtActiveConnectionLimit; default ${ALL_JS}`,
  },
  {
    preference: 'network.http.request.max-start-delay',
    label: 'Longest hang of a kept-alive connection, s',
    bounds: integer(0, 65_535),
    defaults: both(10),
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
    bounds: integer(1, 65_535),
    defaults: { desktop: 115, android: 109 },
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
    shipped: 250,
    protocol: 'tcp',
    effect: 'A handshake unanswered for this long gets a second connection beside it; 0 turns that off.',
    source: `${HANDLER} (clamp 0..3000); default ${ALL_JS}`,
  }),
];

const PACING_KNOBS: readonly Entry[] = [
  {
    preference: PACING_ENABLED,
    label: 'Pacing of request starts',
    bounds: boolean,
    defaults: both(true),
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
    bounds: integer(1, 1024),
    defaults: both(6),
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect: 'Up to this many active connections, request starts are not paced.',
    source: `${HANDLER} (clamp 1..1024); default ${ALL_JS}`,
  },
  {
    preference: PACING_PER_SECOND,
    label: 'Paced starts per second',
    bounds: integer(1, 10_000),
    defaults: both(80),
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
    defaults: both(10),
    readByUxp: true,
    protocol: 'http/1.1',
    takesEffect: 'live',
    effect: 'Credit of the pacing bucket: starts admitted at once before the rate applies.',
    source: `${HANDLER}; default ${ALL_JS}`,
  },
];

const MULTIPLEXED: readonly Entry[] = [
  {
    preference: 'network.http.http2.enabled',
    label: 'HTTP/2',
    bounds: boolean,
    defaults: both(true),
    readByUxp: false,
    protocol: 'http/2',
    takesEffect: 'new-connections',
    effect: 'Whether HTTP/2 is offered on new TLS connections; without it they speak HTTP/1.1 (or HTTP/3 where that is on).',
    source: STATIC,
  },
  {
    preference: HTTP2_CONCURRENT,
    label: 'HTTP/2 streams before SETTINGS',
    bounds: integer(1, 9999),
    defaults: both(100),
    readByUxp: false,
    protocol: 'http/2',
    takesEffect: 'new-connections',
    effect:
      'Streams a new HTTP/2 session may have open until the server sends SETTINGS_MAX_CONCURRENT_STREAMS, which replaces it, up or down: against a server that sends one, this has no effect past the first flight.',
    source: `${HANDLER} (clamp 1..9999); Firefox 140 netwerk/protocol/http/Http2Session.cpp RecvSettings`,
    confoundedBy: [{ preference: 'network.http.http3.enable', why: 'An origin reached over HTTP/3 has no HTTP/2 session.' }],
  },
  {
    preference: HTTP2_PULL_ALLOWANCE,
    label: 'HTTP/2 receive window, bytes',
    bounds: integer(1024, INT32_MAX),
    defaults: both(12_582_912),
    readByUxp: false,
    protocol: 'http/2',
    takesEffect: 'new-connections',
    effect:
      'Flow-control window the session and each response start with: bytes a server may send before Firefox acknowledges reading them. A response is acknowledged every 4 MiB, or once 96 KiB of its window are left.',
    source: `${HANDLER} (clamp 1024..2147483647); Firefox 140 netwerk/protocol/http/Http2Session.cpp constructor, UpdateLocalStreamWindow; Http2Session.h kMinimumToAck, kEmergencyWindowThreshold`,
    confoundedBy: [{ preference: HTTP2_PUSH_ALLOWANCE, why: 'The window is the larger of the two.' }],
  },
  {
    preference: HTTP2_PUSH_ALLOWANCE,
    label: 'HTTP/2 window of a new stream, bytes',
    bounds: integer(1024, 12_582_912),
    defaults: { desktop: 131_072, android: 32_768 },
    readByUxp: false,
    protocol: 'http/2',
    takesEffect: 'new-connections',
    effect:
      'Sent as SETTINGS_INITIAL_WINDOW_SIZE; Firefox accepts no push, but no receive window becomes smaller than this, whatever the pull allowance says.',
    source: `${HANDLER} (clamp 1024..12582912); Firefox 140 netwerk/protocol/http/Http2Session.cpp constructor, SendHello; defaults ${ALL_JS}, ${GECKOVIEW}`,
  },
  {
    preference: 'network.http.http3.enable',
    label: 'HTTP/3',
    bounds: boolean,
    defaults: both(true),
    readByUxp: false,
    protocol: 'http/3',
    takesEffect: 'new-connections',
    effect: 'Whether origins that offer HTTP/3 are reached over QUIC.',
    source: STATIC,
    confoundedBy: [
      { preference: 'network.http.altsvc.enabled', why: 'Without alternative services most HTTP/3 origins are never discovered.' },
    ],
  },
  ...[
    { preference: HTTP3_MAX_DATA, label: 'HTTP/3 receive window of a session, bytes', shipped: 25_165_824, of: 'session' },
    { preference: HTTP3_MAX_STREAM_DATA, label: 'HTTP/3 receive window of a response, bytes', shipped: 12_582_912, of: 'response' },
  ].map(
    ({ preference, label, shipped, of }): Entry => ({
      preference,
      label,
      bounds: integer(1024, INT32_MAX, 'Firefox keeps any unsigned 32-bit number; below a packet or so nothing can arrive.'),
      defaults: both(shipped),
      readByUxp: false,
      protocol: 'http/3',
      takesEffect: 'new-connections',
      effect: `QUIC flow-control window a ${of} starts with: bytes a server may send before Firefox allows more.`,
      source: `${STATIC}; Firefox 140 netwerk/protocol/http/Http3Session.cpp Init`,
    }),
  ),
  {
    preference: 'network.http.altsvc.enabled',
    label: 'Alternative services',
    bounds: boolean,
    defaults: both(true),
    readByUxp: true,
    protocol: 'http/3',
    takesEffect: 'live',
    effect: 'Whether Alt-Svc headers are heeded (RFC 7838): the usual way a Firefox learns that an origin speaks HTTP/3.',
    source: `${HANDLER}; default ${ALL_JS}`,
  },
];

const SPECULATION: readonly Entry[] = [
  {
    preference: 'network.http.speculative-parallel-limit',
    label: 'Speculative connections at once',
    bounds: integer(0, 1024),
    defaults: { desktop: 20, android: 6 },
    readByUxp: true,
    protocol: 'all',
    takesEffect: 'live',
    effect: 'A connection is opened ahead of need only while fewer than this many are half-open; 0 turns it off.',
    source: `${HANDLER} (clamp 0..1024); Firefox 140 ${MANAGER} DoSpeculativeConnection; defaults ${ALL_JS}`,
  },
  {
    preference: 'network.prefetch-next',
    label: 'Link prefetching',
    bounds: boolean,
    defaults: both(true),
    readByUxp: true,
    protocol: 'all',
    takesEffect: 'live',
    effect: 'Whether <link rel=prefetch> is followed when Firefox is idle.',
    source: `uriloader/prefetch/nsPrefetchService.cpp; default ${ALL_JS}`,
  },
  {
    preference: 'network.dns.disablePrefetch',
    label: 'No DNS prefetching',
    bounds: boolean,
    defaults: both(false),
    readByUxp: true,
    protocol: 'dns',
    takesEffect: 'live',
    effect: 'True: names of links on a page are not looked up ahead of need.',
    source: 'Firefox 140 netwerk/dns/DNSServiceBase.cpp',
  },
  {
    preference: 'network.dns.disablePrefetchFromHTTPS',
    label: 'No DNS prefetching on https pages',
    bounds: boolean,
    defaults: both(false),
    readByUxp: false,
    protocol: 'dns',
    takesEffect: 'live',
    effect: 'True: as network.dns.disablePrefetch, for https pages only.',
    source: STATIC,
  },
];

const SCHEDULING: readonly Entry[] = [
  {
    preference: 'network.http.throttle.enable',
    label: 'Throttling of background responses',
    bounds: boolean,
    defaults: both(false),
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
    defaults: both(true),
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
    shipped: 600,
    protocol: 'all',
    effect: 'A tailed request waits this long for each request of the page still under way, plus once.',
    source: `${STATIC}; ${HANDLER} (clamp 0..60000)`,
  }),
];

const BUFFERS_AND_CACHES: readonly Entry[] = [
  {
    preference: READ_SIZE,
    label: 'Read segment, bytes',
    bounds: integer(1, 1_048_575),
    defaults: { desktop: 32_768, android: 16_384 },
    readByUxp: true,
    protocol: 'all',
    takesEffect: 'live',
    effect: 'Size of one segment of the pipe a response is read through. The name is older than the code (bug 715770).',
    source: `Firefox 140 netwerk/base/nsIOService.cpp PrefsChanged (0 < size < 1 MiB); defaults ${ALL_JS}, ${GECKOVIEW}`,
    confoundedBy: [{ preference: READ_COUNT, why: 'What may wait unread is size x count.' }],
  },
  {
    preference: READ_COUNT,
    label: 'Read segments',
    bounds: integer(1, 1024, 'Firefox accepts any positive number; 1024 segments of 32 KiB already buffer 32 MiB per response.'),
    defaults: both(24),
    readByUxp: true,
    protocol: 'all',
    takesEffect: 'live',
    effect: 'Segments of the pipe a response is read through.',
    source: `Firefox 140 netwerk/base/nsIOService.cpp PrefsChanged; default ${ALL_JS}`,
    confoundedBy: [{ preference: READ_SIZE, why: 'What may wait unread is size x count.' }],
  },
  {
    preference: 'network.dnsCacheExpiration',
    label: 'DNS cache life, s',
    bounds: integer(
      0,
      86_400,
      'Firefox keeps any unsigned 32-bit number; a day is the most the catalogue allows, lest a moved server stay unreachable.',
    ),
    defaults: both(60),
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
    defaults: { desktop: 1600, android: 800 },
    readByUxp: true,
    protocol: 'dns',
    takesEffect: 'live',
    effect: 'Names kept; read when an entry is made. 800 in Firefox 140, 1600 in 153.',
    source: `${STATIC}; desktop default read from Firefox ESR 153`,
  },
  {
    preference: 'network.ssl_tokens_cache_capacity',
    label: 'TLS resumption tokens, KiB',
    bounds: integer(0, 1_048_576, 'Firefox shifts the number left by 10 bits; 1 GiB stays far from overflow.'),
    defaults: { desktop: 8192, android: 2048 },
    readByUxp: false,
    protocol: 'tls',
    takesEffect: 'live',
    effect: 'Room for session tickets, which spare a TLS 1.3 resumption the certificate exchange. 2048 in Firefox 140, 8192 in 153.',
    source: `${STATIC}; netwerk/base/SSLTokensCache.cpp; desktop default read from Firefox ESR 153`,
  },
];

const LEGACY_PIPELINING: readonly Entry[] = [
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

/** Each preference once; the order is the order of tables and of everything written. */
export const CATALOGUE: readonly Knob[] = [
  ...CONNECTIONS,
  ...PACING_KNOBS,
  ...MULTIPLEXED,
  ...SPECULATION,
  ...SCHEDULING,
  ...BUFFERS_AND_CACHES,
  ...LEGACY_PIPELINING,
].map((entry) => ({ versions: {}, confoundedBy: [], ...entry }));

const byPreference: ReadonlyMap<string, Knob> = new Map(CATALOGUE.map((knob) => [knob.preference, knob]));

/** The catalogue's entry of a preference; `undefined`: it is not in the catalogue and must not be set. */
export const findKnob = (preference: string): Knob | undefined => byPreference.get(preference);

/** Preferences in the catalogue's order, so that the same profile always gives the same file. What is not in the catalogue is left out. */
export function inCatalogueOrder(preferences: Readonly<Record<string, PreferenceValue>>): readonly (readonly [string, PreferenceValue])[] {
  return CATALOGUE.flatMap(({ preference }) => {
    const value = Object.hasOwn(preferences, preference) ? preferences[preference] : undefined;
    return value === undefined ? [] : [[preference, value] as const];
  });
}
