/** A link's properties besides round trip, rates and queue, in words: loss, jitter, a trace, and settings of its ends. */
import { precisePercent } from '../text/figures.ts';
import type { CongestionControlName, LinkFigures } from './report.ts';

/** One text for each figure that is set. None: the link neither loses nor varies, and its ends are the system's own. */
export function linkVariation(link: Omit<LinkFigures, 'rttMs' | 'downKbps'>): readonly string[] {
  const { lossDown = 0, lossUp = 0, jitterMs, downTrace, initialWindow, receiveBufferBytes, congestionControl, seed } = link;
  const loss =
    lossDown === lossUp
      ? `loss ${precisePercent(lossDown, 4)} each way`
      : `loss ${precisePercent(lossDown, 4)} down, ${precisePercent(lossUp, 4)} up`;
  return [
    ...(downTrace === undefined ? [] : [`down is the mean of trace ${downTrace}`]),
    ...(lossDown > 0 || lossUp > 0 ? [loss] : []),
    ...(jitterMs === undefined ? [] : [`jitter ${jitterMs} ms`]),
    ...(initialWindow === undefined ? [] : [`initial window ${initialWindow} segments`]),
    ...(receiveBufferBytes === undefined ? [] : [`receive buffer ${receiveBufferBytes} bytes`]),
    ...(congestionControl === undefined ? [] : [`sent with ${CONGESTION_CONTROL_TITLES[congestionControl]}`]),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
  ];
}

/** Names as the literature writes them. */
export const CONGESTION_CONTROL_TITLES: Readonly<Record<CongestionControlName, string>> = { reno: 'Reno', cubic: 'CUBIC', bbr: 'BBR' };

/** Members in which two links must agree to be the same, besides name and kind. */
export const LINK_FIGURES = [
  'rttMs',
  'downKbps',
  'upKbps',
  'queue',
  'lossDown',
  'lossUp',
  'jitterMs',
  'downTrace',
  'initialWindow',
  'receiveBufferBytes',
  'congestionControl',
  'seed',
] as const satisfies readonly (keyof LinkFigures)[];

/** Whether there is anything on a link for chance to decide: losses, jitter, or where a trace begins. */
export const hasWeather = ({ lossDown = 0, lossUp = 0, jitterMs = 0, downTrace }: Partial<LinkFigures>): boolean =>
  lossDown + lossUp + jitterMs > 0 || downTrace !== undefined;
