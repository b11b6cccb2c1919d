/** One panel of a waterfall: the load of one profile, a row per request. */

import { type ContentClass, DEFAULT_ORIGIN, type PageGraph, type PageRequest } from '../graph/page-graph.ts';
import { bandOf } from '../predict/predict.ts';
import type { PredictedRequest, Prediction } from '../simulate/prediction.ts';
import { formatSeconds, percent } from '../text/figures.ts';
import { boundLabel } from '../text/labels.ts';
import { html, type Markup, shortened, xmlText } from '../text/markup.ts';
import type { TimeTick } from '../text/svg-axes.ts';

/** Width of the whole picture, px. */
export const WIDTH = 1200;
/** Where things are, px. */
export const PLOT = {
  left: 345,
  right: 1130,
  labelX: 16,
  connectionX: 318,
  rowHeight: 15,
  barHeight: 10,
  /** Heading and axis above the rows. */
  head: 46,
  waitOpacity: 0.35,
  waitingColour: '#a8a2b0',
  endColour: '#b3261e',
} as const;

/** Told apart by hue and by lightness; each at least 3:1 against white (WCAG 2.1, 1.4.11). Our own choice. */
export const CLASS_COLOURS: Readonly<Record<ContentClass, string>> = {
  document: '#1d1b20',
  stylesheet: '#7b3fc4',
  script: '#b45f06',
  font: '#c2257f',
  fetch: '#0f766e',
  image: '#1f6fd1',
  media: '#4d7c0f',
  other: '#6b7280',
};

/** Width given to a bar that is too short to be seen, px. */
const MIN_WIDTH = 0.7;
const MAX_NAME_CHARACTERS = 24;
const MAX_ORIGIN_CHARACTERS = 16;

export interface PanelFacts {
  readonly prediction: Prediction;
  readonly page: PageGraph;
  readonly axis: { readonly endMs: number; readonly ticks: readonly TimeTick[] };
  /** Of its upper edge, px. */
  readonly y: number;
}

export function waterfallPanel({ prediction, page, axis, y }: PanelFacts): { readonly markup: Markup; readonly height: number } {
  const rows = prediction.requests.map(
    (timeline, at): Row => ({
      timeline,
      request: page.requests[at],
      y: PLOT.head + at * PLOT.rowHeight,
    }),
  );
  const bottom = PLOT.head + rows.length * PLOT.rowHeight;
  const scale = scaleTo(axis.endMs);
  const markup = html`<g transform="translate(0 ${y})">
<text x="${PLOT.labelX}" y="14" font-size="14" font-weight="600">${heading(prediction)}</text>
${backdrop({ axis, scale, rows, bottom })}
${bars(rows, scale)}
${labels(rows, scale)}
<path d="M${px(scale(prediction.loadTimeMs))} ${PLOT.head - 8}V${bottom}" stroke="${PLOT.endColour}" stroke-dasharray="4 3"/>
</g>`;
  return { markup, height: bottom };
}

interface Row {
  readonly timeline: PredictedRequest;
  readonly request: PageRequest | undefined;
  readonly y: number;
}

type Scale = (ms: number) => number;

const scaleTo =
  (endMs: number): Scale =>
  (ms) =>
    PLOT.left + (endMs > 0 ? ms / endMs : 0) * (PLOT.right - PLOT.left);

/** One decimal: the eye sees no more. */
const px = (length: number): string => String(Math.round(length * 10) / 10);

function heading({ profileId, loadTimeMs, runsMs = [], efficiency, connections, bound, boundShares }: Prediction): string {
  const band = bandOf(runsMs);
  const range =
    band === undefined ? '' : ` (${formatSeconds(band.low)} to ${formatSeconds(band.high)} where the link is a little different)`;
  const opened = `${connections} connection${connections === 1 ? '' : 's'}`;
  return xmlText(
    `${profileId}: load time ${formatSeconds(loadTimeMs)}${range}, efficiency ${efficiency.toFixed(2)}, ${opened}, mostly ${boundLabel(bound)} (${percent(boundShares[bound])})`,
  );
}

interface Backdrop {
  readonly axis: PanelFacts['axis'];
  readonly scale: Scale;
  readonly rows: readonly Row[];
  readonly bottom: number;
}

