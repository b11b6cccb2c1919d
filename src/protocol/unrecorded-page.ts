/**
 * What a content script notes in `storage.local` of a page that was opened while Firefox had stopped the extension: when, under a name of that
 * minute. Each page writes without having read, so that none takes away what another has noted.
 */
const PREFIX = 'unrecorded';
/** A week; longer ago, a note gives its place to a new one. Our own choice. */
const MINUTES = 10_080;
const MINUTE_MS = 60_000;

/** `now`: ms since the epoch. */
export const unrecordedKey = (now: number): string => `${PREFIX}${Math.floor(now / MINUTE_MS) % MINUTES}`;

/** Whether a page has noted it there. */
export const isUnrecordedKey = (key: string): boolean => key.startsWith(PREFIX);
