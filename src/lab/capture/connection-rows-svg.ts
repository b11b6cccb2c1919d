/**
 * Overview of a load: a row per connection, requests as dots and responses as bars, after htracr; what waited behind another response is hatched.
 * Below, how many requests were outstanding in total.
 */
import { counted } from '../../core/text/figures.ts';
import { html, type Markup } from '../../core/text/markup.ts';
import { timeTicks } from '../../core/text/svg-axes.ts';
import type { CaptureAnalysis } from './capture-analysis.ts';
import { type HttpExchange, mostOutstanding, type OutstandingStep, requestsOutstanding } from './http-exchanges.ts';
import { type CaptureWindow, type ConnectionInWindow, captureFigures, captureWindow, connectionsInWindow } from './load-window.ts';
import {
  boxKey,
  bytesText,
  CANVAS,
  COLOURS,
  fitting,
  type LegendKey,
  linearScale,
  lineKey,
  picture,
  px,
  resourceName,
  type Scale,
  SMALL_CHARACTER_PX,
} from './picture-frame.ts';
import { stepPath } from './time-sequence-panel.ts';

interface ConnectionRowsOptions {
  /** What was loaded, how; one line. */
  readonly title?: string;
  /** The part of the capture that is shown. Absent: from the first request or its connection's SYN to the end of the last response. */
  readonly window?: CaptureWindow;
}

const PLOT = { left: 190, right: 1040, top: CANVAS.contentY + 22 } as const;
const LINE_HEIGHT = 14;
const ROW_GAP = 12;
const OUTSTANDING_HEIGHT = 64;
const MAX_TICKS = 10;

export function connectionRowsSvg(analysis: CaptureAnalysis, options: ConnectionRowsOptions = {}): string {
  const window = options.window ?? captureWindow(analysis) ?? { fromMs: 0, toMs: Math.max(1, analysis.endMs) };
  const axisMs = Math.max(1, window.toMs - window.fromMs);
  const x = linearScale([window.fromMs, window.fromMs + axisMs], [PLOT.left, PLOT.right]);
  const connections = connectionsInWindow(analysis, window);
  let y: number = PLOT.top;
  const rows = connections.map((connection) => {
    const row = connectionRow(connection, { x, window, right: PLOT.right, lineHeight: LINE_HEIGHT, dotRadius: 4, named: true });
    const markup = html`<g transform="translate(0 ${y})">${rowLabel(connection)}${row.markup}</g>`;
    y += row.height + ROW_GAP;
    return markup;
  });
  const plotTop = y + 6;
  const bottom = plotTop + OUTSTANDING_HEIGHT;
  const ticks = timeTicks(axisMs, MAX_TICKS).map(({ ms, label }) => ({ place: x(window.fromMs + ms), label }));
  return picture({
    title: options.title ?? 'Requests and responses of a load, connection by connection',
    subtitles: [figuresOf(analysis, window)],
    legend: ROWS_LEGEND,
    height: bottom + 42,
    content: [
      html`<path d="${ticks.map(({ place }) => `M${px(place)} ${PLOT.top - 8}V${bottom}`).join('')}" stroke="${COLOURS.grid}"/>`,
      html`<g font-size="11" fill="${COLOURS.muted}" text-anchor="middle">${ticks.map(({ place, label }) => html`<text x="${px(place)}" y="${bottom + 15}">${label}</text>`)}<text x="${(PLOT.left + PLOT.right) / 2}" y="${bottom + 32}">time since the load began</text></g>`,
      ...rows,
      outstandingPanel(connections, { x, top: plotTop, window }),
    ],
  });
}

/** In the order in which a load has them. `#hatch` is a pattern of the picture that it is in. */
export const ROWS_LEGEND: readonly LegendKey[] = [
  { label: 'connection open', mark: boxKey(COLOURS.connection) },
  { label: 'handshake', mark: boxKey(COLOURS.handshake) },
  { label: 'request', mark: (x, middle) => html`<circle cx="${x + 14}" cy="${middle}" r="4" fill="${COLOURS.request}"/>` },
  { label: 'waiting for its response', mark: lineKey(COLOURS.waiting) },
  { label: 'of it, behind another response', mark: boxKey('url(#hatch)') },
  {
    label: 'response',
    mark: (x, middle) =>
      html`<rect x="${x}" y="${middle - 5}" width="11" height="10" fill="${COLOURS.data}"/><rect x="${x + 11}" y="${middle - 5}" width="11" height="10" fill="${COLOURS.dataOther}"/>`,
  },
];

