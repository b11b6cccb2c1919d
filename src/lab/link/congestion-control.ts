/** Which congestion control the senders of links have, where a run's report says so. Pure. */
import { CONGESTION_CONTROL_TITLES } from '../../core/report/link-variation.ts';
import { CONGESTION_CONTROLS, type CongestionControlName } from '../../core/report/report.ts';
import type { LinkSpec } from './link-spec.ts';

type Declared = Pick<LinkSpec, 'congestionControl'>;

/** What servers run (RFC 9438), and links have unless they name another. */
export const USUAL_CONGESTION_CONTROL = 'cubic';

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

/** Said where a link was to send with the usual one and could not. */
export function fallbackNotes(links: readonly Declared[], unless: CongestionControlName | undefined): readonly string[] {
  const fallen = unless !== undefined && unless !== USUAL_CONGESTION_CONTROL && links.some((link) => link.congestionControl === undefined);
  if (!fallen) return [];
  const title = CONGESTION_CONTROL_TITLES;
  return [`This kernel has no ${title[USUAL_CONGESTION_CONTROL]}: servers sent with ${title[unless]}.`];
}

/** Of what a log has kept as text. */
export const congestionControlNamed = (text: string): CongestionControlName | undefined =>
  CONGESTION_CONTROLS.find((each) => each === text);
