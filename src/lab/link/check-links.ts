/** Checks several links one after another, and says of each what was asked, what was measured, and whether the two agree. */
import { howChecked, judgeLink, type LinkMeasurement } from './link-check.ts';
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
  for (let attempts = 1; ; attempts++) {
    const measured = await lane.checkLink(link);
    const verdict = judgeLink(link, measured);
    const row = { name, asked, measured, how: howChecked(link), attempts };
    if (verdict.ok) return { ...row, ok: true };
    if (attempts === CHECK_ATTEMPTS) return { ...row, ok: false, reason: verdict.reason };
  }
}
