/**
 * The time no transport can beat: the document's connection, one round trip for its first byte, and every byte at the full rate of the
 * downlink. Our own definition. A lower bound: it knows nothing of DNS, of servers that think, or of requests that wait for a script to
 * ask for them.
 */
import { assertNever } from '../errors.ts';
import { type Bytes, type Milliseconds, milliseconds, transmissionTime } from '../units.ts';
import { connectionState } from './connection-use.ts';
import type { Link } from './link.ts';
import { isNetworkRequest } from './network-requests.ts';
import type { RequestRecord } from './page-load.ts';

interface IdealTimeInput {
  /** The document first. */
  readonly requests: readonly RequestRecord[];
  readonly bytes: Bytes | undefined;
  readonly link: Link | undefined;
  /** `new`: the caller closed every connection before the load, as the lab does, so that the record need not tell. */
  readonly documentConnection?: DocumentConnection | undefined;
}

/** `as-recorded`: whether it was open already is read from the record. */
export type DocumentConnection = 'as-recorded' | 'new';

/**
 * ms, positive. Round trips to set up the document's connection (TCP 1; TLS 1.3 1 more, RFC 8446; QUIC 1 in all, RFC 9000; 0 when it was
 * open already) + 1 + bytes x 8 / downlink.
 * `undefined`: the link, its rate, the bytes or the state of the document's connection is unknown, or nothing came over the network.
 */
export function idealTime({ requests, bytes, link, documentConnection }: IdealTimeInput): Milliseconds | undefined {
  const roundTrips = idealRoundTrips({ requests, documentConnection });
  return roundTrips === undefined || bytes === undefined ? undefined : idealTimeOver(link, { roundTrips, bytes });
}

/** As `idealTime`, of what is known of a load whose requests are not at hand. */
export function idealTimeOver(
  link: Link | undefined,
  { roundTrips, bytes }: { readonly roundTrips: number; readonly bytes: Bytes },
): Milliseconds | undefined {
  if (link === undefined || link.downKbps === 0) return undefined;
  return milliseconds(roundTrips * link.rttMs + transmissionTime(bytes, link.downKbps));
}

/** Round trips of the ideal: 1 to 3. `undefined`: the state of the document's connection is unknown, or nothing came over the network. */
export function idealRoundTrips({
  requests,
  documentConnection,
}: Pick<IdealTimeInput, 'requests' | 'documentConnection'>): number | undefined {
  const document = requests[0];
  if (document === undefined || !requests.some(isNetworkRequest)) return undefined;
  const setUp = documentConnection === 'new' ? newConnectionRoundTrips(document) : setUpRoundTrips(document);
  return setUp === undefined ? undefined : setUp + 1;
}

function setUpRoundTrips(document: RequestRecord): number | undefined {
  // Behind a proxy the connection to the origin cannot be seen. It counts as new, so that a load through the gateway has the same ideal
  // as the same load made direct over new connections.
  if (isNetworkRequest(document) && document.wire?.proxied === true) return newConnectionRoundTrips(document);
  const state = connectionState(document);
  switch (state) {
    case 'none':
    case 'reused':
      return 0;
    case 'cold':
      return newConnectionRoundTrips(document);
    case 'unknown':
      return undefined;
    default:
      return assertNever(state);
  }
}

function newConnectionRoundTrips({ origin, wire }: RequestRecord): number {
  const isTls = origin?.startsWith('https:') === true;
  return isTls && wire?.httpVersion !== 'http/3' ? 2 : 1;
}
