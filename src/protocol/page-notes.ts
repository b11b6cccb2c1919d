/**
 * Where a content script leaves the timing of a page that is being left: Firefox drops a message whose page is gone before the event page has
 * started (`getSender` in ExtensionParent.sys.mjs), and writes what is set in `storage.local` all the same.
 */

/** So many may lie there at once; each page that is left takes the place of its millisecond. With `MAX_LEFT_PAGE_CHARS` at most 1.8 MB. */
const PLACES = 32;
/** Size limit as JSON; an everyday load of 50 requests takes 16,000. */
export const MAX_LEFT_PAGE_CHARS = 55_000;

const keyOf = (place: number): string => `leftPage${place}`;

/** Name in `storage.local`. `now`: ms since the epoch. */
export const leftPageKey = (now: number): string => keyOf(Math.floor(now) % PLACES);

/** All the names there are. */
export const LEFT_PAGE_KEYS: readonly string[] = Array.from({ length: PLACES }, (_, place) => keyOf(place));

/**
 * What a content script notes in `storage.local` of a page that was opened while Firefox had stopped the extension: when, under a name of that
 * minute. Each page writes without having read, so that none takes away what another has noted.
 */
const PREFIX = 'unrecorded';
/** A week; longer ago, a note gives its place to a new one. Chosen, not measured. */
const MINUTES = 10_080;
const MINUTE_MS = 60_000;

/** `now`: ms since the epoch. */
export const unrecordedKey = (now: number): string => `${PREFIX}${Math.floor(now / MINUTE_MS) % MINUTES}`;

/** Whether a page has noted it there. */
export const isUnrecordedKey = (key: string): boolean => key.startsWith(PREFIX);
