/** nginx and Apache on loopback, each once with long and once with short keep-alive, before one small server for what neither makes itself. */
import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../../../src/lab/origin/reverse-proxies.ts';
import { type ReverseProxyProcess, startReverseProxy } from '../../../../src/lab/origin/reverse-proxy-process.ts';
import { serveHttp } from './servers.ts';

export const SERVER_NAMES = ['nginx', 'nginx-short', 'apache', 'apache-short'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

export interface RealServers {
  /** `http://127.0.0.1:port` by name. The short ones close a connection after 7 requests. */
  readonly origins: Readonly<Record<ServerName, string>>;
  readonly files: readonly string[];
  close(): Promise<void>;
}

/** Requests after which a short server closes its connection. */
export const SHORT = 7;
/** So long that no run sees its end. */
const LONG = 1_000_000;
/** Of every file: 304 and ETag are the same in every run. */
export const MODIFIED = new Date('2020-01-01T00:00:00Z');
/** Round a segment, a page of memory, and the gateway's own buffers. */
const SIZES = [0, 1, 127, 1445, 1460, 4096, 16_384, 65_536, 65_537, 131_073, 400_000] as const;
const KINDS = ['png', 'js', 'css', 'html', 'bin'] as const;

/** @throws Error naming the program that is missing. */
export async function startRealServers(): Promise<RealServers> {
  const [nginx, apache] = await Promise.all(['nginx', 'apache2'].map(requireProgram));
  const folder = await mkdtemp(join(tmpdir(), 'plumbfox-real-servers-'));
  // Apache gives up the rights of root, and has to read the files all the same.
  await chmod(folder, 0o755);
  const files = await writeFiles(join(folder, 'files'));
  const backend = await serveHttp(answer);
  const ports = await freePorts(SERVER_NAMES.length);
  const origins = Object.fromEntries(SERVER_NAMES.map((name, at) => [name, `http://127.0.0.1:${ports[at]}`])) as RealServers['origins'];
  const [nginxLong = 0, nginxShort = 0, apacheLong = 0, apacheShort = 0] = ports;
  const started: ReverseProxyProcess[] = [];
  const close = async () => {
    await Promise.all([...started.map((one) => one.close()), backend.close()]);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const nginxFile = join(folder, 'nginx.conf');
    await writeFile(nginxFile, nginxConfiguration({ folder, backend: backend.port, long: nginxLong, short: nginxShort }));
    const common = { env: {}, hosts: ['127.0.0.1'] };
    started.push(
      await startReverseProxy({
        ...common,
        name: 'nginx',
        command: [`${nginx}`, '-p', folder, '-e', 'stderr', '-c', nginxFile],
        port: nginxShort,
      }),
    );
    for (const { port, requests } of [
      { port: apacheLong, requests: LONG },
      { port: apacheShort, requests: SHORT },
    ]) {
      const file = join(folder, `apache-${port}.conf`);
      await writeFile(file, apacheConfiguration({ folder, backend: backend.port, port, requests }));
      // One process in the foreground: what starts it can end it.
      started.push(await startReverseProxy({ ...common, name: 'apache2', command: [`${apache}`, '-X', '-d', folder, '-f', file], port }));
    }
    return { origins, files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function requireProgram(name: string): Promise<string> {
  const path = await findProgram(name);
  if (path === undefined) throw new Error(`${name} was not found. Install with: sudo apt-get install nginx apache2-bin`);
  return path;
}

/** Answers their names. Every byte comes up, and each file is another. */
async function writeFiles(folder: string): Promise<readonly string[]> {
  await mkdir(join(folder, 'folder'), { recursive: true });
  const names = SIZES.flatMap((size, at) =>
    KINDS.filter((_, kind) => size < 20_000 || kind === at % KINDS.length).map((kind) => ({ size, name: `${size}.${kind}` })),
  );
  for (const { size, name } of names) {
    const text = /\.(js|css|html)$/.test(name);
    const content = Buffer.from(Array.from({ length: size }, (_, at) => (text ? 32 + ((at * at + size) % 95) : (at * 31 + size) % 256)));
    await writeFile(join(folder, name), content);
    await utimes(join(folder, name), MODIFIED, MODIFIED);
  }
  return names.map(({ name }) => name);
}

/** Below those that Linux hands out by itself (32,768 to 60,999 as shipped, `net.ipv4.ip_local_port_range`): nobody is given one meanwhile. */
const PORTS = { from: 20_000, count: 12_000 };

/** Free at the moment, and differing; each process begins somewhere else. */
async function freePorts(count: number): Promise<readonly number[]> {
  const free: number[] = [];
  for (let at = 0; free.length < count && at < PORTS.count; at += 1) {
    const port = PORTS.from + ((process.pid * 97 + at) % PORTS.count);
    if (await isFree(port)) free.push(port);
  }
  return free;
}

async function isFree(port: number): Promise<boolean> {
  const server = createTcpServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

interface Places {
  readonly folder: string;
  readonly backend: number;
}

const TYPES = { png: 'image/png', js: 'text/javascript', css: 'text/css', html: 'text/html', bin: 'application/octet-stream' };

function nginxConfiguration({ folder, backend, long, short }: Places & { long: number; short: number }): string {
  const server = (port: number, requests: number) => `  server {
    listen 127.0.0.1:${port} backlog=1024;
    keepalive_requests ${requests};
    root ${folder}/files;
    location /secret/ { deny all; }
    location /moved { return 301 /4096.html; }
    location /up/ {
      proxy_pass http://127.0.0.1:${backend};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_max_temp_file_size 0;
    }
  }
`;
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};\n`).join('')}  types {
${Object.entries(TYPES)
  .map(([kind, type]) => `    ${type} ${kind};\n`)
  .join('')}  }
  gzip on;
  gzip_types text/javascript text/css;
  client_max_body_size 100k;
${server(long, LONG)}${server(short, SHORT)}}
`;
}

function apacheConfiguration({ folder, backend, port, requests }: Places & { port: number; requests: number }): string {
  const modules = ['mpm_event', 'authz_core', 'mime', 'dir', 'alias', 'filter', 'deflate', 'proxy', 'proxy_http', 'env'];
  return `ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${folder}/apache-${port}.pid
DefaultRuntimeDir ${folder}
ErrorLog /dev/null
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`).join('')}
User nobody
Group nogroup
ServerLimit 1
StartServers 1
ThreadsPerChild 64
MaxRequestWorkers 64
KeepAlive On
KeepAliveTimeout 60
MaxKeepAliveRequests ${requests === LONG ? 0 : requests}
DocumentRoot ${folder}/files
TypesConfig /dev/null
${Object.entries(TYPES)
  .map(([kind, type]) => `AddType ${type} .${kind}\n`)
  .join('')}
LimitRequestBody 102400
AddOutputFilterByType DEFLATE text/javascript text/css
Redirect 301 /moved /4096.html
<Location /secret/>
  Require all denied
</Location>
<Location /up/>
  SetEnv proxy-interim-response RFC
  ProxyPass http://127.0.0.1:${backend}/up/ disablereuse=on
</Location>
`;
}

/** What neither makes by itself. Nothing in an answer changes from one time to the next. */
const pages: Readonly<Record<string, RequestListener>> = {
  '/up/chunked': (_q, r) => {
    r.writeHead(200, { 'Content-Type': 'text/plain' });
    // Pieces that end nowhere in particular.
    for (let size = 1; size < 9_000; size = size * 3 + 1) r.write('x'.repeat(size));
    r.end('end');
  },
  '/up/slow': (_q, r) => {
    r.writeHead(200, { 'Content-Type': 'image/png' }).write('first');
    setTimeout(() => r.end('second'), 3);
  },
  '/up/hints': (_q, r) => {
    r.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' });
    r.end('after hints');
  },
  '/up/trailers': (_q, r) => {
    r.writeHead(200, { Trailer: 'X-Sum' }).write('body');
    r.addTrailers({ 'X-Sum': '42' });
    r.end();
  },
  '/up/fields': (_q, r) =>
    r
      .writeHead(200, 'Fine by me', [
        'Set-Cookie',
        'a=1',
        'X-Bytes',
        '\u00e9\u00ff',
        'Set-Cookie',
        'b=2; Path=/',
        'x-LOWER',
        '',
        'Vary',
        'Accept',
        'Content-Length',
        '2',
      ])
      .end('ok'),
  '/up/nothing': (_q, r) => r.writeHead(204, { 'X-A': 'b' }).end(),
  '/up/broken': (_q, r) => r.writeHead(500, { 'Content-Type': 'text/html' }).end('<p>broken'),
  '/up/later': (_q, r) => r.writeHead(503, { 'Retry-After': '1' }).end(),
  '/up/found': (_q, r) => r.writeHead(302, { Location: '/elsewhere?a=1#b' }).end('moved'),
  '/up/echo': echo,
};

/** What came in comes back: method, address, body. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat([Buffer.from(`${request.method} ${request.url} ${request.headers['content-type'] ?? '-'}\n`), ...chunks]);
    response.writeHead(request.method === 'PUT' ? 201 : 200, { 'Content-Length': body.length }).end(body);
  });
}

const answer: RequestListener = (request, response) => {
  const page = pages[(request.url ?? '').split('?')[0] ?? ''];
  if (page) page(request, response);
  else response.writeHead(404).end('no');
};

export const BACKEND_PAGES = Object.keys(pages).filter((path) => path !== '/up/echo');
