/** What one request tells of the round-trip time to its origin. */
import { type Milliseconds, milliseconds } from '../../units.ts';
import { connectionState } from '../connection-use.ts';
import type { RequestRecord, RequestTiming } from '../page-load.ts';

/** The clock's step, and the shortest that can be told from nothing (privacy.resistFingerprinting.reduceTimerPrecision.microseconds, 1000). */
const SHORTEST_MS = 1;

/**
 * One sample in ms, never shorter than the round trip but for the clock's step: the TCP handshake of a new connection (the QUIC handshake on
 * HTTP/3), or the time to the first byte on an open one, which holds the server's thinking too.
 * `undefined`: none. A handshake that seems to begin with the request may have begun before it (a connection opened ahead of need, whose
 * times Firefox cuts off at fetchStart), so it is none.
 */
export function roundTripSample(request: RequestRecord): Milliseconds | undefined {
  const { timing } = request;
  if (timing === undefined) return undefined;
  const state = connectionState(request);
  const sample = state === 'cold' ? handshake(timing, request) : state === 'reused' ? firstByte(timing) : undefined;
  return sample !== undefined && sample >= SHORTEST_MS ? milliseconds(sample) : undefined;
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
