/**
 * What the platform of Pale Moon and Basilisk (UXP, begun from Gecko 52) still reads of the catalogue. Read in 2026 from
 * https://repo.palemoon.org/MoonchildProductions/UXP : modules/libpref/init/all.js, netwerk/base/nsIOService.cpp,
 * dom/html/nsHTMLDNSPrefetch.cpp; and from Gecko 52's all.js. What came later is unknown there: HTTP/3, the `http2` names (`spdy` there),
 * throttling, tailing, urgent starts, the TLS token cache. `network.dns.disablePrefetchFromHTTPS`, which Gecko 52 read, is gone from UXP.
 */
const READ_BY_UXP: ReadonlySet<string> = new Set([
  'network.http.max-persistent-connections-per-server',
  'network.http.max-persistent-connections-per-proxy',
  'network.http.max-connections',
  'network.http.request.max-start-delay',
  'network.http.keep-alive.timeout',
  'network.http.connection-retry-timeout',
  'network.http.pacing.requests.enabled',
  'network.http.pacing.requests.min-parallelism',
  'network.http.pacing.requests.hz',
  'network.http.pacing.requests.burst',
  'network.http.altsvc.enabled',
  'network.http.speculative-parallel-limit',
  'network.prefetch-next',
  'network.dns.disablePrefetch',
  'network.buffer.cache.size',
  'network.buffer.cache.count',
  'network.dnsCacheExpiration',
  'network.dnsCacheEntries',
  'network.http.pipelining',
  'network.http.pipelining.ssl',
  'network.http.proxy.pipelining',
  'network.http.pipelining.maxrequests',
  'network.http.pipelining.max-optimistic-requests',
  'network.http.pipelining.aggressive',
  'network.http.pipelining.maxsize',
  'network.http.pipelining.reschedule-on-timeout',
  'network.http.pipelining.reschedule-timeout',
  'network.http.pipelining.read-timeout',
]);

export const isReadByUxp = (preference: string): boolean => READ_BY_UXP.has(preference);
