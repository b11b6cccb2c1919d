/** One load of the corpus as the working file has it, with the times of every request: a line of JSON, checked when it is read again. */
import * as v from 'valibot';
import type { PageLoad, RequestTiming } from '../../../src/core/measure/page-load.ts';
import type { PageRecipe } from '../../../src/lab/pages/page-recipe.ts';

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

/** @returns `undefined` where the record lacks the timing of a request: then the load is no use for calibration. */
export function timelineOf(load: PageLoad, page: PageRecipe): readonly TimelineRow[] | undefined {
  const start = load.requests[0]?.timing?.fetchStart;
  if (start === undefined) return undefined;
  const byName = new Map(load.requests.map((request) => [nameIn(request.url), request.timing]));
  const rows = ['', ...page.resources.map(({ name }) => name)].map((name) => {
    const timing = byName.get(name);
    return timing && row(timing, start);
  });
  return rows.every((each) => each !== undefined) ? rows : undefined;
}

/** The document has none: its address ends in a slash. */
const nameIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

const row = (timing: RequestTiming, start: number): TimelineRow =>
  TIMELINE_FIELDS.map((field) => {
    const time = timing[field];
    return time === undefined ? null : tenths(time - start);
  });

/** Firefox's clock is finer, but nothing of a load is known better. */
export const tenths = (ms: number): number => Math.round(ms * 10) / 10;
