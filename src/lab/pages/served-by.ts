/** The server of a lane's pages at its address. All but the first stand in front of the embedded server, in the server's namespace. */
import type { PageService } from '../../core/report/report.ts';
import { PLAIN_SERVER, type RecipeServer } from './page-recipe.ts';
import { serverName } from './server-names.ts';

/**
 * `embedded`: the lab's own server, plain HTTP/1.1. `nginx`: nginx, plain HTTP/1.1 with pipelining. `https`: nginx, HTTP/1.1 over TLS.
 * `http2`: HAProxy, HTTP/2 over TLS, as in front of most sites. `http3`: Caddy, HTTP/3 over QUIC, and Firefox is told so in advance.
 * `negotiated`: Caddy, HTTP/1.1, 2 and 3 at one port; the servers have names, and Firefox learns from DNS what they speak.
 */
export type ServedBy = 'embedded' | 'nginx' | 'https' | 'http2' | 'http3' | 'negotiated';

/** All there are, as `--help` lists them. */
export const SERVED_BY: readonly ServedBy[] = ['embedded', 'nginx', 'https', 'http2', 'http3', 'negotiated'];

/** Reverse proxies that stand in front of the embedded server. */
export type ReverseProxyKind = Exclude<ServedBy, 'embedded'>;

/** Each listens on every server address, at a port that says which one answers. An HTTPS record without a port is about 443 (RFC 9460, section 9.1). */
export const REVERSE_PROXY_PORTS: Readonly<Record<ReverseProxyKind, number>> = {
  nginx: 8080,
  https: 8443,
  http2: 9443,
  http3: 10_443,
  negotiated: 443,
};

/** The same kinds without repetition, in the order of `SERVED_BY`, without the embedded server, which is always there. */
export const reverseProxyKinds = (kinds: readonly ServedBy[]): readonly ReverseProxyKind[] =>
  SERVED_BY.filter((kind): kind is ReverseProxyKind => kind !== 'embedded' && kinds.includes(kind));

/** Whether a browser must trust the lab's authority to load from it. */
export const overTls = (kind: ServedBy): boolean => kind !== 'embedded' && kind !== 'nginx';

/** The protocol that a browser speaks with it as Firefox ships: TLS 1.3 and nothing else, see docs/origins.md. */
export function spokenWith(kind: ServedBy): Pick<PageService, 'protocol' | 'tls'> {
  const tls = overTls(kind) ? '1.3' : 'none';
  switch (kind) {
    case 'embedded':
    case 'nginx':
    case 'https':
      return { protocol: 'http/1.1', tls };
    case 'http2':
      return { protocol: 'http/2', tls };
    case 'http3':
    case 'negotiated':
      return { protocol: 'http/3', tls };
  }
}

/** The name that `tune --protocol` has for it: HTTP/1.1 without TLS, with it, HTTP/2 or HTTP/3. */
export const asServed = ({ protocol, tls }: RecipeServer): string => (protocol === 'http/1.1' && tls !== 'none' ? 'https' : protocol);

/** Takes the one that serves most requests. @param spoken - What the server of each request speaks; not empty. */
export function commonServer(spoken: readonly RecipeServer[]): { readonly server: RecipeServer; readonly others: number } {
  const alike = (server: RecipeServer) => spoken.filter((each) => asServed(each) === asServed(server)).length;
  const server = spoken.toSorted((a, b) => alike(b) - alike(a))[0] ?? PLAIN_SERVER;
  return { server, others: spoken.length - alike(server) };
}

/**
 * The origins of the servers at these addresses, without a slash at the end.
 * @param visitor - Of servers with names: whoever comes under another label finds servers that it has never met.
 */
export function originsOf(kind: ServedBy, addresses: readonly string[], visitor = 'nobody'): readonly string[] {
  if (kind === 'embedded') return addresses.map((address) => `http://${address}`);
  if (kind === 'negotiated') return addresses.map((_, index) => `https://${serverName(index, visitor)}`);
  const scheme = overTls(kind) ? 'https' : 'http';
  return addresses.map((address) => `${scheme}://${address}:${REVERSE_PROXY_PORTS[kind]}`);
}