function figuresOf(analysis: CaptureAnalysis, window: CaptureWindow): string {
  const { connections, requests, headOfLineMs, durationMs, mostOutstandingRequests } = captureFigures(analysis, window);
  return [
    `${counted(connections, 'connection')}, ${counted(requests, 'request')} in ${(durationMs / 1000).toFixed(2)} s`,
    `at most ${mostOutstandingRequests} outstanding`,
    `head-of-line waiting ${(headOfLineMs.sum / 1000).toFixed(2)} s in all`,
    `captured at the ${analysis.capturePoint}`,
    ...cutOffText(analysis, window),
  ].join('; ');
}

function cutOffText(analysis: CaptureAnalysis, window: CaptureWindow): readonly string[] {
  const cutOff = connectionsInWindow(analysis, window).filter(({ connection }) => connection.exchangesCutOff).length;
  return cutOff === 0 ? [] : [`not all separated on ${cutOff} of the connections: packets were kept only in part`];
}

function rowLabel({ connection: { number, client, server }, exchanges }: ConnectionInWindow): Markup {
  const second = exchanges.length === 0 ? 'nothing asked' : counted(exchanges.length, 'request');
  return html`<text x="${CANVAS.margin}" y="10">connection ${number}, port ${client.port}</text>
<text x="${CANVAS.margin}" y="24" font-size="11" fill="${COLOURS.muted}">${server.address}:${server.port}, ${second}</text>`;
}

interface OutstandingLook {
  readonly x: Scale;
  readonly top: number;
  readonly window: CaptureWindow;
}

function outstandingPanel(connections: readonly ConnectionInWindow[], { x, top, window }: OutstandingLook): Markup {
  const steps = requestsOutstanding(connections.flatMap(({ exchanges }) => exchanges.map(({ exchange }) => exchange)));
  const most = Math.max(1, mostOutstanding(steps));
  const y = linearScale([0, most], [top + OUTSTANDING_HEIGHT, top]);
  const shown: readonly OutstandingStep[] = [{ atMs: window.fromMs, requests: 0 }, ...steps];
  const outline = stepPath(shown.map(({ atMs, requests }) => [x(atMs), y(requests)]));
  return html`<path d="${outline}H${px(x(window.toMs))}V${px(y(0))}z" fill="${COLOURS.outstanding}"/>
<path d="M${PLOT.left} ${px(y(0))}H${PLOT.right}" stroke="${COLOURS.grid}"/>
<g font-size="11" fill="${COLOURS.muted}"><text x="${CANVAS.margin}" y="${top + OUTSTANDING_HEIGHT / 2 + 4}">requests outstanding</text>
<g text-anchor="end"><text x="${PLOT.left - 6}" y="${px(y(most) + 8)}">${most}</text><text x="${PLOT.left - 6}" y="${px(y(0))}">0</text></g></g>`;
}

interface RowLook {
  readonly x: Scale;
  readonly window: CaptureWindow;
  /** Right edge of the plot, px. */
  readonly right: number;
  /** Height of a line of responses, px. */
  readonly lineHeight: number;
  readonly dotRadius: number;
  /** Names and sizes beside the bars, where there is room. */
  readonly named: boolean;
}

interface ConnectionRow {
  readonly markup: Markup;
  readonly height: number;
}

/** Height of the bar of the connection's life, the dots' own included, px. */
const LIFE_HEIGHT = 12;
/** Width of what is too short to be seen, px. */
const MIN_WIDTH = 1;

/**
 * Draws one connection of a load as a row: a bar for its life with the handshake shaded, requests as dots on it, and under it the responses as
 * bars, each in the first line that is free when its request is sent. What waits behind another response is hatched. Its upper left corner is
 * at (0, 0) across, and x as `look.x` says.
 */
export function connectionRow(row: ConnectionInWindow, look: RowLook): ConnectionRow {
  const lines = linesOf(row.exchanges);
  const height = LIFE_HEIGHT + 4 + Math.max(1, lines.count) * look.lineHeight;
  const parts = row.exchanges.map((each, at) => {
    const line = lines.of[at] ?? 0;
    return exchangeMarks({ row, ...each, look, top: LIFE_HEIGHT + 4 + line * look.lineHeight, roomTo: lines.nextOnLine(at) });
  });
  return { height, markup: html`${lifeBar(row, look)}${parts}${dots(row, look)}` };
}

interface Lines {
  readonly count: number;
  /** The line of each exchange. */
  readonly of: readonly number[];
  /** When the next on the same line is asked, ms. */
  nextOnLine(at: number): number | undefined;
}

function linesOf(exchanges: ConnectionInWindow['exchanges']): Lines {
  const freeAt: number[] = [];
  const of = exchanges.map(({ exchange }) => {
    const free = freeAt.findIndex((ms) => ms <= exchange.requestMs);
    const line = free === -1 ? freeAt.length : free;
    freeAt[line] = exchange.endMs ?? Number.POSITIVE_INFINITY;
    return line;
  });
  return {
    count: freeAt.length,
    of,
    nextOnLine: (at) => exchanges.find((_, other) => other > at && of[other] === of[at])?.exchange.requestMs,
  };
}

