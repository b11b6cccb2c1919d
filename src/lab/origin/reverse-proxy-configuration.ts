/** Writes the configurations of the reverse proxies, each in its own language. */

import { REVERSE_PROXY_PORTS } from '../pages/served-by.ts';
import type { CertificateFiles } from './certificates.ts';
import { CONNECTION_HEADER } from './embedded-server.ts';

export interface ReverseProxyConfiguration {
  readonly addresses: readonly string[];
  /** Port of the embedded server on loopback. */
  readonly upstreamPort: number;
  /** Holds whatever the server writes; absolute. */
  readonly folder: string;
}

export interface TlsConfiguration extends ReverseProxyConfiguration {
  readonly certificate: CertificateFiles;
}

/**
 * Idle connections of a browser are kept so long, s: longer than Firefox keeps them (`network.http.keep-alive.timeout`, 115 s), so that
 * no server closes what the profile left open.
 */
const CLIENT_IDLE_S = 120;
/** Idle connections to the embedded server, s: shorter than it keeps them (120 s), so that none is used while it is being closed. */
const UPSTREAM_IDLE_S = 60;
/** Idle connections kept to the embedded server: more than a page of 12 servers wants at once, so that none has to be opened again. */
const UPSTREAM_CONNECTIONS = 512;

/** More than any browser asks of one connection: nginx closes it after 1000 by itself. */
const REQUESTS_PER_CONNECTION = 1_000_000;

/** What it writes goes into these folders; as shipped they are below /var/lib. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'] as const;

const TLS = ({ certificatePath, keyPath }: CertificateFiles) => `    ssl_certificate ${certificatePath};
    ssl_certificate_key ${keyPath};
    ssl_protocols TLSv1.3;
    # Every visit is a first one: no session is taken up again.
    ssl_session_cache off;
    ssl_session_tickets off;
    ssl_conf_command NumTickets 0;
`;

/** @param options.certificate - Absent: plain HTTP. */
export function nginxConfiguration(options: ReverseProxyConfiguration & { readonly certificate?: CertificateFiles }): string {
  const { addresses, folder, upstreamPort, certificate } = options;
  const port = certificate ? REVERSE_PROXY_PORTS.https : REVERSE_PROXY_PORTS.nginx;
  const listen = addresses.map((address) => `    listen ${address}:${port}${certificate ? ' ssl' : ''} backlog=1024;\n`).join('');
  return `# One process in the foreground: what starts it can end it.
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr warn;
events {
  worker_connections 8192;
}
http {
  access_log off;
  server_tokens off;
  default_type application/octet-stream;
${TEMPORARY.map((name) => `  ${name}_temp_path ${folder}/${name};\n`).join('')}  tcp_nodelay on;
  gzip off;
  keepalive_timeout ${CLIENT_IDLE_S}s;
  keepalive_requests ${REQUESTS_PER_CONNECTION};
  keepalive_time 24h;
  upstream embedded {
    server 127.0.0.1:${upstreamPort} max_fails=0;
    keepalive ${UPSTREAM_CONNECTIONS};
    keepalive_requests ${REQUESTS_PER_CONNECTION};
    keepalive_time 24h;
    keepalive_timeout ${UPSTREAM_IDLE_S}s;
  }
  server {
${listen}${certificate ? TLS(certificate) : ''}    location / {
      proxy_pass http://embedded;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header ${CONNECTION_HEADER} $remote_addr:$remote_port;
      proxy_read_timeout 600s;
      proxy_buffer_size 16k;
      proxy_buffers 16 64k;
      proxy_busy_buffers_size 512k;
      # Nothing is written to a disk: what the browser does not take yet stays with the embedded server.
      proxy_max_temp_file_size 0;
    }
  }
}
`;
}

/**
 * HAProxy in front of the embedded server: HTTP/2 over TLS 1.3. All that HTTP/2 has to do with is as HAProxy ships it, above all
 * `tune.h2.max-concurrent-streams` 100 and `tune.h2.initial-window-size` 65535 (docs.haproxy.org/2.6/configuration.html, section 3.2).
 */
export function haproxyConfiguration({ addresses, upstreamPort, certificate }: TlsConfiguration): string {
  const bind = addresses
    .map((address) => `  bind ${address}:${REVERSE_PROXY_PORTS.http2} ssl crt ${certificate.certificateWithKeyPath} alpn h2,http/1.1\n`)
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

interface CaddyConfiguration extends TlsConfiguration {
  readonly port: number;
  /** `first`: no TLS session is taken up again. `remembered`: one is, where the browser comes back under the same name. */
  readonly visits: 'first' | 'remembered';
}

/** Caddy in front of the embedded server: HTTP/3, HTTP/2 and HTTP/1.1 at one port. JSON: https://caddyserver.com/docs/json/ */
export function caddyConfiguration({ addresses, upstreamPort, certificate, port, visits }: CaddyConfiguration): string {
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
    listen: addresses.map((address) => `${address}:${port}`),
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
        ...(visits === 'first' && { session_tickets: { disabled: true } }),
      },
    },
  };
  return `${JSON.stringify(configuration, undefined, 2)}\n`;
}
