/** Everyday loads as a comparison and a report need them: pages as opaque ids, no URL left. */

import type { Link } from '../core/measure/link.ts';
import { isMeasurable, measureLoad } from '../core/measure/measure-load.ts';
import type { PageLoad } from '../core/measure/page-load.ts';
import { BASELINE_ID } from '../core/profiles/presets.ts';
import type { MeasuredLoad, Validity } from '../core/report/report.ts';

/** The one link of the field: the network as it is, its figures estimated. */
export const FIELD_LINK = 'this-network';

/**
 * Loads in the order of their start. `page-1` is the first page seen, and so on: an id tells nothing about its page.
 * Block n holds every profile's n-th load of a page, so that a page is only compared with itself.
 */
export function fieldLoads(loads: readonly PageLoad[], link: Link | undefined): readonly MeasuredLoad[] {
  const pages = new Map<string, string>();
  const turns = new Map<string, number>();
  return loads
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map((load, order): MeasuredLoad => {
      const key = load.url.split('#', 1)[0] ?? load.url;
      const page = pages.get(key) ?? `page-${pages.size + 1}`;
      pages.set(key, page);
      const profileId = load.applied?.profileId ?? BASELINE_ID;
      const turn = `${page} ${profileId}`;
      const block = turns.get(turn) ?? 0;
      turns.set(turn, block + 1);
      return {
        profileId,
        page,
        link: FIELD_LINK,
        block,
        order,
        startedAt: load.startedAt,
        validity: validityOf(load),
        readBack: load.applied?.readBack ?? [],
        ...(isMeasurable(load) && { measures: measureLoad(load, { link }) }),
      };
    });
}

function validityOf(load: PageLoad): Validity {
  if (!isMeasurable(load)) return { state: 'void', reason: 'the document has no timing of its own' };
  const mismatches = load.applied?.mismatches ?? [];
  if (mismatches.length > 0) return { state: 'void', reason: `not as intended: ${mismatches.join(', ')}` };
  return { state: 'valid' };
}
