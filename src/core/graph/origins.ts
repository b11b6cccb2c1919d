/** The known properties of the page's servers: protocol, TLS, name lookup. */
import { groupBy } from '../group-by.ts';
import type { HttpVersion } from '../measure/page-load.ts';
import { type Inference, inferenceOf, roundedMs, tally } from './inference.ts';
import type { RoundTrips } from './link-of-load.ts';
import type { OriginOptions } from './page-graph.ts';
import type { PlacedRequest } from './place-requests.ts';

interface InferredOrigins {
  /** What is known of each server, by the record's name, in the order of their first request. */
  readonly options: ReadonlyMap<string, OriginOptions>;
  readonly inferred: readonly Inference[];
}

type Protocol = NonNullable<OriginOptions['protocol']>;

const RULES = {
  'of-page': "The HTTP version is not recorded for any request of its server: that of most of the page's https requests",
  'http-2': 'No HTTP version is recorded on the whole page: HTTP/2 over https',
  'http-1': 'The HTTP version is not recorded for any request of its server: HTTP/1.1, because browsers use nothing else over http',
  mixed: 'Most requests to its server used another HTTP version; the graph has one per server',
  plain: 'HTTP/2 or HTTP/3 is recorded over plain http, which no browser uses: HTTP/1.1',
  'http-1.0': 'HTTP/1.0 is simulated as HTTP/1.1, with connections kept open',
} as const;
type Rule = keyof typeof RULES;

const TLS_RULE = 'The TLS version is not recorded: 1.3, without taking up an earlier session';
const FAR_RULE = 'Their server is farther away than the link: what its first handshake takes longer is counted as lookup';
const WARM_RULE = 'No handshake with their server is recorded, whose connections may have been open before: here they are opened anew';

export function inferOrigins(requests: readonly PlacedRequest[], trips: RoundTrips): InferredOrigins {
  const byOrigin = groupBy(requests, ({ observed }) => observed.origin);
  const usual = usualSecure(requests);
  const options = new Map<string, OriginOptions>();
  const rules: (Rule | 'stated')[] = [];
  const [unstated, far, warm]: [PlacedRequest[], PlacedRequest[], PlacedRequest[]] = [[], [], []];
  for (const [origin, own] of byOrigin) {
    const { protocol, rule } = protocolOf(own, usual);
    const secure = own[0]?.observed.secure === true;
    const tls = tlsOf(own, secure);
    if (secure && tls === undefined && protocol !== 'http/3') unstated.push(...own);
    for (const { observed } of own) rules.push(rule ?? ownRule(observed.httpVersion, protocol));
    const security = secure ? (tls ?? '1.3') : 'none';
    const fartherMs = fartherBy(origin, trips);
    if (fartherMs > 0) far.push(...own);
    if (!trips.withHandshake.has(origin)) warm.push(...own);
    options.set(origin, { protocol, tls: security, ...restOf(own, fartherMs * roundsOf(protocol, security)) });
  }
  return {
    options,
    inferred: [
      ...tally<Rule>('protocols', rules, RULES),
      ...inferenceOf('protocols', unstated.length, TLS_RULE),
      ...inferenceOf('protocols', warm.length, WARM_RULE),
      ...inferenceOf('link', far.length, FAR_RULE),
    ],
  };
}

/** `undefined`: every request goes by its own version. */
function protocolOf(own: readonly PlacedRequest[], usual: Protocol | undefined): { protocol: Protocol; rule?: Rule } {
  const versions = own.flatMap(({ observed }) => observed.httpVersion ?? []);
  const stated = mostOften(versions);
  if (own[0]?.observed.secure !== true) {
    if (stated === undefined) return { protocol: 'http/1.1', rule: 'http-1' };
    return stated === 'http/2' || stated === 'http/3' ? { protocol: 'http/1.1', rule: 'plain' } : { protocol: 'http/1.1' };
  }
  if (stated !== undefined) return { protocol: spoken(stated) };
  return usual === undefined ? { protocol: 'http/2', rule: 'http-2' } : { protocol: usual, rule: 'of-page' };
}

function ownRule(version: HttpVersion | undefined, protocol: Protocol): Rule | 'stated' {
  if (version === 'http/1.0') return 'http-1.0';
  return version === undefined || version === protocol ? 'stated' : 'mixed';
}

const spoken = (version: HttpVersion): Protocol => (version === 'http/1.0' ? 'http/1.1' : version);

function usualSecure(requests: readonly PlacedRequest[]): Protocol | undefined {
  const version = mostOften(requests.flatMap(({ observed }) => (observed.secure ? (observed.httpVersion ?? []) : [])));
  return version && spoken(version);
}

/** The most frequent value; of equally frequent ones the first. */
function mostOften<T>(values: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: T | undefined;
  for (const [value, count] of counts) if (best === undefined || count > (counts.get(best) ?? 0)) best = value;
  return best;
}

/** The first request that states it decides. */
const tlsOf = (own: readonly PlacedRequest[], secure: boolean): '1.2' | '1.3' | undefined =>
  secure ? own.find(({ observed }) => observed.tls !== undefined)?.observed.tls : undefined;

/** A server farther than the link by less than this share is not farther: handshakes differ by as much. */
const FARTHER_SHARE = 0.1;

/** ms; 0 where no handshake shows it. */
function fartherBy(origin: string, { byOrigin, withHandshake, linkMs = 0 }: RoundTrips): number {
  const own = withHandshake.has(origin) ? (byOrigin.get(origin) ?? 0) : 0;
  return own > linkMs * (1 + FARTHER_SHARE) ? own - linkMs : 0;
}

/** Round trips before the request: TCP 1, TLS 1.3 another, TLS 1.2 two more; QUIC 1 with everything. */
function roundsOf(protocol: Protocol, tls: NonNullable<OriginOptions['tls']>): number {
  if (protocol === 'http/3' || tls === 'none') return 1;
  return tls === '1.3' ? 2 : 3;
}

/** The lookup is the first that took time: later ones are answered by a cache. */
function restOf(own: readonly PlacedRequest[], fartherMs: number): Pick<OriginOptions, 'resumed' | 'dnsMs' | 'maxStreams'> {
  const lookupMs = own.map(({ observed }) => observed.timing.dnsMs ?? 0).find((each) => roundedMs(each) > 0) ?? 0;
  const dnsMs = roundedMs(lookupMs + fartherMs);
  const maxStreams = own.find(({ observed }) => observed.maxStreams !== undefined)?.observed.maxStreams;
  return {
    ...(own.some(({ observed }) => observed.resumed === true) && { resumed: true }),
    ...(dnsMs > 0 && { dnsMs }),
    ...(maxStreams !== undefined && { maxStreams }),
  };
}
