/** What is drawn of one request in a timeline of its load. */
import * as v from 'valibot';
import { CONTENT_CLASSES } from '../graph/page-graph.ts';
import { count, finite, type Shape } from '../schema.ts';

const anyBar = {
  name: v.string(),
  class: v.picklist(CONTENT_CLASSES),
  /** The number of its connection, from 1; absent: unknown. */
  connection: v.exactOptional(count),
  discoveredMs: finite,
  endMs: finite,
};
/** A request's bar. Times are ms after the start of its load. */
export const timelineBarSchema = v.variant('phases', [
  v.object({
    phases: v.literal('known'),
    ...anyBar,
    /** When it was sent. */
    startMs: finite,
    firstByteMs: finite,
    /** The part of the wait before it was sent in which its connection was opened. */
    connectMs: v.exactOptional(finite),
  }),
  /** Only its begin and its end were measured. */
  v.object({ phases: v.literal('unknown'), ...anyBar }),
]);
export type TimelineBar = Shape<typeof timelineBarSchema>;
