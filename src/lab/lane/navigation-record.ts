/**
 * Which of the extension's records belongs to a given navigation. A page that was given up, or that goes elsewhere by itself, leaves a record
 * too, once it is left: it must not be taken for the record of the page that comes after it. Pure.
 */
import type { PageLoad } from '../../core/measure/page-load.ts';
import { storedUrl } from '../../core/measure/stored-url.ts';

/**
 * A record may appear to start this long before the navigation was requested: both clocks are rounded to whole milliseconds, and each process of
 * Firefox sets its own when it starts. Shorter than the time between two navigations.
 */
export const CLOCK_TOLERANCE_MS = 100;

/** Whether a record's document was requested by this address, whatever redirects followed. */
export function isOfAddress({ requests }: Pick<PageLoad, 'requests'>, url: string): boolean {
  // The document comes first in a record, then the redirects that led to it, from the first.
  const [document, redirect] = requests;
  const first = redirect?.type === 'main_frame' && redirect.outcome.state === 'redirected' ? redirect : document;
  return first !== undefined && plainAddress(first.url) === plainAddress(url);
}

/** An address in the form of a record: canonical, without the fragment, and with a number for its query. */
export function plainAddress(url: string): string {
  const plain = URL.canParse(url) ? new URL(url).href : url;
  return storedUrl(plain);
}

export interface Navigation {
  readonly url: string;
  /** No earlier navigation went there (always true in the lab), so its record cannot belong to another. */
  readonly fresh: boolean;
  /** When it was begun, by the browser's wall clock, ms since the epoch. */
  readonly begunAtMs: number;
}

/** A record of a fresh address is recognised by that; any other by its time, since a real site may redirect as it likes. */
export function isRecordOf({ url, fresh, begunAtMs }: Navigation): (load: PageLoad) => boolean {
  return (load) => (fresh && isOfAddress(load, url)) || load.startedAt >= begunAtMs - CLOCK_TOLERANCE_MS;
}
