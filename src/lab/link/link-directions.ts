/** From a link as asked for to the settings of its two directions. Pure. */
import type { LinkSpec } from './link-spec.ts';
import type { LinkTrace } from './link-trace.ts';
import { type DirectionSetting, serialisationMs } from './shaped-direction.ts';

/** A TCP SYN with its usual options over IPv4: what a connect time, and so the RTT as anyone measures it, is made of. */
const SYN_BYTES = 60;

export interface DirectionsOptions {
  /** What a round trip takes in the emulator itself. */
  readonly overheadMs: number;
  /** The trace that the link names; without it the downlink has its mean rate. */
  readonly downTrace?: LinkTrace | undefined;
}

/** Of one seed two, so that the directions have nothing to do with each other. */
export const seedsOfDirections = (seed: number): readonly [down: number, up: number] => [2 * seed, 2 * seed + 1];

/**
 * The RTT asked for is what a small packet sees: the time to put a SYN on the line each way, and what the emulator itself
 * takes, come off the delay. With a trace the wait for the next moment comes on top.
 */
export function linkDirections(
  link: LinkSpec,
  { overheadMs, downTrace }: DirectionsOptions,
): { readonly down: DirectionSetting; readonly up: DirectionSetting } {
  const { rttMs, queue, jitterMs, lossDown, lossUp, seed = 1 } = link;
  const [downSeed, upSeed] = seedsOfDirections(seed);
  const direction = (rateKbps: number): DirectionSetting => ({
    delayMs: Math.max(0, (rttMs - overheadMs) / 2 - serialisationMs(SYN_BYTES, rateKbps)),
    rateKbps,
    queuePackets: queue,
    ...(jitterMs !== undefined && { jitterMs }),
  });
  return {
    down: {
      ...direction(link.downKbps),
      seed: downSeed,
      ...(lossDown !== undefined && { lossShare: lossDown }),
      ...(downTrace && { trace: downTrace }),
    },
    up: { ...direction(link.upKbps), seed: upSeed, ...(lossUp !== undefined && { lossShare: lossUp }) },
  };
}
