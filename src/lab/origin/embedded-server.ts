/**
 * The responses of the embedded server: pages, requests that a reverse proxy passes on, and the endless transfers by which a link's rates are
 * measured.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { rateMeter } from '../link/measure-link.ts';
import { type Content, documentContent, type PageAddress, resourceContent } from '../pages/page-content.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import { PAGES } from '../pages/pages.ts';
import { originsOf, type ReverseProxyKind } from '../pages/served-by.ts';
import { namedServer } from '../pages/server-names.ts';

export interface Answer {
  readonly content: Content;
  /** How long the server thinks before it sends. */
  readonly serverMs: number;
}

interface ServedPages {
  /** Pages besides the built-in ones; of two with one name the later counts. Their bodies are made now, not with the first request. */
  add(recipes: readonly PageRecipe[]): void;
  /** `undefined`: nothing is there. @param origins - The servers as the one who asks names them. */
  answer(path: string, origins: readonly string[]): Answer | undefined;
}

/** `/PAGE/TOKEN/` is a document, `/PAGE/TOKEN/NAME` a resource. */
export function servedPages(): ServedPages {
  const pages = new Map(PAGES.map((page) => [page.name, page]));
  return {
    add: (recipes) => {
      for (const recipe of recipes) {
        pages.set(recipe.name, recipe);
        const nowhere: PageAddress = { origins: [], prefix: '/' };
        for (const resource of recipe.resources) resourceContent(resource, recipe, nowhere);
      }
    },
    answer: (path, origins) => {
      const [, name, token, part, ...rest] = path.split('/');
      const page = name === undefined ? undefined : pages.get(name);
      if (!page || !token || part === undefined || rest.length > 0) return undefined;
      const address: PageAddress = { origins, prefix: `/${page.name}/${token}/` };
      if (part === '') return { content: documentContent(page, address), serverMs: page.documentServerMs ?? 0 };
      const resource = page.resources.find((each) => each.name === part);
      return resource && { content: resourceContent(resource, page, address), serverMs: resource.serverMs ?? 0 };
    },
  };
}

/** Set by every reverse proxy: address and port of the browser's end, so that its connections are counted, not the proxy's own. */
export const CONNECTION_HEADER = 'x-plumbfox-connection';

export interface ProxiedRequest {
  /** The servers of the page as this browser names them, all by the same proxy. */
  readonly origins: readonly string[];
  /** The server that was asked. */
  readonly origin: string;
  /** One object for all requests of one connection of the browser's. */
  readonly connection: object;
}

export interface ProxiedRequests {
  /** `undefined` where the Host header names none of the servers. */
  identify(request: Pick<IncomingMessage, 'headers'>): ProxiedRequest | undefined;
  /** Forgets all connections. */
  reset(): void;
}

/** @param addresses - All server addresses, in the order of their indices. */
export function proxiedRequests(kinds: readonly ReverseProxyKind[], addresses: readonly string[]): ProxiedRequests {
  const byHost = new Map(
    kinds.flatMap((kind) => {
      if (kind === 'negotiated') return [];
      const origins = originsOf(kind, addresses);
      return origins.map((origin) => [new URL(origin).host, { origin, origins }] as const);
    }),
  );
  const byName = (host: string) => {
    const named = kinds.includes('negotiated') ? namedServer(host) : undefined;
    if (named === undefined) return undefined;
    const origins = originsOf('negotiated', addresses, named.visitor);
    const origin = origins[named.server];
    return origin === undefined ? undefined : { origin, origins };
  };
  let connections = new Map<string, object>();
  return {
    identify: ({ headers }) => {
      const { host = '' } = headers;
      const asked = byHost.get(host) ?? byName(host);
      if (!asked) return undefined;
      const key = `${asked.origin} ${headers[CONNECTION_HEADER]}`;
      const connection = connections.get(key) ?? {};
      connections.set(key, connection);
      return { ...asked, connection };
    },
    reset: () => {
      connections = new Map();
    },
  };
}

/** Larger than any first window that is requested by name: each piece may end in a segment that is not full. */
const CHUNK = Buffer.alloc(65_536);

/** Ends when the client goes away; never before. */
export function serveBulk(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  const write = () => {
    while (!response.destroyed && response.write(CHUNK)) {
      // Until the kernel's buffer is full; `drain` goes on.
    }
  };
  response.on('drain', write);
  write();
}

/**
 * Takes a request without end, `/sink?warm-up=MS`, and answers with the rate at which its body arrived: `{"kbps": 384.2}`. What comes
 * within `warm-up` is left out.
 */
export function serveSink(request: IncomingMessage, response: ServerResponse): void {
  const asked = new URL(request.url ?? '/', 'http://sink').searchParams;
  const meter = rateMeter({ startMs: performance.now(), warmUpMs: Number(asked.get('warm-up')) });
  request.on('data', (chunk: Buffer) => {
    const kbps = response.writableEnded ? undefined : meter.add(chunk.length, performance.now());
    if (kbps === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kbps }));
  });
  // The client goes as soon as it has the answer. Closed from this end while more comes in, the answer itself could be lost by the reset.
  request.on('error', () => {});
}
