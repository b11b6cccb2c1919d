/**
 * One connection of a load as a row: a bar for its life with the handshake shaded, requests as dots on it, and under it the responses as bars,
 * each in the first line that is free when its request is sent. What waits behind another response is hatched.
 */
import { html, type Markup } from '../../core/text/markup.ts';
import type { HttpExchange } from './http-exchanges.ts';
import type { CaptureWindow, ConnectionInWindow } from './load-window.ts';
import { bytesText, COLOURS, fitting, px, resourceName, type Scale, SMALL_CHARACTER_PX } from './picture-frame.ts';

export interface RowLook {
  readonly x: Scale;
  readonly window: CaptureWindow;
  /** Right edge of the plot, px. */
  readonly right: number;
  /** Of a line of responses, px. */
  readonly lineHeight: number;
  readonly dotRadius: number;
  /** Names and sizes beside the bars, where there is room. */
  readonly named: boolean;
}

export interface ConnectionRow {
  readonly markup: Markup;
  readonly height: number;
}

/** Of the bar of the connection's life, the dots' own height included, px. */
const LIFE_HEIGHT = 12;
/** Of what is too short to be seen, px. */
const LEAST_WIDTH = 1;

/** Its upper left corner is at (0, 0) across, and x as `look.x` says. */
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
  /** By exchange. */
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
  const life = html`<rect x="${px(x(from))}" y="3" width="${px(Math.max(LEAST_WIDTH, x(to) - x(from)))}" height="6" fill="${COLOURS.connection}"/>`;
  if (synMs === undefined || synMs < window.fromMs) return life;
  const done = completeMs ?? to;
  return html`${life}<rect x="${px(x(synMs))}" y="3" width="${px(Math.max(LEAST_WIDTH, x(done) - x(synMs)))}" height="6" fill="${COLOURS.handshake}"/>`;
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
  return html`<rect x="${px(from)}" y="${px(top)}" width="${px(Math.max(LEAST_WIDTH, to - from))}" height="${px(height)}" fill="${fill}"/>`;
}

interface LabelFacts extends Pick<ExchangeMarks, 'exchange' | 'place' | 'look' | 'roomTo'> {
  readonly y: number;
  /** Right edge of the bar, px. */
  readonly to: number;
}

/** Behind the bar as far as the next begins; nothing where not even a number has room. */
function label({ exchange, place, look, roomTo, y, to }: LabelFacts): Markup | undefined {
  if (!look.named) return undefined;
  const room = (roomTo === undefined ? look.right + LABEL_OVERHANG : look.x(roomTo)) - to - 10;
  const size = exchange.responseBytes === undefined ? '' : `, ${bytesText(exchange.responseBytes)}`;
  const whole = `${place + 1} ${resourceName(exchange.target)}${size}`;
  const text = room >= LEAST_NAME_PX ? fitting(whole, room) : room >= 3 * SMALL_CHARACTER_PX ? String(place + 1) : '';
  return text === ''
    ? undefined
    : html`<text x="${px(to + 4)}" y="${px(y)}" font-size="11" paint-order="stroke" stroke="#fff" stroke-width="3">${text}</text>`;
}

/** A name cut shorter than this says nothing, px. */
const LEAST_NAME_PX = 60;
/** How far a label may stand over the right edge of the plot, px: the margin there. */
const LABEL_OVERHANG = 150;
