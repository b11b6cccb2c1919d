/**
 * Witnesses: for a preference, a scenario of the lab in which changing it changes something counted, with the direction stated. Each is held
 * against a real Firefox by test/browser/witness: the counts differ as stated, and do not where the preference is not set. Reading a preference
 * back is no witness.
 */
import type { PreferenceValue } from './knob.ts';

/** The thing counted in each scenario; src/lab/witness/scenarios has one of each name. */
const COUNTS = {
  'held-pictures': 'requests at once',
  'held-pictures-by-proxy': 'requests at once',
  'held-pictures-of-many-servers': 'requests at once',
  'paced-pictures': 'requests at once',
  'picture-after-idling': 'connections',
  'picture-after-pause': 'connections',
  'http2-requests': 'requests over HTTP/2',
  'initial-window': 'bytes of SETTINGS_INITIAL_WINDOW_SIZE',
  'session-window': 'bytes that the window of a session is enlarged by',
  'header-table': 'bytes of SETTINGS_HEADER_TABLE_SIZE',
  'held-streams': 'requests at once',
  'upload-frames': 'bytes of the longest DATA frame',
  'two-names': 'connections',
  'slow-picture': 'PING frames',
  'session-after-idling': 'connections',
  'priority-headers': 'requests with a Priority field',
  'urgency-spread': 'steps of urgency between two pictures',
  'key-shares': 'key shares offered',
  'unanswered-handshake': 'handshakes given up within 12 s',
  'resumed-connections': 'resumed TLS sessions',
  'version-6-questions': 'questions for AAAA records',
  'questions-over-https': 'DNS questions over HTTPS',
  'linked-names': 'pages whose links are asked for',
  'hinted-names': 'pages whose hints are asked for',
  'anchor-names': 'pages whose links are asked for',
  'anchor-names-over-tls': 'pages whose links are asked for',
  'service-record': 'first pages that begin over QUIC',
  'upgraded-by-record': 'pages that come over TLS unasked',
  'hidden-name': 'ClientHellos that hide the name',
  'many-names': 'questions about one name',
  'quic-max-data': 'bytes of initial_max_data',
  'quic-max-stream-data': 'bytes of initial_max_stream_data',
  'quic-idle-timeout': 'ms of max_idle_timeout',
  'quic-key-shares': 'key shares offered over QUIC',
  'quic-receive-buffer': 'bytes of the receive buffer of the UDP socket',
  'quic-connections': 'pages that begin over QUIC',
  'quic-without-answer': 'pages over TCP within 1.5 s',
  'announced-service': 'second pages that begin over QUIC',
  'early-attempts': 'connections being tried after 0.9 s',
  'late-attempts': 'connections being tried after 3.2 s',
  'unanswered-request': 'requests given up within 3.5 s',
  'probes-due': 'connections with a keep-alive probe due',
  'next-probe': 's until a keep-alive probe',
  'upload-buffer': 'bytes of the send buffer',
  'pressed-pictures': 'requests beyond the connections per server',
  'silent-version-6': 'pages over IPv4 within 2.5 s',
  'silent-version-6-soon': 'pages over IPv4 within 2.5 s',
  'silent-version-6-alone': 'pages over IPv4 within 2.5 s',
  'late-version-6': 'pages over IPv4 within 2.5 s',
  preconnects: 'connections to servers that are only named',
  prefetched: 'requests ahead of need',
  'preloaded-modules': 'requests ahead of need',
  'early-hints': 'requests before the page has come',
  'early-hints-http1': 'requests before the page has come',
  'early-preconnects': 'connections before the page has come',
  'tracker-soon': 'requests to a tracker within 1.5 s',
  'tracker-capped': 'requests to a tracker within 2.5 s',
  'tracker-after-content': 'requests to a tracker within 2.5 s',
  'pictures-beside-style': 'pictures asked for before the style sheet has come',
  'tab-in-front': 'of the next ten requests, those of the tab in front',
  'throttled-download': 'kB of a download in a tab behind, in 2 s',
  'throttled-in-turns': 'kB of a download in a tab behind, in 2 s',
  'throttled-for-so-long': 'kB of a download in a tab behind, in 2 s',
  'throttled-afterwards': 'kB of a download in a tab behind, in 2 s',
  'kept-on-disk': 'requests for one response',
  'kept-on-disk-exactly': 'requests for one response',
  'kept-in-memory': 'requests for one response',
  'stale-response': 'pages that use a stale response',
  dictionary: 'requests that offer a dictionary',
  'unread-bytes': 'bytes that nobody has read',
} as const;

export type ScenarioId = keyof typeof COUNTS;

/** The test file that holds a witness, and what it has to do with. */
export type WitnessRoom = 'http1' | 'http2' | 'http3' | 'tls' | 'dns' | 'connecting' | 'speculation' | 'scheduling' | 'cache';

