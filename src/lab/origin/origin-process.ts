/** The embedded origin: a process in the server's namespace (or beside the relay emulator) that serves the recipes. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FloodOrder, floodLink, wakeLink } from '../link/probe-datagrams.ts';
import { KEEP_ALIVE_MS, responseHeaders } from '../pages/http-heads.ts';
import { parseRecipe } from '../pages/page-recipe.ts';
import type { ReverseProxyKind } from '../pages/served-by.ts';
import { serveRpc } from '../process/rpc.ts';
import { type ProxiedRequest, type ProxiedRequests, proxiedRequests, serveBulk, servedPages, serveSink } from './embedded-server.ts';
import { originCounters } from './origin-counters.ts';
import { reverseProxiesRpc } from './reverse-proxy-process.ts';

const counters = originCounters();
const pages = servedPages();
const proxies = reverseProxiesRpc();
const servers: Server[] = [];
/** Origins by the browser's names: behind a relay emulator these are not the addresses listened on. */
let publicOrigins: readonly string[] = [];
let behind: ProxiedRequests | undefined;

/** `connection` is the browser's, also where a reverse proxy holds it. */
function answer({ origin, origins, connection }: ProxiedRequest, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '/';
  // The whole path: a page's may begin so.
  const [measuring] = path.split('?');
  if (measuring === '/bulk') {
    serveBulk(response);
    return;
  }
  if (measuring === '/sink') {
    serveSink(request, response);
    return;
  }
  const found = pages.answer(path, origins);
  if (!found) {
    response.writeHead(404, { 'content-length': 0 }).end();
    return;
  }
  const { content, serverMs } = found;
  const answered = counters.arrive(origin, connection);
  response.once('close', () => answered(content.body.length));
  const send = () => response.writeHead(200, responseHeaders(content)).end(content.body);
  if (serverMs > 0) setTimeout(send, serverMs);
  else send();
}

async function listen(host: string, port: number, asked: (request: IncomingMessage) => ProxiedRequest | undefined): Promise<number> {
  const server = createServer({ noDelay: true, keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const who = asked(request);
    if (who) answer(who, request, response);
    else response.writeHead(421, { 'content-length': 0 }).end();
  });
  server.on('connection', (socket) => socket.once('close', () => counters.connectionClosed(socket)));
  server.listen(port, host, 1024);
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

const directly = (index: number) => (request: IncomingMessage) => ({
  origin: publicOrigins[index] ?? String(index),
  origins: publicOrigins,
  connection: request.socket,
});

serveRpc(
  {
    pid: () => process.pid,
    wake: (address: string) => wakeLink(address),
    flood: (order: FloodOrder) => floodLink(order),
    listen: ({ hosts, port }: { hosts: readonly string[]; port: number }) =>
      Promise.all(hosts.map((host, index) => listen(host, port, directly(index)))),
    /** For reverse proxies: on loopback. @returns its port. */
    'listen-behind': ({ kinds, addresses }: { kinds: readonly ReverseProxyKind[]; addresses: readonly string[] }) => {
      const known = proxiedRequests(kinds, addresses);
      behind = known;
      return listen('127.0.0.1', 0, (request) => known.identify(request));
    },
    'public-origins': (origins: readonly string[]) => {
      publicOrigins = origins;
    },
    'serve-pages': (recipes: readonly unknown[]) => pages.add(recipes.map(parseRecipe)),
    reset: () => {
      counters.reset();
      behind?.reset();
    },
    counters: () => counters.read(),
    ...proxies.handlers,
  },
  async () => {
    await proxies.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  },
);
