/**
 * The link, as far as everyday loads show it. Round trip: the lower envelope of handshakes and of first bytes on open connections, since
 * queues and servers only ever add. Downlink: the best sustained goodput, since pages only ever use less than there is. Both are bounds
 * rather than measurements, so every figure that rests on them says `estimated`, and each comes with the interval its samples allow.
 */
import { groupBy } from '../../group-by.ts';
import type { Link } from '../../link.ts';
import { median } from '../../stats/quantile.ts';
import { averageRate, bytes, type KilobitsPerSecond, kilobitsPerSecond, type Milliseconds, milliseconds } from '../../units.ts';
import type { PageLoad, RequestRecord, RequestTiming } from '../page-load.ts';
import { connectionState, networkRequests } from '../requests.ts';
import { floorInterval, LINK_CONFIDENCE, quantileInterval } from './estimate-interval.ts';

interface RoundTripEstimate {
  readonly rttMs: Milliseconds;
  /** Samples behind `rttMs`, and the lowest and the middle one: far apart where servers are slow to answer or queues are long. */
  readonly rttSamples: number;
  readonly rttSpreadMs: { readonly low: Milliseconds; readonly high: Milliseconds };
  /** The median bounds over the origins' floors (see `floorInterval`): they hold where those of every origin do. */
  readonly rttIntervalMs: { readonly low: Milliseconds; readonly high: Milliseconds };
  /** The lower bound at 50 % confidence: what a single load is taken to say where it is one of many. */
  readonly rttLikelyLowMs: Milliseconds;
}

export interface DownlinkEstimate {
  readonly downKbps: KilobitsPerSecond;
  /** Loads behind `downKbps`, and the middle and the highest of their bests: far apart where few pages fill the link. */
  readonly downSamples: number;
  readonly downSpreadKbps: { readonly low: KilobitsPerSecond; readonly high: KilobitsPerSecond };
  /** Bounds of the rank that is taken (see `quantileInterval`); absent: too few loads for that bound. */
  readonly downIntervalKbps: { readonly low?: KilobitsPerSecond; readonly high?: KilobitsPerSecond };
}

/** A link all of whose figures are estimates. */
interface EstimatedLink extends Link, RoundTripEstimate, DownlinkEstimate {
  readonly basis: 'estimated';
}

const AS_LIKELY_AS_NOT = 0.5;

/** Fewer samples have no useful lower envelope. */
const MIN_SAMPLES = 3;
/** A sustained rate is long compared with the round trip, or the bursts of slow start would count as the rate, and with the clock's steps. */
const WINDOW_ROUND_TRIPS = 4;
const MIN_WINDOW_MS = 250;
/** The rank that is taken of the loads' best rates: of ten, the fastest is left out as an error of the clock. */
const DOWNLINK_RANK = 0.9;

/** The link behind these loads. `undefined`: fewer than 3 round-trip samples, or no load that kept the link busy for long enough. */
export function estimateLink(loads: readonly PageLoad[]): EstimatedLink | undefined {
  const roundTrip = estimateRoundTrip(loads);
  if (roundTrip === undefined) return undefined;
  const window = sustainedWindow(roundTrip.rttMs);
  const downlink = downlinkOf(loads.flatMap(({ requests }) => bestGoodput(requests, window) ?? []));
  return downlink && { basis: 'estimated', ...roundTrip, ...downlink };
}

/** How long a rate must be sustained to count, at this round trip. */
export const sustainedWindow = (rttMs: Milliseconds): Milliseconds => milliseconds(Math.max(MIN_WINDOW_MS, WINDOW_ROUND_TRIPS * rttMs));

/**
 * The round trip to the documents' own origins, which the ideal time is about, or to all where those have too few samples. `undefined`:
 * fewer than 3 samples.
 */
function estimateRoundTrip(loads: readonly PageLoad[]): RoundTripEstimate | undefined {
  const documents = new Set(loads.flatMap(({ requests }) => requests[0]?.origin ?? []));
  const all = loads.flatMap(({ requests }) => networkRequests(requests));
  return lowerEnvelope(all.filter(({ origin }) => origin !== null && documents.has(origin))) ?? lowerEnvelope(all);
}

/** The median of the origins' lowest samples. */
function lowerEnvelope(requests: readonly RequestRecord[]): RoundTripEstimate | undefined {
  const samples = requests.flatMap((request) => {
    const sample = roundTripSample(request);
    return sample === undefined ? [] : [{ origin: request.origin, sample }];
  });
  const ofOrigins = [...groupBy(samples, ({ origin }) => origin).values()].map((own) =>
    own.map(({ sample }) => sample as number).sort((a, b) => a - b),
  );
  const values = samples.map(({ sample }) => sample);
  const [rtt, middle] = [median(ofOrigins.map(([lowest = 0]) => lowest)), median(values)];
  if (samples.length < MIN_SAMPLES || rtt === undefined || middle === undefined) return undefined;
  const least = (confidence: number) => milliseconds(Math.min(rtt, middleFloor(ofOrigins, confidence)));
  return {
    rttMs: milliseconds(rtt),
    rttSamples: samples.length,
    rttSpreadMs: { low: milliseconds(values.reduce((low, value) => Math.min(low, value), middle)), high: milliseconds(middle) },
    rttIntervalMs: { low: least(LINK_CONFIDENCE), high: milliseconds(rtt) },
    rttLikelyLowMs: least(AS_LIKELY_AS_NOT),
  };
}

/** The median lower bound of the origins that have one; 0: none has. */
function middleFloor(ofOrigins: readonly (readonly number[])[], confidence: number): number {
  const bounded = ofOrigins.filter((own) => own.length > 1);
  return median(bounded.map(([lowest = 0, ...rest]) => floorInterval([lowest, ...rest], confidence).low)) ?? 0;
}