function backdrop({ axis, scale, rows, bottom }: Backdrop): Markup {
  const stripes = rows
    .filter((_, at) => at % 2 === 1)
    .map(({ y }) => `M0 ${y}h${WIDTH}v${PLOT.rowHeight}h-${WIDTH}z`)
    .join('');
  const grid = axis.ticks.map(({ ms }) => `M${px(scale(ms))} ${PLOT.head - 8}V${bottom}`).join('');
  const ticks = axis.ticks.map(({ ms, label }) => html`<text x="${px(scale(ms))}" y="${PLOT.head - 13}">${label}</text>`);
  return html`<path d="${stripes}" fill="#f5f4f7"/>
<path d="${grid}" stroke="#d8d4dd" fill="none"/>
<g font-size="11" fill="#55505c" text-anchor="middle">${ticks}</g>
<g font-size="11" fill="#55505c"><text x="${PLOT.labelX}" y="${PLOT.head - 13}">request</text><text x="${PLOT.connectionX}" y="${PLOT.head - 13}" text-anchor="end">connection</text></g>`;
}

/** One path per colour and part. */
function bars(rows: readonly Row[], scale: Scale): Markup {
  const waiting: string[] = [];
  const asked = new Map<ContentClass, string[]>();
  const received = new Map<ContentClass, string[]>();
  for (const { timeline, request, y } of rows) {
    const { discoveredMs, startMs, firstByteMs, endMs } = timeline;
    const of = request?.class ?? 'other';
    const top = y + (PLOT.rowHeight - PLOT.barHeight) / 2;
    if (startMs > discoveredMs) waiting.push(box({ from: scale(discoveredMs), to: scale(startMs), top: y + 6, height: 3 }));
    push(asked, of, box({ from: scale(startMs), to: scale(firstByteMs), top, height: PLOT.barHeight }));
    push(received, of, box({ from: scale(firstByteMs), to: scale(endMs), top, height: PLOT.barHeight }));
  }
  return html`<path d="${waiting.join('')}" fill="${PLOT.waitingColour}"/>
${[...asked].map(([of, boxes]) => html`<path d="${boxes.join('')}" fill="${CLASS_COLOURS[of]}" fill-opacity="${PLOT.waitOpacity}"/>`)}
${[...received].map(([of, boxes]) => html`<path d="${boxes.join('')}" fill="${CLASS_COLOURS[of]}"/>`)}`;
}

function push(boxes: Map<ContentClass, string[]>, of: ContentClass, box: string): void {
  const known = boxes.get(of);
  if (known === undefined) boxes.set(of, [box]);
  else known.push(box);
}

interface Box {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly height: number;
}

function box({ from, to, top, height }: Box): string {
  const width = px(Math.max(MIN_WIDTH, to - from));
  return `M${px(from)} ${px(top)}h${width}v${height}h-${width}z`;
}

/** Name and connection (the first is 1) on the left, the end of the response behind its bar. */
function labels(rows: readonly Row[], scale: Scale): Markup {
  const names = rows.map((row) => html`<text y="${row.y + TEXT_DROP}">${nameOf(row)}</text>`);
  const connections = rows.map(({ timeline, y }) => html`<text y="${y + TEXT_DROP}">${timeline.connection + 1}</text>`);
  const ends = rows.map(
    ({ timeline: { endMs }, y }) => html`<text x="${px(scale(endMs) + 4)}" y="${y + TEXT_DROP}">${formatSeconds(endMs)}</text>`,
  );
  return html`<g font-size="11" transform="translate(${PLOT.labelX})">${names}</g>
<g font-size="11" transform="translate(${PLOT.connectionX})" text-anchor="end">${connections}</g>
<g font-size="10" fill="#55505c">${ends}</g>`;
}

/** From the upper edge of a row to the line its text stands on, px. */
const TEXT_DROP = 11;

function nameOf({ timeline, request }: Row): string {
  const name = shortened(xmlText(timeline.id), MAX_NAME_CHARACTERS);
  const origin = request?.origin;
  return origin === undefined || origin === DEFAULT_ORIGIN
    ? name
    : `${name} (${shortened(hostOf(xmlText(origin)), MAX_ORIGIN_CHARACTERS)})`;
}

/** What is the same of most servers is left out: scheme and usual port. */
const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, '').replace(/:(80|443)$/, '');
