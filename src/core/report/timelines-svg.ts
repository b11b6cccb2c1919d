/**
 * The timelines of loads, predicted or measured, as one SVG file: a row per request or per connection, a panel per load, all on one scale of time.
 * Names are beside the bars where there is room, else above them. No script, no font or image from anywhere. Bars of one colour are one path, so a thousand requests take
 * about 230 kB a panel.
 */
import { CONTENT_CLASSES, type ContentClass } from '../graph/page-graph.ts';
import { groupBy } from '../group-by.ts';
import { formatSeconds } from '../text/figures.ts';
import { html, type Markup, markupText, shortened, xmlText } from '../text/markup.ts';
import { type TimeTick, timeTicks } from '../text/svg-axes.ts';
import { linesFitting, textWidthPx, withDarkMode } from '../text/svg-picture.ts';
import type { TimelineBar } from './timeline-bar.ts';

/** One load: a heading and its requests. */
export interface TimelinePanel {
  readonly heading: string;
  readonly loadTimeMs: number;
  readonly bars: readonly TimelineBar[];
}

/** How the reader's language says what is in every picture. */
export interface TimelineLanguage {
  /** One of the drawing's own words, which are given in English. */
  readonly word: (english: string) => string;
  readonly time: (ms: number) => string;
  readonly tick: (tick: TimeTick) => string;
}

const ENGLISH: TimelineLanguage = { word: (english) => english, time: formatSeconds, tick: ({ label }) => label };

interface TimelinesInput {
  readonly title: string;
  readonly subtitle: string;
  /** What it is, for who cannot see it. */
  readonly label: string;
  /** From top to bottom. */
  readonly panels: readonly TimelinePanel[];
  /** px; absent: 1,200. */
  readonly width?: number;
  /** Absent: English. */
  readonly language?: TimelineLanguage;
  /** Absent: `request`. */
  readonly rowPer?: RowPer;
}

/** A row for each `connection` has the requests that it carried, one after another or several at once. */
export type RowPer = 'request' | 'connection';

const MAX_WIDTH = 1200;
const MIN_WIDTH = 280;
/** Below this width names stand above the bars. Chosen: beside 345 px of names the bars have as much again. */
const FOLDED_BELOW = 740;

/** The layout of the picture, px. */
interface Layout {
  readonly width: number;
  readonly isFolded: boolean;
  /** Where time begins and ends. */
  readonly left: number;
  readonly right: number;
  readonly rowHeight: number;
  /** From a row's upper edge to its bars' strip. */
  readonly barsY: number;
  readonly maxTicks: number;
}

function layoutOf(width: number): Layout {
  const within = Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
  return within < FOLDED_BELOW
    ? { width: within, isFolded: true, left: MARGIN, right: within - MARGIN, rowHeight: 30, barsY: 14, maxTicks: 4 }
    : { width: within, isFolded: false, left: 345, right: within - 70, rowHeight: STRIP, barsY: 0, maxTicks: 10 };
}

const MARGIN = 16;
const CONNECTION = 'connection';
const CONNECTION_X = 318;
/** The height that bars take, and that of a bar in it. */
const STRIP = 15;
const BAR = 10;
/** Axis above the rows. */
const AXIS = 32;
const WAIT_OPACITY = 0.35;
const WAITING_COLOUR = '#a8a2b0';
const CONNECT_COLOUR = '#8a5a00';
const END_COLOUR = '#b3261e';
const GREY = '#55505c';

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
const MIN_BAR_WIDTH = 0.7;
const TITLE_PX = 17;
const HEADING_PX = 14;
const NAME_PX = 11;
const LEGEND_LINE = 18;
const PANEL_GAP = 24;
/** The longest text that may take several lines; on one line, a character is about half as wide as high. */
const MAX_FOLDED_CHARACTERS = 130;
/** Width of a character at 12 px, generous: no font is measured here. */
const CHARACTER_PX = 6.8;

interface Drawing {
  readonly layout: Layout;
  readonly language: TimelineLanguage;
  readonly rowPer: RowPer;
}

