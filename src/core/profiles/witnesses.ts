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
  'no-old-priorities': 'SETTINGS_NO_RFC7540_PRIORITIES, 0 or 1',
  'held-streams': 'requests at once',
  'upload-frames': 'bytes of the longest DATA frame',
  'two-names': 'connections',
  'slow-picture': 'PING frames',
  'session-after-idling': 'connections',
  'priority-headers': 'requests with a Priority field',
  'urgency-spread': 'steps of urgency between two pictures',
  'hello-bytes': 'bytes of the ClientHello',
  'key-shares': 'key shares offered',
  'certificate-compressions': 'compressions of certificates offered',
  'encrypted-hello': 'bytes of the extension encrypted_client_hello',
  stapling: 'ClientHellos that ask for an OCSP response',
  'delegated-credentials': 'ClientHellos that offer delegated credentials',
  'unanswered-handshake': 'handshakes given up within 3.5 s',
  'resumed-connections': 'resumed TLS sessions',
  'version-6-questions': 'questions for AAAA records',
  'questions-over-https': 'DNS questions over HTTPS',
  'linked-names': 'names of links asked for',
  'hinted-names': 'names of hints asked for',
  'many-names': 'questions about one name',
  'port-names': 'questions for HTTPS records by port',
  'subnet-option': 'questions with a client-subnet option',
  'padding-option': 'padded questions',
  'quic-max-data': 'bytes of initial_max_data',
  'quic-max-stream-data': 'bytes of initial_max_stream_data',
  'quic-idle-timeout': 'ms of max_idle_timeout',
  'quic-versions': 'QUIC versions named',
  'quic-hello-bytes': 'bytes of the ClientHello over QUIC',
  'quic-compressions': 'compressions of certificates offered over QUIC',
  'quic-encrypted-hello': 'bytes of the extension encrypted_client_hello over QUIC',
  'quic-slices': 'pieces of the ClientHello over QUIC',
  'quic-receive-buffer': 'bytes of the receive buffer of the UDP socket',
  'quic-connections': 'pages that begin over QUIC',
  'quic-without-answer': 'pages over TCP within 1.5 s',
  'announced-service': 'second pages that begin over QUIC',
} as const;

export type ScenarioId = keyof typeof COUNTS;

/** The test file that holds a witness, and what it has to do with. */
export type WitnessRoom = 'http1' | 'http2' | 'http3' | 'tls' | 'dns';

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
  ],
  tls: [['network.ssl_tokens_cache_capacity', 'resumed-connections', [0, 8192], 'more']],
  http3: [
    ['network.http.http3.enable', 'quic-connections', [false, true], 'more'],
    ['network.http.altsvc.enabled', 'announced-service', [false, true], 'more'],
    ['network.http.http3.max_data', 'quic-max-data', [1_000_000, 25_165_824], 'more'],
    ['network.http.http3.max_stream_data', 'quic-max-stream-data', [1_000_000, 12_582_912], 'more'],
  ],
  dns: [
    ['network.dns.disablePrefetch', 'linked-names', [true, false], 'more'],
    ['network.dns.disablePrefetchFromHTTPS', 'hinted-names', [true, false], 'more'],
    ['network.dnsCacheEntries', 'many-names', [4, 1600], 'fewer'],
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
