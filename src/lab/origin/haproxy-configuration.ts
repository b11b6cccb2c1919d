/**
 * HAProxy in front of the embedded server: HTTP/2 over TLS 1.3. All that HTTP/2 has to do with is as HAProxy ships it, above all
 * `tune.h2.max-concurrent-streams` 100 and `tune.h2.initial-window-size` 65535 (docs.haproxy.org/2.6/configuration.html, section 3.2).
 */

import { FRONT_PORTS } from '../pages/served-by.ts';
import { CONNECTION_HEADER } from './proxied-requests.ts';
import { CLIENT_IDLE_S, type TlsConfiguration, UPSTREAM_CONNECTIONS } from './reverse-proxy-configuration.ts';

export function haproxyConfiguration({ addresses, upstreamPort, certificate }: TlsConfiguration): string {
  const bind = addresses
    .map((address) => `  bind ${address}:${FRONT_PORTS.http2} ssl crt ${certificate.certificateWithKeyPath} alpn h2,http/1.1\n`)
    .join('');
  return `global
  # The browser has the other processor.
  nbthread 1
  maxconn 4096
  # Every visit is a first one: no session is taken up again.
  tune.ssl.cachesize 0
  ssl-default-bind-options ssl-min-ver TLSv1.3 no-tls-tickets
  tune.pool-low-fd-ratio 60
  tune.pool-high-fd-ratio 80

defaults
  mode http
  option http-keep-alive
  timeout connect 10s
  timeout client 600s
  timeout server 600s
  timeout http-keep-alive ${CLIENT_IDLE_S}s

frontend pages
${bind}  http-request set-header ${CONNECTION_HEADER} %[src]:%[src_port]
  default_backend embedded

backend embedded
  http-reuse always
  server embedded 127.0.0.1:${upstreamPort} pool-max-conn ${UPSTREAM_CONNECTIONS} pool-purge-delay 30s
`;
}
