/** What each preference of the catalogue does, in its order: read where a person chooses preferences, and in docs/preferences.md. */
export const EFFECTS: Readonly<Record<string, string>> = {
  'network.http.max-persistent-connections-per-server':
    'Most HTTP/1.1 connections open at once to one server (scheme, host, port and partition). Lowering it holds only after the idle connections are closed: kept-alive ones above the new limit are still used.',
  'network.http.max-persistent-connections-per-proxy':
    'Stands in for the per-server limit on plain http through an HTTP proxy; https through CONNECT keeps the per-server limit.',
  'network.http.max-connections': 'Most TCP connections open at once to all servers; at the limit idle connections are closed first.',
  'network.http.max-urgent-start-excessive-connections-per-host':
    'Urgent requests (the document itself, a click) may exceed the per-server limit by this many connections.',
  'network.http.request.max-start-delay':
    'A connection on which the gap between two reads reaches this many seconds is not kept alive afterwards. The comment in all.js (requests waiting to start) describes older code.',
  'network.http.keep-alive.timeout': 'How long an idle connection is kept for reuse.',
  'network.http.connection-retry-timeout': 'A handshake unanswered for this long gets a second connection beside it; 0 turns that off.',
  'network.http.connection-timeout': 'A connection that is not established after this many seconds is given up.',
  'network.http.response.timeout': 'A connection on which a response is due and nothing has arrived for this long is closed; 0: never.',
  'network.http.fast-fallback-to-IPv4': 'The backup connection, opened when a handshake is slow, uses IPv4 only.',
  'network.http.fallback-connection-timeout':
    'Stands in for the wait for a connection once one IP family has been preferred for a server; 0: the ordinary wait.',
  'network.http.happy_eyeballs_enabled': 'IPv6, IPv4 and HTTP/3 are tried one shortly after another, and the first that connects is used.',
  'network.http.happy_eyeballs_connection_attempt_delay': 'With Happy Eyeballs 3 on: how long it waits for the next attempt to connect.',
  'network.http.happy_eyeballs_resolution_delay':
    'With Happy Eyeballs 3 on: how long it waits for the preferred kind of address before another is used.',
  'network.http.tcp_keepalive.short_lived_connections':
    'Whether young connections send TCP keep-alive probes while they are idle; on a slow link a probe lost in a queue ends the connection.',
  'network.http.tcp_keepalive.long_lived_connections':
    'Whether older connections send TCP keep-alive probes while they are idle; on a slow link a probe lost in a queue ends the connection.',
  'network.http.tcp_keepalive.short_lived_time': 'How long a connection counts as young for TCP keep-alive.',
  'network.http.tcp_keepalive.short_lived_idle_time': 'Idle seconds of a young connection before its first TCP probe.',
  'network.http.tcp_keepalive.long_lived_idle_time': 'Idle seconds of an older connection before its first TCP probe.',
  'network.tcp.keepalive.enabled': 'Whether sockets may send TCP keep-alive probes at all.',
  'network.tcp.keepalive.idle_time': 'Idle seconds before the first TCP probe where HTTP sets no time of its own.',
  'network.tcp.sendbuffer': 'SO_SNDBUF of new sockets, which decides about uploads; without it the system chooses (Windows: 512 KiB).',
  'network.http.largeKeepaliveFactor':
    'Multiplies the idle life of connections that are marked for it, as those to a DNS-over-HTTPS server are.',
  'network.http.pacing.requests.enabled':
    'A token bucket spaces the starts of requests once more connections than min-parallelism are active; scripts and style sheets pass it by.',
  'network.http.pacing.requests.min-parallelism': 'Up to this many active connections, request starts are not paced.',
  'network.http.pacing.requests.hz': 'Rate at which the pacing bucket admits requests.',
  'network.http.pacing.requests.burst': 'Credit of the pacing bucket: starts admitted at once before the rate applies.',
  'network.http.http2.enabled':
    'Whether HTTP/2 is offered on new TLS connections; without it they speak HTTP/1.1 (or HTTP/3 where that is on).',
  'network.http.http2.default-concurrent':
    'Streams a new HTTP/2 session may have open until the server sends SETTINGS_MAX_CONCURRENT_STREAMS, which replaces it, up or down: against a server that sends one, this has no effect past the first flight.',
  'network.http.http2.pull-allowance':
    'Flow-control window the session and each response start with: bytes a server may send before Firefox acknowledges reading them. A response is acknowledged every 4 MiB, or once 96 KiB of its window are left.',
  'network.http.http2.push-allowance':
    'Sent as SETTINGS_INITIAL_WINDOW_SIZE; Firefox accepts no push, but no receive window becomes smaller than this, whatever the pull allowance says.',
  'network.http.http2.coalesce-hostnames':
    'A server name whose address and certificate fit an open HTTP/2 connection is reached over that one instead of a new one.',
  'network.http.http2.aggressive_coalescing':
    'Connections are shared where the addresses of both names overlap, even if the open connection goes to another of them.',
  'network.http.http2.chunk-size': 'Size of the DATA frames that uploads are sent in; downloads are framed by the server.',
  'network.http.http2.send-buffer-size': 'SO_SNDBUF of a session once a stream has uploaded more than this; no effect on downloads.',
  'network.http.http2.default-hpack-buffer': 'SETTINGS_HEADER_TABLE_SIZE: how much of earlier response headers a server may refer back to.',
  'network.http.http2.timeout': 'How long a session without streams is kept for reuse.',
  'network.http.http2.ping-threshold': 'Idle seconds of a session before a ping tests it; 0: never.',
  'network.http.http2.ping-timeout': 'A session whose ping is not answered for this long is closed.',
  'network.http.http2.priority_updates': 'Whether a change of priority is sent to the server (RFC 9218).',
  'network.http.http2.send_NO_RFC7540_PRI':
    'Whether servers learn that the priorities of RFC 7540 are not used (SETTINGS_NO_RFC7540_PRIORITIES); some fail at it.',
  'network.http.http3.enable': 'Whether origins that offer HTTP/3 are reached over QUIC.',
  'network.http.http3.max_data': 'QUIC flow-control window a session starts with: bytes a server may send before Firefox allows more.',
  'network.http.http3.max_stream_data':
    'QUIC flow-control window a response starts with: bytes a server may send before Firefox allows more.',
  'network.http.altsvc.enabled':
    'Whether Alt-Svc headers are heeded (RFC 7838): the usual way a Firefox learns that an origin speaks HTTP/3.',
  'network.http.http3.enable_0rtt': 'A resumed QUIC connection sends requests with its first packets, and saves a round trip.',
  'network.http.http3.cc_algorithm': 'Of what Firefox sends: 0 NewReno, 1 CUBIC. What arrives is governed by the server.',
  'network.http.http3.slow_start_algorithm': 'Of what Firefox sends: 0 classic, 1 HyStart++, 2 SEARCH.',
  'network.http.http3.spurious_recovery': 'When packets taken for lost arrive after all, the sending rate returns to what it was.',
  'network.http.http3.recvBufferSize': 'SO_RCVBUF of QUIC sockets: what arrives faster than it is read is lost beyond it.',
  'network.http.http3.ecn_mark': 'Packets say that routers may mark congestion instead of dropping them.',
  'network.http.http3.ecn_report':
    'Marks on packets that arrive are reported to the server, which then slows down before packets are lost.',
  'network.http.http3.pmtud': 'Whether QUIC looks for the largest packet that the path carries (RFC 8899).',
  'network.http.http3.max_gso_segments':
    'UDP packets that one call hands to the system when sending; costs processor time, not round trips.',
  'network.http.http3.backup_timer_delay':
    'A request that has waited for an HTTP/3 connection for this long gets a TCP connection beside it.',
  'network.http.http3.parallel_fallback_conn_limit':
    'A TCP connection beside HTTP/3 is opened only while fewer than this many are half-open.',
  'network.dns.httpssvc.http3_fast_fallback_timeout':
    'An HTTP/3 connection that an HTTPS record asked for and that is not ready after this long gets another protocol beside it; 0: never.',
  'network.http.http3.idle_timeout': 'How long an HTTP/3 connection without requests is kept for reuse.',
  'network.http.http3.priority': 'Whether the server learns which responses are urgent (RFC 9218).',
  'network.http.http3.version_negotiation.enabled':
    'Whether a handshake names the versions of QUIC that Firefox knows, so that a server may choose.',
  'network.http.http3.sni-slicing': 'The name of the server is cut in two and its parts are sent out of order.',
  'network.http.speculative-parallel-limit':
    'A connection is opened ahead of need only while fewer than this many are half-open; 0 turns it off.',
  'network.prefetch-next': 'Whether <link rel=prefetch> is followed when Firefox is idle.',
  'network.dns.disablePrefetch': 'True: names of links on a page are not looked up ahead of need.',
  'network.dns.disablePrefetchFromHTTPS': 'True: as network.dns.disablePrefetch, for https pages only.',
  'network.preconnect': 'Whether <link rel=preconnect> and the header of that name open connections ahead of need.',
  'network.modulepreload': 'Whether <link rel=modulepreload> fetches script modules before they are needed.',
  'network.early-hints.enabled': 'Whether a 103 response (RFC 8297) starts preloads and connections before the page itself arrives.',
  'network.early-hints.over-http-v1-1.enabled': 'Whether 103 responses over HTTP/1.1 are heeded too.',
  'network.early-hints.preconnect.enabled': 'Whether early hints may open connections.',
  'network.early-hints.preconnect.max_connections':
    'Connections that early hints may have under way at once; 0: as many as speculative connections.',
  'browser.urlbar.speculativeConnect.enabled':
    'Whether Firefox connects as soon as an address is typed that it would complete or search for.',
  'browser.places.speculativeConnect.enabled':
    'Whether Firefox connects as soon as the mouse button goes down on a bookmark or an entry of the history.',
  'dom.prefetch_dns_for_anchor_http_document': 'Whether the names of links on http pages are looked up ahead of need.',
  'dom.prefetch_dns_for_anchor_https_document': 'Whether the names of links on https pages are looked up ahead of need.',
  'network.predictor.enabled': 'Remembers which servers a page needed and connects to them when the page is opened again. Gone by 153.',
  'network.predictor.enable-prefetch': 'Whether the predictor may also fetch what a page needed last time. Gone by 153.',
  'network.http.throttle.enable': 'Reading of background and throttleable responses is suspended and resumed in turns while others load.',
  'network.http.tailing.enabled': 'Requests to known trackers wait until the others of the page are under way.',
  'network.http.tailing.delay-quantum': 'A tailed request waits this long for each request of the page still under way, plus once.',
  'network.http.tailing.delay-quantum-after-domcontentloaded':
    'As the tailing delay per request, once the page is parsed (DOMContentLoaded).',
  'network.http.tailing.delay-max': 'No delay of a tailed request is counted longer than this.',
  'network.http.tailing.total-max': 'From this long after the page began, nothing is tailed any more.',
  'network.http.tailing.urgency': 'Urgency that tailed requests carry in their Priority header: 0 first, 7 last.',
  'network.http.throttle.suspend-for': 'How long background responses are not read, in turns.',
  'network.http.throttle.resume-for': 'How long background responses are read, in turns.',
  'network.http.throttle.hold-time-ms': 'Throttling goes on for this long after the last request that it makes room for.',
  'network.http.throttle.max-time-ms': 'No response is throttled for longer than this.',
  'network.http.rendering-critical-requests-prioritization':
    'Images and other media wait while scripts and style sheets in the head of the page load.',
  'network.http.active_tab_priority': 'Requests of the tab that is shown get most of the free connections.',
  'network.http.focused_window_transaction_ratio':
    'Share of the free connections that requests of the tab that is shown get while other tabs load.',
  'network.http.on_click_priority': 'Requests that a click or the page itself starts count as urgent and may exceed the per-server limit.',
  'network.fetchpriority.enabled': 'Whether the attribute fetchpriority of scripts, style sheets and images changes their order.',
  'network.fetchpriority.adjust_urgency': 'Whether that order also changes the urgency in the Priority header.',
  'network.http.priority_header.enabled': 'Whether requests carry the header Priority (RFC 9218), by which servers order their responses.',
  'network.buffer.cache.size': 'Size of one segment of the pipe a response is read through. The name is older than the code (bug 715770).',
  'network.buffer.cache.count': 'Segments of the pipe a response is read through.',
  'network.buffer.default_size': 'Default size of the buffers of streams.',
  'network.http.send_window_size':
    "How much of a response may wait for the page's process before Firefox stops reading it from the network.",
  'browser.cache.disk.enable': 'Whether responses are kept on disk; without it the memory cache serves alone and is empty after a restart.',
  'browser.cache.disk.smart_size.enabled': 'Firefox chooses the size of the disk cache by the free space, whatever its capacity says.',
  'browser.cache.disk.capacity': 'Size of the disk cache, where Firefox does not choose it itself.',
  'browser.cache.disk.max_entry_size': 'Larger responses are not kept on disk.',
  'browser.cache.disk.preload_chunk_count': 'Pieces of an entry that are read from disk before they are asked for.',
  'browser.cache.disk.metadata_memory_limit': 'Metadata of recent entries that stays in memory, so that looking them up needs no disk.',
  'browser.cache.memory.enable': 'Whether responses that may not be on disk are kept in memory.',
  'browser.cache.memory.capacity': 'Size of the memory cache; -1: as Firefox chooses, 0: none.',
  'browser.cache.memory.max_entry_size': 'Larger responses are not kept in memory.',
  'browser.cache.jsbc_compression_level': 'How hard the bytecode of cached scripts is compressed; costs processor time, saves disk.',
  'network.http.stale_while_revalidate.enabled':
    'Whether a stale response is shown while it is renewed, where the server allows it (RFC 5861).',
  'network.http.dictionaries.enable': 'Whether responses may be compressed with an earlier response as dictionary (RFC 9842).',
  'network.http.rcwn.enabled': 'A slow disk cache is raced with the network, and the first to answer wins. Gone by 153.',
  'network.http.rcwn.small_resource_size_kb': 'Only entries up to this size are raced. Gone by 153.',
  'network.http.rcwn.max_wait_before_racing_ms': 'The cache gets at most this long before the network is asked. Gone by 153.',
  'network.http.rcwn.cache_queue_normal_threshold': 'Racing begins when this many reads wait for the disk. Gone by 153.',
  'network.dnsCacheExpiration':
    'How long a looked-up address is used; read when an entry is made. On Windows the record itself says it, see network.dns.get-ttl.',
  'network.dnsCacheEntries': 'Names kept; read when an entry is made. 800 in Firefox 140, 1600 in 153.',
  'network.dnsCacheExpirationGracePeriod':
    'For this long after it expired, an address is still used at once and renewed behind. 60 in Firefox 140, 600 in 153: the life of entries hardly shows.',
  'network.dns.get-ttl':
    'Uses an address for as long as its DNS record says, in place of network.dnsCacheExpiration; does nothing where the system does not tell. On in Windows alone.',
  'network.dns.max_high_priority_threads':
    'Lookups of the system that may run at once for what a page needs now, beside those of any priority.',
  'network.dns.max_any_priority_threads': 'Lookups of the system that may run at once whatever their priority.',
  'network.dns.disableIPv6': 'True: no IPv6 addresses are looked up, and none are connected to.',
  'network.dns.preferIPv6': 'True: of a name with both, the IPv6 addresses are tried first.',
  'network.trr.mode': 'DNS over HTTPS: 0 as Firefox decides, 2 first, 3 only, 5 never.',
  'network.dns.native_https_query': 'Whether HTTPS records (RFC 9460) are asked for without DNS over HTTPS, too.',
  'network.dns.use_https_rr_as_altsvc': 'An HTTPS record that names HTTP/3 has it used on the first visit, without Alt-Svc.',
  'network.dns.upgrade_with_https_rr': 'A plain http address whose name has an HTTPS record is opened as https without a redirect.',
  'network.dns.echconfig.enabled':
    'Whether the name of a server is encrypted in handshakes over TLS where its HTTPS record has a key; a request waits for that record.',
  'network.dns.http3_echconfig.enabled':
    'Whether the name of a server is encrypted in handshakes over HTTP/3 where its HTTPS record has a key; a request waits for that record.',
  'network.dns.port_prefixed_qname_https_rr':
    'Whether the HTTPS record of a server on another port than 443 is asked for under its own name.',
  'network.trr.disable-ECS':
    'Whether the provider is asked not to pass a part of your address on (RFC 7871); passed on, servers near you may be found.',
  'network.trr.padding': 'Whether questions are filled up to a common length (RFC 8467).',
  'network.ssl_tokens_cache_capacity':
    'Room for session tickets, which spare a TLS 1.3 resumption the certificate exchange. 2048 in Firefox 140, 8192 in 153.',
  'network.ssl_tokens_cache_records_per_entry':
    'Session tickets kept for one server; each connection of TLS 1.3 uses one up. 2 in Firefox 140, 10 in 153.',
  'network.ssl_tokens_cache_persistence': 'Session tickets survive a restart, so that first connections after it resume.',
  'security.tls.enable_0rtt_data': 'A resumed TLS 1.3 connection sends its first request with the handshake, and saves a round trip.',
  'security.ssl.enable_false_start':
    'With TLS 1.2, a request is sent before the last message of the handshake has arrived (RFC 7918), and saves a round trip.',
  'security.tls.enable_kyber': 'Handshakes carry an ML-KEM key share, about 1.2 kB more in each direction.',
  'network.http.http3.enable_kyber': 'The same in QUIC, where it needs a second packet for the first message.',
  'network.http.tls-handshake-timeout': 'A handshake that is not finished after this many seconds is given up.',
  'security.OCSP.enabled':
    'Whether the authority of a certificate is asked if it is still valid, in a connection of its own before the first request.',
  'security.ssl.enable_ocsp_stapling': 'Whether a server may bring along what its authority says of its certificate (RFC 6066 section 8).',
  'security.ssl.disable_session_identifiers': 'True: no session is resumed, and every connection makes a full handshake.',
  'security.tls.client_hello.send_p256_keyshare':
    'Handshakes bring a P-256 key share along: without it, servers that know no other curve need one more round trip.',
  'security.tls.enable_certificate_compression_brotli':
    'Whether servers may compress their certificates with brotli (RFC 8879), which spares packets of a handshake.',
  'network.http.http3.enable_certificate_compression_brotli':
    'Whether servers may compress their certificates with brotli over QUIC, where a long one costs a round trip.',
  'security.tls.enable_certificate_compression_zlib':
    'Whether servers may compress their certificates with zlib (RFC 8879), which spares packets of a handshake.',
  'network.http.http3.enable_certificate_compression_zlib':
    'Whether servers may compress their certificates with zlib over QUIC, where a long one costs a round trip.',
  'security.tls.enable_certificate_compression_zstd':
    'Whether servers may compress their certificates with zstd (RFC 8879), which spares packets of a handshake.',
  'network.http.http3.enable_certificate_compression_zstd':
    'Whether servers may compress their certificates with zstd over QUIC, where a long one costs a round trip.',
  'security.tls.ech.grease_probability':
    'Share of the handshakes without Encrypted Client Hello that carry a random extension of its kind, some 250 bytes.',
  'security.tls.ech.grease_http3': 'Whether that extension is sent over QUIC as well.',
  'security.tls.enable_delegated_credentials': 'Whether a server may use a short-lived key in place of that of its certificate (RFC 9345).',
  'network.http.pipelining': 'HTTP/1.1 pipelining on plain http. Firefox 54 and later ignore it.',
  'network.http.pipelining.ssl': 'HTTP/1.1 pipelining on https. Firefox 54 and later ignore it.',
  'network.http.proxy.pipelining': 'HTTP/1.1 pipelining through an HTTP proxy. Firefox 54 and later ignore it.',
  'network.http.pipelining.maxrequests':
    'Most requests outstanding on one connection; late Gecko adapts below it (2 until a server has proved itself). Firefox 54 and later ignore it.',
  'network.http.pipelining.max-optimistic-requests':
    'Most requests pipelined where a new connection would have been allowed instead. Firefox 54 and later ignore it.',
  'network.http.pipelining.aggressive': 'Pipelines without waiting for a server to prove itself. Firefox 54 and later ignore it.',
  'network.http.pipelining.maxsize':
    'A response larger than this stops further pipelining on its connection. Firefox 54 and later ignore it.',
  'network.http.pipelining.reschedule-on-timeout':
    'Requests held up by the one ahead of them move to another connection. Firefox 54 and later ignore it.',
  'network.http.pipelining.reschedule-timeout':
    'How long requests wait behind the one ahead of them before they move. Firefox 54 and later ignore it.',
  'network.http.pipelining.read-timeout':
    'A pipelined request unanswered for this long starts again without pipelining. Firefox 54 and later ignore it.',
};
