/**
 * What a preference leaves behind in a Firefox that runs, for the turn of another profile: read in the source of Firefox ESR 140 and 153, and for what is
 * cleared, seen in Firefox ESR 153 (test/browser/left-behind.test.ts). A preference that is not listed acts on connections and requests only, and leaves
 * nothing but connections.
 */

/** What outlives the connections, which every switch closes (`net:prune-all-connections`). */
export type LeftBehind = 'alt-svc' | 'tls-tickets' | 'dns-cache' | 'prefetched' | 'http-cache' | 'predictor' | 'doh-state';

/**
 * - `cleared`: the privileged script of the lab build clears it, and only it, at the switch. It holds nothing of the person's: Firefox learns it again.
 * - `waited-for`: the first slot of a turn is enough. A prefetched page is one that the page in front points at, and is opened soon or not at all.
 * - `neither`: to clear it would take from the person what they would miss, or it lasts for days; no trial by turns tries such a preference.
 */
export const HANDLING: Readonly<Record<LeftBehind, 'cleared' | 'waited-for' | 'neither'>> = {
  /**
   * Mappings last as long as the server says, a day by default, across restarts (RFC 7838, 3.1; AlternateServices.cpp). Servers where QUIC failed are not tried over
   * it again until the network changes (nsHttpHandler.cpp, `mExcludedHttp3Origins`).
   */
  'alt-svc': 'cleared',
  /** TLS tickets and QUIC tokens, at most a week (RFC 8446, 4.6.1; SSLTokensCache.cpp). */
  'tls-tickets': 'cleared',
  /** A minute, and ten more while they are renewed (nsHostResolver.cpp); an hour under some lists. */
  'dns-cache': 'cleared',
  prefetched: 'waited-for',
  /** What is cached stays for weeks, and is the person's (netwerk/cache2). */
  'http-cache': 'neither',
  /** It learns pages over days (Predictor.cpp). */
  predictor: 'neither',
  /** A provider is confirmed anew, and names on which it failed are left to the system for a minute or more (TRRService.cpp). */
  'doh-state': 'neither',
};

const SERVICES: readonly LeftBehind[] = ['alt-svc'];
const ALL_OF_HTTP3: readonly LeftBehind[] = ['alt-svc', 'tls-tickets'];
const TICKETS: readonly LeftBehind[] = ['tls-tickets'];
const NAMES: readonly LeftBehind[] = ['dns-cache'];
const CACHED: readonly LeftBehind[] = ['http-cache'];

export const LEFT_BEHIND: Readonly<Record<string, readonly LeftBehind[]>> = {
  'network.http.http3.enable': ALL_OF_HTTP3,
  'network.http.altsvc.enabled': ALL_OF_HTTP3,
  'network.dns.use_https_rr_as_altsvc': [...NAMES, ...ALL_OF_HTTP3],
  'network.http.happy_eyeballs_enabled': SERVICES,
  'network.http.http3.backup_timer_delay': SERVICES,
  'network.http.http3.parallel_fallback_conn_limit': SERVICES,
  'network.dns.httpssvc.http3_fast_fallback_timeout': SERVICES,
  'network.http.http3.version_negotiation.enabled': SERVICES,
  'network.http.http3.sni-slicing': SERVICES,
  'network.http.http3.pmtud': SERVICES,
  'network.http.http3.ecn_mark': SERVICES,
  'network.http.http3.enable_kyber': SERVICES,
  'security.tls.ech.grease_http3': SERVICES,
  'network.http.http3.enable_0rtt': TICKETS,
  'network.http.http2.enabled': TICKETS,
  'network.ssl_tokens_cache_capacity': TICKETS,
  'network.ssl_tokens_cache_records_per_entry': TICKETS,
  'security.tls.enable_0rtt_data': TICKETS,
  'security.ssl.disable_session_identifiers': TICKETS,
  'network.dnsCacheExpiration': NAMES,
  'network.dnsCacheEntries': NAMES,
  'network.dnsCacheExpirationGracePeriod': NAMES,
  'network.dns.get-ttl': NAMES,
  'network.dns.disableIPv6': NAMES,
  'network.dns.preferIPv6': NAMES,
  'network.dns.native_https_query': NAMES,
  'network.dns.upgrade_with_https_rr': NAMES,
  'network.dns.echconfig.enabled': [...NAMES, ...TICKETS],
  'network.dns.http3_echconfig.enabled': [...NAMES, ...TICKETS],
  'network.dns.port_prefixed_qname_https_rr': NAMES,
  'network.dns.disablePrefetch': NAMES,
  'network.dns.disablePrefetchFromHTTPS': NAMES,
  'dom.prefetch_dns_for_anchor_http_document': NAMES,
  'dom.prefetch_dns_for_anchor_https_document': NAMES,
  'network.trr.disable-ECS': NAMES,
  'network.trr.padding': NAMES,
  'network.trr.mode': [...NAMES, 'doh-state'],
  'network.prefetch-next': ['prefetched'],
  'network.predictor.enabled': ['predictor'],
  'network.predictor.enable-prefetch': ['predictor', 'prefetched'],
  'browser.cache.disk.enable': CACHED,
  'browser.cache.disk.smart_size.enabled': CACHED,
  'browser.cache.disk.capacity': CACHED,
  'browser.cache.disk.max_entry_size': CACHED,
  'browser.cache.memory.enable': CACHED,
  'browser.cache.memory.capacity': CACHED,
  'browser.cache.memory.max_entry_size': CACHED,
  'browser.cache.jsbc_compression_level': CACHED,
  'network.http.stale_while_revalidate.enabled': CACHED,
  'network.http.dictionaries.enable': CACHED,
};

/** What any of these preferences leaves behind, each kind once. */
export const leftBehindBy = (preferences: readonly string[]): readonly LeftBehind[] => [
  ...new Set(preferences.flatMap((preference) => LEFT_BEHIND[preference] ?? [])),
];

/** The first of these preferences that no trial tries by turns, and why not. @param live - Whether turns change while Firefox runs, with the privileged script. */
export function notByTurns(preferences: readonly string[], live: boolean): string | undefined {
  const lasting = preferences.find((preference) => leftBehindBy([preference]).some((kind) => lasts(kind, live)));
  return lasting && `what ${lasting} leaves in Firefox lasts into the other's turns, and can neither be cleared nor waited for`;
}

/** A restart ends connections, name lookups, tickets and exclusions, and keeps the mappings of Alt-Svc. */
const lasts = (kind: LeftBehind, live: boolean): boolean =>
  HANDLING[kind] === 'neither' ? live || kind !== 'doh-state' : kind === 'alt-svc' && !live;
