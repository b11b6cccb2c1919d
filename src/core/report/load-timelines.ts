/** Recorded loads drawn as timelines on one axis: two of them, or one above what is predicted for it. */
import { CLASSES } from '../graph/page-from-load.ts';
import type { PageGraph } from '../graph/page-graph.ts';
import { type LoadTimeline, requestName, type TimelineRequest } from '../measure/load-timeline.ts';
import type { Prediction } from '../simulate/prediction.ts';
import { formatSeconds } from '../text/figures.ts';
import { shortened, xmlText } from '../text/markup.ts';
import { predictedPanel, type TimelineBar, type TimelinePanel, timelinesSvg } from './waterfall-svg.ts';

/** A recorded load with the words that it is known by. */
export interface DrawnLoad {
  readonly label: string;
  readonly timeline: LoadTimeline;
}

interface TimelinesOptions {
  readonly title: string;
  readonly subtitle: string;
  /** The heading of a panel of what is predicted; absent: nothing is. */
  readonly predicted?: { readonly page: PageGraph; readonly prediction: Prediction } | undefined;
}

/** @returns a whole file of well-formed XML. */
export function loadTimelinesSvg(loads: readonly DrawnLoad[], { title, subtitle, predicted }: TimelinesOptions): string {
  const panels = loads.map(measuredPanel);
  const below = predicted && predictedPanel(predicted.prediction, predicted.page);
  return timelinesSvg({
    title,
    subtitle,
    label: title,
    panels: below === undefined ? panels : [...panels, { ...below, heading: `Predicted, not measured. ${below.heading}` }],
  });
}

function measuredPanel({ label, timeline }: DrawnLoad): TimelinePanel {
  const { loadTimeMs, cutShort, requests } = timeline;
  const time = `${cutShort ? 'at least ' : ''}${formatSeconds(loadTimeMs)}`;
  return { heading: `Measured. ${label}: load time ${time}, ${requests.length} requests`, loadTimeMs, bars: requests.map(barOf) };
}

const MAX_NAME_CHARACTERS = 40;

/** Without the times between its begin and its end, nothing is said of a request's phases: nothing is drawn that was not measured. */
function barOf({ url, type, connection, startMs, sentMs, firstByteMs, endMs, connectMs }: TimelineRequest): TimelineBar {
  const bar = {
    name: shortened(xmlText(requestName(url)), MAX_NAME_CHARACTERS),
    class: CLASSES[type],
    connection,
    discoveredMs: startMs,
    endMs,
  };
  return sentMs === undefined || firstByteMs === undefined
    ? { ...bar, phases: 'unknown' }
    : { ...bar, phases: 'known', startMs: sentMs, firstByteMs, connectMs };
}
