/** A proxy that answers for ten sites that there are not, and logs whatever else is asked of it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pngOf } from '../support/extension-server.ts';

export interface LoggingProxy {
  readonly port: number;
  /** So far. */
  readonly requests: () => number;
  /** What the first so many loads did not ask for: other addresses, and those of pages beyond their one time each. */
  readonly strays: (loads: number) => readonly string[];
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** Reserved by RFC 2606: no such site is anywhere. */
export const SITE_SUFFIX = 'soak-canary.example';
const SITES = 10;
/** On each page. */
export const IMAGES = 4;

/** Site of the load with this number. */
export const siteOf = (load: number): string => `site-${load % SITES}.${SITE_SUFFIX}`;

/** Every page has a request to another site than its own. */
const imageOf = (load: number, at: number): string => `http://${siteOf(at === 0 ? load + 1 : load)}/image-${at}?${load}`;

function pageOf(load: number): string {
  const images = Array.from({ length: IMAGES }, (_, at) => `<img src="${imageOf(load, at)}" alt="">`).join('');
  return `<!doctype html><meta charset="utf-8"><title>secret title ${load}</title><link rel="icon" href="data:,"><p>page ${load}</p>${images}`;
}

export async function startLoggingProxy(): Promise<LoggingProxy> {
  const counts = new Map<string, number>();
  const others: string[] = [];
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const address = request.url ?? '';
    const [, name = '', number = ''] = /^http:\/\/site-\d\.soak-canary\.example\/(page|image-\d)\?(\d+)$/.exec(address) ?? [];
    const load = Number(number);
    const isOurs =
      request.method === 'GET' && (name === 'page' ? address.includes(siteOf(load)) : address === imageOf(load, Number(name.at(-1))));
    if (name === '' || !isOurs) {
      others.push(`${request.method} ${address}`);
      response.writeHead(404).end();
      return;
    }
    counts.set(address, (counts.get(address) ?? 0) + 1);
    const body = name === 'page' ? pageOf(load) : pngOf(500 + 700 * Number(name.at(-1)));
    response.writeHead(200, { 'content-type': name === 'page' ? 'text/html' : 'image/png', 'cache-control': 'no-store' }).end(body);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, socket) => {
    requests += 1;
    others.push(`CONNECT ${request.url}`);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    strays: (loads) => [
      ...others,
      ...[...counts].flatMap(([address, count]) => Array.from({ length: count - 1 }, () => `again ${address}`)),
      ...[...counts.keys()].filter((address) => Number(address.split('?')[1]) >= loads).map((address) => `early ${address}`),
    ],
    forget: () => {
      requests = 0;
      others.length = 0;
      counts.clear();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
