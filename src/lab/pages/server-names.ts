/**
 * Names of the lab's servers, where they have any. A label in each name makes a first visit: what Firefox remembers of a server (addresses, Alt-Svc,
 * TLS tickets, failures of HTTP/3) it remembers by name.
 */

/** Nobody owns a name below .test (RFC 6761, section 6.2). */
const DOMAIN = 'lab.test';
/** What a certificate of all of them is for. */
export const ALL_SERVER_NAMES = `*.${DOMAIN}`;

/** Names of a site are often at one address on the web, and Firefox can share a connection between them. Chosen. */
export const NAMES_PER_ADDRESS = 2;

/** RFC 1035, section 2.3.4, less the server's own number. */
const MAX_LABEL = 55;

/** @param visitor - Any text; what differs in more than letters and digits may be the same visitor. */
export const serverName = (server: number, visitor: string): string =>
  `s${server}-${visitor
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LABEL)
    .replace(/-$/, '')}.${DOMAIN}`;

const NAME = /^s(\d{1,3})-([a-z0-9-]+)\.lab\.test$/;

/** `undefined`: no name of the lab's. */
export function namedServer(name: string): { readonly server: number; readonly visitor: string } | undefined {
  const [, server, visitor] = NAME.exec(name.toLowerCase()) ?? [];
  return server === undefined || visitor === undefined ? undefined : { server: Number(server), visitor };
}
