/** The link a load was recorded over, as far as it shows. */
import { sustainedWindow } from '../measure/estimate-link.ts';
import { bestGoodput } from '../measure/goodput.ts';
import type { RequestRecord } from '../measure/page-load.ts';
import { FIRST_FLIGHT_BYTES } from '../tcp-constants.ts';
import { bytes, milliseconds } from '../units.ts';
import type { PlacedRequest } from './place-requests.ts';
import type { InferredSizes } from './response-sizes.ts';

export interface InferredLink {
  readonly rttMs: number;
  readonly downKbps: number;
  /** Responses whose size is recorded. */
  readonly sized: number;
}

/** Goodput is sought among so many responses, the largest: they hold the bytes, and its cost grows with the square of their number. */
const MOST_RESPONSES = 400;
/** A link on which something arrived for this share of the time was busy. Our own choice. */
const BUSY_SHARE = 0.5;

/** @param rttMs of the link, where it shows. @returns `undefined` where it does not, or where nothing kept the link busy for long enough. */
export function inferLink(requests: readonly PlacedRequest[], sizes: InferredSizes, rttMs: number | undefined): InferredLink | undefined {
  if (rttMs === undefined) return undefined;
  const records = requests.flatMap((request, index) =>
    sizes.stated[index] === true
      ? [{ ...recordOf(request), wire: { fromCache: false, responseBytes: bytes(sizes.bytes[index] ?? 0) } }]
      : [],
  );
  const largest = records.toSorted((a, b) => b.wire.responseBytes - a.wire.responseBytes).slice(0, MOST_RESPONSES);
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