export interface Witness {
  readonly preference: string;
  readonly room: WitnessRoom;
  readonly scenario: ScenarioId;
  /** The thing counted, for people. */
  readonly counts: string;
  readonly values: readonly [PreferenceValue, PreferenceValue];
  /** The count under the second value beside that under the first. */
  readonly direction: 'more' | 'fewer';
  /** The smallest difference that tells the two apart. */
  readonly atLeast: number;
}

type Row = readonly [
  preference: string,
  scenario: ScenarioId,
  values: readonly [PreferenceValue, PreferenceValue],
  direction: Witness['direction'],
  /** 1 unless given. */
  atLeast?: number,
];

/** Pacing holds back so many of 48 requests that chance does not make up for it: a token that falls due is one more. */
const PACED = 12;

/** A busy machine may connect to ten of the twelve servers that a page names; without the preference it connects to none. */
const HALF_NAMED = 6;

const ROOMS: Readonly<Record<WitnessRoom, readonly Row[]>> = {
  http1: [
    ['network.http.max-persistent-connections-per-server', 'held-pictures', [2, 12], 'more'],
    ['network.http.max-persistent-connections-per-proxy', 'held-pictures-by-proxy', [4, 40], 'more'],
    ['network.http.max-connections', 'held-pictures-of-many-servers', [8, 900], 'more'],
    ['network.http.pacing.requests.enabled', 'paced-pictures', [true, false], 'more', PACED],
    ['network.http.pacing.requests.min-parallelism', 'paced-pictures', [6, 30], 'more', PACED],
    ['network.http.pacing.requests.hz', 'paced-pictures', [1, 1000], 'more', PACED],
    ['network.http.pacing.requests.burst', 'paced-pictures', [1, 40], 'more', PACED],
    ['network.http.keep-alive.timeout', 'picture-after-idling', [1, 115], 'fewer'],
    ['network.http.request.max-start-delay', 'picture-after-pause', [1, 10], 'fewer'],
  ],
  http2: [
    ['network.http.http2.enabled', 'http2-requests', [false, true], 'more'],
    ['network.http.http2.default-concurrent', 'held-streams', [4, 100], 'more'],
    ['network.http.http2.pull-allowance', 'session-window', [1_000_000, 12_582_912], 'more'],
    ['network.http.http2.push-allowance', 'initial-window', [65_536, 131_072], 'more'],
    ['network.http.http2.default-hpack-buffer', 'header-table', [4096, 65_536], 'more'],
    ['network.http.http2.chunk-size', 'upload-frames', [1000, 16_000], 'more'],
    ['network.http.http2.coalesce-hostnames', 'two-names', [false, true], 'fewer'],
    ['network.http.http2.ping-threshold', 'slow-picture', [1, 58], 'fewer'],
    ['network.http.http2.timeout', 'session-after-idling', [1, 170], 'fewer'],
    ['network.http.priority_header.enabled', 'priority-headers', [false, true], 'more'],
    ['network.fetchpriority.enabled', 'urgency-spread', [false, true], 'more', 2],
  ],
  tls: [
    ['network.http.tls-handshake-timeout', 'unanswered-handshake', [1, 30], 'fewer'],
    ['network.ssl_tokens_cache_capacity', 'resumed-connections', [0, 8192], 'more'],
    ['network.ssl_tokens_cache_records_per_entry', 'resumed-connections', [1, 10], 'more'],
    ['security.tls.enable_kyber', 'key-shares', [false, true], 'more'],
  ],
  http3: [
    ['network.http.http3.enable', 'quic-connections', [false, true], 'more'],
    ['network.http.altsvc.enabled', 'announced-service', [false, true], 'more'],
    ['network.http.http3.max_data', 'quic-max-data', [1_000_000, 25_165_824], 'more'],
    ['network.http.http3.max_stream_data', 'quic-max-stream-data', [1_000_000, 12_582_912], 'more'],
    ['network.http.http3.idle_timeout', 'quic-idle-timeout', [10, 30], 'more'],
    ['network.http.http3.enable_kyber', 'quic-key-shares', [false, true], 'more'],
    ['network.http.http3.recvBufferSize', 'quic-receive-buffer', [65_536, 1_048_576], 'more'],
    ['network.http.http3.backup_timer_delay', 'quic-without-answer', [100, 10_000], 'fewer'],
  ],
  dns: [
    ['network.trr.mode', 'questions-over-https', [5, 3], 'more'],
    ['network.dns.disableIPv6', 'version-6-questions', [true, false], 'more'],
    ['network.dns.disablePrefetch', 'linked-names', [true, false], 'more'],
    ['network.dns.disablePrefetchFromHTTPS', 'hinted-names', [true, false], 'more'],
    ['dom.prefetch_dns_for_anchor_http_document', 'anchor-names', [false, true], 'more'],
    ['dom.prefetch_dns_for_anchor_https_document', 'anchor-names-over-tls', [false, true], 'more'],
    ['network.dns.use_https_rr_as_altsvc', 'service-record', [false, true], 'more'],
    ['network.dns.upgrade_with_https_rr', 'upgraded-by-record', [false, true], 'more'],
    ['network.dns.echconfig.enabled', 'hidden-name', [false, true], 'more'],
    ['network.dnsCacheEntries', 'many-names', [4, 1600], 'fewer'],
  ],
  connecting: [
    ['network.http.connection-retry-timeout', 'early-attempts', [0, 250], 'more'],
    ['network.http.connection-timeout', 'late-attempts', [1, 90], 'more'],
    ['network.http.response.timeout', 'unanswered-request', [1, 300], 'fewer'],
    ['network.http.max-urgent-start-excessive-connections-per-host', 'pressed-pictures', [1, 6], 'more'],
    ['network.http.tcp_keepalive.short_lived_connections', 'probes-due', [false, true], 'more'],
    ['network.http.tcp_keepalive.short_lived_idle_time', 'next-probe', [10, 200], 'more', 100],
    ['network.tcp.keepalive.enabled', 'probes-due', [false, true], 'more'],
    ['network.http.http2.send-buffer-size', 'upload-buffer', [20_000, 400_000], 'more', 100_000],
    ['network.http.fast-fallback-to-IPv4', 'silent-version-6', [false, true], 'more'],
    ['network.http.happy_eyeballs_enabled', 'silent-version-6-alone', [false, true], 'more'],
    ['network.http.happy_eyeballs_connection_attempt_delay', 'silent-version-6-soon', [100, 4000], 'fewer'],
    ['network.http.happy_eyeballs_resolution_delay', 'late-version-6', [10, 4000], 'fewer'],
  ],
  speculation: [
    ['network.http.speculative-parallel-limit', 'preconnects', [0, 20], 'more', HALF_NAMED],
    ['network.preconnect', 'preconnects', [false, true], 'more', HALF_NAMED],
    ['network.prefetch-next', 'prefetched', [false, true], 'more'],
    ['network.modulepreload', 'preloaded-modules', [false, true], 'more'],
    ['network.early-hints.enabled', 'early-hints', [false, true], 'more'],
    ['network.early-hints.over-http-v1-1.enabled', 'early-hints-http1', [false, true], 'more'],
    ['network.early-hints.preconnect.enabled', 'early-preconnects', [false, true], 'more'],
    ['network.early-hints.preconnect.max_connections', 'early-preconnects', [2, 10], 'more'],
  ],
  scheduling: [
    ['network.http.tailing.enabled', 'tracker-soon', [true, false], 'more'],
    ['network.http.tailing.delay-quantum', 'tracker-soon', [600, 0], 'more'],
    ['network.http.tailing.delay-max', 'tracker-capped', [6000, 100], 'more'],
    ['network.http.tailing.delay-quantum-after-domcontentloaded', 'tracker-after-content', [3000, 0], 'more'],
    ['network.http.rendering-critical-requests-prioritization', 'pictures-beside-style', [true, false], 'more'],
    ['network.http.active_tab_priority', 'tab-in-front', [false, true], 'more', 3],
    ['network.http.throttle.enable', 'throttled-download', [true, false], 'more', 15_000],
    ['network.http.throttle.suspend-for', 'throttled-download', [10_000, 10], 'more', 15_000],
    ['network.http.throttle.resume-for', 'throttled-in-turns', [10, 5000], 'more', 12_000],
    ['network.http.throttle.max-time-ms', 'throttled-for-so-long', [60_000, 100], 'more', 12_000],
    ['network.http.throttle.hold-time-ms', 'throttled-afterwards', [10_000, 10], 'more', 15_000],
  ],
  cache: [
    ['browser.cache.disk.enable', 'kept-on-disk', [false, true], 'fewer'],
    ['browser.cache.disk.max_entry_size', 'kept-on-disk', [100, 51_200], 'fewer'],
    ['browser.cache.disk.capacity', 'kept-on-disk-exactly', [100, 256_000], 'fewer'],
    ['browser.cache.memory.enable', 'kept-in-memory', [false, true], 'fewer'],
    ['browser.cache.memory.max_entry_size', 'kept-in-memory', [100, 5120], 'fewer'],
    ['browser.cache.memory.capacity', 'kept-in-memory', [100, 32_768], 'fewer'],
    ['network.http.stale_while_revalidate.enabled', 'stale-response', [false, true], 'more'],
    ['network.http.dictionaries.enable', 'dictionary', [false, true], 'more'],
    ['network.buffer.cache.size', 'unread-bytes', [32_768, 1_000_000], 'more', 5_000_000],
    ['network.buffer.cache.count', 'unread-bytes', [24, 1024], 'more', 5_000_000],
  ],
};

/** One for a preference at most. */
export const WITNESSES: readonly Witness[] = Object.entries(ROOMS).flatMap(([room, rows]) =>
  rows.map(([preference, scenario, values, direction, atLeast = 1]) => ({
    preference,
    room: room as WitnessRoom,
    scenario,
    counts: COUNTS[scenario],
    values,
    direction,
    atLeast,
  })),
);

const byPreference: ReadonlyMap<string, Witness> = new Map(WITNESSES.map((witness) => [witness.preference, witness]));

/** `undefined`: no witness is known. */
export const findWitness = (preference: string): Witness | undefined => byPreference.get(preference);
