/** What a HAR holds for a prediction: its pages, and the link as far as it can be told from it. */
import { linkFromHar } from '../core/simulate/link-from-har.ts';
import { pageFromHar } from '../core/simulate/page-from-har.ts';
import type { PredictContents } from './predict/contents.ts';

export interface HarChoice {
  /** What its first page is called, where no page is named. */
  readonly name: string;
  /** Those to take of a file with several. */
  readonly pageIds: readonly string[] | undefined;
}

/** The link is that of the first page. @throws PlumbfoxError `bad-input`, one line. */
export function harContents(har: unknown, { name, pageIds }: HarChoice): PredictContents {
  const pages = pageIds?.map((pageId) => ({ name: pageId, ...pageFromHar(har, { pageId }) })) ?? [{ name, ...pageFromHar(har) }];
  const [pageId] = pageIds ?? [];
  const estimated = linkFromHar(har, pageId === undefined ? {} : { pageId });
  return {
    pages,
    links: estimated === undefined ? [] : [{ name: 'of the HAR', basis: 'estimated', ...estimated }],
    labPages: [],
    notes: [],
    linkNotes: [],
  };
}
