/**
 * Keeps pages of the sites that the person never wants recorded out of the records, from the moment they say so. Where the list was lost, no page is
 * recorded.
 */
import { siteName } from '../adapters/site-shares.ts';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import type { RecordStores } from './record-stores.ts';

export interface NeverRecorded {
  readonly isNeverRecorded: (url: string) => Promise<boolean>;
  /** The events without those of pages that are not recorded. */
  readonly withoutThem: (events: readonly RawRequestEvent[]) => Promise<readonly RawRequestEvent[]>;
}

/** Remembers which tabs show such a page, as long as the event page lives. */
export function createNeverRecorded({ stores: { keptSettings } }: { readonly stores: Pick<RecordStores, 'keptSettings'> }): NeverRecorded {
  const tabs = new Set<number>();

  async function listed(): Promise<(url: string | undefined) => boolean> {
    const settings = await keptSettings();
    if (settings === undefined || settings.isListLost) return () => true;
    const sites = new Set(settings.neverRecorded);
    return (url) => url !== undefined && sites.size > 0 && sites.has(siteName(url));
  }

  return {
    isNeverRecorded: async (url) => (await listed())(url),
    withoutThem: async (events) => {
      const isListed = await listed();
      return events.filter((event) => {
        if (event.type === 'main_frame') {
          if (isListed(event.url)) tabs.add(event.tabId);
          else if (event.phase === 'started') tabs.delete(event.tabId);
          return !isListed(event.url);
        }
        // Where it is told, the document decides: requests of the page before may come late. A frame's document is its own.
        if (event.documentUrl !== undefined && event.frameId === 0) return !isListed(event.documentUrl);
        return !tabs.has(event.tabId) && !isListed(undefined);
      });
    },
  };
}
