import type { CongestionControlName } from '../../core/report/report.ts';

/** A link as the lab is asked for it. Never shown by name only: the figures go with it. */
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
   * Name of a trace in `src/lab/link/traces.ts`, or a file in Mahimahi's format, that says when the downlink has room for a packet; `downKbps` is then its mean rate. The
   * uplink keeps its rate. Absent: the rate never varies.
   */
  readonly downTrace?: string;
  /** Draws losses and jitter. Absent: 1. */
  readonly seed?: number;
  /** Initial congestion window of the server's end, segments (RFC 3390, RFC 6928). Absent: the kernel's own, 10. */
  readonly initialWindow?: number;
  /** Receive buffer of the client's end (net.ipv4.tcp_rmem, fixed at this), bytes. Absent: the kernel's own, which grows. */
  readonly receiveBufferBytes?: number;
  /** Of the TCP senders at both ends. Absent: CUBIC, or Reno where the kernel has no CUBIC. */
  readonly congestionControl?: CongestionControlName;
}
