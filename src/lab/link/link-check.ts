/** Whether a link is what was asked: measured in processes of its two ends with plain TCP, and by what the relay counted. */
import type { MeasuredLinkFigures } from '../../core/report/report.ts';
import type { LinkSpec } from './link-spec.ts';

/** Design, section 6: RTT within 3 % or 2 ms, rate within 3 %. */
const RTT_TOLERANCE_SHARE = 0.03;
export const RTT_TOLERANCE_MS = 2;
const RATE_TOLERANCE_SHARE = 0.03;
/** Standard deviations of a binomial count: a link that is as asked is refused once in 16,000 checks. */
const LOSS_TOLERANCE_SIGMAS = 4;
/** Delays of some seconds are few that do not remember each other: their spread is known to about 7 %; four times that. */
const JITTER_TOLERANCE_SHARE = 0.3;

/** A measurement in the form of the report; what is absent was not measured. */
export type LinkMeasurement = MeasuredLinkFigures;

/** The reason names the link and the figure that is off, asked and measured. */
export type LinkVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Whether what was measured is what was asked; what was not measured is not compared. */
export function linkVerdict(asked: LinkSpec, measured: LinkMeasurement): LinkVerdict {
  const reason = rttFault(asked, measured) ?? ratesFault(asked, measured) ?? lossFault(asked, measured) ?? variationFault(asked, measured);
  return reason === undefined ? { ok: true } : { ok: false, reason: `link ${asked.name}: ${reason}` };
}

function rttFault(asked: LinkSpec, { rttMs }: LinkMeasurement): string | undefined {
  if (Math.abs(rttMs - asked.rttMs) <= Math.max(RTT_TOLERANCE_MS, RTT_TOLERANCE_SHARE * asked.rttMs)) return undefined;
  return `RTT ${asked.rttMs} ms asked, ${rttMs.toFixed(1)} ms measured`;
}

function ratesFault(asked: LinkSpec, measured: LinkMeasurement): string | undefined {
  const isOff = (wanted: number, found: number) => Math.abs(found - wanted) > RATE_TOLERANCE_SHARE * wanted;
  if (isOff(asked.downKbps, measured.downKbps))
    return `${asked.downKbps} kbit/s down asked, ${measured.downKbps.toFixed(0)} kbit/s measured`;
  if (measured.upKbps !== undefined && isOff(asked.upKbps, measured.upKbps))
    return `${asked.upKbps} kbit/s up asked, ${measured.upKbps.toFixed(0)} kbit/s measured`;
  return undefined;
}

function lossFault(asked: LinkSpec, measured: LinkMeasurement): string | undefined {
  const directions = [
    { name: 'down', share: asked.lossDown ?? 0, found: measured.lossDown, packets: measured.packetsDown },
    { name: 'up', share: asked.lossUp ?? 0, found: measured.lossUp, packets: measured.packetsUp },
  ];
  for (const { name, share, found, packets } of directions) {
    if (found === undefined || packets === undefined) continue;
    // One packet more, since a count is whole.
    const tolerance = LOSS_TOLERANCE_SIGMAS * Math.sqrt(packets * share * (1 - share)) + 1;
    if (Math.abs(found - share) * packets > tolerance)
      return `loss of ${share} ${name} asked, ${found.toFixed(4)} of ${packets} packets measured`;
  }
  return undefined;
}

function variationFault(asked: LinkSpec, measured: LinkMeasurement): string | undefined {
  const { jitterMs = 0, downTrace } = asked;
  if (measured.jitterMs !== undefined && Math.abs(measured.jitterMs - jitterMs) > JITTER_TOLERANCE_SHARE * jitterMs)
    return `jitter of ${jitterMs} ms asked, ${measured.jitterMs.toFixed(1)} ms measured`;
  if (measured.traceShare !== undefined && Math.abs(measured.traceShare - 1) > RATE_TOLERANCE_SHARE)
    return `trace ${downTrace}: ${(measured.traceShare * 100).toFixed(1)} % of what it has room for was let through`;
  return undefined;
}

