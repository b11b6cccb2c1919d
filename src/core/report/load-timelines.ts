/** The bars of a recorded load: what was measured of each of its requests. */
import { CLASSES } from '../graph/page-from-load.ts';
import { type LoadTimeline, requestName, type TimelineRequest } from '../measure/load-timeline.ts';
import { shortened, xmlText } from '../text/markup.ts';
import type { TimelineBar } from './timeline-bar.ts';

const MAX_NAME_CHARACTERS = 40;

/** The bars of a recorded load. */
export const measuredBars = ({ requests }: LoadTimeline): readonly TimelineBar[] => requests.map(barOf);

/** Without the times between its begin and its end, nothing is said of a request's phases: nothing is drawn that was not measured. */
function barOf({ url, type, connection, startMs, sentMs, firstByteMs, endMs, connectMs }: TimelineRequest): TimelineBar {
  const bar = {
    name: shortened(xmlText(requestName(url)), MAX_NAME_CHARACTERS),
    class: CLASSES[type],
    discoveredMs: startMs,
    endMs,
    ...(connection !== undefined && { connection }),
  };
  return sentMs === undefined || firstByteMs === undefined
    ? { ...bar, phases: 'unknown' }
    : { ...bar, phases: 'known', startMs: sentMs, firstByteMs, ...(connectMs !== undefined && { connectMs }) };
}
