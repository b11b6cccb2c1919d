/** The embedded origin: a process in the server's namespace (or beside the relay emulator) that serves the recipes. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wakeLink } from '../link/wake-link.ts';
import { documentContent, type PageAddress, resourceContent } from '../pages/page-content.ts';
import { findPage } from '../pages/pages.ts';
import { serveRpc } from '../rpc.ts';
import { serveBulk } from './bulk.ts';
import { originCounters } from './origin-counters.ts';
import { KEEP_ALIVE_MS, responseHeaders } from './response-head.ts';

const counters = originCounters();
const servers: Server[] = [];
/** As the browser names them: behind a relay emulator these are not the addresses listened on. */
let publicOrigins: readonly string[] = [];

function address(path: string): { page: string; prefix: string; name: string } | undefined {
  const [, page, token, name, ...rest] = path.split('/');
  if (!page || !token || name === undefined || rest.length > 0) return undefined;
  return { page, prefix: `/${page}/${token}/`, name };
}

function contentFor(path: string) {
  const parts = address(path);
  if (!parts) return undefined;
  const page = findPage(parts.page);
  const where: PageAddress = { origins: publicOrigins, prefix: parts.prefix };
  if (parts.name === '') return { content: documentContent(page, where), serverMs: page.documentServerMs ?? 0 };
  const resource = page.resources.find(({ name }) => name === parts.name);
  return resource && { content: resourceContent(resource, page, where), serverMs: resource.serverMs ?? 0 };
}

function answer(origin: string, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '/';
  if (path.startsWith('/bulk')) {
    serveBulk(response);
    return;
  }
  let found: ReturnType<typeof contentFor>;
  try {
    found = contentFor(path);
  } catch {
    found = undefined;
  }
  if (!found) {
    response.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  const { content, serverMs } = found;
  const answered = counters.arrive(origin, request.socket);
  response.once('close', () => answered(content.body.length));
  const send = () => response.writeHead(200, responseHeaders(content)).end(content.body);
  if (serverMs > 0) setTimeout(send, serverMs);
  else send();
}

async function listen(host: string, port: number, index: number): Promise<number> {
  const server = createServer({ noDelay: true, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) =>
    answer(publicOrigins[index] ?? String(index), request, response),
  );
  server.on('connection', (socket) => socket.once('close', () => counters.connectionClosed(socket)));
  server.listen(port, host, 1024);
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

serveRpc(
  {
    pid: () => process.pid,
    wake: (address: string) => wakeLink(address),
    listen: ({ hosts, port }: { hosts: readonly string[]; port: number }) =>
      Promise.all(hosts.map((host, index) => listen(host, port, index))),
    'public-origins': (origins: readonly string[]) => {
      publicOrigins = origins;
    },
    reset: () => counters.reset(),
    counters: () => counters.read(),
  },
  async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  },
);
