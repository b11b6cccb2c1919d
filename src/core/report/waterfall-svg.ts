/**
 * The timeline of loads, predicted or measured, as one SVG file: a row per request, a panel per load, all on one scale of time. No script, no
 * font or image from anywhere. Bars of one colour are one path, so a thousand requests take about 230 kB a panel.
 */
import { CONTENT_CLASSES, type ContentClass, DEFAULT_ORIGIN, type PageGraph, type PageRequest } from '../graph/page-graph.ts';
import { bandOf } from '../predict/predict.ts';
import type { PredictedRequest, Prediction } from '../simulate/prediction.ts';
import { formatSeconds, percent } from '../text/figures.ts';
import { boundLabel } from '../text/labels.ts';
import { html, type Markup, markupText, shortened, xmlText } from '../text/markup.ts';
import { type TimeTick, timeTicks } from '../text/svg-axes.ts';
import { withDarkMode } from '../text/svg-picture.ts';

interface WaterfallInput {
  readonly title: string;
  readonly subtitle: string;
  readonly page: PageGraph;
  /** From top to bottom, each of this page. */
  readonly predictions: readonly Prediction[];
}

/** The layout of the picture, px. */
const WIDTH = 1200;
const PLOT = {
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
  connectColour: '#8a5a00',
  endColour: '#b3261e',
} as const;

