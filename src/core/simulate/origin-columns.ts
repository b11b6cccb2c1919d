/** What a server asks of a connection before the first request, in round trips and bytes. */
import type { OriginFacts } from '../graph/page-graph.ts';
import { CLIENT_HELLO_BYTES, FINISHED_BYTES, SERVER_FLIGHT_BYTES } from '../tcp-constants.ts';

/** A message of the browser and the server's answer to it, before the first request. */
export interface HandshakeExchange {
  readonly upBytes: number;
  readonly downBytes: number;
}

export interface OriginColumns {
  readonly protocol: 'http/1.1' | 'http/2' | 'http/3';
  readonly secure: boolean;
  /** Over TCP: after its own handshake. HTTP/3: instead of one. */
  readonly exchanges: readonly HandshakeExchange[];
  readonly dnsMs: number;
  /** Streams at once that the server allows; `undefined`: it sets no limit. */
  readonly maxStreams: number | undefined;
}

/** What nginx (128), HAProxy (100), Node (100), Apache (100) and most others send: RFC 9113 recommends 100 or more. */
const USUAL_STREAMS = 100;

const HELLO: HandshakeExchange = { upBytes: CLIENT_HELLO_BYTES, downBytes: SERVER_FLIGHT_BYTES };
const RESUMED: HandshakeExchange = { upBytes: CLIENT_HELLO_BYTES, downBytes: FINISHED_BYTES };
const FINISHED: HandshakeExchange = { upBytes: FINISHED_BYTES, downBytes: FINISHED_BYTES };

export function originColumns(facts: OriginFacts = {}): OriginColumns {
  const {
    protocol = 'http/1.1',
    tls = protocol === 'http/3' ? '1.3' : 'none',
    resumed = false,
    dnsMs = 0,
    maxStreams = USUAL_STREAMS,
  } = facts;
  return {
    protocol,
    secure: tls !== 'none',
    exchanges: exchangesOf(protocol === 'http/3' ? '1.3' : tls, resumed),
    dnsMs,
    maxStreams: maxStreams === 'none' ? undefined : maxStreams,
  };
}

/** Round trips: TLS 1.3 one (RFC 8446, section 2), none with 0-RTT; TLS 1.2 two, one when resumed (RFC 5246, section 7.3). */
function exchangesOf(tls: 'none' | '1.2' | '1.3', resumed: boolean): readonly HandshakeExchange[] {
  switch (tls) {
    case 'none':
      return [];
    case '1.3':
      return resumed ? [] : [HELLO];
    case '1.2':
      return resumed ? [RESUMED] : [HELLO, FINISHED];
  }
}
