/** The waterfall of one load, or of two: its picture, and what that shows in words and figures, for whoever reads a table. Pure. */
import { requestName, type TimelineRequest } from '../core/measure/load-timeline.ts';
import { measuredBars } from '../core/report/load-timelines.ts';
import type { TimelineBar } from '../core/report/timeline-bar.ts';
import { type RowPer, type TimelinePanel, timelinesSvg } from '../core/report/timelines-svg.ts';
import { median } from '../core/stats/quantile.ts';
import { boundLabel, PROTOCOL_LABELS } from '../core/text/labels.ts';
import type { DrawnLoads } from '../protocol/prediction-answer.ts';
import { settingsText } from '../views/profile-text.ts';
import { fixedText, format, text, waitText } from '../views/text.ts';

interface TimelineGroup {
  readonly heading: string;
  /** The request's name, then its cells. */
  readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[];
}

export interface TimelineView {
  /** What took time, a sentence or more for each load. */
  readonly sums: readonly string[];
  readonly groups: readonly TimelineGroup[];
}

export function timelineView({ loads, predicted }: DrawnLoads): TimelineView {
  const measured = loads.map(({ label, timeline }) => ({
    heading: label,
    rows: timeline.requests.map((request) => ({ name: requestName(request.url), cells: cellsOf(request) })),
  }));
  const simulated = predicted && {
    heading: predictedHeading(predicted),
    rows: predicted.bars.map((bar) => ({ name: bar.name, cells: predictedCells(bar) })),
  };
  return { sums: loads.map(sumsOf), groups: simulated === undefined ? measured : [...measured, simulated] };
}

interface PictureOptions {
  readonly title: string;
  readonly subtitle: string;
  /** The room that there is, px. */
  readonly width: number;
  readonly rowPer: RowPer;
}

/** The picture as an SVG file, in the page's language. */
export function timelinePicture({ loads, predicted }: DrawnLoads, { title, subtitle, width, rowPer }: PictureOptions): string {
  const measured = loads.map(({ label, timeline }): TimelinePanel => {
    const { loadTimeMs, cutShort, requests } = timeline;
    const time = format.duration(loadTimeMs);
    const heading = text('timeline.measured', {
      label,
      time: cutShort ? text('figure.atLeast', { figure: time }) : time,
      requests: text('count.requests', { count: requests.length }),
    });
    return { heading, loadTimeMs, bars: measuredBars(timeline) };
  });
  const simulated = predicted && { heading: predictedHeading(predicted), loadTimeMs: predicted.loadTimeMs, bars: predicted.bars };
  return timelinesSvg({
    title,
    subtitle,
    label: title,
    panels: simulated === undefined ? measured : [...measured, simulated],
    width,
    rowPer,
    language: { word: fixedText, time: format.duration, tick: ({ ms }) => format.duration(ms) },
  });
}

function predictedHeading({ profileId, loadTimeMs, band, connections, bound, boundShare }: NonNullable<DrawnLoads['predicted']>): string {
  const figure = format.duration(loadTimeMs);
  const range = band && { low: format.duration(band.low), high: format.duration(band.high) };
  return text('timeline.predicted', {
    profile: settingsText(profileId),
    time: range === undefined ? figure : text('figure.interval', { figure, ...range }),
    connections: text('count.connections', { count: connections }),
    bound: fixedText(boundLabel(bound)),
    share: boundShare,
  });
}

function sumsOf({ label, timeline }: DrawnLoads['loads'][number]): string {
  const { requests, loadTimeMs, withoutTimes } = timeline;
  const connections = new Set(requests.flatMap(({ connection }) => connection ?? [])).size;
  const waits = requests.flatMap(({ queueMs }) => queueMs ?? []);
  const longest = Math.max(0, ...waits);
  const behind = Math.max(0, ...requests.map(({ headOfLineMs = 0 }) => headOfLineMs));
  return [
    text('timeline.sums', {
      label,
      time: loadTimeMs,
      requests: text('count.requests', { count: requests.length }),
      connections: text('count.connections', { count: connections }),
    }),
    // Never their sum: requests wait at the same time, and six of 500 ms are no 3 s of a load that took one.
    ...(longest > 0 ? [waitText({ longest, typical: median(waits) ?? 0 })] : []),
    ...(behind > 0 ? [text('timeline.behind', { longest: behind })] : []),
    ...(withoutTimes > 0 ? [text('timeline.withoutTimes', { count: withoutTimes })] : []),
  ].join(' ');
}

/** A cell without a figure. */
const NONE = '–';
const duration = (ms: number | undefined): string => (ms === undefined ? NONE : format.duration(ms));

/** The same columns as for a measured request; what a simulation does not tell apart is a dash. */
function predictedCells(bar: TimelineBar): readonly string[] {
  const connection = bar.connection === undefined ? NONE : format.integer(bar.connection);
  const [sentMs, firstByteMs] = bar.phases === 'known' ? [bar.startMs, bar.firstByteMs] : [];
  const span = (from: number | undefined, to: number | undefined) =>
    duration(from === undefined || to === undefined ? undefined : to - from);
  return [
    NONE,
    connection,
    duration(bar.discoveredMs),
    span(bar.discoveredMs, sentMs),
    NONE,
    NONE,
    span(sentMs, firstByteMs),
    span(firstByteMs, bar.endMs),
    NONE,
  ];
}

function cellsOf({
  httpVersion,
  fromCache,
  connection,
  startMs,
  queueMs,
  dnsMs,
  connectMs,
  sentMs,
  firstByteMs,
  endMs,
  headOfLineMs,
}: TimelineRequest) {
  return [
    fromCache
      ? text('timeline.cached')
      : httpVersion === undefined || httpVersion === 'http/1.0'
        ? (httpVersion ?? NONE)
        : PROTOCOL_LABELS[httpVersion],
    connection === undefined ? NONE : format.integer(connection),
    duration(startMs),
    duration(queueMs),
    duration(dnsMs),
    duration(connectMs),
    duration(sentMs === undefined || firstByteMs === undefined ? undefined : firstByteMs - sentMs),
    duration(firstByteMs === undefined ? undefined : endMs - firstByteMs),
    duration(headOfLineMs),
  ];
}
