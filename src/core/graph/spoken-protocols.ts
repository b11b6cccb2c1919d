/** Which protocols the requests of pages use: a preference acts on none of them where its protocol is not among these. */
import { DEFAULT_ORIGIN, type PageGraph } from './page-graph.ts';

type Spoken = 'http/1.1' | 'http/2' | 'http/3' | 'tls';

/** Whether something that acts on `protocol` acts on no other. */
export const isOfOneProtocol = (protocol: string): protocol is Spoken =>
  protocol === 'http/1.1' || protocol === 'http/2' || protocol === 'http/3' || protocol === 'tls';

/** Protocols of all requests, `tls` among them; empty where the pages have no request. */
export function spokenProtocols(pages: readonly PageGraph[]): ReadonlySet<string> {
  const spoken = new Set<string>();
  for (const { protocol, isEncrypted } of requestsOf(pages)) {
    spoken.add(protocol);
    if (isEncrypted) spoken.add('tls');
  }
  return spoken;
}

/** How many requests use each version of HTTP. */
export function requestsByProtocol(pages: readonly PageGraph[]): ReadonlyMap<string, number> {
  const requests = new Map<string, number>();
  for (const { protocol } of requestsOf(pages)) requests.set(protocol, (requests.get(protocol) ?? 0) + 1);
  return requests;
}

function* requestsOf(pages: readonly PageGraph[]) {
  for (const { requests, origins = {} } of pages) {
    for (const { origin = DEFAULT_ORIGIN } of requests) {
      const { protocol = 'http/1.1', tls = 'none' } = Object.hasOwn(origins, origin) ? (origins[origin] ?? {}) : {};
      yield { protocol, isEncrypted: tls !== 'none' || protocol === 'http/3' };
    }
  }
}
