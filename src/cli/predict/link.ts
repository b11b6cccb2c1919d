/** Links of `--link`: those of the lab by name, or figures, with more of them than the lab can emulate. */
import { PlumbfoxError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest-name.ts';
import type { NamedLink } from '../../core/predict/predict-json.ts';
import type { LinkFigures } from '../../core/report/report.ts';
import { completeLink, type SimulatedLink } from '../../core/simulate/link.ts';
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import { NAMED_LINKS } from '../../lab/link/links.ts';
import { parseFigures, splitLinks, takeWords } from '../../lab/link/parse-link.ts';

/**
 * The simulator has no varying rates, no BBR and no fixed receive buffer. Its jitter delays each packet by up to a figure, where the lab's wanders
 * about the mean delay with a standard deviation.
 */
export const canBeSimulated = ({ downTrace, receiveBufferBytes, congestionControl, jitterMs = 0 }: LinkFigures): boolean =>
  downTrace === undefined && receiveBufferBytes === undefined && congestionControl !== 'bbr' && jitterMs === 0;

/** The link of the lab as the simulator takes it. */
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

export const PREDICT_LINKS: readonly LinkSpec[] = NAMED_LINKS.filter(canBeSimulated);

/** What the simulator takes, in ms, kbit/s, packets, shares and segments. */
const BOUNDS = {
  rtt: [0, 60_000],
  down: [1, 100_000_000],
  up: [1, 100_000_000],
  loss: [0, 0.5],
  'loss-down': [0, 0.5],
  'loss-up': [0, 0.5],
  queue: [1, 1_000_000],
  jitter: [0, 10_000],
  iw: [1, 1000],
} as const;

const EXAMPLE = 'rtt=300,down=2000,up=384,loss=0.01';

/**
 * `far-2m`, or `rtt=300,down=2000,up=384,loss=0.01`; several are separated by `;`.
 * @throws PlumbfoxError `bad-input`, one line.
 */
export function parsePredictLinks(text: string): readonly NamedLink[] {
  return splitLinks(text).map((each) => (each.includes('=') ? byFigures(each) : byName(each)));
}

function byName(text: string): NamedLink {
  const known = PREDICT_LINKS.find(({ name }) => name === text);
  if (known) return { name: text, basis: 'given', link: simulatedFigures(known) };
  const names = PREDICT_LINKS.map(({ name }) => name);
  throw new PlumbfoxError(
    'bad-input',
    `There is no link "${text}".${didYouMean(text, names)} Links: ${names.join(', ')}, or figures such as ${EXAMPLE}`,
  );
}

function byFigures(text: string): NamedLink {
  const { trace, congestionControl, rest } = takeWords(text);
  if (trace !== undefined)
    throw new PlumbfoxError('bad-input', `Link "${text}": the simulator has no varying rates: use down instead of trace`);
  if (congestionControl === 'bbr') throw new PlumbfoxError('bad-input', `Link "${text}": cc must be one of reno, cubic, not "bbr"`);
  const figures = rest === '' ? new Map<keyof typeof BOUNDS, number>() : parseFigures(rest, BOUNDS, ['cc']);
  const [rttMs, downKbps] = [figures.get('rtt'), figures.get('down')];
  if (rttMs === undefined || downKbps === undefined)
    throw new PlumbfoxError('bad-input', `Link "${text}" needs rtt (ms) and down (kbit/s), such as ${EXAMPLE}`);
  const loss = figures.get('loss') ?? 0;
  const queue = figures.get('queue');
  const link = completeLink({
    rttMs,
    downKbps,
    upKbps: figures.get('up') ?? downKbps,
    lossDown: figures.get('loss-down') ?? loss,
    lossUp: figures.get('loss-up') ?? loss,
    ...(queue !== undefined && { queuePackets: queue }),
    jitterMs: figures.get('jitter') ?? 0,
    initialWindow: figures.get('iw') ?? completeLink({ rttMs, downKbps }).initialWindow,
    ...(congestionControl && { congestionControl }),
  });
  return { name: text, basis: 'given', link };
}

/** How a link is shown: the figures always; of what is usual, nothing. */
export function linkLabel({ link, basis }: NamedLink): string {
  const { rttMs, downKbps, upKbps, queuePackets, lossDown, lossUp, jitterMs, initialWindow, congestionControl } = completeLink(link);
  const loss =
    lossDown === lossUp ? `loss ${percentText(lossDown)} each way` : `loss ${percentText(lossDown)} down, ${percentText(lossUp)} up`;
  return [
    `RTT ${round(rttMs)} ms`,
    `${round(downKbps)} kbit/s down`,
    `${round(upKbps)} up`,
    `queue ${queuePackets} packets`,
    ...(lossDown > 0 || lossUp > 0 ? [loss] : []),
    ...(jitterMs > 0 ? [`jitter ${round(jitterMs)} ms`] : []),
    `initial window ${initialWindow}`,
    ...(congestionControl === 'reno' ? ['sent with Reno'] : []),
    ...(basis === 'given' ? [] : [basis === 'default' ? 'assumed, because the file does not show its link' : basis]),
  ].join(', ');
}

const round = (figure: number): string => String(Math.round(figure * 10) / 10);
const percentText = (share: number): string => `${Math.round(share * 10_000) / 100} %`;