/** Loads on one axis of time. @returns a whole file of well-formed XML. */
export function timelinesSvg(input: TimelinesInput): string {
  const { title, subtitle, label, panels, width = MAX_WIDTH, language = ENGLISH, rowPer = 'request' } = input;
  const layout = layoutOf(width);
  const drawing = { layout, language, rowPer };
  const endMs = Math.max(0, ...panels.map(({ loadTimeMs }) => loadTimeMs));
  const axis = { endMs, ticks: timeTicks(endMs, layout.maxTicks) };
  const titles = block(title, { layout, y: 28, px: TITLE_PX, isBold: true });
  const subtitles = block(subtitle, { layout, y: titles.bottom + 20, px: 12 });
  const keys = legend(
    panels.flatMap(({ bars }) => bars),
    drawing,
    subtitles.bottom + 26,
  );
  let y = keys.bottom + 22;
  const drawn = panels.map((one) => {
    const panel = waterfallPanel({ panel: one, axis, y, drawing });
    y += panel.height + PANEL_GAP;
    return panel.markup;
  });
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" width="${layout.width}" height="${y}" viewBox="0 0 ${layout.width} ${y}" role="img" font-family="system-ui, 'Liberation Sans', Arial, sans-serif" font-size="12" fill="#1d1b20">
<title>${xmlText(label)}</title>
<rect width="100%" height="100%" fill="#fff"/>
${titles.markup}
<g fill="${GREY}">${subtitles.markup}</g>
${keys.markup}
${drawn}
</svg>
`;
  return withDarkMode(markupText(picture));
}

interface BlockInput {
  readonly layout: Layout;
  /** The base of the first line. */
  readonly y: number;
  readonly px: number;
  readonly isBold?: boolean;
}

/** A text from outside, on one line where there is room, else on several. `bottom`: the base of the last. */
function block(text: string, { layout, y, px: size, isBold = false }: BlockInput): { readonly markup: Markup; readonly bottom: number } {
  const room = layout.width - 2 * MARGIN;
  const whole = shortened(xmlText(text), layout.isFolded ? MAX_FOLDED_CHARACTERS : Math.floor((2 * room) / size));
  const lines = layout.isFolded ? linesFitting(whole, room, size, isBold).map((line) => fitted(line, room, { px: size, isBold })) : [whole];
  const step = Math.round(size * 1.25);
  const weight = isBold ? html` font-size="${size}" font-weight="600"` : html``;
  return {
    markup: html`${lines.map((line, at) => html`<text x="${MARGIN}" y="${y + at * step}"${weight}>${line}</text>`)}`,
    bottom: y + (lines.length - 1) * step,
  };
}

/** Cuts the middle out of a text that has not enough room. */
const fitted = (text: string, room: number, { px: size, isBold = false }: { readonly px: number; readonly isBold?: boolean }): string =>
  shortened(text, Math.max(1, Math.floor(room / textWidthPx('0', size, isBold))));

/** The meaning of a bar's parts, then the classes that are on the page, on as many lines as they need. `top`: the base of the first line. */
function legend(
  all: readonly TimelineBar[],
  { layout, language: { word }, rowPer }: Drawing,
  top: number,
): { readonly markup: Markup; readonly bottom: number } {
  const used = new Set(all.map((bar) => bar.class));
  const connects = all.some((bar) => bar.phases === 'known' && bar.connectMs !== undefined);
  const unknown = all.some(({ phases }) => phases === 'unknown');
  const keys: readonly Key[] = [
    ...(rowPer === 'request' ? [{ label: word('waiting to be sent'), colour: WAITING_COLOUR, height: 3 }] : []),
    ...(connects ? [{ label: word('connecting'), colour: CONNECT_COLOUR, height: 3 }] : []),
    { label: word('request to first byte'), colour: GREY, opacity: WAIT_OPACITY },
    { label: word('receiving'), colour: GREY },
    ...(unknown ? [{ label: word('phases unknown'), colour: GREY, hollow: true }] : []),
    { label: word('load time'), colour: END_COLOUR, height: 1.5 },
    ...CONTENT_CLASSES.filter((name) => used.has(name)).map((name): Key => ({ label: word(name), colour: CLASS_COLOURS[name] })),
  ];
  let [x, y] = [MARGIN, top];
  const entries = keys.map((key) => {
    const width = 26 + key.label.length * CHARACTER_PX;
    if (x > MARGIN && x + width > layout.width - MARGIN) [x, y] = [MARGIN, y + LEGEND_LINE];
    const at = x;
    x += width + 16;
    return html`${keyBar(key, at, y)}<text x="${px(at + 26)}" y="${y}">${key.label}</text>`;
  });
  return { markup: html`<g>${entries}</g>`, bottom: y };
}

interface Key {
  readonly label: string;
  readonly colour: string;
  readonly height?: number;
  readonly opacity?: number;
  readonly hollow?: boolean;
}

function keyBar({ colour, height = BAR, opacity = 1, hollow = false }: Key, x: number, y: number): Markup {
  const top = y - 4 - height / 2;
  if (hollow) return html`<rect x="${px(x)}" y="${top}" width="20" height="${height}" fill="none" stroke="${colour}"/>`;
  return html`<rect x="${px(x)}" y="${top}" width="20" height="${height}" fill="${colour}" fill-opacity="${opacity}"/>`;
}

interface PanelInput {
  readonly panel: TimelinePanel;
  readonly axis: { readonly endMs: number; readonly ticks: readonly TimeTick[] };
  readonly y: number;
  readonly drawing: Drawing;
}

/** One load. */
function waterfallPanel({ panel, axis, y, drawing }: PanelInput): { readonly markup: Markup; readonly height: number } {
  const { layout } = drawing;
  const heading = block(panel.heading, { layout, y: 14, px: HEADING_PX, isBold: true });
  const head = heading.bottom + AXIS;
  const rows = rowsOf(panel.bars, drawing).map((row, at): Row => ({ ...row, y: head + at * layout.rowHeight }));
  const bottom = head + rows.length * layout.rowHeight;
  const scale: Scale = (ms) => layout.left + (axis.endMs > 0 ? ms / axis.endMs : 0) * (layout.right - layout.left);
  const markup = html`<g transform="translate(0 ${y})">
${heading.markup}
${backdrop({ ticks: axis.ticks, scale, rows, head, bottom, drawing })}
${bars(rows, scale, drawing)}
${layout.isFolded ? labelsAbove(rows, drawing) : labelsBeside(rows, scale, drawing)}
<path d="M${px(scale(panel.loadTimeMs))} ${head - 8}V${bottom}" stroke="${END_COLOUR}" stroke-dasharray="4 3"/>
</g>`;
  return { markup, height: bottom };
}

/** Requests on one line. */
interface Row {
  readonly bars: readonly TimelineBar[];
  readonly name: string;
  /** The number of a request's connection, absent where that is unknown; how many requests a connection carried. */
  readonly aside: number | undefined;
  readonly endMs: number;
  readonly y: number;
}

/** Connections by their numbers, then the requests of which none is known. */
function rowsOf(bars: readonly TimelineBar[], { language: { word }, rowPer }: Drawing): readonly Omit<Row, 'y'>[] {
  if (rowPer === 'request') return bars.map((bar) => ({ bars: [bar], name: bar.name, aside: bar.connection, endMs: bar.endMs }));
  return [...groupBy(bars, ({ connection }) => connection)]
    .sort(([a = Number.POSITIVE_INFINITY], [b = Number.POSITIVE_INFINITY]) => a - b)
    .map(([connection, own]) => ({
      bars: own,
      name: connection === undefined ? word('connection unknown') : `${word(CONNECTION)} ${connection}`,
      aside: own.length,
      endMs: Math.max(...own.map(({ endMs }) => endMs)),
    }));
}

type Scale = (ms: number) => number;

/** One decimal is enough on screen. */
const px = (length: number): string => String(Math.round(length * 10) / 10);

interface Backdrop {
  readonly ticks: readonly TimeTick[];
  readonly scale: Scale;
  readonly rows: readonly Row[];
  readonly head: number;
  readonly bottom: number;
  readonly drawing: Drawing;
}

function backdrop({ ticks, scale, rows, head, bottom, drawing: { layout, language, rowPer } }: Backdrop): Markup {
  const { width, rowHeight } = layout;
  const stripes = rows
    .filter((_, at) => at % 2 === 1)
    .map(({ y }) => `M0 ${y}h${width}v${rowHeight}h-${width}z`)
    .join('');
  const grid = ticks.map(({ ms }) => `M${px(scale(ms))} ${head - 8}V${bottom}`).join('');
  const times = ticks.map((tick) => html`<text x="${px(scale(tick.ms))}" y="${head - 13}">${language.tick(tick)}</text>`);
  const [names, asides] = rowPer === 'request' ? ['request', CONNECTION] : [CONNECTION, 'requests'];
  const columns = layout.isFolded
    ? undefined
    : html`<g font-size="11" fill="${GREY}"><text x="${MARGIN}" y="${head - 13}">${language.word(names)}</text><text x="${CONNECTION_X}" y="${head - 13}" text-anchor="end">${language.word(asides)}</text></g>`;
  return html`<path d="${stripes}" fill="#f5f4f7"/>
<path d="${grid}" stroke="#d8d4dd" fill="none"/>
<g font-size="11" fill="${GREY}" text-anchor="middle">${times}</g>
${columns}`;
}

/** One path per colour and part. A bar whose phases are unknown is an outline: it has no part's look. */
function bars(rows: readonly Row[], scale: Scale, { layout: { barsY }, rowPer }: Drawing): Markup {
  const waiting: string[] = [];
  const asked = new Map<ContentClass, string[]>();
  const received = new Map<ContentClass, string[]>();
  const unknown = new Map<ContentClass, string[]>();
  const connecting: string[] = [];
  for (const { bar, y } of rows.flatMap((row) => row.bars.map((bar) => ({ bar, y: row.y })))) {
    const { discoveredMs, endMs, class: contentClass } = bar;
    const strip = y + barsY;
    const top = strip + (STRIP - BAR) / 2;
    if (bar.phases === 'unknown') {
      push(unknown, contentClass, box({ from: scale(discoveredMs), to: scale(endMs), top, height: BAR }));
      continue;
    }
    const { startMs, firstByteMs, connectMs = 0 } = bar;
    // A connection does not wait for its request: another has it meanwhile.
    if (rowPer === 'request' && startMs > discoveredMs)
      waiting.push(box({ from: scale(discoveredMs), to: scale(startMs), top: strip + 6, height: 3 }));
    if (connectMs > 0) connecting.push(box({ from: scale(startMs - connectMs), to: scale(startMs), top: strip + 6, height: 3 }));
    push(asked, contentClass, box({ from: scale(startMs), to: scale(firstByteMs), top, height: BAR }));
    push(received, contentClass, box({ from: scale(firstByteMs), to: scale(endMs), top, height: BAR }));
  }
  return html`<path d="${waiting.join('')}" fill="${WAITING_COLOUR}"/>${connecting.length === 0 ? undefined : html`<path d="${connecting.join('')}" fill="${CONNECT_COLOUR}"/>`}
${[...asked].map(([contentClass, boxes]) => html`<path d="${boxes.join('')}" fill="${CLASS_COLOURS[contentClass]}" fill-opacity="${WAIT_OPACITY}"/>`)}
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
  const width = px(Math.max(MIN_BAR_WIDTH, to - from));
  return `M${px(from)} ${px(top)}h${width}v${height}h-${width}z`;
}

