/** A link of the lab as the simulator takes it. */
import type { LinkFigures } from '../../core/report/report.ts';
import type { SimulatedLink } from '../../core/simulate/link.ts';

/**
 * The simulator knows neither a rate that varies, nor BBR, nor a receive buffer that does not grow; and its jitter makes packets late one by one, by up
 * to a figure, where the lab's wanders about the mean delay with a standard deviation.
 */
export const canBeSimulated = ({ downTrace, receiveBufferBytes, congestionControl, jitterMs = 0 }: LinkFigures): boolean =>
  downTrace === undefined && receiveBufferBytes === undefined && congestionControl !== 'bbr' && jitterMs === 0;

export function simulatedFigures(link: LinkFigures): SimulatedLink {
  const { rttMs, downKbps, upKbps, queue, lossDown, lossUp, initialWindow, congestionControl } = link;
  return {
    rttMs,
    downKbps,
    ...(upKbps !== undefined && { upKbps }),
    ...(queue !== undefined && { queuePackets: queue }),
    ...(lossDown !== undefined && { lossDown }),
    ...(lossUp !== undefined && { lossUp }),
    ...(initialWindow !== undefined && { initialWindow }),
    ...(congestionControl !== undefined && congestionControl !== 'bbr' && { congestionControl }),
  };
}
