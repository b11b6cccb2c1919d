/** Caddy in front of the embedded server: HTTP/3, and HTTP/2 where QUIC does not come through. JSON: https://caddyserver.com/docs/json/ */

import { FRONT_PORTS } from '../pages/served-by.ts';
import { CONNECTION_HEADER } from './proxied-requests.ts';
import { CLIENT_IDLE_S, type TlsConfiguration, UPSTREAM_CONNECTIONS, UPSTREAM_IDLE_S } from './reverse-proxy-configuration.ts';

export function caddyConfiguration({ addresses, upstreamPort, certificate }: TlsConfiguration): string {
  const proxy = {
    handler: 'reverse_proxy',
    upstreams: [{ dial: `127.0.0.1:${upstreamPort}` }],
    transport: {
      protocol: 'http',
      compression: false,
      keep_alive: { enabled: true, idle_timeout: `${UPSTREAM_IDLE_S}s`, max_idle_conns_per_host: UPSTREAM_CONNECTIONS },
    },
    headers: { request: { set: { [CONNECTION_HEADER]: ['{http.request.remote}'] } } },
  };
  const server = {
    listen: addresses.map((address) => `${address}:${FRONT_PORTS.http3}`),
    protocols: ['h1', 'h2', 'h3'],
    idle_timeout: `${CLIENT_IDLE_S}s`,
    // The certificates are ours; none is fetched, and nothing listens at port 80.
    automatic_https: { disable: true },
    // A browser names no server where its address is a number.
    tls_connection_policies: [{ default_sni: addresses[0], protocol_min: 'tls1.3' }],
    routes: [{ handle: [proxy] }],
  };
  const configuration = {
    admin: { disabled: true, config: { persist: false } },
    logging: { logs: { default: { level: 'ERROR' } } },
    apps: {
      http: { servers: { pages: server } },
      tls: {
        certificates: { load_files: [{ certificate: certificate.certificatePath, key: certificate.keyPath }] },
        // Every visit is a first one: no session is taken up again.
        session_tickets: { disabled: true },
      },
    },
  };
  return `${JSON.stringify(configuration, undefined, 2)}\n`;
}
