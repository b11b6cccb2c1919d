/** Where the bounds of the catalogue are not the clamp in Firefox's code: what the difference is. */

const ANY_NUMBER = 'Firefox keeps any unsigned 32-bit number.';

export const NARROWED_BOUNDS: Readonly<Record<string, string>> = {
  'network.http.max-connections':
    'Firefox clamps to the sockets it may open less 8, at most 992, and keeps 16 bits; a larger value is stored and acts as that limit.',
  'network.http.happy_eyeballs_connection_attempt_delay':
    'Firefox raises what is below 10 and has no upper clamp; after 5 s nobody waits for a second attempt.',
  'network.http.happy_eyeballs_resolution_delay':
    'Firefox raises what is below 10 and has no upper clamp; after 5 s nobody waits for a second attempt.',
  'network.tcp.sendbuffer': 'Firefox hands any number to the system, which has limits of its own.',
  'network.http.largeKeepaliveFactor': ANY_NUMBER,
  'network.http.pacing.requests.burst':
    'Firefox raises 0 to 1 and has no upper clamp; above the rate of one second (hz, at most 10000) the bucket never binds.',
  'network.http.http2.send-buffer-size': 'Firefox raises 1 to 1499 to 1500; 0 leaves the buffer as it is.',
  'network.http.http2.default-hpack-buffer': 'Firefox keeps any number.',
  'network.http.http2.ping-threshold': 'Firefox clamps to 2147483647 and then keeps 16 bits.',
  'network.http.http2.ping-timeout': 'Firefox clamps to 2147483647 and then keeps 16 bits.',
  'network.http.http3.max_data': 'Firefox keeps any unsigned 32-bit number; below a packet or so nothing can arrive.',
  'network.http.http3.max_stream_data': 'Firefox keeps any unsigned 32-bit number; below a packet or so nothing can arrive.',
  'network.http.http3.cc_algorithm': 'The two that Firefox names; what it makes of another number was not read.',
  'network.http.http3.slow_start_algorithm': 'The three that Firefox names; what it makes of another number was not read.',
  'network.http.http3.recvBufferSize': 'Firefox hands any number to the system, which has limits of its own (net.core.rmem_max).',
  'network.http.http3.max_gso_segments': 'The Linux kernel takes 64 at most.',
  'network.http.http3.backup_timer_delay': ANY_NUMBER,
  'network.http.http3.parallel_fallback_conn_limit': ANY_NUMBER,
  'network.dns.httpssvc.http3_fast_fallback_timeout': ANY_NUMBER,
  'network.http.http3.idle_timeout': 'Firefox keeps any unsigned 32-bit number; the server may end it sooner.',
  'network.early-hints.preconnect.max_connections': ANY_NUMBER,
  'network.http.tailing.urgency': 'The urgencies of RFC 9218; what Firefox makes of another number was not read.',
  'network.http.throttle.suspend-for': 'Firefox clamps to 120000 and passes 16 bits on: larger numbers wrap.',
  'network.http.throttle.resume-for': 'Firefox clamps to 120000 and passes 16 bits on: larger numbers wrap.',
  'network.http.throttle.hold-time-ms': 'Firefox clamps to 120000 and passes 16 bits on: larger numbers wrap.',
  'network.http.throttle.max-time-ms': 'Firefox clamps to 120000 and passes 16 bits on: larger numbers wrap.',
  'network.http.focused_window_transaction_ratio': 'Firefox ignores what does not lie between 0 and 1.',
  'network.buffer.cache.count': 'Firefox accepts any positive number; 1024 segments of 32 KiB already buffer 32 MiB per response.',
  'network.buffer.default_size': 'Firefox takes the nearest power of two below.',
  'network.http.send_window_size': 'Firefox raises negative numbers to 0.',
  'browser.cache.disk.capacity': ANY_NUMBER,
  'browser.cache.disk.max_entry_size': 'Firefox keeps any unsigned 32-bit number; nothing larger than an eighth of the cache is kept.',
  'browser.cache.disk.preload_chunk_count': ANY_NUMBER,
  'browser.cache.disk.metadata_memory_limit': ANY_NUMBER,
  'browser.cache.memory.capacity': 'Firefox keeps any number; -1 lets it choose by the memory there is.',
  'browser.cache.memory.max_entry_size': 'Firefox keeps any number; -1 is no limit but 90 % of the cache.',
  'browser.cache.jsbc_compression_level': 'The levels of zlib; what Firefox makes of another number was not read.',
  'network.http.rcwn.small_resource_size_kb': ANY_NUMBER,
  'network.http.rcwn.max_wait_before_racing_ms': ANY_NUMBER,
  'network.http.rcwn.cache_queue_normal_threshold': ANY_NUMBER,
  'network.dnsCacheExpiration':
    'Firefox keeps any unsigned 32-bit number; a day is the most the catalogue allows, lest a moved server stay unreachable.',
  'network.dnsCacheEntries': ANY_NUMBER,
  'network.dnsCacheExpirationGracePeriod':
    'Firefox keeps any unsigned 32-bit number; a day is the most the catalogue allows, lest a moved server stay unreachable.',
  'network.dns.max_high_priority_threads': 'Firefox keeps any unsigned 32-bit number; each is a thread.',
  'network.dns.max_any_priority_threads': 'Firefox raises 0 to 1 and has no upper clamp; each is a thread.',
  'network.trr.mode': 'The modes that Firefox names; 1 and 4 are reserved and off.',
  'network.ssl_tokens_cache_capacity': 'Firefox shifts the number left by 10 bits; 1 GiB stays far from overflow.',
  'network.ssl_tokens_cache_records_per_entry': ANY_NUMBER,
  'security.OCSP.enabled': 'The three that Firefox names: 0 none, 1 all, 2 extended validation only.',
  'security.tls.ech.grease_probability': 'Firefox keeps any unsigned 32-bit number and means a percentage.',
  'network.http.pipelining.maxrequests': 'The clamp of Gecko 52; Gecko 1.8 to 2.0 clamped to 8 (NS_HTTP_MAX_PIPELINED_REQUESTS).',
};
