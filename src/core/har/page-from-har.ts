/** A page graph out of a HAR 1.2 of Firefox, Chrome, WebPageTest, browsertime and whoever else writes one. */

import { inferPage } from '../graph/infer-page.ts';
import type { InferredPage } from '../graph/inference.ts';
import type { ContentClass } from '../graph/page-graph.ts';
import { placeLoad } from '../graph/place-requests.ts';
import { inferSizes } from '../graph/response-sizes.ts';
import { type DuplicateMeasures, duplicateMeasures, duplicatesAmong } from '../measure/duplicate-fetches.ts';
import { loadFromHar } from './load-from-har.ts';

export interface PageFromHarOptions {
  /** Of a file with several pages the one to take; unless given the first that has requests. */
  readonly pageId?: string;
}

/**
 * The page as it was recorded: what it fetched, from where, and what had to be there before each request. The HAR may lie, contradict
 * itself or leave anything out; `inferred` says what was assumed instead. The rules are in docs/page-graphs.md.
 *
 * Ids of requests are their number and the end of their path, origins are `scheme://host:port`: the graph is no more private than the HAR.
 *
 * @param har the file's contents, parsed.
 * @throws PlumbfoxError `bad-input`, one line, where no page can be made of it: no HAR, no such page, nothing that was answered.
 */
export function pageFromHar(har: unknown, { pageId }: PageFromHarOptions = {}): InferredPage {
  return inferPage(loadFromHar(har, pageId), {
    id: ({ label = '' }, number) => (label === '' ? `${number}` : `${number} ${label}`),
    origin: (origin) => origin,
  });
}

/**
 * How long the load took, ms: from the first request that led to the document to the last response that belongs to the load, as load time is
 * measured everywhere. `undefined`: no response's end is recorded.
 * @throws PlumbfoxError `bad-input` as `pageFromHar`.
 */
export function recordedLoadTimeMs(har: unknown, { pageId }: PageFromHarOptions = {}): number | undefined {
  const ends = placeLoad(loadFromHar(har, pageId)).requests.flatMap(({ endMs }) => endMs ?? []);
  return ends.length === 0 ? undefined : ends.reduce((last, end) => Math.max(last, end), 0);
}

/** What is the same thing each time it is fetched; what scripts ask for may have changed, and asking again may be the point. */
const FETCHED_ONCE: ReadonlySet<ContentClass> = new Set(['document', 'stylesheet', 'script', 'image', 'font', 'media']);

/**
 * What the load fetched over the network more than once. Sizes count where the file states them.
 * @throws PlumbfoxError `bad-input` as `pageFromHar`.
 */
export function duplicatesFromHar(har: unknown, { pageId }: PageFromHarOptions = {}): DuplicateMeasures {
  const placed = placeLoad(loadFromHar(har, pageId));
  const { bytes, stated } = inferSizes(placed);
  const fetched = placed.requests.flatMap(({ observed }, at) =>
    observed.outcome === 'answered' && !observed.fromCache && observed.isWholeGet && FETCHED_ONCE.has(observed.class)
      ? [{ url: observed.url, bytes: stated[at] ? bytes[at] : undefined, isImage: observed.class === 'image' }]
      : [],
  );
  return duplicateMeasures(duplicatesAmong(fetched, placed.requests[placed.document]?.observed.url));
}
