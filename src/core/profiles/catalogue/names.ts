/** Names of the knobs that other files speak of; what each does is in its entry below. */
export const PER_SERVER = 'network.http.max-persistent-connections-per-server';
export const PER_PROXY = 'network.http.max-persistent-connections-per-proxy';
export const PACING_ENABLED = 'network.http.pacing.requests.enabled';
export const URGENT_START = 'network.http.max-urgent-start-excessive-connections-per-host';
export const HTTP2_CONCURRENT = 'network.http.http2.default-concurrent';
export const HTTP2_PULL_ALLOWANCE = 'network.http.http2.pull-allowance';
export const HTTP2_PUSH_ALLOWANCE = 'network.http.http2.push-allowance';
export const HTTP3_MAX_DATA = 'network.http.http3.max_data';
export const HTTP3_MAX_STREAM_DATA = 'network.http.http3.max_stream_data';
export const TOTAL_CONNECTIONS = 'network.http.max-connections';
export const BACKUP_AFTER = 'network.http.connection-retry-timeout';
export const PACING_MIN_PARALLELISM = 'network.http.pacing.requests.min-parallelism';
export const PACING_PER_SECOND = 'network.http.pacing.requests.hz';
export const PACING_BURST = 'network.http.pacing.requests.burst';
export const READ_SIZE = 'network.buffer.cache.size';
export const READ_COUNT = 'network.buffer.cache.count';
export const KEEP_ALIVE = 'network.http.keep-alive.timeout';