/** From the upper edge of a row to the baseline of its text, px. */
const BASELINE_OFFSET = 11;

/** The name, and the number of the connection (the first is 1) or of its requests, are on the left, the end time after the bar. */
function labelsBeside(rows: readonly Row[], scale: Scale, { language }: Drawing): Markup {
  const names = rows.map(({ name, y }) => html`<text y="${y + BASELINE_OFFSET}">${name}</text>`);
  const asides = rows.map(({ aside, y }) => html`<text y="${y + BASELINE_OFFSET}">${aside}</text>`);
  const ends = rows.map(
    ({ endMs, y }) => html`<text x="${px(scale(endMs) + 4)}" y="${y + BASELINE_OFFSET}">${language.time(endMs)}</text>`,
  );
  return html`<g font-size="${NAME_PX}" transform="translate(${MARGIN})">${names}</g>
<g font-size="${NAME_PX}" transform="translate(${CONNECTION_X})" text-anchor="end">${asides}</g>
<g font-size="10" fill="${GREY}">${ends}</g>`;
}

/** The name above its bar, and at the end of the line what stands beside it and its end time. */
function labelsAbove(rows: readonly Row[], { layout: { left, right }, language, rowPer }: Drawing): Markup {
  const what = language.word(rowPer === 'request' ? CONNECTION : 'requests');
  const ends = rows.map(({ aside, endMs }) => [...(aside === undefined ? [] : [`${what} ${aside}`]), language.time(endMs)].join(' · '));
  const names = rows.map(({ name, y }, at) => {
    const room = right - left - textWidthPx(ends[at] ?? '', 10);
    return html`<text y="${y + BASELINE_OFFSET}">${fitted(name, room, { px: NAME_PX })}</text>`;
  });
  return html`<g font-size="${NAME_PX}" transform="translate(${left})">${names}</g>
<g font-size="10" fill="${GREY}" transform="translate(${right})" text-anchor="end">${rows.map(({ y }, at) => html`<text y="${y + BASELINE_OFFSET}">${ends[at]}</text>`)}</g>`;
}
