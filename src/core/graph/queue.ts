/** Requests that had waited for a connection before their recorder began to count them. */
import { groupBy } from '../group-by.ts';
import { FinishedBefore } from './askers.ts';
import type { PlacedRequest } from './place-requests.ts';

/** Connections of a browser to an HTTP/1.1 server (network.http.max-persistent-connections-per-server; 6 in Chrome too). */
const CONNECTIONS = 6;
/** A connection is taken over within this, ms. Our own choice. */
const LONGEST_GAP_MS = 10;

const serverOf = ({ observed }: PlacedRequest): string => observed.origin;
const connectionOf = ({ observed }: PlacedRequest): string => `${observed.origin} ${observed.connection ?? ''}`;

/**
 * For each request the position of the one whose HTTP/1.1 connection it took over at once while all others of its server were busy, where
 * the recorder does not say since when it had waited: it had been asked for before, nobody knows when. Always an earlier position.
 */
export function connectionsTakenOver(requests: readonly PlacedRequest[]): readonly (number | undefined)[] {
  if (!requests.some(waitsUnseen)) return requests.map(() => undefined);
  const positions = requests.map((_, position) => position).filter((position) => isHttp1(requests[position]));
  const busy = busyBefore(requests, positions);
  const finished = new Map(
    [...groupBy(positions, (position) => connectionOf(requests[position] as PlacedRequest))].map(
      ([connection, own]) => [connection, new FinishedBefore(requests, own)] as const,
    ),
  );
  return requests.map((request, position) => {
    if (!waitsUnseen(request) || !isHttp1(request) || (busy.get(position) ?? 0) < CONNECTIONS - 1) return undefined;
    const before = finished.get(connectionOf(request))?.latest(request.startMs, position);
    return before !== undefined && request.startMs - before.endMs <= LONGEST_GAP_MS ? before.position : undefined;
  });
}

const waitsUnseen = ({ observed }: PlacedRequest): boolean => observed.timing.startsWhenSent === true;
const isHttp1 = (request: PlacedRequest | undefined): boolean => /^http\/1/.test(request?.observed.httpVersion ?? '');

/** How many other requests of its server were under way when each began. */
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
