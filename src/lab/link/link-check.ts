/** Runs a check in processes of the two ends: plain TCP, nothing of the relay's own figures. */
import type { LinkSpec } from './link-spec.ts';

/** Design, section 6: RTT within 3 % or 2 ms, rate within 3 %. */
export const RTT_TOLERANCE_SHARE = 0.03;
export const RTT_TOLERANCE_MS = 2;
export const RATE_TOLERANCE_SHARE = 0.03;

export interface LinkMeasurement {
  readonly rttMs: number;
  readonly downKbps: number;
}

export type LinkVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Whether what was measured is what was asked. */
export function judgeLink(asked: LinkSpec, measured: LinkMeasurement): LinkVerdict {
  const rttError = Math.abs(measured.rttMs - asked.rttMs);
  if (rttError > Math.max(RTT_TOLERANCE_MS, RTT_TOLERANCE_SHARE * asked.rttMs)) {
    return { ok: false, reason: `link ${asked.name}: RTT ${asked.rttMs} ms asked, ${measured.rttMs.toFixed(1)} ms measured` };
  }
  if (Math.abs(measured.downKbps - asked.downKbps) > RATE_TOLERANCE_SHARE * asked.downKbps) {
    return { ok: false, reason: `link ${asked.name}: ${asked.downKbps} kbit/s asked, ${measured.downKbps.toFixed(0)} kbit/s measured` };
  }
  return { ok: true };
}
