/** Addresses as a HAR holds them. The language itself has no URL parser, and only scheme, server and last part of the path are needed. */

export interface Address {
  /** Without fragment; a missing path is `/`. */
  readonly url: string;
  readonly scheme: 'http' | 'https';
  /** scheme://host:port in lower case, without the scheme's own port. */
  readonly origin: string;
  readonly host: string;
}

const SCHEME = /^([a-z][a-z0-9+.-]{0,30}):/i;
const PORTS = { http: ':80', https: ':443' } as const;

/** The scheme in lower case; `undefined`: there is none. */
export const schemeOf = (text: string): string | undefined => SCHEME.exec(text)?.[1]?.toLowerCase();

/** `undefined`: not an http(s) address with a host. */
export function addressOf(text: string): Address | undefined {
  const scheme = schemeOf(text);
  if (scheme !== 'http' && scheme !== 'https') return undefined;
  if (!text.startsWith('//', scheme.length + 1)) return undefined;
  const url = withoutFragment(text);
  const from = scheme.length + 3;
  const length = url.slice(from).search(/[/?\\]/);
  const end = length < 0 ? url.length : from + length;
  const authority = url.slice(from, end);
  const server = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const host = server.endsWith(PORTS[scheme]) ? server.slice(0, -PORTS[scheme].length) : server;
  if (host === '' || /[\s<>"^`{|}]/.test(host)) return undefined;
  const origin = `${scheme}://${host}`;
  const path = url.slice(end);
  return { url: `${origin}${path.startsWith('/') ? '' : '/'}${path}`, scheme, origin, host };
}

/** Where a `Location` leads from there, without fragment; `undefined`: not to an http(s) address. */
export function resolveAddress(target: string, base: Address): string | undefined {
  return addressOf(absolute(target, base))?.url;
}

function absolute(target: string, base: Address): string {
  if (schemeOf(target) !== undefined) return target;
  if (target.startsWith('//')) return `${base.scheme}:${target}`;
  if (target.startsWith('/')) return base.origin + target;
  const path = base.url.split('?', 1)[0] ?? base.url;
  if (target.startsWith('?')) return path + target;
  return path.slice(0, path.lastIndexOf('/') + 1) + target;
}

/** Longer names are hashes, whose beginning and end say enough. */
const LONGEST_LABEL = 32;
const ENDS_KEPT = 15;

/** The last part of the path, or the host, shortened and without anything that could upset a terminal. */
export function labelOf({ url, origin, host }: Address): string {
  const path = url.slice(origin.length).split('?', 1)[0] ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1);
  const name = (last === '' ? host : last).replace(/[^\w.%~-]/g, '');
  return name.length <= LONGEST_LABEL ? name : `${name.slice(0, ENDS_KEPT)}..${name.slice(-ENDS_KEPT)}`;
}

function withoutFragment(text: string): string {
  const hash = text.indexOf('#');
  return hash < 0 ? text : text.slice(0, hash);
}
