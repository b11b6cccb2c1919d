/** The dependencies of each request: what must have arrived before it is sent; the rules are in docs/page-graphs.md. */
import { groupBy } from '../group-by.ts';
import { SHIPPED } from '../profiles/shipped.ts';
import { type Inference, inferenceOf, tally } from './inference.ts';
import {
  type Dependency,
  DISCOVERY_RULES,
  type DiscoveryRule,
  FinishedBefore,
  type FoundDependencies,
  InitiatorFinder,
  whole,
} from './initiators.ts';
import type { PlacedLoad, PlacedRequest } from './place-requests.ts';

interface InferredDiscovery {
  /** In the order of the requests; the first has none. Every dependency is on an earlier position, so no cycle can be. */
  readonly dependencies: readonly (readonly Dependency[])[];
  readonly inferred: readonly Inference[];
}

/** @param bytes of each response on the wire. */
export function inferDiscovery(load: PlacedLoad, bytes: readonly number[]): InferredDiscovery {
  const finder = new InitiatorFinder(load, bytes);
  const redirects = redirectsFollowed(load.requests);
  const takenOver = connectionsTakenOver(load.requests);
  const found: FoundDependencies[] = [];
  load.requests.forEach((request, position) => {
    found.push(
      position === 0
        ? { rule: 'root', dependencies: [] }
        : (afterRedirect(load, position, redirects[position]) ?? withOneBefore(found, takenOver[position]) ?? finder.find(position)),
    );
    finder.pass(request, position);
  });
  const redirected = found.filter(({ rule }) => rule === 'redirect').length;
  return {
    dependencies: found.map(({ dependencies }) => dependencies),
    inferred: [
      ...inferenceOf('redirects', redirected, 'Asked for after the whole of the response that redirected to it'),
      ...tally<DiscoveryRule>(
        'discovery',
        found.map(({ rule }) => (rule === 'redirect' || rule === 'root' ? 'stated' : rule)),
        DISCOVERY_RULES,
      ),
    ],
  };
}

function afterRedirect({ requests }: PlacedLoad, position: number, redirect: number | undefined): FoundDependencies | undefined {
  const [request, hop] = [requests[position], redirect === undefined ? undefined : requests[redirect]];
  if (request === undefined || redirect === undefined || hop === undefined) return undefined;
  return { rule: 'redirect', dependencies: [whole(redirect, request.startMs - (hop.endMs ?? request.startMs))] };
}

/** Depends on what the request before it on the connection depends on; `undefined` where that is the document, which depends on nothing. */
function withOneBefore(found: readonly FoundDependencies[], before: number | undefined): FoundDependencies | undefined {
  const dependencies = before === undefined ? undefined : found[before]?.dependencies;
  return dependencies === undefined || dependencies.length === 0 ? undefined : { rule: 'queue', dependencies };
}

/**
 * For each request the position of the redirect it follows, always an earlier one; `undefined`: it follows none. Each redirect is
 * followed once, in the order in which they were requested, so that a loop of redirects becomes a chain of as many as were recorded.
 */
function redirectsFollowed(requests: readonly PlacedRequest[]): readonly (number | undefined)[] {
  const open = new Map<string, { readonly positions: number[]; next: number }>();
  return requests.map(({ observed }, position) => {
    const waiting = open.get(observed.url);
    const followed = waiting?.positions[waiting.next];
    if (waiting !== undefined && followed !== undefined) waiting.next += 1;
    if (observed.outcome === 'redirected' && observed.redirectsTo !== undefined) {
      const own = open.get(observed.redirectsTo);
      if (own === undefined) open.set(observed.redirectsTo, { positions: [position], next: 0 });
      else own.positions.push(position);
    }
    return followed;
  });
}

/** A connection is taken over within this, ms. Chosen, not measured. */
const MAX_GAP_MS = 10;

const serverOf = ({ observed }: PlacedRequest): string => observed.origin;
const connectionOf = ({ observed }: PlacedRequest): string => `${observed.origin} ${observed.connection ?? ''}`;

/**
 * For each request the position of the one whose HTTP/1.1 connection it took over at once while all others of its server were busy, where
 * the recorder does not say since when it had waited: it had been requested before, at an unknown time. Always an earlier position. Chrome has
 * as many connections to a server as Firefox ships.
 */
function connectionsTakenOver(requests: readonly PlacedRequest[]): readonly (number | undefined)[] {
  if (!requests.some(waitsUnseen)) return requests.map(() => undefined);
  const positions = requests.map((_, position) => position).filter((position) => isHttp1(requests[position]));
  const busy = busyBefore(requests, positions);
  const finished = new Map(
    [...groupBy(positions, (position) => connectionOf(requests[position] as PlacedRequest))].map(
      ([connection, own]) => [connection, new FinishedBefore(requests, own)] as const,
    ),
  );
  return requests.map((request, position) => {
    if (!waitsUnseen(request) || !isHttp1(request) || (busy.get(position) ?? 0) < SHIPPED.perServer - 1) return undefined;
    const before = finished.get(connectionOf(request))?.latest(request.startMs, position);
    return before !== undefined && request.startMs - before.endMs <= MAX_GAP_MS ? before.position : undefined;
  });
}

const waitsUnseen = ({ observed }: PlacedRequest): boolean => observed.timing.startsWhenSent === true;
const isHttp1 = (request: PlacedRequest | undefined): boolean => /^http\/1/.test(request?.observed.httpVersion ?? '');

/** How many other requests of its server were in progress when each began. */
function busyBefore(requests: readonly PlacedRequest[], positions: readonly number[]): ReadonlyMap<number, number> {
  const busy = new Map<number, number>();
  for (const own of groupBy(positions, (position) => serverOf(requests[position] as PlacedRequest)).values()) {
    const ends = own.map((position) => requests[position]?.endMs ?? Number.NEGATIVE_INFINITY).sort((a, b) => a - b);
    let ended = 0;
    own.forEach((position, started) => {
      const startMs = requests[position]?.startMs ?? 0;
      while (ended < ends.length && (ends[ended] ?? 0) <= startMs) ended += 1;
      busy.set(position, Math.max(0, started - ended));
    });
  }
  return busy;
}
