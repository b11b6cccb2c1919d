/** Which requests of a page a profile's two numbers can reach at all. */
import { DEFAULT_ORIGIN, type PageGraph } from '../graph/page-graph.ts';

export interface ProfileReach {
  readonly requests: number;
  /** HTTP/1.1, plain or with TLS: the number of connections acts on them. */
  readonly byConnections: number;
  /** Plain HTTP/1.1: the gateway can carry a depth for them; https passes through it untouched. */
  readonly byDepth: number;
}

export function profileReach(pages: readonly PageGraph[]): ProfileReach {
  let [requests, byConnections, byDepth] = [0, 0, 0];
  for (const page of pages) {
    for (const { origin = DEFAULT_ORIGIN } of page.requests) {
      const { protocol = 'http/1.1', tls = 'none' } = factsOf(page, origin);
      requests += 1;
      if (protocol !== 'http/1.1') continue;
      byConnections += 1;
      if (tls === 'none') byDepth += 1;
    }
  }
  return { requests, byConnections, byDepth };
}

const factsOf = ({ origins = {} }: PageGraph, origin: string) => (Object.hasOwn(origins, origin) ? (origins[origin] ?? {}) : {});

/** One sentence where part of the page is out of reach; `undefined`: every request is within. */
export function reachSentence({ requests, byConnections, byDepth }: ProfileReach): string | undefined {
  if (byConnections === 0) {
    return 'Neither connections nor depth has an effect here: every server speaks HTTP/2 or HTTP/3, where one connection carries all requests.';
  }
  if (byDepth === requests) return undefined;
  const rest = 'as the others go to HTTP/2 or HTTP/3';
  if (byDepth === byConnections) return `Connections and depth have an effect on ${byDepth} of ${requests} requests, ${rest}.`;
  const others = byConnections < requests ? `; connections have one on ${byConnections} of ${requests} requests, ${rest}` : '';
  if (byDepth === 0) {
    return `Depth has no effect here: no request goes to a plain-http HTTP/1.1 server, and https passes through the gateway untouched${others}.`;
  }
  return `Depth has an effect on ${byDepth} of ${requests} requests, those to plain-http HTTP/1.1 servers${others}.`;
}