/** The link without what makes a measurement of its RTT and its rates uncertain. */
export function plainLink({ name, rttMs, downKbps, upKbps, queue }: LinkSpec): LinkSpec {
  return { name, rttMs, downKbps, upKbps, queue };
}

/** How a link is checked, in words, for whoever reads the figures. */
export function howChecked({ lossDown = 0, lossUp = 0, jitterMs = 0, downTrace, initialWindow, receiveBufferBytes }: LinkSpec): string {
  const byCounters = [
    ...(lossDown > 0 || lossUp > 0 ? ['loss'] : []),
    ...(jitterMs > 0 ? ['jitter'] : []),
    ...(downTrace === undefined ? [] : ['trace']),
  ];
  const leftOut = [
    ...byCounters,
    ...(initialWindow === undefined ? [] : ['initial window']),
    ...(receiveBufferBytes === undefined ? [] : ['receive buffer']),
  ];
  const without = leftOut.length === 0 ? '' : ` without ${leftOut.join(', ')}`;
  const counted = byCounters.length === 0 ? '' : `; ${byCounters.join(', ')} by the packets counted`;
  return `RTT and rates by plain TCP (Reno)${without}${counted}`;
}

/** A link's check: what was asked, what was measured, and whether the two agree. */
export interface CheckedLink {
  readonly name: string;
  /** What the link is asked to be, without its name; RTT and rates among it. */
  readonly asked: Omit<LinkSpec, 'name'>;
  /** The last measurement. */
  readonly measured: LinkMeasurement;
  readonly ok: boolean;
  /** Why it is not, in one line. */
  readonly reason?: string;
  /** How it was measured, in words. */
  readonly how: string;
  /** Measurements until one agreed, or none was made any more. */
  readonly attempts: number;
}

/** Another program may disturb a check for a moment; a link that fails this often is not what was asked. */
const CHECK_ATTEMPTS = 3;

interface CheckLinks {
  readonly lane: { checkLink(link: LinkSpec): Promise<LinkMeasurement> };
  readonly links: readonly LinkSpec[];
  /** Called after each. */
  readonly onChecked?: (checked: CheckedLink) => void;
  /** No further link is begun once it is so. */
  readonly interrupted?: () => boolean;
}

/** @throws PlumbfoxError when the lane breaks; a link that is not what was asked is a row that says so. */
export async function checkLinks({ lane, links, onChecked, interrupted }: CheckLinks): Promise<readonly CheckedLink[]> {
  const rows: CheckedLink[] = [];
  for (const link of links) {
    if (interrupted?.()) break;
    const row = await checkOne(lane, link);
    rows.push(row);
    onChecked?.(row);
  }
  return rows;
}

async function checkOne(lane: CheckLinks['lane'], link: LinkSpec): Promise<CheckedLink> {
  const { name, ...asked } = link;
  const { measured, verdict, attempts } = await checkLinkUntilAgreed(lane, link, CHECK_ATTEMPTS);
  const row = { name, asked, measured, how: howChecked(link), attempts };
  return verdict.ok ? { ...row, ok: true } : { ...row, ok: false, reason: verdict.reason };
}

export interface LinkChecked {
  /** The last measurement, and whether it agrees with what was asked. */
  readonly measured: LinkMeasurement;
  readonly verdict: LinkVerdict;
  readonly attempts: number;
}

/** Measures a link until it is what was asked, up to `mostAttempts` times. @throws PlumbfoxError when the lane breaks. */
export async function checkLinkUntilAgreed(lane: CheckLinks['lane'], link: LinkSpec, mostAttempts: number): Promise<LinkChecked> {
  for (let attempts = 1; ; attempts++) {
    const measured = await lane.checkLink(link);
    const verdict = linkVerdict(link, measured);
    if (verdict.ok || attempts === mostAttempts) return { measured, verdict, attempts };
  }
}
