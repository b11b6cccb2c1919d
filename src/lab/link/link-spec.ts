import { CONGESTION_CONTROL_TITLES } from '../../core/report/link-variation.ts';
import { CONGESTION_CONTROLS, type CongestionControlName } from '../../core/report/report.ts';

/** A link as it is requested of the lab. Never shown by name only: the figures go with it. */
export interface LinkSpec {
  readonly name: string;
  readonly rttMs: number;
  readonly downKbps: number;
  readonly upKbps: number;
  /** Drop-tail queue of each direction, packets. */
  readonly queue: number;
  /** Share of packets lost at random on top of what the queue drops, by direction; 0 to 0.5. Absent: none. */
  readonly lossDown?: number;
  readonly lossUp?: number;
  /** Standard deviation of the one-way delay, each direction, ms; packets stay in order. Absent: none. */
  readonly jitterMs?: number;
  /**
   * When the downlink has room for a packet: the name of a trace in `src/lab/link/traces.ts`, or a file in Mahimahi's format; `downKbps` is
   * then its mean rate. The uplink keeps its rate. Absent: the rate never varies.
   */
  readonly downTrace?: string;
  /** Draws losses and jitter. Absent: 1. */
  readonly seed?: number;
  /** Initial congestion window of the server's end, segments (RFC 3390, RFC 6928). Absent: the kernel's own, 10. */
  readonly initialWindow?: number;
  /** Receive buffer of the client's end (net.ipv4.tcp_rmem, fixed at this), bytes. Absent: the kernel's own, which grows. */
  readonly receiveBufferBytes?: number;
  /** Congestion control of the TCP senders at both ends. Absent: CUBIC, or Reno where the kernel has no CUBIC. */
  readonly congestionControl?: CongestionControlName;
}

type Declared = Pick<LinkSpec, 'congestionControl'>;

/** What servers run (RFC 9438), and links have unless they name another. */
const USUAL_CONGESTION_CONTROL = 'cubic';

/** Links that send with this one, whatever is usual: for studies whose published figures were measured so. */
export const sendingWith = (congestionControl: CongestionControlName, links: readonly LinkSpec[]): readonly LinkSpec[] =>
  links.map((link) => ({ ...link, congestionControl }));

/** `unless`: the lane's own, for links that name none; not an emulated lane: absent, and so is the answer. */
export const congestionControlOf = (link: Declared, unless: CongestionControlName | undefined): Declared =>
  unless === undefined ? {} : { congestionControl: link.congestionControl ?? unless };

/** All of them, as `provenance.congestionControl` has them; absent: nothing was emulated. */
export function congestionControlsOf(links: readonly Declared[], unless: CongestionControlName | undefined): string | undefined {
  const used = new Set(links.map((link) => congestionControlOf(link, unless).congestionControl));
  const named = CONGESTION_CONTROLS.filter((each) => used.has(each));
  return named.length === 0 ? unless : named.join(', ');
}

/** Notes for links that should send with the usual congestion control and could not. */
export function fallbackNotes(links: readonly Declared[], unless: CongestionControlName | undefined): readonly string[] {
  const fallen = unless !== undefined && unless !== USUAL_CONGESTION_CONTROL && links.some((link) => link.congestionControl === undefined);
  if (!fallen) return [];
  const title = CONGESTION_CONTROL_TITLES;
  return [`This kernel has no ${title[USUAL_CONGESTION_CONTROL]}: servers sent with ${title[unless]}.`];
}

/** Reads what a log has kept as text. */
export const congestionControlNamed = (text: string): CongestionControlName | undefined =>
  CONGESTION_CONTROLS.find((each) => each === text);
