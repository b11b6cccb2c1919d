import { PlumbfoxError } from '../errors.ts';
import { INITIAL_WINDOW, SEGMENT_BYTES } from '../tcp-constants.ts';

/** The simulated network path; only `rttMs` and `downKbps` are required. */
export interface SimulatedLink {
  /** Time of a TCP handshake's SYN and SYN-ACK over the idle link, ms: half of it is the way of a packet in each direction. */
  readonly rttMs: number;
  /** Rate for TCP payload in full segments towards the browser (1,460 bytes of 1,500 on the line), kbit/s. */
  readonly downKbps: number;
  /** The same from the browser. As `downKbps` unless given. */
  readonly upKbps?: number;
  /** Share of packets lost at random towards the browser, in [0, 0.5]. 0 unless given. */
  readonly lossDown?: number;
  /** The same from the browser. */
  readonly lossUp?: number;
  /**
   * Packets that may wait for the line in each direction, the one being sent included; one more is dropped. At least 100, and a
   * bandwidth-delay product, unless given.
   */
  readonly queuePackets?: number;
  /** Each packet is late by up to this, evenly drawn, and none overtakes another, ms. 0 unless given. */
  readonly jitterMs?: number;
  /** Segments a server sends before the first acknowledgement: 10 (RFC 6928) unless given; 2 to 4 in 2008 (RFC 3390). */
  readonly initialWindow?: number;
  /** Payload of a full-size packet of 1,500 bytes: 1,460 unless given; 1,448 where TCP sends timestamps, as Linux does to Linux. */
  readonly segmentBytes?: number;
  /** The servers' algorithm. By default CUBIC (RFC 9438), which Linux and most servers of the web use. */
  readonly congestionControl?: 'reno' | 'cubic';
}

/** A link with its defaults filled in. */
export type CompleteLink = Required<SimulatedLink>;

/** Beyond these nothing was compared with a real network, and a mistake in the unit is likelier. */
const RANGES: Readonly<Record<Exclude<keyof SimulatedLink, 'congestionControl'>, { readonly min: number; readonly max: number }>> = {
  rttMs: { min: 0, max: 60_000 },
  downKbps: { min: 0.1, max: 100_000_000 },
  upKbps: { min: 0.1, max: 100_000_000 },
  lossDown: { min: 0, max: 0.5 },
  lossUp: { min: 0, max: 0.5 },
  queuePackets: { min: 1, max: 1_000_000_000 },
  jitterMs: { min: 0, max: 10_000 },
  initialWindow: { min: 1, max: 1000 },
  segmentBytes: { min: 500, max: SEGMENT_BYTES },
};

/** The lab's links have the same: below 100 packets even a lone connection may not fill the link. */
const MIN_QUEUE = 100;

/** Names of the command line, which would be ignored silently here. */
const SLIPS = {
  rtt: 'rttMs',
  down: 'downKbps',
  up: 'upKbps',
  loss: 'lossDown and lossUp',
  queue: 'queuePackets',
  jitter: 'jitterMs',
  iw: 'initialWindow',
  cc: 'congestionControl',
} as const;

/** @throws PlumbfoxError `bad-input` that names the figure. */
export function completeLink(link: SimulatedLink): CompleteLink {
  if (typeof link !== 'object' || link === null) throw new PlumbfoxError('bad-input', 'A link needs rttMs and downKbps');
  for (const [slip, meant] of Object.entries(SLIPS)) {
    if (Object.hasOwn(link, slip)) throw new PlumbfoxError('bad-input', `Link: there is no ${slip}; ${meant} is meant`);
  }
  const { rttMs, downKbps } = link;
  const upKbps = link.upKbps ?? downKbps;
  const productPackets = Math.ceil((rttMs * Math.max(downKbps, upKbps)) / 8 / 1500);
  const checked: CompleteLink = {
    rttMs,
    downKbps,
    upKbps,
    lossDown: link.lossDown ?? 0,
    lossUp: link.lossUp ?? 0,
    queuePackets: link.queuePackets ?? Math.max(MIN_QUEUE, productPackets),
    jitterMs: link.jitterMs ?? 0,
    initialWindow: link.initialWindow ?? INITIAL_WINDOW,
    segmentBytes: link.segmentBytes ?? SEGMENT_BYTES,
    congestionControl: link.congestionControl ?? 'cubic',
  };
  if (!['reno', 'cubic'].includes(checked.congestionControl)) {
    throw new PlumbfoxError('bad-input', `Link: congestionControl must be reno or cubic, not ${String(checked.congestionControl)}`);
  }
  for (const [figure, { min, max }] of Object.entries(RANGES)) {
    const value: unknown = checked[figure as keyof CompleteLink];
    if (typeof value === 'number' && value >= min && value <= max) continue;
    throw new PlumbfoxError('bad-input', `Link: ${figure} must be a number from ${min} to ${max}, not ${String(value)}`);
  }
  return {
    ...checked,
    queuePackets: Math.floor(checked.queuePackets),
    initialWindow: Math.floor(checked.initialWindow),
    segmentBytes: Math.floor(checked.segmentBytes),
  };
}
