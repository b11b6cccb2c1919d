/**
 * When the document was complete, where the record does not say. Firefox 153 tells a `responseEnd` of navigations that is their
 * `responseStart`, however long they took to arrive (timelines of test/corpus: a document of 41 kB over 240 kbit/s "ended" as it began), and
 * its older HARs a `receive` of 0.
 */

import { FIRST_FLIGHT_BYTES } from '../tcp-constants.ts';
import type { PlacedLoad, PlacedRequest } from './place-requests.ts';
import { inferenceOf } from './tally.ts';

/** No clock of a record has longer steps. */
const INSTANT_MS = 1;

export interface DocumentContext {
  /** Of each response on the wire. */
  readonly bytes: readonly number[];
  readonly rttMs: number | undefined;
  readonly downKbps: number | undefined;
}

/**
 * The load with the end of its document in place. It is not before a request that began while nothing that could have asked for it but the
 * document was there; nor before its bytes can have come over the link, or the flights of slow start that they take.
 */
export function withDocumentEnd(load: PlacedLoad, context: DocumentContext): PlacedLoad {
  const document = load.requests[load.document];
  const size = context.bytes[load.document] ?? 0;
  if (document === undefined || !isUntold(document, size)) return load;
  const firstMs = document.firstByteMs ?? document.startMs;
  const namedMs = lastNamed(load, firstMs);
  const sentMs = context.downKbps === undefined ? 0 : (size * 8) / context.downKbps;
  const flightsMs = document.observed.timing.handshakeMs === undefined ? 0 : (flights(size) - 1) * (context.rttMs ?? 0);
  const endMs = Math.max(namedMs, firstMs + sentMs, firstMs + flightsMs);
  const rule =
    'When the document was complete is not recorded: not before the last request that only it can have asked for, nor before its bytes can have come';
  return {
    ...load,
    requests: load.requests.map((request, index) => (index === load.document ? { ...document, endMs } : request)),
    inferred: [...load.inferred, ...inferenceOf('discovery', 1, rule)],
  };
}

/** Not recorded, or an instant for more than a first flight. */
function isUntold({ observed, firstByteMs, endMs }: PlacedRequest, size: number): boolean {
  if (observed.fromCache) return false;
  if (endMs === undefined) return true;
  return size > FIRST_FLIGHT_BYTES && firstByteMs !== undefined && endMs - firstByteMs <= INSTANT_MS;
}

/** Start of the last request before any script, style sheet or frame was complete. */
function lastNamed({ requests, document }: PlacedLoad, firstMs: number): number {
  const loaders = requests.filter(({ observed }, index) => index !== document && /^(?:script|stylesheet|document)$/.test(observed.class));
  const firstLoadedMs = loaders.reduce((least, { endMs }) => Math.min(least, endMs ?? least), Number.POSITIVE_INFINITY);
  const named = requests.filter(({ startMs }) => startMs >= firstMs && startMs < firstLoadedMs);
  return Number.isFinite(firstLoadedMs) ? named.reduce((last, { startMs }) => Math.max(last, startMs), firstMs) : firstMs;
}

/** Of slow start, each twice as large as the one before. */
const flights = (size: number): number => Math.ceil(Math.log2(size / FIRST_FLIGHT_BYTES + 1));
