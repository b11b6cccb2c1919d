/** The upper half of a time-sequence graph: positions in the stream over time. */
import { html, type Markup } from '../../core/text/markup.ts';
import type { ConnectionAnalysis } from './capture-analysis.ts';
import { bytesText, byteTicks, CANVAS, COLOURS, fitting, linearScale, px, resourceName, type Scale } from './picture-frame.ts';

const MAX_TICKS = 8;
/** Less and a label would touch the next. */
const LABEL_HEIGHT = 13;

/** Responses as bands, requests as triangles, segments and what was acknowledged of them. */
export function sequencePanel(span: PanelSpan): Markup {
  const { connection, fromMs, toMs } = span;
  const sent = connection.flows.down.sent.filter(({ dataBytes, atMs }) => dataBytes > 0 && atMs >= fromMs && atMs <= toMs);
  // What was acknowledged before the picture begins is left out of it.
  const low = sent.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const origin = Number.isFinite(low) ? low : 0;
  const high = sent.reduce((most, { end }) => Math.max(most, end), origin);
  const end = Math.max(origin + 1, high);
  const y = linearScale([origin, end], [PLOT.sequence[1], PLOT.sequence[0]]);
  let reached = 0;
  // A packet that was overtaken acknowledges less than was known already.
  const acknowledged = connection.flows.down.acknowledged
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
    .map(({ atMs, upTo }) => {
      reached = Math.max(reached, upTo);
      return { atMs, upTo: reached };
    });
  return html`${responseBands(span, { origin, end, y })}
${span.grid}
${bytesAxis(end - origin, (bytes) => y(origin + bytes), { place: PLOT.sequence, ticks: MAX_TICKS, title: html`position in the server's stream` })}
<g clip-path="url(#sequence)" fill="none">
<path d="${stepPath(acknowledged.map(({ atMs, upTo }) => [span.x(atMs), y(upTo)]))}" stroke="${COLOURS.acknowledged}" stroke-width="1.4"/>
<path d="${segmentPath(
    sent.filter(({ againBytes }) => againBytes === 0),
    span.x,
    y,
  )}" stroke="${COLOURS.data}" stroke-width="2.4"/>
<path d="${segmentPath(
    sent.filter(({ againBytes }) => againBytes > 0),
    span.x,
    y,
  )}" stroke="${COLOURS.again}" stroke-width="4"/>
</g>
${requestMarks(span)}`;
}

interface BytesAxis {
  /** Top and bottom, px. */
  readonly place: readonly [number, number];
  /** At most so many. */
  readonly ticks: number;
  readonly title: Markup;
}

export function bytesAxis(endBytes: number, y: Scale, { place: [top, bottom], ticks: maxTicks, title }: BytesAxis): Markup {
  const ticks = byteTicks(endBytes, maxTicks);
  const lines = ticks.map(({ bytes }) => `M${PLOT.left} ${px(y(bytes))}H${PLOT.right}`).join('');
  const labels = ticks.map(({ bytes, label }) => html`<text x="${PLOT.left - 6}" y="${px(y(bytes) + 4)}">${label}</text>`);
  return html`<path d="${lines}" stroke="${COLOURS.grid}" fill="none"/>
<g font-size="11" fill="${COLOURS.muted}"><g text-anchor="end">${labels}</g>
<text transform="translate(20 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${title}</text></g>`;
}

interface Band {
  readonly origin: number;
  readonly end: number;
  readonly y: Scale;
}