/** The downlink from the best sustained rates of loads, one each and in any order. `undefined`: there is none. */
export function downlinkOf(rates: Iterable<KilobitsPerSecond>): DownlinkEstimate | undefined {
  const bests = [...rates].sort((a, b) => a - b);
  const [taken, low, high] = [bests[Math.ceil(DOWNLINK_RANK * bests.length) - 1], median(bests), bests.at(-1)];
  if (taken === undefined || low === undefined || high === undefined) return undefined;
  const bounds = quantileInterval(bests, DOWNLINK_RANK);
  return {
    downKbps: taken,
    downSamples: bests.length,
    downSpreadKbps: { low: kilobitsPerSecond(low), high },
    downIntervalKbps: {
      ...(bounds.low !== undefined && { low: kilobitsPerSecond(bounds.low) }),
      ...(bounds.high !== undefined && { high: kilobitsPerSecond(bounds.high) }),
    },
  };
}

/** The clock's step: what is shorter looks like nothing (privacy.resistFingerprinting.reduceTimerPrecision.microseconds, 1000). */
const MIN_ROUND_TRIP_MS = 1;

/**
 * One sample in ms, never shorter than the round trip except for the clock's step: the TCP handshake of a new connection (the QUIC handshake on
 * HTTP/3), or the time to the first byte on an open one, which holds the server's thinking too.
 * `undefined`: none. A handshake that seems to begin with the request may have begun before it (a connection opened ahead of need, whose
 * times Firefox cuts off at fetchStart), so it is none.
 */
export function roundTripSample(request: RequestRecord): Milliseconds | undefined {
  const { timing } = request;
  if (timing === undefined) return undefined;
  const state = connectionState(request);
  const sample = state === 'cold' ? handshake(timing, request) : state === 'reused' ? firstByte(timing) : undefined;
  return sample !== undefined && sample >= MIN_ROUND_TRIP_MS ? milliseconds(sample) : undefined;
}

function handshake(
  { fetchStart, connectStart, connectEnd, secureConnectionStart }: RequestTiming,
  { wire }: RequestRecord,
): number | undefined {
  if (connectStart === undefined || connectEnd === undefined || connectStart <= fetchStart) return undefined;
  const end = wire?.httpVersion === 'http/3' ? connectEnd : (secureConnectionStart ?? connectEnd);
  return end - connectStart;
}

function firstByte({ requestStart, responseStart }: RequestTiming): number | undefined {
  return requestStart === undefined || responseStart === undefined ? undefined : responseStart - requestStart;
}

/**
 * The bytes a window must hold: the first two flights of a new connection (10 + 20 segments of 1460 bytes, RFC 6928), or slow start would
 * decide the figure.
 */
const MIN_BYTES = 43_800;

/**
 * A lower bound of a link's rate: the best average rate over any stretch of at least `window` that begins with a response's first byte and
 * ends with a response's last. The bytes of a response are spread evenly from its first to its last byte, since Firefox reports no more.
 * Quadratic in the number of requests: 250 requests take about a millisecond. `undefined`: no stretch is long enough, or holds enough
 * bytes. Source: Resource Timing and webRequest.
 */
export function bestGoodput(requests: readonly RequestRecord[], window: Milliseconds): KilobitsPerSecond | undefined {
  const arrivals = networkRequests(requests).flatMap(arrivalOf);
  const starts = arrivals.map(({ from }) => ({ at: from, before: arrivedBy(arrivals, from) }));
  const ends = arrivals.map(({ to }) => ({ at: to, before: arrivedBy(arrivals, to) }));
  let best: KilobitsPerSecond | undefined;
  for (const start of starts) {
    for (const end of ends) {
      const arrived = end.before - start.before;
      if (end.at - start.at < window || arrived < MIN_BYTES) continue;
      const rate = averageRate(bytes(arrived), milliseconds(end.at - start.at));
      if (best === undefined || rate > best) best = rate;
    }
  }
  return best;
}

interface Arrival {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

function arrivalOf({ timing, wire }: RequestRecord): readonly Arrival[] {
  if (timing?.responseStart === undefined || wire?.responseBytes === undefined || timing.responseEnd < timing.responseStart) return [];
  return [{ from: timing.responseStart, to: timing.responseEnd, size: wire.responseBytes }];
}

/** Bytes that had arrived by then. */
function arrivedBy(arrivals: readonly Arrival[], at: number): number {
  let sum = 0;
  for (const { from, to, size } of arrivals) {
    if (at >= to) sum += size;
    else if (at > from) sum += (size * (at - from)) / (to - from);
  }
  return sum;
}

interface LinkSample {
  /** The round trip as estimated only from this load, and its lower bound at 50 % confidence. Absent: fewer than 3 samples. */
  readonly rttMs?: Milliseconds;
  readonly rttLowMs?: Milliseconds;
  /** Best sustained rate. Absent: nothing kept the link busy for long enough, or the round trip is unknown. */
  readonly downKbps?: KilobitsPerSecond;
}

/** The evidence of one load about its link: little, but enough to distinguish networks over a few loads. */
export function linkSample(load: PageLoad): LinkSample {
  const roundTrip = estimateRoundTrip([load]);
  if (roundTrip === undefined) return {};
  const downKbps = bestGoodput(load.requests, sustainedWindow(roundTrip.rttMs));
  return {
    rttMs: roundTrip.rttMs,
    rttLowMs: roundTrip.rttLikelyLowMs,
    ...(downKbps !== undefined && { downKbps }),
  };
}
