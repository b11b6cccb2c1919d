/** The raw timing that the content script copies out of one document. */
import * as v from 'valibot';
import { finite, type Shape } from '../schema.ts';

export const observationEndSchema = v.picklist(['quiet', 'page-left', 'time-limit']);
/** Why the observation ended. */
export type ObservationEnd = Shape<typeof observationEndSchema>;

/** Characters of one text: it comes from a page, and what is longer than any page needs is refused. */
const pageText = v.pipe(v.string(), v.maxLength(65_536));

const rawEntrySchema = v.object({
  name: pageText,
  initiatorType: pageText,
  renderBlocking: v.optional(v.boolean()),
  fetchStart: finite,
  domainLookupStart: finite,
  domainLookupEnd: finite,
  connectStart: finite,
  connectEnd: finite,
  secureConnectionStart: finite,
  requestStart: finite,
  responseStart: finite,
  responseEnd: finite,
  /** 0 when the response came from a cache; `undefined`: not reported. */
  transferSize: v.optional(finite),
});
/** One Navigation or Resource Timing entry; times in ms after the time origin, where 0 means "not known". */
export type RawEntry = Shape<typeof rawEntrySchema>;

export const pageTimingSchema = v.object({
  url: pageText,
  /** Wall clock of the time origin, ms since the epoch. */
  timeOrigin: finite,
  navigationType: pageText,
  navigation: rawEntrySchema,
  domContentLoadedEventEnd: finite,
  loadEventEnd: finite,
  firstContentfulPaint: v.optional(finite),
  largestContentfulPaint: v.optional(finite),
  /** At most 20 000: a page that makes more is cut there, not refused. */
  resources: v.pipe(v.array(rawEntrySchema), v.maxLength(20_000)),
  ended: observationEndSchema,
  quietMs: finite,
  /** Clock of the document when the observation ended, ms after the time origin. */
  endedAt: finite,
  /** Firefox's own identity of the document, where it reports it (since 153). */
  documentId: v.optional(v.pipe(v.string(), v.maxLength(64))),
});
/** The raw timing that the content script copies out of one document: its own timing, when the observation ended. */
export type PageTiming = Shape<typeof pageTimingSchema>;
/** The part of a page's timing that a load is joined from. */
export type RawPageTiming = Omit<PageTiming, 'navigationType'>;