/** Which response the bytes belong to: every other one on grey, its name beside it. */
function responseBands({ connection: { exchanges, flows } }: PanelSpan, { origin, end, y }: Band): Markup {
  let start = flows.down.sent.find(({ dataBytes }) => dataBytes > 0)?.start ?? 0;
  let lowestLabel = Number.POSITIVE_INFINITY;
  const bands = exchanges.map(({ target, responseBytes }, at) => {
    if (responseBytes === undefined) return undefined;
    const [bottom, top] = [y(start), y(start + responseBytes)];
    const shown = start < end && start + responseBytes > origin;
    start += responseBytes;
    if (!shown) return undefined;
    const middle = (bottom + top) / 2 + 4;
    const label = lowestLabel - middle >= LABEL_HEIGHT;
    if (label) lowestLabel = middle;
    const name = fitting(`${at + 1} ${resourceName(target)}, ${bytesText(responseBytes)}`, BAND_LABEL_PX);
    const edge = at % 2 === 0 ? COLOURS.band : 'none';
    return html`<rect x="${PLOT.left}" y="${px(top)}" width="${PLOT.right - PLOT.left}" height="${px(Math.max(0, bottom - top))}" fill="${edge}"/>
<text x="${PLOT.right + 8}" y="${px(middle)}" font-size="11">${label ? name : ''}</text>`;
  });
  return html`<g>${bands.filter((band) => band !== undefined)}</g>`;
}

const BAND_LABEL_PX = 168;

/** A triangle for every request when it had passed; its number where there is room. */
function requestMarks({ connection: { exchanges }, fromMs, toMs, x }: PanelSpan): Markup {
  const y = PLOT.sequence[0];
  let groups: { readonly at: number; readonly first: number; last: number }[] = [];
  for (const [at, { requestMs }] of exchanges.entries()) {
    if (requestMs < fromMs || requestMs > toMs) continue;
    const place = x(requestMs);
    const last = groups.at(-1);
    if (last && place - last.at < MARK_ROOM) last.last = at + 1;
    else groups = [...groups, { at: place, first: at + 1, last: at + 1 }];
  }
  const marks = groups.map(({ at }) => `M${px(at - 5)} ${y - 9}h10l-5 9z`).join('');
  const labels = groups.map(
    ({ at, first, last }) => html`<text x="${px(at + 8)}" y="${y - 1}">${first === last ? first : `${first}-${last}`}</text>`,
  );
  return html`<path d="${marks}" fill="${COLOURS.request}"/><g font-size="11">${labels}</g>`;
}

/** Requests closer together share a triangle and say from which to which, px. */
const MARK_ROOM = 34;

interface Drawn {
  readonly atMs: number;
  readonly start: number;
  readonly end: number;
}

/** Upright lines, those that touch in one column as one. */
function segmentPath(segments: readonly Drawn[], x: Scale, y: Scale): string {
  const parts: string[] = [];
  let column = '';
  let from = 0;
  let to = 0;
  const flush = () => {
    // A line of no length would not be drawn.
    if (column !== '') parts.push(`M${column} ${px(Math.max(y(from), y(to) + 1.5))}V${px(y(to))}`);
  };
  for (const { atMs, start, end } of segments) {
    const place = px(x(atMs));
    if (place === column && start === to) to = end;
    else {
      flush();
      column = place;
      from = start;
      to = end;
    }
  }
  flush();
  return parts.join('');
}

/** Where things are, px. */
export const PLOT = { left: 78, right: 1020, sequence: [CANVAS.contentY + 12, 486], outstanding: [522, 706] } as const;

export interface PanelSpan {
  readonly connection: ConnectionAnalysis;
  readonly fromMs: number;
  readonly toMs: number;
  readonly x: Scale;
  /** Upright lines of the axis of time, over the bands and under the curves. */
  readonly grid: Markup;
}

/** From place to place, first along and then up or down; what does not move is left out. */
export function stepPath(places: readonly (readonly [number, number])[]): string {
  let path = '';
  let lastX = '';
  let lastY = '';
  for (const [x, y] of places) {
    const [atX, atY] = [px(x), px(y)];
    if (path === '') path = `M${atX} ${atY}`;
    else if (atY !== lastY) path += `${atX === lastX ? '' : `H${atX}`}V${atY}`;
    else continue;
    [lastX, lastY] = [atX, atY];
  }
  return path;
}
