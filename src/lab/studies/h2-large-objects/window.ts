/**
 * What a receive window of HTTP/2 does to one response, by arithmetic. Firefox acknowledges a response when 4 MiB have come since it last did,
 * or when 96 KiB of its window are left (Gecko, netwerk/protocol/http/Http2Session.h kMinimumToAck and kEmergencyWindowThreshold,
 * Http2Session.cpp UpdateLocalStreamWindow). What is left must last until the acknowledgement has reached the server: a round trip. Where it
 * does not, the server pauses, however much larger than the bandwidth-delay product the whole window is.
 */
import type { LinkSpec } from '../../link/link-spec.ts';

const MINIMUM_TO_ACKNOWLEDGE = 4 * 1024 * 1024;
const EMERGENCY_THRESHOLD = 96 * 1024;
/** Largest DATA frame a server sends unless asked for more (RFC 9113, SETTINGS_MAX_FRAME_SIZE): what comes at once is acknowledged at once. */
const FRAME_BYTES = 16 * 1024;

export interface WindowCourse {
  readonly acknowledgedBytes: number;
  /** Bytes of the window that are left when one is sent. */
  readonly leftBytes: number;
  /** How long the server has nothing to send in every cycle, ms; 0: it never pauses. */
  readonly pauseMs: number;
  /** Share of the link's rate the response gets, in (0, 1]; headers of packets not counted. */
  readonly share: number;
}

/** Bytes under way when the link is full. */
export const bandwidthDelayBytes = ({ rttMs, downKbps }: Pick<LinkSpec, 'rttMs' | 'downKbps'>): number => (downKbps * rttMs) / 8;

/**
 * In the steady state: with `k` acknowledgements to a window, `k` of them are worth as many bytes in every round trip, and in the time that
 * the last of them needs on the line.
 *
 * @param windowBytes - The larger of pull and push allowance.
 */
export function windowCourse(windowBytes: number, link: Pick<LinkSpec, 'rttMs' | 'downKbps'>): WindowCourse {
  const bytesPerMs = link.downKbps / 8;
  const acknowledgedBytes = Math.min(MINIMUM_TO_ACKNOWLEDGE, Math.max(FRAME_BYTES, windowBytes - EMERGENCY_THRESHOLD), windowBytes);
  const perWindow = Math.floor(windowBytes / acknowledgedBytes);
  const cycleBytes = perWindow * acknowledgedBytes;
  const cycleMs = link.rttMs + (cycleBytes + acknowledgedBytes - windowBytes) / bytesPerMs;
  const busyMs = cycleBytes / bytesPerMs;
  return {
    acknowledgedBytes,
    leftBytes: windowBytes - acknowledgedBytes,
    pauseMs: Math.max(0, cycleMs - busyMs),
    share: Math.min(1, busyMs / cycleMs),
  };
}

const KIBI = 1024;
const MEBI = KIBI * KIBI;

/** `64 KiB`, `12 MiB`, `250 kB`: binary where the preference is, else decimal. */
export function bytesText(bytes: number): string {
  if (bytes >= MEBI && bytes % MEBI === 0) return `${bytes / MEBI} MiB`;
  if (bytes >= KIBI && bytes % KIBI === 0) return `${bytes / KIBI} KiB`;
  return `${Math.round(bytes / 1000)} kB`;
}
