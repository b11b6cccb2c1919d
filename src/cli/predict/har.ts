/** What a HAR holds for a prediction: its pages, the link as far as it can be told from it, and how long the loads took. */

import { duplicatesFromHar, linkFromHar, pageFromHar, recordedLoadTimeMs } from '../../core/har/page-from-har.ts';
import { BASELINE_ID } from '../../core/profiles/presets.ts';
import type { PredictContents } from './contents.ts';

export interface HarChoice {
  /** What its first page is called, where no page is named. */
  readonly name: string;
  /** Those to take of a file with several. */
  readonly pageIds: readonly string[] | undefined;
}

const OWN_LINK = 'of the HAR';

/** The link is that of the first page. @throws PlumbfoxError `bad-input`, one line. */
export function harContents(har: unknown, { name, pageIds }: HarChoice): PredictContents {
  const chosen = pageIds?.map((pageId) => ({ name: pageId, options: { pageId } })) ?? [{ name, options: {} }];
  const pages = chosen.map((page) => ({
    name: page.name,
    ...pageFromHar(har, page.options),
    duplicates: duplicatesFromHar(har, page.options),
  }));
  const estimated = linkFromHar(har, chosen[0]?.options);
  const link = estimated && OWN_LINK;
  return {
    pages,
    links: estimated === undefined ? [] : [{ name: OWN_LINK, basis: 'estimated', ...estimated }],
    loadedBy: 'real-network',
    labPages: [],
    recorded: chosen.flatMap((page) => {
      const loadTimeMs = recordedLoadTimeMs(har, page.options);
      return loadTimeMs === undefined ? [] : [{ page: page.name, link, profileId: BASELINE_ID, loads: 1, loadTimeMs }];
    }),
    notes: [],
    linkNotes: [],
  };
}
