/**
 * Round-trip times to the page's servers and over its link, as far as the record shows them: the lower envelope of handshakes, and of
 * first bytes where a server shows no handshake, since queues and slow servers only ever add.
 */
import { groupBy } from '../group-by.ts';
import type { PlacedRequest } from './place-requests.ts';

export interface RoundTrips {
  /** ms per origin; missing: nothing of it is known. */
  readonly byOrigin: ReadonlyMap<string, number>;
  /** Those of them that handshakes show. */
  readonly shaken: ReadonlySet<string>;
  /** Half of the requests go to servers that are no farther, ms; `undefined`: no sample at all. */
  readonly linkMs: number | undefined;
  /** Servers whose round trip is that of a handshake, and those where it is that of a first byte, which holds the server's thinking. */
  readonly fromHandshakes: number;
  readonly fromFirstBytes: number;
}

/** Shorter than any handshake through a browser and a cable: what is shorter was rounded, or is not the network's. Our own choice. */
const SHORTEST_MS = 0.1;

interface OriginTrip {
  readonly origin: string;
  readonly rttMs: number;
  readonly requests: number;
  readonly handshake: boolean;
}

export function inferRoundTrips(requests: readonly PlacedRequest[]): RoundTrips {
  const trips = [...groupBy(requests, ({ observed }) => observed.origin)].flatMap(([origin, own]) => tripOf(origin, own));
  const shaken = trips.filter(({ handshake }) => handshake);
  return {
    byOrigin: new Map(trips.map(({ origin, rttMs }) => [origin, rttMs])),
    shaken: new Set(shaken.map(({ origin }) => origin)),
    linkMs: weightedMedian(shaken.length > 0 ? shaken : trips),
    fromHandshakes: shaken.length,
    fromFirstBytes: trips.length - shaken.length,
  };
}

/** Handshakes that cannot have begun before their request first, then the others, then first bytes. */
function tripOf(origin: string, own: readonly PlacedRequest[]): readonly OriginTrip[] {
  const timings = own.map(({ observed }) => observed.timing);
  const handshakes = (cut: boolean) =>
    least(timings.flatMap(({ handshakeMs, handshakeCut }) => ((handshakeCut === true) === cut ? (handshakeMs ?? []) : [])));
  const handshake = handshakes(false) ?? handshakes(true);
  const firstByte = least(own.flatMap(({ observed }) => (observed.pushed === true ? [] : (observed.timing.waitMs ?? []))));
  const rttMs = handshake ?? firstByte;
  return rttMs === undefined ? [] : [{ origin, rttMs, requests: own.length, handshake: handshake !== undefined }];
}

function least(samples: readonly number[]): number | undefined {
  const usable = samples.filter((sample) => sample >= SHORTEST_MS);
  return usable.length === 0 ? undefined : usable.reduce((low, sample) => Math.min(low, sample));
}

/** The smallest of them that at least half of the requests do not exceed. */
function weightedMedian(trips: readonly OriginTrip[]): number | undefined {
  const total = trips.reduce((sum, { requests }) => sum + requests, 0);
  let passed = 0;
  for (const { rttMs, requests } of trips.toSorted((a, b) => a.rttMs - b.rttMs)) {
    passed += requests;
    if (passed * 2 >= total) return rttMs;
  }
  return undefined;
}
