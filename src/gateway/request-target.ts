/** Request targets of a forward proxy (RFC 9112, 3.2): absolute-form for plain http. Pure. */

const SCHEME = 'http://';

/** Authority and path as written, never decoded or normalised; `undefined` unless it is an absolute-form of http. */
export function splitAbsoluteForm(target: string): { readonly authority: string; readonly path: string } | undefined {
  if (!target.startsWith(SCHEME) && target.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  let end = SCHEME.length;
  while (end < target.length && target[end] !== '/' && target[end] !== '?') end++;
  const authority = target.slice(SCHEME.length, end);
  if (authority === '') return undefined;
  const rest = target.slice(end);
  return { authority, path: rest.startsWith('/') ? rest : `/${rest}` };
}

export interface Endpoint {
  /** Host name or address, lower case, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** An authority of an http URL; `undefined` if it is none or names a user. */
export function parseHttpAuthority(authority: string): (Endpoint & { readonly origin: string }) | undefined {
  if (!URL.canParse(`${SCHEME}${authority}`)) return undefined;
  const url = new URL(`${SCHEME}${authority}`);
  if (url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') return undefined;
  return { host: unbracketed(url.hostname), port: url.port === '' ? 80 : Number(url.port), origin: url.origin };
}

/**
 * Whether the endpoint is the listener on 127.0.0.1 by one of its literal names. A DNS name that leads there is not recognised here, but fails at
 * once too: the gateway's own requests are in origin-form and without its secret, and are refused.
 */
export function isListener(endpoint: Endpoint, listenerPort: number): boolean {
  if (endpoint.port !== listenerPort) return false;
  const host = endpoint.host;
  if (host === 'localhost' || host.endsWith('.localhost') || host === '0.0.0.0' || host === '::' || host === '::1') return true;
  return host.startsWith('127.') || host.startsWith('::ffff:7f') || host === '::ffff:0:0';
}

function unbracketed(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
