/** What builds of Firefox have of names about the network, for an audit without a Firefox: that of the dashboard, and `--catalogue`. */
import type { PreferenceValue } from '../profiles/knob.ts';

/** What the names of this table begin with. */
export const NETWORK_ROOTS: readonly string[] = ['network.', 'content.', 'nglayout.', 'browser.cache.', 'security.tls.', 'security.ssl.'];

/**
 * A name or, with its dot, a branch; its default value in Firefox ESR 140.12 and in 153.8, `null` where it has none, `?`
 * where it is an address, nothing where it is not there.
 * Read out of both builds for Linux by `node src/tools/read-tweak-lists.mjs`: do not edit.
 */
const NAMES = String.raw`
browser.cache.check_doc_frequency 3 3
browser.cache.disk.capacity 256000 256000
browser.cache.disk.content_type_media_limit 50 50
browser.cache.disk.enable true true
browser.cache.disk.encryption.enabled  false
browser.cache.disk.encryption.key  ""
browser.cache.disk.free_space_hard_limit 1024 1024
browser.cache.disk.free_space_soft_limit 5120 5120
browser.cache.disk.index.min_dump_interval_ms  20000
browser.cache.disk.index.min_unwritten_changes  300
browser.cache.disk.index.update_start_delay_ms  50000
browser.cache.disk.max_chunks_memory_usage 40960 40960
browser.cache.disk.max_entry_size 51200 51200
browser.cache.disk.max_priority_chunks_memory_usage 40960 40960
browser.cache.disk.metadata_memory_limit 1024 1024
browser.cache.disk.parent_directory null null
browser.cache.disk.preload_chunk_count 4 4
browser.cache.disk.smart_size.enabled true true
browser.cache.disk_cache_ssl true true
browser.cache.frecency_half_life_hours 6 6
browser.cache.jsbc_compression_level 0 0
browser.cache.max_shutdown_io_lag 2 2
browser.cache.memory.capacity -1 -1
browser.cache.memory.enable true true
browser.cache.memory.max_entry_size 5120 5120
browser.cache.shutdown_io_time_between_cancellations_ms 5 5
content.CLICK null 
content.IMPRESSION null 
content.QUARTILE null 
content.VIEW null 
content.click null 
content.cors.disable false false
content.cors.use_triggering_principal false false
content.delta  null
content.done  null
content.impression null 
content.maxtextrun null 
content.notify.backoffcount -1 
content.notify.interval 120000 
content.notify.ontimer true 
content.privacyMode null null
content.quartile null 
content.sink.enable_perf_mode 0 0
content.sink.event_probe_rate 1 1
content.sink.initial_perf_time 2000000 2000000
content.sink.interactive_deflect_count 0 0
content.sink.interactive_parse_time 3000 3000
content.sink.interactive_time 750000 750000
content.sink.pending_event_mode 0 0
content.sink.perf_deflect_count 200 200
content.sink.perf_parse_time 30000 30000
content.value null null
content.view null 
network.IDN_show_punycode false false
network._beforeStopRequest null null
network._windowGlobalNetworkResource null null
network.allow_large_stack_size_for_socket_thread true true
network.allow_raw_sockets_in_content_processes false false
network.allow_redirect_to_data false false
network.alpnMismatchCount null null
network.android_doh.autoselect_enabled false 
network.android_doh.start_in_confirmation_failed_state  true
network.appleFastDatapathUsed  null
network.asyncOpenChildToTransactionPendingExp null 
network.auth.confirmAuth.enabled false 
network.auth.force-generic-ntlm false false
network.auth.force-generic-ntlm-v1 false false
network.auth.negotiate_channel_binding  true
network.auth.non-web-content-triggered-resources-http-auth-allow false false
network.auth.private-browsing-sso false false
network.auth.sort_challenge_in_progress false false
network.auth.sspi_detect_hash true true
network.auth.subresource-http-auth-allow 2 2
network.auth.subresource-img-cross-origin-http-auth-allow false false
network.auth.supress_auth_prompt_for_XFO_failures true 
network.auth.use-sspi null null
network.auth.use_redirect_for_retries false false
network.authRequired null null
network.automatic-ntlm-auth.allow-non-fqdn false false
network.automatic-ntlm-auth.allow-proxies true true
network.automatic-ntlm-auth.trusted-uris "" ""
network.backPressureSuspensionCpType null null
network.backPressureSuspensionDelayTime null null
network.backPressureSuspensionRate null null
network.backgroundfilesaver.async_copy_chunk_size  1048576
network.backgroundfilesaverThreadCount null null
network.beforeRequestSent null null
network.buffer.cache.count 24 24
network.buffer.cache.size 32768 32768
network.buffer.default_size  65536
network.byteRangeRequest null null
network.cache.alt_data.validate_binding_principal  true
network.cache.bug1708673 false false
network.cache.entry_wait_timeout_ms  20000
network.cache.no_vary_search  false
network.cache.persist_permanent_redirects_http false false
network.cache.purge_disable  false
network.cache.purge_minprogress_disk 0 0
network.cache.purge_minprogress_memory 32 32
network.cache.shutdown_purge_folder_wait_seconds 10 10
network.cache.shutdown_purge_in_background_task false false
network.cache.suspended_writer_delay_ms  5000
network.cacheEntryCount null null
network.cacheEntryCountShare null null
network.cacheHitMissStatPerCacheSize null null
network.cacheHitRatePerCacheSize null null
network.cacheHitTime null null
network.cacheMissTime null null
network.cacheReadTime null null
network.cacheSize null null
network.cacheSizeShare null null
network.cacheV2InputStreamStatus null null
network.cacheV2OutputStreamStatus null null
network.captive-portal-service.backoffFactor "5.0" "5.0"
network.captive-portal-service.enabled true true
network.captive-portal-service.maxInterval 1500000 1500000
network.captive-portal-service.minInterval 60000 60000
network.captive-portal-service.testMode null null
network.completeLoad null null
network.completeLoadCached null null
network.completeLoadNet null null
network.connectivity-service. null null
network.connectivity-service.DNS_HTTPS.domain "cloudflare-dns.com" "cloudflare-dns.com"
network.connectivity-service.DNSv4.domain "example.org" "example.org"
network.connectivity-service.DNSv6.domain "example.org" "example.org"
network.connectivity-service.IPv4.url ? ?
network.connectivity-service.IPv6.url ? ?
network.connectivity-service.enabled true true
network.connectivity-service.nat64-check true true
network.connectivity-service.nat64-prefix "" ""
network.connectivity-service.wait_for_idle_startup true true
network.contentDecodingErrorReport  null
network.cookie. null 
network.cookie.CHIPS.affectsTCP  false
network.cookie.CHIPS.enabled false true
network.cookie.CHIPS.lastMigrateDatabase 0 0
network.cookie.CHIPS.migrateDatabaseTarget 1 2
network.cookie.blockFutureCookies null null
network.cookie.blockUnicode false false
network.cookie.block_nameless_with_equal_char true true
network.cookie.chips.partitionLimitByteCapacity 10240 10240
network.cookie.chips.partitionLimitDryRun true false
network.cookie.chips.partitionLimitEnabled true true
network.cookie.cookieBehavior 5 5
network.cookie.cookieBehavior.optInPartitioning false false
network.cookie.cookieBehavior.optInPartitioning.pbmode false false
network.cookie.cookieBehavior.optInPartitioning.skip_list null null
network.cookie.cookieBehavior.pbmode 5 5
network.cookie.cookieBehavior.trackerCookieBlocking true 
network.cookie.db.flushIntervalMs  500
network.cookie.db.journalOverheadBytes  524288
network.cookie.db.maxWalBytes  524288
network.cookie.fixup_on_db_load true true
network.cookie.lifetimePolicy  null
network.cookie.maxNumber 3000 3000
network.cookie.maxPerHost 180 180
network.cookie.maxageCap 34560000 34560000
network.cookie.noPersistentStorage false false
network.cookie.prevent_set_cookie_from_multipart true true
network.cookie.purgeAge  null
network.cookie.quotaPerHost 150 150
network.cookie.sameSite.crossSiteIframeSetCheck true true
network.cookie.sameSite.laxByDefault false false
network.cookie.sameSite.laxByDefault.allowBoomerangRedirect true true
network.cookie.sameSite.laxByDefault.disabledHosts "" ""
network.cookie.sameSite.laxByDefaultWarningsForBeta false false
network.cookie.sameSite.laxPlusPOST.timeout 120 120
network.cookie.sameSite.noneRequiresSecure true true
network.cookie.sameSite.schemeful false false
network.cookie.skip_browsing_context_check_in_parent_for_testing null false
network.cookie.staleThreshold 60 60
network.cookie.useServerTime true true
network.cookie.validation.epoch  1
network.cookie.validation.lastEpoch  0
network.cookie.valueless_cookie  true
network.cookieJarSettings.unblocked_for_testing false false
network.corsAuthorizationHeader null null
network.cors_preflight.allow_client_cert false false
network.cors_preflight.authorization_covered_by_wildcard true true
network.decompression_off_mainthread2 true true
network.decompression_off_mainthread_min_size 512 512
network.disable-localhost-when-offline false false
network.diskCache2ShutdownClearPrivate null null
network.diskCacheShutdownV2 null 
network.dns null 
network.dns.always_ai_canonname true true
network.dns.blockDotOnion true true
network.dns.copy_string_before_call true true
network.dns.disableIPv6 false false
network.dns.disablePrefetch false false
network.dns.disablePrefetchFromHTTPS false false
network.dns.disabled false false
network.dns.dns_query_single_label false false
network.dns.echconfig.enabled true true
network.dns.echconfig.fallback_to_origin_when_all_failed false false
network.dns.forceResolve "" ""
network.dns.force_use_https_rr false false
network.dns.force_waiting_https_rr null null
network.dns.get-ttl false false
network.dns.high_priority_dispatch  true
network.dns.http3_echconfig.enabled true true
network.dns.https_rr.check_record_with_cname true true
network.dns.httpssvc.http3_fast_fallback_timeout 50 50
network.dns.httpssvc.reset_exclustion_list true true
network.dns.ipv4OnlyDomains "" ""
network.dns.localDomains "" ""
network.dns.max_any_priority_threads 24 24
network.dns.max_high_priority_threads 40 40
network.dns.mock_HTTPS_RR_domain "" ""
network.dns.mru_to_tail  false
network.dns.native-is-localhost false false
network.dns.native_https_query true true
network.dns.native_https_query_in_automation false false
network.dns.native_https_query_win10 false false
network.dns.native_https_timeout_android 20000 
network.dns.native_https_timeout_mac 5000 
network.dns.negative_ttl_for_type_record 300 300
network.dns.notifyResolution null null
network.dns.offline-localhost true true
network.dns.only_refresh_on_fresh_connection true true
network.dns.port_prefixed_qname_https_rr true true
network.dns.preferIPv6 false false
network.dns.prefetch_via_proxy false false
network.dns.resolver-thread-extra-idle-time-seconds 60 60
network.dns.resolver_shutdown_timeout_ms 2000 5000
network.dns.skip_ipv6_when_no_addresses false false
network.dns.upgrade_with_https_rr true true
network.dns.use_https_rr_as_altsvc true true
network.dnsCacheEntries 800 1600
network.dnsCacheExpiration 60 60
network.dnsCacheExpirationGracePeriod 60 600
network.dnsEnd null null
network.dnsEndToConnectStartExp null 
network.dnsStart null null
network.early-hints.enabled true true
network.early-hints.over-http-v1-1.enabled true true
network.early-hints.parent-connect-timeout 10000 10000
network.early-hints.preconnect.enabled true true
network.early-hints.preconnect.max_connections 10 10
network.essential_domains_fallback false true
network.fetch.cache_partition_cross_origin true true
network.fetch.systemDefaultsToOmittingCredentials true true
network.fetchError null null
network.fetchpriority.adjust_urgency true true
network.fetchpriority.adjustments.async-or-defer-script.auto 0 0
network.fetchpriority.adjustments.async-or-defer-script.high -10 -10
network.fetchpriority.adjustments.async-or-defer-script.low 10 10
network.fetchpriority.adjustments.deferred-style.auto 0 0
network.fetchpriority.adjustments.deferred-style.high 0 0
network.fetchpriority.adjustments.deferred-style.low 10 10
network.fetchpriority.adjustments.global-fetch-api.auto 0 0
network.fetchpriority.adjustments.global-fetch-api.high -10 -10
network.fetchpriority.adjustments.global-fetch-api.low 10 10
network.fetchpriority.adjustments.images.auto 0 0
network.fetchpriority.adjustments.images.high -20 -20
network.fetchpriority.adjustments.images.low 10 10
network.fetchpriority.adjustments.link-preload-fetch.auto 0 0
network.fetchpriority.adjustments.link-preload-fetch.high -10 -10
network.fetchpriority.adjustments.link-preload-fetch.low 10 10
network.fetchpriority.adjustments.link-preload-font.auto 0 0
network.fetchpriority.adjustments.link-preload-font.high -10 -10
network.fetchpriority.adjustments.link-preload-font.low 20 20
network.fetchpriority.adjustments.link-preload-script.auto 0 0
network.fetchpriority.adjustments.link-preload-script.high 0 0
network.fetchpriority.adjustments.link-preload-script.low 30 30
network.fetchpriority.adjustments.link-preload-style.auto 0 0
network.fetchpriority.adjustments.link-preload-style.high 0 0
network.fetchpriority.adjustments.link-preload-style.low 10 10
network.fetchpriority.adjustments.media.auto 0 0
network.fetchpriority.adjustments.media.high 0 0
network.fetchpriority.adjustments.media.low 10 10
network.fetchpriority.adjustments.module-script.auto 0 0
network.fetchpriority.adjustments.module-script.high -10 -10
network.fetchpriority.adjustments.module-script.low 10 10
network.fetchpriority.adjustments.non-deferred-style.auto 0 0
network.fetchpriority.adjustments.non-deferred-style.high -20 -20
network.fetchpriority.adjustments.non-deferred-style.low 0 0
network.fetchpriority.adjustments.other-script.auto 0 0
network.fetchpriority.adjustments.other-script.high -10 -10
network.fetchpriority.adjustments.other-script.low 10 10
network.fetchpriority.adjustments.script-in-head.auto 0 0
network.fetchpriority.adjustments.script-in-head.high -10 -10
network.fetchpriority.adjustments.script-in-head.low 10 10
network.fetchpriority.enabled true true
network.file.disable_unc_paths null null
network.file.path_blacklist null null
network.firstFromCache null null
network.firstSentToLastReceived null null
network.fontDownloadEnd null null
network.generic-ntlm-auth.workstation "WORKSTATION" "WORKSTATION"
network.globalPrivacyControl null null
network.http.0rtt_force_txn_gone_for_testing  false
network.http.accept "" ""
network.http.accept-encoding "gzip, deflate" "gzip, deflate"
network.http.accept-encoding.dictionary  "dcb, dcz"
network.http.accept-encoding.secure "gzip, deflate, br, zstd" "gzip, deflate, br, zstd"
network.http.accept_include_images false false
network.http.active_tab_priority true true
network.http.altsvc.enabled true true
network.http.altsvc.oe false 
network.http.altsvc.proxy_checks true true
network.http.assoc-req.enforce false false
network.http.basic_http_auth.enabled true true
network.http.connection-retry-timeout 250 250
network.http.connection-timeout 90 90
network.http.debug-observations null null
network.http.default-socket-type "" ""
network.http.diagnostics false false
network.http.dictionaries.enable  false
network.http.digest_auth_cnonce_length 16 16
network.http.early_data_disable_on_error true true
network.http.early_data_max_error 5 5
network.http.encoding.trustworthy_is_https true true
network.http.enforce-framing.http null null
network.http.enforce-framing.http1 false false
network.http.enforce-framing.soft true true
network.http.enforce-framing.strict_chunked_encoding true true
network.http.fallback-connection-timeout 5 5
network.http.fallback_to_net_parse_ct true true
network.http.fast-fallback-to-IPv4 true true
network.http.focused_window_transaction_ratio "0.9" "0.9"
network.http.happy_eyeballs_connection_attempt_delay  250
network.http.happy_eyeballs_enabled  false
network.http.happy_eyeballs_resolution_delay  50
network.http.http2.aggressive_coalescing false false
network.http.http2.chunk-size 16000 16000
network.http.http2.coalesce-hostnames true true
network.http.http2.default-concurrent 100 100
network.http.http2.default-hpack-buffer 65536 65536
network.http.http2.enable-hpack-dump false false
network.http.http2.enabled true true
network.http.http2.enabled.deps false false
network.http.http2.enforce-tls-profile true true
network.http.http2.max_output_queue_size  268435456
network.http.http2.max_stream_id  125829120
network.http.http2.ping-threshold 58 58
network.http.http2.ping-timeout 8 8
network.http.http2.priority_updates false false
network.http.http2.pull-allowance 12582912 12582912
network.http.http2.push-allowance 131072 131072
network.http.http2.push_priority_update false 
network.http.http2.send-buffer-size 0 0
network.http.http2.send-push-max-concurrent-frame false false
network.http.http2.send_NO_RFC7540_PRI false false
network.http.http2.timeout 170 170
network.http.http2.websockets true true
network.http.http3.0rtt_timeout  5000
network.http.http3.alt-svc-mapping-for-testing "" ""
network.http.http3.apple_fast_datapath  true
network.http.http3.backup_timer_delay 100 100
network.http.http3.block_loopback_ipv6_addr false false
network.http.http3.cc_algorithm 1 1
network.http.http3.default-max-stream-blocked 20 20
network.http.http3.default-qpack-table-size 65536 65536
network.http.http3.disable_when_third_party_roots_found true true
network.http.http3.ecn_mark false true
network.http.http3.ecn_report true true
network.http.http3.enable true true
network.http.http3.enable_0rtt true true
network.http.http3.enable_certificate_compression_brotli  true
network.http.http3.enable_certificate_compression_zlib  true
network.http.http3.enable_certificate_compression_zstd  true
network.http.http3.enable_kyber true true
network.http.http3.enable_qlog false false
network.http.http3.fallback_to_h2_on_error  true
network.http.http3.force-use-alt-svc-mapping-for-testing false false
network.http.http3.has_third_party_roots_found_in_automation false false
network.http.http3.hystart_alternative_css_baseline  false
network.http.http3.idle_timeout 30 30
network.http.http3.inner_fallback_delay  3000
network.http.http3.max_data 25165824 25165824
network.http.http3.max_gso_segments  10
network.http.http3.max_stream_data 12582912 12582912
network.http.http3.parallel_fallback_conn_limit 32 32
network.http.http3.pmtud  false
network.http.http3.pr_poll_write true true
network.http.http3.priority true true
network.http.http3.recvBufferSize 1048576 1048576
network.http.http3.retry_different_ip_family false false
network.http.http3.send_background_tabs_deprioritization false false
network.http.http3.slow_start_algorithm  0
network.http.http3.sni-slicing true true
network.http.http3.spurious_recovery  true
network.http.http3.support_version1 true true
network.http.http3.use_nspr_for_io true false
network.http.http3.version_negotiation.enabled false false
network.http.idempotencyKey.enabled false false
network.http.keep-alive.timeout 115 115
network.http.largeKeepaliveFactor 20 20
network.http.max-connections 900 900
network.http.max-persistent-connections-per-proxy 32 32
network.http.max-persistent-connections-per-server 6 6
network.http.max-urgent-start-excessive-connections-per-host 3 3
network.http.max_response_header_size 393216 393216
network.http.microsoft-entra-sso.container-enabled.0 true true
network.http.microsoft-entra-sso.enabled false false
network.http.move_to_pending_list_after_network_change true true
network.http.network-changed.timeout 5 5
network.http.network_access_on_socket_process.enabled false false
network.http.network_error_logging.enabled false false
network.http.on_click_priority true true
network.http.origin.redirectTainted true true
network.http.origin.useTriggeringPrincipal true true
network.http.pacing.requests.burst 10 10
network.http.pacing.requests.enabled true true
network.http.pacing.requests.hz 80 80
network.http.pacing.requests.min-parallelism 6 6
network.http.phishy-userpass-length null 
network.http.priority_header.enabled true true
network.http.prompt-temp-redirect false false
network.http.proxy.respect-be-conservative true true
network.http.proxy.version "1.1" "1.1"
network.http.qos 0 0
network.http.rcwn.cache_queue_normal_threshold 8 
network.http.rcwn.cache_queue_priority_threshold 2 
network.http.rcwn.enabled true 
network.http.rcwn.max_wait_before_racing_ms 500 
network.http.rcwn.min_wait_before_racing_ms 0 
network.http.rcwn.small_resource_size_kb 256 
network.http.redirection-limit 20 20
network.http.referer.XOriginPolicy 0 0
network.http.referer.XOriginTrimmingPolicy 0 0
network.http.referer.defaultPolicy 2 2
network.http.referer.defaultPolicy.pbmode 2 2
network.http.referer.defaultPolicy.trackers 2 2
network.http.referer.defaultPolicy.trackers.pbmode 2 2
network.http.referer.disallowCrossSiteRelaxingDefault true true
network.http.referer.disallowCrossSiteRelaxingDefault.pbmode true true
network.http.referer.disallowCrossSiteRelaxingDefault.pbmode.top_navigation true true
network.http.referer.disallowCrossSiteRelaxingDefault.top_navigation false false
network.http.referer.hideOnionSource true true
network.http.referer.referrerLengthLimit 4096 4096
network.http.referer.sendFromRefresh true true
network.http.referer.spoofSource false false
network.http.referer.trimmingPolicy 0 0
network.http.remove_resumption_token_when_early_data_failed true true
network.http.rendering-critical-requests-prioritization true true
network.http.request.max-attempts 10 10
network.http.request.max-start-delay 10 10
network.http.response.timeout 300 300
network.http.retry_with_another_half_open false false
network.http.sanitize-headers-in-logs true true
network.http.sendOriginHeader 2 2
network.http.sendRefererHeader 2 2
network.http.send_window_size 1024 1024
network.http.skip_alt_svc_validation_on_https_rr true true
network.http.speculative-parallel-limit 20 20
network.http.stale_while_revalidate.enabled true true
network.http.tailing.delay-max 6000 6000
network.http.tailing.delay-quantum 600 600
network.http.tailing.delay-quantum-after-domcontentloaded 100 100
network.http.tailing.enabled true true
network.http.tailing.total-max 45000 45000
network.http.tailing.urgency 6 6
network.http.tcp_keepalive.long_lived_connections true true
network.http.tcp_keepalive.long_lived_idle_time 600 600
network.http.tcp_keepalive.short_lived_connections true true
network.http.tcp_keepalive.short_lived_idle_time 10 10
network.http.tcp_keepalive.short_lived_time 60 60
network.http.throttle.enable false false
network.http.throttle.hold-time-ms 800 800
network.http.throttle.max-time-ms 500 500
network.http.throttle.resume-for 100 100
network.http.throttle.suspend-for 900 900
network.http.tls-handshake-timeout 30 30
network.http.version "1.1" "1.1"
network.http.windows-sso.container-enabled.0 true true
network.http.windows-sso.enabled false false
network.http3CompleteLoad null null
network.http3FirstSentToLastReceived null null
network.http3OpenToFirstReceived null null
network.http3OpenToFirstSent null null
network.http3TlsHandshake null null
network.httpCacheEntryAliveTime null null
network.httpCacheEntryReloadTime null null
network.httpCacheEntryReuseCount null null
network.httpFetchDuration null 
network.httpRevalidation null null
network.http_index_format.allowed_schemes "file" "file"
network.httpsOnlyMode null null
network.id null null
network.idOnline null null
network.idn.punycode_cyrillic_confusables true true
network.ipc.reparse_deserialized_uri  true
network.ipv4AndIpv6AddressConnectivity null null
network.jar.max_available_size 268435456 268435456
network.jar.max_entry_size 268435456 268435456
network.jar.record_failure_reason false false
network.lna.address_space.local.override  ""
network.lna.address_space.private.override  ""
network.lna.address_space.public.override  ""
network.lna.allow_top_level_navigation  true
network.lna.benchmarking-is-local  false
network.lna.block_insecure_contexts  false
network.lna.block_trackers  false
network.lna.blocking  true
network.lna.defer_https_check  true
network.lna.enabled  true
network.lna.etp.enabled  true
network.lna.local-network-to-localhost.skip-checks  true
network.lna.prompt.timeout  300000
network.lna.skip-domains  ""
network.lna.temporary_permission_expire_time_ms  86400000
network.lna.websocket.enabled  false
network.localnetwork  null
network.loopback-network  null
network.manage-offline-status true true
network.max_socket_process_failed_count 1 1
network.microsoft-sso-authority-list "login.microsoft.com, login.microsoftonline.com, sts.windows.net, login.partner.microsoftonline.cn, login.chinacloudapi.cn, login.microsoftonline.us, login-us.microsoftonline.com" "login.microsoft.com, login.microsoftonline.com, sts.windows.net, login.partner.microsoftonline.cn, login.chinacloudapi.cn, login.microsoftonline.us, login-us.microsoftonline.com"
network.mimesniff.extra_moz_html_tags  false
network.mimesniff.non_standard_html_comment  true
network.modulepreload true true
network.negotiate-auth.allow-non-fqdn false false
network.negotiate-auth.allow-proxies true true
network.negotiate-auth.delegation-uris "" ""
network.negotiate-auth.gsslib "" ""
network.negotiate-auth.trusted-uris "" ""
network.negotiate-auth.using-native-gsslib true true
network.networkPredictionEnabled null null
network.notify.IPv6 true true
network.notify.changed true true
network.notify.checkForNRPT true true
network.notify.checkForProxies true true
network.notify.dnsSuffixList true true
network.notify.initial_call true true
network.notify.resolvers true true
network.offline-mirrors-connectivity false false
network.online true true
network.openToFirstReceived null null
network.openToFirstSent null null
network.pageLoadSize null null
network.parental_controls_cached_state false false
network.peerConnectionEnabled null null
network.preconnect true true
network.predictor.doing-tests false 
network.predictor.enable-hover-on-ssl false false
network.predictor.enable-prefetch false 
network.predictor.enabled true 
network.predictor.max-resources-per-entry 100 
network.predictor.max-uri-length 500 
network.predictor.page-degradation.day 0 
network.predictor.page-degradation.max 50 
network.predictor.page-degradation.month 10 
network.predictor.page-degradation.week 5 
network.predictor.page-degradation.year 25 
network.predictor.preconnect-min-confidence 90 
network.predictor.prefetch-force-valid-for 10 
network.predictor.prefetch-min-confidence 100 
network.predictor.prefetch-rolling-load-count 10 
network.predictor.preresolve-min-confidence 60 
network.predictor.subresource-degradation.day 1 
network.predictor.subresource-degradation.max 100 
network.predictor.subresource-degradation.month 25 
network.predictor.subresource-degradation.week 10 
network.predictor.subresource-degradation.year 50 
network.prefetch-next true true
network.prefetch-next.aggressive null null
network.prefetch-next.force-valid-for  300
network.prefetch-next.parallelism null null
network.process.enabled true true
network.protocol-handler.expose-all true true
network.protocol-handler.expose. null null
network.protocol-handler.expose.mailto false false
network.protocol-handler.expose.news false false
network.protocol-handler.expose.nntp false false
network.protocol-handler.expose.snews false false
network.protocol-handler.external-default true true
network.protocol-handler.external. null null
network.protocol-handler.external.afp false false
network.protocol-handler.external.data false false
network.protocol-handler.external.disk false false
network.protocol-handler.external.disks false false
network.protocol-handler.external.firefox null null
network.protocol-handler.external.firefox-bridge null null
network.protocol-handler.external.firefox-private null null
network.protocol-handler.external.firefox-private-bridge null null
network.protocol-handler.external.hcp false false
network.protocol-handler.external.htp false false
network.protocol-handler.external.htps false false
network.protocol-handler.external.ie.http false false
network.protocol-handler.external.iehistory false false
network.protocol-handler.external.ierss false false
network.protocol-handler.external.ile false false
network.protocol-handler.external.javascript false false
network.protocol-handler.external.le false false
network.protocol-handler.external.mailto true true
network.protocol-handler.external.mk false false
network.protocol-handler.external.moz-icon false false
network.protocol-handler.external.ms-cxh false false
network.protocol-handler.external.ms-cxh-full false false
network.protocol-handler.external.ms-help false false
network.protocol-handler.external.ms-msdt false false
network.protocol-handler.external.ps false false
network.protocol-handler.external.res false false
network.protocol-handler.external.search false false
network.protocol-handler.external.search-ms false false
network.protocol-handler.external.shell false false
network.protocol-handler.external.tps false false
network.protocol-handler.external.ttp false false
network.protocol-handler.external.ttps false false
network.protocol-handler.external.vbscript false false
network.protocol-handler.external.vnd.ms.radio false false
network.protocol-handler.prompt-from-external null null
network.protocol-handler.warn-external-default true true
network.protocol-handler.warn-external. null null
network.protocol-handler.warn-external.file false false
network.protocol-handler.warn-external.mailto false false
network.proxy null null
network.proxy. null null
network.proxy.allow_bypass true true
network.proxy.allow_hijacking_localhost false false
network.proxy.autoconfig_extra_jscontext_heap_size null null
network.proxy.autoconfig_retry_interval_max 300 300
network.proxy.autoconfig_retry_interval_min 5 5
network.proxy.autoconfig_url "" ""
network.proxy.autoconfig_url.include_path false false
network.proxy.backup. null null
network.proxy.backup.socks null null
network.proxy.backup.socks_port null null
network.proxy.backup.ssl null null
network.proxy.backup.ssl_port null null
network.proxy.default_pac_script_socks_version 4 4
network.proxy.detect_system_proxy_changes false false
network.proxy.dhcp_wpad_only_one_outstanding true true
network.proxy.dhcp_wpad_timeout_sec "5.0" "5.0"
network.proxy.enable_wpad_over_dhcp true true
network.proxy.failover_direct true true
network.proxy.failover_timeout 1800 1800
network.proxy.fast_path_system_direct  true
network.proxy.http "" ""
network.proxy.http_port 0 0
network.proxy.no_proxies_on "" ""
network.proxy.parse_pac_on_socket_process false false
network.proxy.proxy_over_tls true true
network.proxy.reload_pac_delay 2000 2000
network.proxy.retry_failed_proxies true true
network.proxy.share_proxy_settings false false
network.proxy.socks "" ""
network.proxy.socks5_remote_dns true true
network.proxy.socks_port 0 0
network.proxy.socks_remote_dns false false
network.proxy.socks_version 5 5
network.proxy.ssl "" ""
network.proxy.ssl_port 0 0
network.proxy.system_wpad false false
network.proxy.system_wpad.allowed false false
network.proxy.testing_localhost_is_secure_when_hijacked false true
network.proxy.type 5 5
network.raceCacheBandwidthNotRace null 
network.raceCacheBandwidthRaceCacheWin null 
network.raceCacheBandwidthRaceNetworkWin null 
network.raceCacheValidation null 
network.raceCacheWithNetworkOcecOnStartDiff null 
network.raceCacheWithNetworkSavedTime null 
network.raceCacheWithNetworkUsage null 
network.relPreloadMissRatio null null
network.responseCompleted null null
network.responseEndParentToContent null 
network.responseStartParentToContentExp null 
network.responseStarted null null
network.retriedSystemChannelAddonStatus  null
network.retriedSystemChannelAddonversionStatus  null
network.retriedSystemChannelOtherStatus  null
network.retriedSystemChannelRemoteSettingsStatus  null
network.retriedSystemChannelTelemetryStatus  null
network.retriedSystemChannelUpdateStatus  null
network.security.ports. null null
network.security.ports.banned null null
network.security.ports.banned.override null null
network.send_ODA_to_content_directly true true
network.send_OnDataFinished true true
network.send_OnDataFinished.cssLoader true true
network.send_OnDataFinished.html5parser true true
network.send_OnDataFinished.nsInputStreamPump true true
network.send_OnDataFinished_after_progress_updates false false
network.sniff.use_extension false false
network.sntp.pools null null
network.socket.allowed_nonlocal_domains  ""
network.socket.attach_mock_network_layer false false
network.socket.forcePort "" ""
network.socket.ip_addr_any.disabled false true
network.socket.prioritize_runnables  true
network.socket.shutdown_process_events_ms  3000
network.sslTokenCacheEarlyConnections  null
network.sslTokenCacheEvictions  null
network.sslTokenCacheExpired  null
network.sslTokenCacheHits  null
network.sslTokenCacheLoadTime  null
network.sslTokenCachePersistenceRecordsLoaded  null
network.ssl_tokens_cache_capacity 2048 8192
network.ssl_tokens_cache_persistence  false
network.ssl_tokens_cache_records_per_entry 2 10
network.standard-url.max-length 1048576 1048576
network.standard_content_type_parsing.response_headers true 
network.stricttransportsecurity.preloadlist true true
network.sts.max_time_for_events_between_two_polls 100 100
network.sts.max_time_for_pr_close_during_shutdown 5000 5000
network.sts.poll_busy_wait_period 50 50
network.sts.poll_busy_wait_period_timeout 7 7
network.sts.pollable_event_timeout 6 6
network.subCacheReadTime null null
network.subCompleteLoad null null
network.subCompleteLoadCached null null
network.subCompleteLoadNet null null
network.subDnsEnd null null
network.subDnsStart null null
network.subFirstFromCache null null
network.subFirstSentToLastReceived null null
network.subHttpRevalidation null null
network.subOpenToFirstReceived null null
network.subOpenToFirstSent null null
network.subTcpConnection null null
network.subTlsHandshake null null
network.supHttp3TcpConnection null null
network.systemChannelAddonStatus null null
network.systemChannelAddonversionStatus null null
network.systemChannelOtherStatus null null
network.systemChannelRemoteSettingsStatus null null
network.systemChannelSuccessOrFailure null null
network.systemChannelTelemetryStatus null null
network.systemChannelUpdateStatus null null
network.tcp.keepalive.enabled true true
network.tcp.keepalive.idle_time 600 600
network.tcp.keepalive.probe_count 4 4
network.tcp.keepalive.retry_interval 1 1
network.tcp.notsent_lowat  0
network.tcp.sendbuffer null null
network.tcp.user_timeout  0
network.tcpConnection null null
network.tickle-wifi.delay 16 16
network.tickle-wifi.duration 400 400
network.tickle-wifi.enabled false false
network.tlsEarlyDataAccepted null null
network.tlsEarlyDataBytesWritten null null
network.tlsEarlyDataNegotiated null null
network.tlsHandshake null null
network.tlsVersionRestriction null null
network.traffic_analyzer.enabled true true
network.trr.add_additional_records false false
network.trr.allow-rfc1918 false false
network.trr.allow_default_http3_first  false
network.trr.async_connInfo false false
network.trr.attempt-when-retrying-confirmation false false
network.trr.bootstrapAddr null null
network.trr.builtin-excluded-domains "localhost,local" "localhost,local"
network.trr.clear-cache-on-pref-change true true
network.trr.confirmationNS "example.com" "example.com"
network.trr.confirmation_telemetry_enabled true 
network.trr.confirmation_timeout_ms 6000 6000
network.trr.credentials "" ""
network.trr.custom_uri "" ""
network.trr.default_provider_uri ? ?
network.trr.disable-ECS true true
network.trr.exclude-etc-hosts true true
network.trr.exclude_dns_suffix_in_mode_trronly  false
network.trr.excluded-domains "" ""
network.trr.fallback-on-zero-response false false
network.trr.fast_pto_for_http3_conn  0
network.trr.force_http3_first  false
network.trr.hard_fail_on_extended_error true true
network.trr.high_priority_events  true
network.trr.idle_timeout_for_http3_conn 30 30
network.trr.max-fails 15 15
network.trr.max-retry-timeout-ms 64000 64000
network.trr.mode 0 0
network.trr.ohttp null null
network.trr.ohttp.config_uri "" ""
network.trr.ohttp.relay_uri "" ""
network.trr.ohttp.uri "" ""
network.trr.padding true true
network.trr.padding.length 128 128
network.trr.parse_on_socket_thread  true
network.trr.ping_timeout 3000 3000
network.trr.preconnect_on_foreground  true
network.trr.preserve_on_background  false
network.trr.request_timeout_mode_trronly_ms 30000 30000
network.trr.request_timeout_ms 1500 1500
network.trr.retry-timeout-ms 125 125
network.trr.retry_on_recoverable_errors true false
network.trr.send_accept-language_headers false false
network.trr.send_empty_accept-encoding_headers true true
network.trr.send_user-agent_headers false false
network.trr.skip-AAAA-when-not-supported true 
network.trr.skip-check-for-blocked-host false false
network.trr.split_horizon_mitigations true true
network.trr.start-confirmation-in-failed-state  false
network.trr.strict_fallback_request_timeout_ms 6000 6000
network.trr.strict_native_fallback false false
network.trr.strict_native_fallback_allow_timeouts true true
network.trr.temp_blocklist true true
network.trr.temp_blocklist_duration_sec 60 60
network.trr.uri "" ""
network.trr.useGET false true
network.trr.use_ohttp false false
network.trr.wait-for-confirmation false false
network.trr.wait-for-portal false 
network.trrIdleCloseTimeH1 null null
network.trrIdleCloseTimeH2 null null
network.trrIdleCloseTimeH3 null null
network.trr_ui.fallback_was_checked  true
network.trr_ui.skip_reason_learn_more_url ? ?
network.url.max-length 536870912 536870912
network.url.simple_uri_unknown_schemes "" ""
network.url.simple_uri_unknown_schemes_enabled true true
network.url.useDefaultURI true true
network.urlclassifierHarmfulAddonBlock  null
network.webRTCIPHandlingPolicy null null
network.websocket.allowInsecureFromHTTPS false false
network.websocket.delay-failed-reconnects true true
network.websocket.max-connections 200 200
network.websocket.max-message-size 2147483647 2147483647
network.websocket.timeout.close 20 20
network.websocket.timeout.open 20 20
network.websocket.timeout.ping.request 0 0
network.websocket.timeout.ping.response 10 10
network.webtransport.datagram_size 1200 
network.webtransport.datagrams.enabled true 
network.webtransport.enabled true true
network.webtransport.redirect.enabled false false
network.wifi.scanning_period 60000 60000
network.xhr.block_sync_system_requests true true
nglayout.debug.disable_xul_cache false false
nglayout.debug.invalidation false false
nglayout.enable_drag_images true true
nglayout.initialpaint.delay 5 5
nglayout.initialpaint.delay_in_oopif 5 5
security.ssl.disable_session_identifiers false false
security.ssl.enable_alpn true true
security.ssl.enable_false_start true true
security.ssl.enable_ocsp_must_staple true true
security.ssl.enable_ocsp_stapling true true
security.ssl.errorReporting.enabled null null
security.ssl.require_safe_negotiation false false
security.ssl.treat_unsafe_negotiation_as_broken false false
security.tls.client_hello.send_p256_keyshare true true
security.tls.ech.disable_grease_on_fallback false false
security.tls.ech.grease_http3 true true
security.tls.ech.grease_probability 100 100
security.tls.ech.grease_size 100 100
security.tls.enable_0rtt_data true true
security.tls.enable_certificate_compression_abridged  false
security.tls.enable_certificate_compression_brotli true true
security.tls.enable_certificate_compression_zlib true true
security.tls.enable_certificate_compression_zstd true true
security.tls.enable_delegated_credentials true true
security.tls.enable_kyber true true
security.tls.enable_post_handshake_auth false false
security.tls.grease_http3_enable false false
security.tls.hello_downgrade_check true true
security.tls.insecure_fallback_hosts "" ""
security.tls.version. null null
security.tls.version.enable-deprecated false false
security.tls.version.fallback-limit 4 4
security.tls.version.max 4 4
security.tls.version.min 3 3
`;

