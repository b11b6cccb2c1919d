/** Which recorded load is of the page that a tab shows. Apart from the other loads: workers, which read those, know nothing of a run of Firefox. */
import { storedUrl } from '../core/measure/stored-url.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import { readPageLoad } from '../protocol/stored-records.ts';
import { type TabState, withRecords } from './record-database.ts';
import { browserSession } from './run-state.ts';

/** A tab, and the address that it has now. */
export interface ShownTab {
  readonly id: number;
  readonly url: string;
}

/** The load of the document that the tab shows now; `undefined`: it is not recorded, not yet, or nothing says which it is. */
export async function shownLoad({ id, url }: ShownTab): Promise<MarkedPageLoad | undefined> {
  const { since } = await browserSession();
  return withRecords(async (db) => {
    const transaction = db.transaction(['loads', 'tabs']);
    const ofTab = IDBKeyRange.bound([id, Number.NEGATIVE_INFINITY], [id, Number.POSITIVE_INFINITY]);
    const [cursor, navigation] = await Promise.all([
      transaction.objectStore('loads').index('byTab').openCursor(ofTab, 'prev'),
      transaction.objectStore('tabs').get(id),
    ]);
    const load = readPageLoad(cursor?.value.load);
    if (cursor === null || load === undefined) return undefined;
    return isShown({ load, endedAt: cursor.value.endedAt }, { url, since, navigation }) ? load : undefined;
  });
}

interface NewestOfTab {
  readonly load: Pick<MarkedPageLoad, 'url' | 'startedAt' | 'requests'>;
  /** When its observation ended, wall clock. */
  readonly endedAt: number;
}

interface TabNow {
  readonly url: string;
  /** When this run of Firefox began, wall clock. */
  readonly since: number;
  /** The newest of the tab; absent: none is known. */
  readonly navigation: Pick<TabState, 'navigationAt' | 'requestId'> | undefined;
}

/**
 * Pure. Whether a tab's newest load is of the document that the tab shows; a page without a figure is better than one with another's. So the address
 * has to be the same: a document that has changed its own (`pushState`) cannot be told from another one of its site, which Firefox had kept and shows
 * again without a request.
 */
export function isShown({ load, endedAt }: NewestOfTab, { url, since, navigation }: TabNow): boolean {
  // Tab ids start over with Firefox. It may load its first pages before the event page begins, but none of them ends before.
  if (endedAt < since || load.url !== storedUrl(url)) return false;
  // The same address may have been loaded again. Every hop of a redirect is noted, under the id of the first.
  const isNewer = navigation !== undefined && navigation.navigationAt > load.startedAt;
  return !isNewer || navigation.requestId === load.requests[0]?.requestId;
}
