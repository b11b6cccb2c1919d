/** One load of the corpus as the working file has it: a line of JSON, checked when it is read again. */
import * as v from 'valibot';

/**
 * Times of one request, ms after the navigation's fetchStart: fetchStart, connectStart, connectEnd, requestStart, responseStart,
 * responseEnd, as Resource Timing defines them. A request on a connection that was open has its connect times equal to fetchStart; `null`:
 * the browser did not say.
 */
export const TIMELINE_FIELDS = ['fetchStart', 'connectStart', 'connectEnd', 'requestStart', 'responseStart', 'responseEnd'] as const;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
/** One request, in the order of `TIMELINE_FIELDS`. */
export const timelineRow = v.pipe(v.array(v.nullable(v.pipe(v.number(), v.finite()))), v.length(TIMELINE_FIELDS.length));

const figures = v.object({
  loadTimeMs: positive,
  /** In (0, 1]. */
  efficiency: v.pipe(v.number(), v.gtValue(0), v.maxValue(1)),
  /** Response bytes with headers, as Firefox counted them. */
  bytes: count,
  peakConnections: count,
  peakOutstanding: count,
  peakDepth: count,
  /** Packets that the link dropped during the load. */
  droppedDown: count,
  droppedUp: count,
});

export const corpusLoad = v.object({
  page: v.string(),
  link: v.string(),
  profile: v.string(),
  /** From 0. */
  repeat: count,
  startedAt: v.number(),
  /** Why it does not count; absent: it does. */
  void: v.optional(v.string()),
  figures: v.optional(figures),
  /** Of the document, then of the recipe's resources in their order; absent where the load is void. */
  timeline: v.optional(v.array(timelineRow)),
});

export type CorpusFigures = v.InferOutput<typeof figures>;
export type CorpusLoad = v.InferOutput<typeof corpusLoad>;
export type TimelineRow = v.InferOutput<typeof timelineRow>;
