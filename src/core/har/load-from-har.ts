/** A page of a HAR as an observed load. */
import { PlumbfoxError } from '../errors.ts';
import { inferenceOf } from '../graph/inference.ts';
import type { ObservedLoad, ObservedRequest } from '../graph/observed-load.ts';
import { MOST_REQUESTS } from '../graph/page-graph.ts';
import { requestOfEntry, type Unreadable } from './entry.ts';
import { type Fields, numberOf } from './fields.ts';
import { pageOfHar } from './page.ts';

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  'no-http': 'data:, blob:, about: and extension addresses are left out: nothing of them is on the network',
  websocket: 'WebSockets are left out: they are open for as long as the page likes',
  'no-address': 'Entries without a readable http or https address are left out',
};

/**
 * Times are ms since the epoch.
 * @throws PlumbfoxError `bad-input`: no HAR, no requests, no such page, or more requests than a page can have.
 */
export function loadFromHar(har: unknown, pageId: string | undefined): ObservedLoad {
  const page = pageOfHar(har, pageId);
  if (page.entries.length > MOST_REQUESTS) {
    throw new PlumbfoxError('bad-input', `The HAR's page has ${page.entries.length} requests; at most ${MOST_REQUESTS} can be simulated`);
  }
  const context = { pageStartMs: page.startMs, tlsBesideConnect: page.tlsBesideConnect };
  const requests: ObservedRequest[] = [];
  const unreadable = new Map<Unreadable, number>();
  let document: number | undefined;
  for (const entry of page.entries) {
    const request = requestOfEntry(entry, context);
    if (typeof request === 'string') unreadable.set(request, (unreadable.get(request) ?? 0) + 1);
    else {
      if (document === undefined && isDocument(entry)) document = requests.length;
      requests.push(request);
    }
  }
  return {
    requests,
    ...(page.loadEventMs !== undefined && { loadEventMs: page.loadEventMs }),
    ...(document !== undefined && { document }),
    inferred: [...page.inferred, ...[...unreadable].flatMap(([reason, count]) => inferenceOf('left-out', count, UNREADABLE[reason]))],
  };
}

/** WebPageTest marks the document at the end of the redirects. */
const isDocument = (entry: Fields): boolean => entry._final_base_page === true || (numberOf(entry._final_base_page) ?? 0) > 0;
