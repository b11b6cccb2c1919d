/** A link of the lab as the simulator takes it. */
import type { LinkFigures } from '../core/report/report.ts';
import type { SimulatedLink } from '../core/simulate/simulated-link.ts';

/** The simulator knows neither a rate that varies nor a receive buffer that does not grow. */
export const canBeSimulated = ({ downTrace, receiveBufferBytes }: Pick<LinkFigures, 'downTrace' | 'receiveBufferBytes'>): boolean =>
  downTrace === undefined && receiveBufferBytes === undefined;

export function simulatedFigures(link: LinkFigures): SimulatedLink {
  const { rttMs, downKbps, upKbps, queue, lossDown, lossUp, jitterMs, initialWindow } = link;
  return {
    rttMs,
    downKbps,
    ...(upKbps !== undefined && { upKbps }),
    ...(queue !== undefined && { queuePackets: queue }),
    ...(lossDown !== undefined && { lossDown }),
    ...(lossUp !== undefined && { lossUp }),
    ...(jitterMs !== undefined && { jitterMs }),
    ...(initialWindow !== undefined && { initialWindow }),
  };
}
