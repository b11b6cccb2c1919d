/** Which protocols the requests of pages use: a preference acts on none of them where its protocol is not among these. */
import { DEFAULT_ORIGIN, type PageGraph } from './page-graph.ts';

type Spoken = 'http/1.1' | 'http/2' | 'http/3' | 'tls';

/** Whether something that acts on `protocol` acts on no other. */
export const isOfOneProtocol = (protocol: string): protocol is Spoken =>
  protocol === 'http/1.1' || protocol === 'http/2' || protocol === 'http/3' || protocol === 'tls';

/** Protocols of all requests, `tls` among them; empty where the pages have no request. */
export function spokenProtocols(pages: readonly PageGraph[]): ReadonlySet<string> {
  const spoken = new Set<string>();
  for (const { requests, origins = {} } of pages) {
    for (const { origin = DEFAULT_ORIGIN } of requests) {
      const { protocol = 'http/1.1', tls = 'none' } = Object.hasOwn(origins, origin) ? (origins[origin] ?? {}) : {};
      spoken.add(protocol);
      if (tls !== 'none' || protocol === 'http/3') spoken.add('tls');
    }
  }
  return spoken;
}
