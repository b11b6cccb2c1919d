/** The waterfall of one load, or of two, in words and figures: what its picture shows, for whoever reads a table. Pure. */
import { requestName, type TimelineRequest } from '../core/measure/load-timeline.ts';
import { PROTOCOL_LABELS } from '../core/text/labels.ts';
import type { DrawnLoads } from '../protocol/prediction-answer.ts';
import { format, text } from '../views/text.ts';

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

export function timelineView({ loads }: Pick<DrawnLoads, 'loads'>): TimelineView {
  return {
    sums: loads.map(sumsOf),
    groups: loads.map(({ label, timeline }) => ({
      heading: label,
      rows: timeline.requests.map((request) => ({ name: requestName(request.url), cells: cellsOf(request) })),
    })),
  };
}

function sumsOf({ label, timeline }: DrawnLoads['loads'][number]): string {
  const { requests, loadTimeMs, withoutTimes } = timeline;
  const connections = new Set(requests.flatMap(({ connection }) => connection ?? [])).size;
  const waits = requests.flatMap(({ queueMs }) => queueMs ?? []);
  const behind = Math.max(0, ...requests.map(({ headOfLineMs = 0 }) => headOfLineMs));
  return [
    text('timeline.sums', {
      label,
      time: loadTimeMs,
      requests: text('count.requests', { count: requests.length }),
      connections: text('count.connections', { count: connections }),
    }),
    ...(waits.some((ms) => ms > 0)
      ? [text('timeline.waited', { total: waits.reduce((sum, ms) => sum + ms, 0), longest: Math.max(...waits) })]
      : []),
    ...(behind > 0 ? [text('timeline.behind', { longest: behind })] : []),
    ...(withoutTimes > 0 ? [text('timeline.withoutTimes', { count: withoutTimes })] : []),
  ].join(' ');
}

/** A cell without a figure. */
const NONE = '–';
const duration = (ms: number | undefined): string => (ms === undefined ? NONE : format.duration(ms));

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
