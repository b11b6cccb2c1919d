/** Preferences that act on a protocol which none of a person's pages speaks. */
import { DEFAULT_ORIGIN, type PageGraph } from '../graph/page-graph.ts';
import type { KnobProtocol } from '../profiles/knob.ts';
import type { Finding } from './finding.ts';

const OF_ONE_PROTOCOL: readonly KnobProtocol[] = ['http/1.1', 'http/2', 'http/3', 'tls'];

/** Says where no request of the pages uses the protocol on which a preference acts. */
export const unspokenBy =
  (pages: readonly PageGraph[]) =>
  (protocol: KnobProtocol): Finding | undefined => {
    if (!OF_ONE_PROTOCOL.includes(protocol)) return undefined;
    const requests = pages.flatMap(({ requests, origins = {} }) => requests.map(({ origin = DEFAULT_ORIGIN }) => origins[origin] ?? {}));
    const uses = requests.some(({ protocol: spoken = 'http/1.1', tls = 'none' }) =>
      protocol === 'tls' ? tls !== 'none' || spoken === 'http/3' : spoken === protocol,
    );
    return uses || requests.length === 0 ? undefined : { kind: 'cannot-matter', protocol, requests: requests.length };
  };
