/** The link a load was recorded over, as far as it shows. */
import { groupBy } from '../group-by.ts';
import { bestGoodput, sustainedWindow } from '../measure/links/estimate-link.ts';
import type { RequestRecord } from '../measure/page-load.ts';
import { FIRST_FLIGHT_BYTES } from '../tcp-constants.ts';
import { bytes, milliseconds } from '../units.ts';
import type { PlacedRequest } from './place-requests.ts';
import type { InferredSizes } from './response-sizes.ts';

interface InferredLink {
  readonly rttMs: number;
  readonly downKbps: number;
  /** Responses whose size is recorded. */
  readonly sized: number;
}

/** Goodput is sought among the largest responses, this many: they hold the bytes, and its cost grows with the square of their number. */
const MAX_RESPONSES = 400;
/** A link on which something arrived for this share of the time was busy. Chosen, not measured. */
const BUSY_SHARE = 0.5;

/** @param rttMs of the link, where it shows. @returns `undefined` where it does not, or where nothing kept the link busy for long enough. */
export function inferLink(requests: readonly PlacedRequest[], sizes: InferredSizes, rttMs: number | undefined): InferredLink | undefined {
  if (rttMs === undefined) return undefined;
  const records = requests.flatMap((request, index) =>
    sizes.stated[index] === true
      ? [{ ...recordOf(request), wire: { fromCache: false, responseBytes: bytes(sizes.bytes[index] ?? 0) } }]
      : [],
  );
  const largest = records.toSorted((a, b) => b.wire.responseBytes - a.wire.responseBytes).slice(0, MAX_RESPONSES);
  const downKbps = bestGoodput(largest, sustainedWindow(milliseconds(rttMs)));
  if (downKbps === undefined || downKbps <= 0) return undefined;
  // A rate below a first flight per round trip is what waiting looks like, unless responses were arriving for most of the time.
  const filled = (downKbps * rttMs) / 8 >= FIRST_FLIGHT_BYTES || arrivingShare(requests) >= BUSY_SHARE;
  return filled ? { rttMs, downKbps, sized: records.length } : undefined;
}

/** Share of the time from the first response's first byte to the last's end in which some response was arriving. */
function arrivingShare(requests: readonly PlacedRequest[]): number {
  const spans = requests.flatMap(({ firstByteMs, endMs }) =>
    firstByteMs === undefined || endMs === undefined ? [] : [{ firstByteMs, endMs }],
  );
  let [busy, until] = [0, 0];
  for (const { firstByteMs, endMs } of spans.sort((a, b) => a.firstByteMs - b.firstByteMs)) {
    busy += Math.max(0, endMs - Math.max(firstByteMs, until));
    until = Math.max(until, endMs);
  }
  const began = spans[0]?.firstByteMs ?? 0;
  return until > began ? busy / (until - began) : 0;
}

/** What of a request the measures of `core/measure` need; a response of unknown end counts as if it had ended at once. */
function recordOf({ observed, startMs, firstByteMs, endMs }: PlacedRequest): RequestRecord {
  return {
    url: '',
    origin: observed.origin,
    type: 'other',
    timing: {
      fetchStart: milliseconds(startMs),
      ...(firstByteMs !== undefined && { responseStart: milliseconds(firstByteMs) }),
      responseEnd: milliseconds(endMs ?? startMs),
    },
    outcome: { state: 'completed' },
  };
}

/**
 * Round-trip times to the page's servers and over its link, as far as the record shows them: the lower envelope of handshakes, and of
 * first bytes where a server shows no handshake, since queues and slow servers only ever add.
 */
export interface RoundTrips {
  /** ms per origin; missing: nothing of it is known. */
  readonly byOrigin: ReadonlyMap<string, number>;
  /** Those of them that handshakes show. */
  readonly withHandshake: ReadonlySet<string>;
  /** Half of the requests go to servers that are no farther, ms; `undefined`: no sample at all. */
  readonly linkMs: number | undefined;
  /** Servers whose round trip is that of a handshake, and those where it is that of a first byte, which holds the server's thinking. */
  readonly fromHandshakes: number;
  readonly fromFirstBytes: number;
}

/** Shorter than any handshake through a browser and a cable: what is shorter was rounded, or is not the network's. */
const MIN_MS = 0.1;

interface OriginTrip {
  readonly origin: string;
  readonly rttMs: number;
  readonly requests: number;
  readonly handshake: boolean;
}

/** The round trip to each server, and that of the link. */
export function inferRoundTrips(requests: readonly PlacedRequest[]): RoundTrips {
  const trips = [...groupBy(requests, ({ observed }) => observed.origin)].flatMap(([origin, own]) => tripOf(origin, own));
  const withHandshake = trips.filter(({ handshake }) => handshake);
  return {
    byOrigin: new Map(trips.map(({ origin, rttMs }) => [origin, rttMs])),
    withHandshake: new Set(withHandshake.map(({ origin }) => origin)),
    linkMs: weightedMedian(withHandshake.length > 0 ? withHandshake : trips),
    fromHandshakes: withHandshake.length,
    fromFirstBytes: trips.length - withHandshake.length,
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
  const usable = samples.filter((sample) => sample >= MIN_MS);
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
