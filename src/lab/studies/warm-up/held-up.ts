/** What held up the later answers of a page over a link: the window, or a sender that waits before it fills so small a one. Pure. */
import { objectBytes, type SequenceCell } from './sequences.ts';

export type HeldUp =
  /** Bytes that came in a round trip, estimated: body bytes over the windows that it took. */
  | { readonly by: 'window'; readonly bytesPerRoundTrip: number }
  /** `firstByteMs`: how long the first byte of a later answer took, median. */
  | { readonly by: 'sender-timer'; readonly firstByteMs: number };

/** Fewer round trips tell nothing of the window: the line's rate, or the last part of a window, may be what took the time. */
const FEWEST_ROUND_TRIPS = 3;
/**
 * Bytes; what every host on IPv4 takes in one segment (RFC 9293, section 3.7.1). Less in a round trip is no window: a sender puts off what
 * fills less than a segment and less than half of the largest window seen, until a timer runs out (section 3.8.6.2.1).
 */
const SMALLEST_SEGMENT = 536;

/** `undefined`: neither; the line's rate, say. */
export function heldUp({ page, link, laterBodyMs, laterWaitMs }: SequenceCell): HeldUp | undefined {
  const roundTrips = laterBodyMs / link.rttMs;
  if (roundTrips < FEWEST_ROUND_TRIPS) return undefined;
  // The first window comes with the first byte: from there to the last byte is a round trip for each of the others.
  const bytesPerRoundTrip = objectBytes(page) / (roundTrips + 1);
  return bytesPerRoundTrip < SMALLEST_SEGMENT ? { by: 'sender-timer', firstByteMs: laterWaitMs } : { by: 'window', bytesPerRoundTrip };
}
