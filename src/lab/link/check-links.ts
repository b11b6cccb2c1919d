/** Checks several links one after another, and says of each what was asked, what was measured, and whether the two agree. */
import { howChecked, judgeLink, type LinkMeasurement, type LinkVerdict } from './link-check.ts';
import type { LinkSpec } from './link-spec.ts';

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

export interface CheckLinks {
  readonly lane: { checkLink(link: LinkSpec): Promise<LinkMeasurement> };
  readonly links: readonly LinkSpec[];
  /** Told after each. */
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
  const { measured, verdict, attempts } = await checkedLink(lane, link, CHECK_ATTEMPTS);
  const row = { name, asked, measured, how: howChecked(link), attempts };
  return verdict.ok ? { ...row, ok: true } : { ...row, ok: false, reason: verdict.reason };
}

export interface LinkChecked {
  /** The last measurement, and whether it agrees with what was asked. */
  readonly measured: LinkMeasurement;
  readonly verdict: LinkVerdict;
  readonly attempts: number;
}

/** Measures a link until it is what was asked, at most so many times. @throws PlumbfoxError when the lane breaks. */
export async function checkedLink(lane: CheckLinks['lane'], link: LinkSpec, mostAttempts: number): Promise<LinkChecked> {
  for (let attempts = 1; ; attempts++) {
    const measured = await lane.checkLink(link);
    const verdict = judgeLink(link, measured);
    if (verdict.ok || attempts === mostAttempts) return { measured, verdict, attempts };
  }
}
