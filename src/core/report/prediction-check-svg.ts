/**
 * What was predicted and what was measured as one SVG file: for each row the band of the prediction with a diamond, and below it the interval of the
 * measurement with a dot. It reads in black and white.
 */
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { html, type Markup, xmlText } from '../text/markup.ts';
import { type ChartScale, chartScale } from '../text/svg-axes.ts';
import { linesFitting, PICTURE, svgPicture, textLines, textWidthPx } from '../text/svg-picture.ts';

/** A ratio with its bounds, as far as they are known. */
interface Range {
  readonly ratio: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

export interface CheckedRow {
  readonly label: string;
  readonly predicted: Range;
  readonly measured: Range;
}

interface PredictionCheckInput {
  readonly title: string;
  readonly subtitle: string;
  /** From the narrowest screen, px. */
  readonly width: number;
  readonly rows: readonly CheckedRow[];
  /** A ratio as a change. */
  readonly change: (ratio: number) => string;
  /** What the marks are. */
  readonly key: { readonly predicted: string; readonly measured: string };
}

const [MARGIN, ROW, LINE] = [20, 58, 15];
const LABEL_PX = 12;

interface Drawing {
  readonly x: (ratio: number) => number;
  readonly scale: ChartScale;
}

/** @returns a whole file of well-formed XML. */
export function predictionCheckSvg({ title, subtitle, width, rows, change, key }: PredictionCheckInput): string {
  const scale = chartScale(
    rows.flatMap(({ predicted, measured }) =>
      [predicted, measured].flatMap(({ ratio, low, high }) => [ratio, low, high].filter((value) => value !== undefined)),
    ),
  );
  const x = (ratio: number) => MARGIN + (scale.position(ratio) / 100) * (width - 2 * MARGIN);
  return svgPicture({
    width,
    title,
    subtitle,
    body: (heading) => {
      const top = heading + 40;
      const below = top + rows.length * ROW;
      return {
        markup: html`${axisMarkup({ x, scale }, { top, below, change })}
${rows.map((row, index) => rowMarkup(row, { x, scale }, { y: top + index * ROW, width }))}
${keyMarkup(key.predicted, 'predicted', below + 20)}${keyMarkup(key.measured, 'measured', below + 40)}`,
        bottom: below + 54,
      };
    },
  });
}

const at = (place: number): string => place.toFixed(1);
const isNone = (tick: number): boolean => Math.abs(tick - 1) < 1e-9;

interface AxisInput {
  readonly top: number;
  readonly below: number;
  readonly change: (ratio: number) => string;
}

function axisMarkup({ x, scale }: Drawing, { top, below, change }: AxisInput): Markup {
  const needed = Math.max(...scale.ticks.map((tick) => textWidthPx(change(tick), LABEL_PX))) + 6;
  const room = Math.min(...scale.ticks.slice(1).map((tick, index) => x(tick) - x(scale.ticks[index] ?? tick)), 1e3);
  const every = Math.max(1, Math.ceil(needed / room));
  const none = scale.ticks.findIndex(isNone);
  const [from, to] = [x(1 - MEANINGFUL_CHANGE), x(1 + MEANINGFUL_CHANGE)];
  return html`<g font-size="${LABEL_PX}" fill="${PICTURE.faint}"><rect x="${at(from)}" width="${at(to - from)}" y="${top - 8}" height="${below - top + 8}" fill="${PICTURE.band}"/>${scale.ticks.map(
    (tick, index) => {
      const label =
        (index - none) % every === 0
          ? html`<text x="${at(x(tick))}" y="${top - 14}" text-anchor="middle">${xmlText(change(tick))}</text>`
          : undefined;
      return html`<line x1="${at(x(tick))}" x2="${at(x(tick))}" y1="${top - 8}" y2="${below}" stroke="${isNone(tick) ? PICTURE.ink : PICTURE.line}"/>${label}`;
    },
  )}</g>`;
}

function rowMarkup(
  { label, predicted, measured }: CheckedRow,
  drawing: Drawing,
  { y, width }: { readonly y: number; readonly width: number },
): Markup {
  const [first = ''] = linesFitting(label, width - 2 * MARGIN, LABEL_PX, true);
  return html`<g><text font-size="${LABEL_PX}" font-weight="600">${textLines([first], { x: MARGIN, y: y + 12, stepPx: LINE })}</text>${rangeMarkup(predicted, drawing, { kind: 'predicted', y: y + 26 })}${rangeMarkup(measured, drawing, { kind: 'measured', y: y + 42 })}</g>`;
}

type Kind = 'predicted' | 'measured';

/** The prediction's band is dashed; what goes on beyond the axis ends in an arrow. */
function rangeMarkup({ ratio, low, high }: Range, { x, scale }: Drawing, { kind, y }: { readonly kind: Kind; readonly y: number }): Markup {
  const colour = PICTURE[kind];
  const line =
    low === undefined || high === undefined
      ? undefined
      : html`<line class="${kind}" x1="${at(x(low))}" x2="${at(x(high))}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="3"${kind === 'predicted' ? html` stroke-dasharray="5 3"` : undefined}/>${[low, high].map((end) => endMark(scale.sideOf(end), { x: x(end), y, colour }))}`;
  return html`${line}${mark(kind, { x: x(ratio), y })}`;
}

function endMark(
  side: ReturnType<ChartScale['sideOf']>,
  { x, y, colour }: { readonly x: number; readonly y: number; readonly colour: string },
): Markup {
  const points = side === 'below' ? -1 : 1;
  return side === 'within'
    ? html``
    : html`<path class="arrow" d="M${at(x)} ${y - 5} l${6 * points} 5 l${-6 * points} 5 Z" fill="${colour}"/>`;
}

const mark = (kind: Kind, { x, y }: { readonly x: number; readonly y: number }): Markup =>
  kind === 'predicted'
    ? html`<path d="M${at(x)} ${y - 7} l6 7 l-6 7 l-6 -7 Z" fill="${PICTURE.paper}" stroke="${PICTURE.predicted}" stroke-width="2"/>`
    : html`<circle cx="${at(x)}" cy="${y}" r="5.5" fill="${PICTURE.measured}" stroke="${PICTURE.measured}"/>`;

const keyMarkup = (words: string, kind: Kind, y: number): Markup =>
  html`${mark(kind, { x: MARGIN + 8, y: y - 4 })}<text x="${MARGIN + 22}" y="${y}" font-size="${LABEL_PX}" fill="${PICTURE.faint}">${xmlText(words)}</text>`;
