/** The measures of one load, all derived by `measureLoad`. Unknown is `undefined`. */
import * as v from 'valibot';
import { bytesSchema, count, millisecondsSchema, ratioSchema, type Shape } from '../schema.ts';

/** Why the end of a load cannot be measured; `document-failed`: the browser showed an error page. */
export const CUT_SHORTS = ['document-failed', 'no-load-event', 'page-left', 'time-limit', 'too-many-requests'] as const;
export type CutShort = (typeof CUT_SHORTS)[number];

/** Requests of one load: a page that sends requests without end must not fill the disk. Several times what the busiest everyday pages make. */
export const MAX_REQUESTS = 2_000;

export const loadMeasuresSchema = v.object({
  loadTimeMs: millisecondsSchema,
  /** Present: the load was not seen to its end, so `loadTimeMs` is at best a lower bound and efficiency is unknown. */
  cutShort: v.exactOptional(v.picklist(CUT_SHORTS)),
  bytes: v.exactOptional(bytesSchema),
  idealTimeMs: v.exactOptional(millisecondsSchema),
  /** idealTime / loadTime, in (0, 1]. */
  efficiency: v.exactOptional(ratioSchema),
  utilisation: v.exactOptional(ratioSchema),
  /**
   * Paints in ms after the time origin, as the field defines them (https://www.w3.org/TR/paint-timing/,
   * https://www.w3.org/TR/largest-contentful-paint/). Absent: Firefox reported none, as for a page loaded in a background tab.
   */
  firstContentfulPaintMs: v.exactOptional(millisecondsSchema),
  largestContentfulPaintMs: v.exactOptional(millisecondsSchema),
  queueWait: v.exactOptional(v.object({ medianMs: millisecondsSchema, maxMs: millisecondsSchema, totalMs: millisecondsSchema })),
  /** Highest number of requests outstanding at once, all origins. */
  peakOutstanding: count,
  peakOutstandingByOrigin: v.record(v.string(), count),
  requests: count,
  failedRequests: count,
  coldConnections: v.exactOptional(count),
  reusedConnections: v.exactOptional(count),
  duplicateFetches: count,
  /** Their bytes on the wire; absent: there are none, or those of one are unknown. */
  duplicateBytes: v.exactOptional(bytesSchema),
  /** How many of them are the page itself, fetched again for an empty `src`; absent: none. */
  emptySources: v.exactOptional(count),
  renderBlockingEndMs: v.exactOptional(millisecondsSchema),
  /** Share of requests by HTTP version; sums to 1 over the requests whose version is known. */
  httpVersions: v.object({
    'http/1.0': v.exactOptional(ratioSchema),
    'http/1.1': v.exactOptional(ratioSchema),
    'http/2': v.exactOptional(ratioSchema),
    'http/3': v.exactOptional(ratioSchema),
  }),
});
/** The measures of one page load. */
export type LoadMeasures = Shape<typeof loadMeasuresSchema>;
