/** What one load tells of the link it was made over: little, but enough to tell one network from another over a few loads. */
import type { KilobitsPerSecond, Milliseconds } from '../../units.ts';
import type { PageLoad } from '../page-load.ts';
import { estimateRoundTrip, sustainedWindow } from './estimate-link.ts';
import { bestGoodput } from './goodput.ts';

export interface LinkSample {
  /** As `estimateLink`'s, of this load alone, and the least it is, as likely as not. Absent: fewer than 3 samples. */
  readonly rttMs?: Milliseconds;
  readonly rttLowMs?: Milliseconds;
  /** Best sustained rate. Absent: nothing kept the link busy for long enough, or the round trip is unknown. */
  readonly downKbps?: KilobitsPerSecond;
}

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
