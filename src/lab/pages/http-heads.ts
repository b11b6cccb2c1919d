/** The heads of requests and responses between Firefox and the lab's servers, and their exact sizes. */
import { type Content, type PageAddress, resourceUrl } from './page-content.ts';
import type { RecipeResource } from './page-recipe.ts';

/** Longer than any load: a server that closes idle connections would add connections that the profile did not ask for. */
export const KEEP_ALIVE_MS = 120_000;

/** The same from every server of the lab, except for what HTTP versions and programs add of their own. */
export function responseHeaders({ contentType, body }: Content): Readonly<Record<string, string | number>> {
  return {
    'content-type': contentType,
    'content-length': body.length,
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    // Without it a page's own timing shows only when other servers' answers were complete.
    'timing-allow-origin': '*',
  };
}

/** What Node adds by itself; a date is always as long as this one (RFC 9110, IMF-fixdate). */
const ADDED_BY_NODE = {
  Date: 'Thu, 01 Jan 1970 00:00:00 GMT',
  Connection: 'keep-alive',
  'Keep-Alive': `timeout=${KEEP_ALIVE_MS / 1000}`,
} as const;

/** Bytes from the status line to the empty line. A test holds them against a real answer. */
export function responseHeadBytes(content: Content): number {
  const fields = Object.entries({ ...responseHeaders(content), ...ADDED_BY_NODE });
  const lines = ['HTTP/1.1 200 OK', ...fields.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.byteLength(lines.join('\r\n'));
}

/**
 * Seen on the wire of the lab from Firefox 153 ESR on Linux. A later version is a number longer or shorter, another system a few bytes. The
 * gateway sends the same lines in another order and case, so that its requests are exactly as long.
 */
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const COMMON = [`User-Agent: ${USER_AGENT}`, 'Accept-Language: en-US,en;q=0.9', 'Accept-Encoding: gzip, deflate', 'Connection: keep-alive'];
const ACCEPT = {
  document: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  image: 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
  stylesheet: 'text/css,*/*;q=0.1',
  font: 'application/font-woff2;q=1.0,application/font-woff;q=0.9,*/*;q=0.8',
  script: '*/*',
  fetch: '*/*',
} as const;

/** Bytes of the head of Firefox's request for the document, as it goes over the wire. */
export function documentRequestBytes(address: PageAddress): number {
  const lines = [`Accept: ${ACCEPT.document}`, 'Upgrade-Insecure-Requests: 1', 'Priority: u=0, i'];
  return requestBytes(documentUrl(address), lines);
}

/** The same of a resource; its Referer depends on what asks for it. */
export function resourceRequestBytes(resource: RecipeResource, address: PageAddress): number {
  const url = resourceUrl(resource, address);
  const priority = priorityOf(resource);
  return requestBytes(url, [
    `Accept: ${ACCEPT[resource.kind]}`,
    `Referer: ${referrer(url, askingUrl(resource, address))}`,
    ...(priority === undefined ? [] : [`Priority: ${priority}`]),
  ]);
}

function requestBytes(url: string, own: readonly string[]): number {
  const { host, pathname } = new URL(url);
  return Buffer.byteLength([`GET ${pathname} HTTP/1.1`, `Host: ${host}`, ...COMMON, ...own, '', ''].join('\r\n'));
}

const documentUrl = (address: PageAddress): string => `${address.origins[0]}${address.prefix}`;

/** What a style sheet asks for is requested in its name; what a script asks for, in the document's. */
function askingUrl({ from }: RecipeResource, address: PageAddress): string {
  const sheet = typeof from === 'object' && 'stylesheet' in from ? from.stylesheet : '';
  return `${documentUrl(address)}${sheet}`;
}

/** Referrer-Policy `strict-origin-when-cross-origin`, the default. */
function referrer(url: string, asking: string): string {
  const { origin } = new URL(asking);
  return new URL(url).origin === origin ? asking : `${origin}/`;
}

/** RFC 9218; urgency 3 is the default and is left out. Pictures have 5 or, once they are known to be in sight, 4. */
function priorityOf({ kind, from }: RecipeResource): string | undefined {
  switch (kind) {
    case 'stylesheet':
    case 'font':
      return 'u=2';
    case 'script':
      return from === 'head' ? 'u=2' : undefined;
    case 'image':
      return 'u=5, i';
    case 'fetch':
      return 'u=4';
  }
}
