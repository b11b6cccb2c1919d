/** What the content script copies out of one document, raw: schema and type. Times are ms after the document's time origin. */
import * as v from 'valibot';

const time = v.pipe(v.number(), v.finite());
const text = v.pipe(v.string(), v.maxLength(65_536));

/** As Resource Timing gives it; 0 where the browser does not say. */
export const resourceEntrySchema = v.object({
  name: text,
  initiatorType: text,
  renderBlocking: v.optional(v.boolean()),
  fetchStart: time,
  domainLookupStart: time,
  domainLookupEnd: time,
  connectStart: time,
  connectEnd: time,
  secureConnectionStart: time,
  requestStart: time,
  responseStart: time,
  responseEnd: time,
  /** 0: from a cache. */
  transferSize: v.optional(time),
});

/** One document. It comes from a page: what is longer than any page needs is refused. */
export const pageTimingSchema = v.object({
  url: text,
  /** Wall clock of the time origin, ms since the epoch. */
  timeOrigin: time,
  navigationType: text,
  navigation: resourceEntrySchema,
  domContentLoadedEventEnd: time,
  loadEventEnd: time,
  firstContentfulPaint: v.optional(time),
  largestContentfulPaint: v.optional(time),
  /** At most 20 000: a page that makes more is cut there, not refused. */
  resources: v.pipe(v.array(resourceEntrySchema), v.maxLength(20_000)),
  ended: v.picklist(['quiet', 'page-left', 'time-limit']),
  quietMs: time,
  /** Clock of the document when the observation ended. */
  endedAt: time,
  /** Firefox's identity of the document; Firefox 153 and later report it. */
  documentId: v.optional(v.pipe(v.string(), v.maxLength(64))),
});

export type ResourceEntry = v.InferOutput<typeof resourceEntrySchema>;
export type PageTiming = v.InferOutput<typeof pageTimingSchema>;
