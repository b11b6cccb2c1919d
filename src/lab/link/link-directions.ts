/** From a link as asked for to the settings of its two directions. Pure. */
import type { LinkSpec } from './link-spec.ts';
import { type DirectionSetting, serialisationMs } from './shaped-direction.ts';

/** A TCP SYN with its usual options over IPv4: what a connect time, and so the RTT as anyone measures it, is made of. */
const SYN_BYTES = 60;

/**
 * The RTT asked for is what a small packet sees: the time to put a SYN on the line each way, and what the emulator itself
 * takes (`overheadMs` a round trip), come off the delay.
 */
export function linkDirections(link: LinkSpec, overheadMs: number): { readonly down: DirectionSetting; readonly up: DirectionSetting } {
  const direction = (rateKbps: number): DirectionSetting => ({
    delayMs: Math.max(0, (link.rttMs - overheadMs) / 2 - serialisationMs(SYN_BYTES, rateKbps)),
    rateKbps,
    queuePackets: link.queue,
  });
  return { down: direction(link.downKbps), up: direction(link.upKbps) };
}