/** Stands for a value that is an address: the package holds none but its own. */
const NOT_KEPT = Symbol('not kept');

type Cell = PreferenceValue | null | undefined | typeof NOT_KEPT;

const ROW = /^(\S+) (\S*|".*?(?<!\\)") (\S*|".*")$/;
let table: ReadonlyMap<string, readonly [Cell, Cell]> | undefined;

function rows(): ReadonlyMap<string, readonly [Cell, Cell]> {
  table ??= new Map(
    NAMES.trim()
      .split('\n')
      .flatMap((line) => {
        const [, name = '', older = '', newer = ''] = ROW.exec(line) ?? [];
        return name === '' ? [] : [[name, [cell(older), cell(newer)]] as const];
      }),
  );
  return table;
}

const cell = (text: string): Cell => (text === '' ? undefined : text === '?' ? NOT_KEPT : (JSON.parse(text) as PreferenceValue | null));

/** A part of `NameState`. */
type NetworkState =
  | { readonly state: 'default'; readonly value: PreferenceValue }
  | { readonly state: 'joined'; readonly branch: string }
  | { readonly state: 'hidden' | 'absent' };

/** The majors that were read, older first. */
const READ = [140, 153] as const;

/** `undefined`: the name is not about the network, its value is not kept, or the builds that were read differ in it on both sides of this version. */
export function networkState(name: string, major: number): NetworkState | undefined {
  if (!NETWORK_ROOTS.some((root) => name.startsWith(root))) return undefined;
  const [older, newer] = READ.map((_, at) => stateIn(name, at));
  if (major >= READ[1]) return newer;
  return major <= READ[0] || JSON.stringify(older) === JSON.stringify(newer) ? older : undefined;
}

function stateIn(name: string, at: number): NetworkState | undefined {
  const held = rows().get(name)?.[at];
  if (held === NOT_KEPT) return undefined;
  if (held !== undefined) return held === null ? { state: 'hidden' } : { state: 'default', value: held };
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const branch = name.slice(0, dot + 1);
    if (rows().get(branch)?.[at] !== undefined) return { state: 'joined', branch };
  }
  return { state: 'absent' };
}

/** Names with a default value in that version. */
export const networkNames = (major: number): readonly string[] =>
  [...rows()].flatMap(([name, [older, newer]]) => {
    const held = major >= READ[1] ? newer : older;
    return held === undefined || held === null ? [] : [name];
  });
