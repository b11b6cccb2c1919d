/** nginx in front of the embedded server: HTTP/1.1, plain or over TLS 1.3. Directives: https://nginx.org/en/docs/dirindex.html */

import { FRONT_PORTS } from '../pages/served-by.ts';
import type { CertificateFiles } from './certificates.ts';
import { CONNECTION_HEADER } from './proxied-requests.ts';
import { CLIENT_IDLE_S, type FrontConfiguration, UPSTREAM_CONNECTIONS, UPSTREAM_IDLE_S } from './reverse-proxy-configuration.ts';

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
export function nginxConfiguration(options: FrontConfiguration & { readonly certificate?: CertificateFiles }): string {
  const { addresses, folder, upstreamPort, certificate } = options;
  const port = certificate ? FRONT_PORTS.https : FRONT_PORTS.nginx;
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