function lifeBar({ connection }: ConnectionInWindow, { x, window }: RowLook): Markup {
  const { synMs, completeMs } = connection.handshake;
  const from = Math.max(window.fromMs, connection.firstMs);
  const to = connection.closedBy === undefined ? window.toMs : Math.min(window.toMs, connection.lastMs);
  const life = html`<rect x="${px(x(from))}" y="3" width="${px(Math.max(MIN_WIDTH, x(to) - x(from)))}" height="6" fill="${COLOURS.connection}"/>`;
  if (synMs === undefined || synMs < window.fromMs) return life;
  const done = completeMs ?? to;
  return html`${life}<rect x="${px(x(synMs))}" y="3" width="${px(Math.max(MIN_WIDTH, x(done) - x(synMs)))}" height="6" fill="${COLOURS.handshake}"/>`;
}

function dots({ exchanges }: ConnectionInWindow, { x, dotRadius }: RowLook): Markup {
  let lastPlace = Number.NEGATIVE_INFINITY;
  const circles = exchanges.map(({ exchange }) => {
    // Those sent at once stand side by side, so that they can be counted.
    const place = Math.max(x(exchange.requestMs), lastPlace + dotRadius * 1.6);
    lastPlace = place;
    return html`<circle cx="${px(place)}" cy="6" r="${dotRadius}"/>`;
  });
  return html`<g fill="${COLOURS.request}" stroke="#fff" stroke-width="0.8">${circles}</g>`;
}

interface ExchangeMarks {
  readonly row: ConnectionInWindow;
  readonly exchange: HttpExchange;
  readonly place: number;
  readonly look: RowLook;
  readonly top: number;
  /** When the next on this line begins, ms. */
  readonly roomTo: number | undefined;
}

function exchangeMarks({ row, exchange, place, look, top, roomTo }: ExchangeMarks): Markup {
  const { x, window, lineHeight } = look;
  const { requestMs, firstByteMs, headOfLineMs = 0 } = exchange;
  const barHeight = lineHeight - 2;
  const middle = top + barHeight / 2;
  const waitTo = firstByteMs ?? window.toMs;
  const wait = html`<path d="M${px(x(requestMs))} ${px(middle)}H${px(x(waitTo))}" stroke="${COLOURS.waiting}" stroke-width="1.5"/>`;
  const previousEnd = row.previousEndMs(place);
  const held =
    headOfLineMs > 0 && previousEnd !== undefined
      ? box({ from: x(previousEnd - headOfLineMs), to: x(previousEnd), top, height: barHeight, fill: 'url(#hatch)' })
      : '';
  if (firstByteMs === undefined) return html`<g>${wait}${held}</g>`;
  const [from, to] = [x(firstByteMs), x(exchange.endMs ?? window.toMs)];
  const fill = place % 2 === 0 ? COLOURS.data : COLOURS.dataOther;
  const bar = box({ from, to, top, height: barHeight, fill });
  return html`<g>${wait}${held}${bar}${label({ exchange, place, look, y: middle + 4, to, roomTo })}</g>`;
}

function box({ from, to, top, height, fill }: { from: number; to: number; top: number; height: number; fill: string }): Markup {
  return html`<rect x="${px(from)}" y="${px(top)}" width="${px(Math.max(MIN_WIDTH, to - from))}" height="${px(height)}" fill="${fill}"/>`;
}

interface LabelPlace extends Pick<ExchangeMarks, 'exchange' | 'place' | 'look' | 'roomTo'> {
  readonly y: number;
  /** Right edge of the bar, px. */
  readonly to: number;
}

/** Behind the bar as far as the next begins; nothing where not even a number has room. */
function label({ exchange, place, look, roomTo, y, to }: LabelPlace): Markup | undefined {
  if (!look.named) return undefined;
  const room = (roomTo === undefined ? look.right + LABEL_OVERHANG : look.x(roomTo)) - to - 10;
  const size = exchange.responseBytes === undefined ? '' : `, ${bytesText(exchange.responseBytes)}`;
  const whole = `${place + 1} ${resourceName(exchange.target)}${size}`;
  const text = room >= MIN_NAME_PX ? fitting(whole, room) : room >= 3 * SMALL_CHARACTER_PX ? String(place + 1) : '';
  return text === ''
    ? undefined
    : html`<text x="${px(to + 4)}" y="${px(y)}" font-size="11" paint-order="stroke" stroke="#fff" stroke-width="3">${text}</text>`;
}

/** A name cut shorter than this says nothing, px. */
const MIN_NAME_PX = 60;
/** How far a label may stand over the right edge of the plot, px: the margin there. */
const LABEL_OVERHANG = 150;