/** The colours differ in hue and lightness, each with at least 3:1 against white (WCAG 2.1, 1.4.11). */
const CLASS_COLOURS: Readonly<Record<ContentClass, string>> = {
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
const MARGIN = 16;
const LEGEND_Y = 74;
const LEGEND_LINE = 18;
const FIRST_PANEL_Y = 96;
const PANEL_GAP = 24;
const MAX_TICKS = 10;
const MAX_TITLE_CHARACTERS = 130;
/** Width of a character at 12 px, generous: no font is measured here. */
const CHARACTER_PX = 6.8;

interface AnyBar {
  readonly name: string;
  readonly class: ContentClass;
  /** The number of its connection, from 1; absent: unknown. */
  readonly connection?: number | undefined;
  readonly discoveredMs: number;
  readonly endMs: number;
}

interface PhasedBar extends AnyBar {
  readonly phases: 'known';
  /** When it was sent. */
  readonly startMs: number;
  readonly firstByteMs: number;
  /** The part of the wait before it was sent in which its connection was opened. */
  readonly connectMs?: number | undefined;
}

/** Only its begin and its end were measured. */
interface UnphasedBar extends AnyBar {
  readonly phases: 'unknown';
}

/** A request's bar. Times are ms after the start of its load. */
export type TimelineBar = PhasedBar | UnphasedBar;

/** One load: a heading and a row per request. */
export interface TimelinePanel {
  readonly heading: string;
  readonly loadTimeMs: number;
  readonly bars: readonly TimelineBar[];
}

interface TimelinesInput {
  readonly title: string;
  readonly subtitle: string;
  /** What it is, for who cannot see it. */
  readonly label: string;
  /** From top to bottom. */
  readonly panels: readonly TimelinePanel[];
}

/** The predicted loads of one page. @returns a whole file of well-formed XML. */
export function waterfallSvg({ title, subtitle, page, predictions }: WaterfallInput): string {
  return timelinesSvg({
    title,
    subtitle: `${subtitle}. Predicted by simulation, not measured.`,
    label: `Predicted timeline of ${title} under ${predictions.map(({ profileId }) => profileId).join(' and ')}`,
    panels: predictions.map((prediction) => predictedPanel(prediction, page)),
  });
}

/** The panel of a predicted load. */
export const predictedPanel = (prediction: Prediction, page: PageGraph): TimelinePanel => ({
  heading: heading(prediction),
  loadTimeMs: prediction.loadTimeMs,
  bars: prediction.requests.map((timeline, at) => ({
    ...timeline,
    phases: 'known',
    name: nameOf(timeline, page.requests[at]),
    class: page.requests[at]?.class ?? 'other',
    connection: timeline.connection + 1,
  })),
});

/** Loads on one axis of time. @returns a whole file of well-formed XML. */
export function timelinesSvg({ title, subtitle, label, panels }: TimelinesInput): string {
  const endMs = Math.max(0, ...panels.map(({ loadTimeMs }) => loadTimeMs));
  const axis = { endMs, ticks: timeTicks(endMs, MAX_TICKS) };
  const keys = legend(panels.flatMap(({ bars }) => bars));
  let y = FIRST_PANEL_Y + keys.extraHeight;
  const drawn = panels.map((one) => {
    const panel = waterfallPanel({ panel: one, axis, y });
    y += panel.height + PANEL_GAP;
    return panel.markup;
  });
  const drawing = html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" font-family="system-ui, 'Liberation Sans', Arial, sans-serif" font-size="12" fill="#1d1b20">
<title>${xmlText(label)}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${MARGIN}" y="28" font-size="17" font-weight="600">${line(title)}</text>
<text x="${MARGIN}" y="48" fill="#55505c">${line(subtitle)}</text>
${keys.markup}
${drawn}
</svg>
`;
  return withDarkMode(markupText(drawing));
}

const line = (text: string): string => shortened(xmlText(text), MAX_TITLE_CHARACTERS);

/** The meaning of a bar's parts, then the classes that are on the page, on as many lines as they need. */
function legend(all: readonly TimelineBar[]): { readonly markup: Markup; readonly extraHeight: number } {
  const used = new Set(all.map((bar) => bar.class));
  const connects = all.some((bar) => bar.phases === 'known' && bar.connectMs !== undefined);
  const unknown = all.some(({ phases }) => phases === 'unknown');
  const grey = '#55505c';
  const keys: readonly Key[] = [
    { label: 'waiting to be sent', colour: PLOT.waitingColour, height: 3 },
    ...(connects ? [{ label: 'connecting', colour: PLOT.connectColour, height: 3 }] : []),
    { label: 'request to first byte', colour: grey, opacity: PLOT.waitOpacity },
    { label: 'receiving', colour: grey },
    ...(unknown ? [{ label: 'phases unknown', colour: grey, hollow: true }] : []),
    { label: 'load time', colour: PLOT.endColour, height: 1.5 },
    ...CONTENT_CLASSES.filter((name) => used.has(name)).map((name): Key => ({ label: name, colour: CLASS_COLOURS[name] })),
  ];
  let [x, y] = [MARGIN, LEGEND_Y];
  const entries = keys.map((key) => {
    const width = 26 + key.label.length * CHARACTER_PX;
    if (x + width > WIDTH - MARGIN) [x, y] = [MARGIN, y + LEGEND_LINE];
    const at = x;
    x += width + 16;
    return html`${keyBar(key, at, y)}<text x="${at + 26}" y="${y}">${key.label}</text>`;
  });
  return { markup: html`<g>${entries}</g>`, extraHeight: y - LEGEND_Y };
}

interface Key {
  readonly label: string;
  readonly colour: string;
  readonly height?: number;
  readonly opacity?: number;
  readonly hollow?: boolean;
}

function keyBar({ colour, height = PLOT.barHeight, opacity = 1, hollow = false }: Key, x: number, y: number): Markup {
  const top = y - 4 - height / 2;
  if (hollow) return html`<rect x="${x}" y="${top}" width="20" height="${height}" fill="none" stroke="${colour}"/>`;
  return html`<rect x="${x}" y="${top}" width="20" height="${height}" fill="${colour}" fill-opacity="${opacity}"/>`;
}

interface PanelInput {
  readonly panel: TimelinePanel;
  readonly axis: { readonly endMs: number; readonly ticks: readonly TimeTick[] };
  readonly y: number;
}

/** One load, a row per request. */
function waterfallPanel({ panel, axis, y }: PanelInput): { readonly markup: Markup; readonly height: number } {
  const rows = panel.bars.map((bar, at): Row => ({ bar, y: PLOT.head + at * PLOT.rowHeight }));
  const bottom = PLOT.head + rows.length * PLOT.rowHeight;
  const scale = scaleTo(axis.endMs);
  const markup = html`<g transform="translate(0 ${y})">
<text x="${PLOT.labelX}" y="14" font-size="14" font-weight="600">${xmlText(panel.heading)}</text>
${backdrop({ axis, scale, rows, bottom })}
${bars(rows, scale)}
${labels(rows, scale)}
<path d="M${px(scale(panel.loadTimeMs))} ${PLOT.head - 8}V${bottom}" stroke="${PLOT.endColour}" stroke-dasharray="4 3"/>
</g>`;
  return { markup, height: bottom };
}

interface Row {
  readonly bar: TimelineBar;
  readonly y: number;
}

type Scale = (ms: number) => number;

const scaleTo =
  (endMs: number): Scale =>
  (ms) =>
    PLOT.left + (endMs > 0 ? ms / endMs : 0) * (PLOT.right - PLOT.left);

/** One decimal is enough on screen. */
const px = (length: number): string => String(Math.round(length * 10) / 10);

function heading({ profileId, loadTimeMs, runsMs = [], efficiency, connections, bound, boundShares }: Prediction): string {
  const band = bandOf(runsMs);
  const range = band === undefined ? '' : ` (${formatSeconds(band.low)} to ${formatSeconds(band.high)} if the link varies slightly)`;
  const opened = `${connections} connection${connections === 1 ? '' : 's'}`;
  return `${profileId}: load time ${formatSeconds(loadTimeMs)}${range}, efficiency ${efficiency.toFixed(2)}, ${opened}, mostly ${boundLabel(bound)} (${percent(boundShares[bound])})`;
}

interface Backdrop {
  readonly axis: PanelInput['axis'];
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

/** One path per colour and part. A bar whose phases are unknown is an outline: it has no part's look. */
function bars(rows: readonly Row[], scale: Scale): Markup {
  const waiting: string[] = [];
  const asked = new Map<ContentClass, string[]>();
  const received = new Map<ContentClass, string[]>();
  const unknown = new Map<ContentClass, string[]>();
  const connecting: string[] = [];
  for (const { bar, y } of rows) {
    const { discoveredMs, endMs, class: contentClass } = bar;
    const top = y + (PLOT.rowHeight - PLOT.barHeight) / 2;
    if (bar.phases === 'unknown') {
      push(unknown, contentClass, box({ from: scale(discoveredMs), to: scale(endMs), top, height: PLOT.barHeight }));
      continue;
    }
    const { startMs, firstByteMs, connectMs = 0 } = bar;
    if (startMs > discoveredMs) waiting.push(box({ from: scale(discoveredMs), to: scale(startMs), top: y + 6, height: 3 }));
    if (connectMs > 0) connecting.push(box({ from: scale(startMs - connectMs), to: scale(startMs), top: y + 6, height: 3 }));
    push(asked, contentClass, box({ from: scale(startMs), to: scale(firstByteMs), top, height: PLOT.barHeight }));
    push(received, contentClass, box({ from: scale(firstByteMs), to: scale(endMs), top, height: PLOT.barHeight }));
  }
  return html`<path d="${waiting.join('')}" fill="${PLOT.waitingColour}"/>${connecting.length === 0 ? undefined : html`<path d="${connecting.join('')}" fill="${PLOT.connectColour}"/>`}
${[...asked].map(([contentClass, boxes]) => html`<path d="${boxes.join('')}" fill="${CLASS_COLOURS[contentClass]}" fill-opacity="${PLOT.waitOpacity}"/>`)}
${[...received].map(([contentClass, boxes]) => html`<path d="${boxes.join('')}" fill="${CLASS_COLOURS[contentClass]}"/>`)}
${[...unknown].map(([contentClass, boxes]) => html`<path d="${boxes.join('')}" fill="none" stroke="${CLASS_COLOURS[contentClass]}"/>`)}`;
}

function push(boxes: Map<ContentClass, string[]>, contentClass: ContentClass, box: string): void {
  const known = boxes.get(contentClass);
  if (known === undefined) boxes.set(contentClass, [box]);
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

/** The name and the connection (the first is 1) are on the left, the end time after the bar. */
function labels(rows: readonly Row[], scale: Scale): Markup {
  const names = rows.map((row) => html`<text y="${row.y + BASELINE_OFFSET}">${row.bar.name}</text>`);
  const connections = rows.map(({ bar, y }) => html`<text y="${y + BASELINE_OFFSET}">${bar.connection}</text>`);
  const ends = rows.map(
    ({ bar: { endMs }, y }) => html`<text x="${px(scale(endMs) + 4)}" y="${y + BASELINE_OFFSET}">${formatSeconds(endMs)}</text>`,
  );
  return html`<g font-size="11" transform="translate(${PLOT.labelX})">${names}</g>
<g font-size="11" transform="translate(${PLOT.connectionX})" text-anchor="end">${connections}</g>
<g font-size="10" fill="#55505c">${ends}</g>`;
}

/** From the upper edge of a row to the baseline of its text, px. */
const BASELINE_OFFSET = 11;

function nameOf({ id }: PredictedRequest, request: PageRequest | undefined): string {
  const name = shortened(xmlText(id), MAX_NAME_CHARACTERS);
  const origin = request?.origin;
  return origin === undefined || origin === DEFAULT_ORIGIN
    ? name
    : `${name} (${shortened(hostOf(xmlText(origin)), MAX_ORIGIN_CHARACTERS)})`;
}

/** Scheme and usual port are the same for most servers. */
const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, '').replace(/:(80|443)$/, '');
