/** Preferences that blur what another one shows, each with the reason. */
import { CATALOGUE, PACING_ENABLED } from '../catalogue.ts';
import type { Profile } from '../profile.ts';
import { SHIPPED } from '../shipped.ts';

/** The reasons by the preference that blurs, and these by the one that is blurred. */
export const CONFOUNDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'network.http.max-persistent-connections-per-server': {
    'network.http.pacing.requests.enabled':
      'With more than min-parallelism (6) connections active, request starts are paced: a limit above 6 is held back by it.',
    'network.http.max-urgent-start-excessive-connections-per-host':
      'Urgent requests (the document itself, a click) may open this many connections above the limit (3 as shipped).',
    'network.http.connection-retry-timeout':
      'Where a handshake takes longer than this (250 ms as shipped), Firefox opens a second, backup connection: on links of that round-trip time servers see more connections than the limit suggests.',
    'network.http.http2.enabled': 'Origins that speak HTTP/2 or HTTP/3 use one connection whatever this says.',
  },
  'network.http.max-persistent-connections-per-proxy': {
    'network.http.pacing.requests.enabled':
      'With more than min-parallelism (6) connections active, request starts are paced: a limit above 6 is held back by it.',
  },
  'network.http.fast-fallback-to-IPv4': {
    'network.http.connection-retry-timeout': 'At 0 there is no backup connection.',
    'network.http.happy_eyeballs_enabled': 'When on, connections are raced otherwise and there is no backup connection.',
  },
  'network.http.happy_eyeballs_connection_attempt_delay': { 'network.http.happy_eyeballs_enabled': 'Without it this is not read.' },
  'network.http.happy_eyeballs_resolution_delay': { 'network.http.happy_eyeballs_enabled': 'Without it this is not read.' },
  'network.http.http2.default-concurrent': { 'network.http.http3.enable': 'An origin reached over HTTP/3 has no HTTP/2 session.' },
  'network.http.http2.pull-allowance': { 'network.http.http2.push-allowance': 'The window is the larger of the two.' },
  'network.http.http2.aggressive_coalescing': { 'network.http.http2.coalesce-hostnames': 'Without it nothing is shared.' },
  'network.http.http2.ping-timeout': { 'network.http.http2.ping-threshold': 'At 0 no ping is sent.' },
  'network.http.http3.enable': { 'network.http.altsvc.enabled': 'Without alternative services most HTTP/3 origins are never discovered.' },
  'network.early-hints.over-http-v1-1.enabled': { 'network.early-hints.enabled': 'Without early hints this is not read.' },
  'network.early-hints.preconnect.enabled': { 'network.early-hints.enabled': 'Without early hints this is not read.' },
  'network.early-hints.preconnect.max_connections': { 'network.early-hints.enabled': 'Without early hints this is not read.' },
  'browser.urlbar.speculativeConnect.enabled': { 'network.http.speculative-parallel-limit': 'At 0 no connection is opened ahead of need.' },
  'browser.places.speculativeConnect.enabled': { 'network.http.speculative-parallel-limit': 'At 0 no connection is opened ahead of need.' },
  'dom.prefetch_dns_for_anchor_http_document': { 'network.dns.disablePrefetch': 'True turns it off as well.' },
  'dom.prefetch_dns_for_anchor_https_document': { 'network.dns.disablePrefetch': 'True turns it off as well.' },
  'network.predictor.enabled': { 'network.http.speculative-parallel-limit': 'At 0 no connection is opened ahead of need.' },
  'network.predictor.enable-prefetch': { 'network.predictor.enabled': 'Without the predictor this is not read.' },
  'network.http.tailing.delay-quantum-after-domcontentloaded': { 'network.http.tailing.enabled': 'Without tailing this is not read.' },
  'network.http.tailing.delay-max': { 'network.http.tailing.enabled': 'Without tailing this is not read.' },
  'network.http.tailing.total-max': { 'network.http.tailing.enabled': 'Without tailing this is not read.' },
  'network.http.tailing.urgency': {
    'network.http.priority_header.enabled': 'Without it no request carries an urgency over HTTP/1.1 and HTTP/2.',
  },
  'network.http.throttle.suspend-for': { 'network.http.throttle.enable': 'Without throttling this is not read.' },
  'network.http.throttle.resume-for': { 'network.http.throttle.enable': 'Without throttling this is not read.' },
  'network.http.throttle.hold-time-ms': { 'network.http.throttle.enable': 'Without throttling this is not read.' },
  'network.http.throttle.max-time-ms': { 'network.http.throttle.enable': 'Without throttling this is not read.' },
  'network.http.focused_window_transaction_ratio': { 'network.http.active_tab_priority': 'Without it this is not read.' },
  'network.fetchpriority.adjust_urgency': {
    'network.http.priority_header.enabled': 'Without it no request carries an urgency over HTTP/1.1 and HTTP/2.',
  },
  'network.buffer.cache.size': { 'network.buffer.cache.count': 'What may wait unread is size x count.' },
  'network.buffer.cache.count': { 'network.buffer.cache.size': 'What may wait unread is size x count.' },
  'browser.cache.disk.capacity': { 'browser.cache.disk.smart_size.enabled': 'While Firefox chooses the size this is overwritten.' },
  'network.http.rcwn.small_resource_size_kb': { 'network.http.rcwn.enabled': 'Without racing this is not read.' },
  'network.http.rcwn.max_wait_before_racing_ms': { 'network.http.rcwn.enabled': 'Without racing this is not read.' },
  'network.http.rcwn.cache_queue_normal_threshold': { 'network.http.rcwn.enabled': 'Without racing this is not read.' },
  'network.dns.preferIPv6': { 'network.dns.disableIPv6': 'True leaves nothing to prefer.' },
  'network.dns.use_https_rr_as_altsvc': { 'network.http.http3.enable': 'Without HTTP/3 there is nothing to use.' },
  'network.trr.disable-ECS': { 'network.trr.mode': 'Without DNS over HTTPS this is not read.' },
  'network.trr.padding': { 'network.trr.mode': 'Without DNS over HTTPS this is not read.' },
  'network.http.http3.enable_kyber': { 'security.tls.enable_kyber': 'Without that one this has no effect.' },
  'network.http.http3.enable_certificate_compression_brotli': {
    'security.tls.enable_certificate_compression_brotli': 'Without that one this has no effect.',
  },
  'network.http.http3.enable_certificate_compression_zlib': {
    'security.tls.enable_certificate_compression_zlib': 'Without that one this has no effect.',
  },
  'network.http.http3.enable_certificate_compression_zstd': {
    'security.tls.enable_certificate_compression_zstd': 'Without that one this has no effect.',
  },
  'security.tls.ech.grease_http3': { 'security.tls.ech.grease_probability': 'At 0 it is never sent.' },
};

/** The confounders of a profile's result, one sentence per preference; empty: nothing known. */
export function confounders(profile: Profile): readonly string[] {
  const aboveShipped = (profile.connections ?? 0) > SHIPPED.pacedAbove;
  const pacingBites = aboveShipped && profile.preferences[PACING_ENABLED] !== false;
  return CATALOGUE.filter(({ preference }) => preference in profile.preferences).flatMap(({ preference: blurred }) =>
    Object.entries(CONFOUNDERS[blurred] ?? {})
      .filter(([preference]) => preference !== PACING_ENABLED || pacingBites)
      .map(([preference, why]) => `${preference}: ${why}`),
  );
}
