/**
 * Ratios to a baseline as one SVG file, the best on top: a line for each interval, a dot for each estimate, and a diamond for what was predicted. It
 * reads in black and white: what is shown to differ is drawn full, the rest hollow. An interval that leaves the axis ends in an arrow and its number.
 */
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { formatRange, percent, signedPercent } from '../text/figures.ts';
import { html, type Markup, xmlText } from '../text/markup.ts';
import { type ChartScale, chartScale, ticksApart } from '../text/svg-axes.ts';
import { linesFitting, PICTURE, svgPicture, textLines, textWidthPx } from '../text/svg-picture.ts';

export interface ChartedChange {
  readonly label: string;
  /** In grey, below the label: the id that commands take. */
  readonly id?: string | undefined;
  /** In grey, after the interval: what the row rests on, `48 pairs`. */
  readonly grounds?: string | undefined;
  /** Ratios to the baseline; 1: no change. */
  readonly ratio: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** Absent: nothing predicts it. */
  readonly predicted?: number | undefined;
  readonly isShown: boolean;
}

/** How a picture writes its ratios, and what they are. */
export interface ChartKind {
  readonly figure: (ratio: number) => string;
  readonly range: (low: number, high: number) => string;
  /** `To the right: faster.` */
  readonly direction: string;
  /** Half the width of the band around no change that is too small to matter, a share; 0: none. */
  readonly margin: number;
  /** From the lowest up, where low is good. */
  readonly order: 'highest-first' | 'lowest-first';
}

/** Changes of speed: 1.2 is `+20 %`. */
export const CHANGES: ChartKind = {
  figure: (ratio) => signedPercent(ratio - 1),
  range: formatRange,
  direction: 'To the right: faster.',
  margin: MEANINGFUL_CHANGE,
  order: 'highest-first',
};

interface IntervalChartInput {
  readonly title: string;
  readonly subtitle: string;
  readonly rows: readonly ChartedChange[];
  /** Default: changes of speed. */
  readonly kind?: ChartKind;
  /** What dot and line are. Default: the estimate and its interval. */
  readonly marks?: string;
}

const WIDTH = 780;
const MARGIN = 20;
const GAP = 16;
const MAX_LABEL_PX = 230;
const LINE = 16;
const LABEL_PX = 13;
const SMALL_PX = 12;

/** @returns a whole file of well-formed XML. */
export function intervalChartSvg({
  title,
  subtitle,
  rows,
  kind = CHANGES,
  marks = 'measured, with its interval',
}: IntervalChartInput): string {
  const ordered = rows.toSorted((a, b) => (kind.order === 'highest-first' ? b.ratio - a.ratio : a.ratio - b.ratio));
  const labels = ordered.flatMap(({ label, id = '' }) => [textWidthPx(label, LABEL_PX, true), textWidthPx(id, SMALL_PX)]);
  const figures = ordered.flatMap((row) => [textWidthPx(row.grounds ?? '', SMALL_PX), textWidthPx(rangeOf(row, kind), SMALL_PX)]);
  const left = MARGIN + Math.min(MAX_LABEL_PX, Math.max(60, ...labels)) + GAP;
  const right = WIDTH - MARGIN - Math.max(60, ...figures) - GAP;
  const scale = chartScale(
    ordered.flatMap(({ ratio, low, high, predicted }) => [ratio, low, high, predicted].filter((value) => value !== undefined)),
    kind.margin || undefined,
  );
  const x = (ratio: number) => left + (scale.position(ratio) / 100) * (right - left);
  return svgPicture({
    width: WIDTH,
    title,
    subtitle,
    body: (heading) => {
      const top = heading + 44;
      const row = 8 + LINE * Math.max(2, ...ordered.map(linesOf));
      const below = top + ordered.length * row;
      const key = linesFitting(keyOf(ordered, { kind, scale, marks }), WIDTH - 2 * MARGIN, SMALL_PX);
      const drawing: Drawing = { x, left, right, scale, kind };
      return {
        markup: html`${backdrop(drawing, top, below)}
${ordered.map((each, at) => rowMarkup(each, drawing, top + at * row + row / 2))}
<text font-size="${SMALL_PX}" fill="${PICTURE.faint}">${textLines(key, { x: MARGIN, y: below + 26, stepPx: 16 })}</text>`,
        bottom: below + 26 + key.length * 16,
      };
    },
  });
}

interface Drawing {
  readonly x: (ratio: number) => number;
  readonly left: number;
  readonly right: number;
  readonly scale: ChartScale;
  readonly kind: ChartKind;
}

function keyOf(
  rows: readonly ChartedChange[],
  { kind, scale, marks }: { readonly kind: ChartKind; readonly scale: ChartScale; readonly marks: string },
): string {
  const ends = rows.flatMap(({ ratio, low = ratio, high = ratio }) => [low, high]);
  return [
    `Dot: ${marks}.`,
    ...(rows.some(({ isShown }) => isShown) ? ['Full: shown to differ.'] : []),
    ...(rows.some(({ predicted }) => predicted !== undefined) ? ['Diamond: predicted by simulation.'] : []),
    ...(ends.some((end) => scale.sideOf(end) !== 'within') ? ['Arrow: it goes on beyond the axis.'] : []),
    ...(kind.margin > 0 ? [`Shaded: less than ${percent(kind.margin)}.`] : []),
    kind.direction,
  ].join(' ');
}

/** Lines beside the interval, on the side that has more. */
const linesOf = ({ label, id = label, grounds }: ChartedChange): number =>
  Math.max(linesFitting(label, MAX_LABEL_PX, LABEL_PX, true).length + (id === label ? 0 : 1), grounds === undefined ? 2 : 3);

/** Between labels of the axis, px: less reads as one. */
const LABEL_GAP = 12;

const isNone = (tick: number): boolean => Math.abs(tick - 1) < 1e-9;
const at = (place: number): string => place.toFixed(1);

function backdrop({ x, scale, kind }: Drawing, top: number, below: number): Markup {
  const band = html`<rect x="${at(x(1 - kind.margin))}" width="${at(x(1 + kind.margin) - x(1 - kind.margin))}" y="${top - 8}" height="${below - top + 8}" fill="${PICTURE.band}"/>`;
  const needed = Math.max(...scale.ticks.map((tick) => textWidthPx(kind.figure(tick), SMALL_PX)));
  const labelled = ticksApart(scale.ticks, x, needed + LABEL_GAP);
  return html`<g>${kind.margin > 0 ? band : undefined}${scale.ticks.map((tick) => {
    const label = labelled.has(tick)
      ? html`<text x="${at(x(tick))}" y="${top - 14}" text-anchor="middle" font-size="${SMALL_PX}" fill="${PICTURE.faint}">${kind.figure(tick)}</text>`
      : undefined;
    return html`<line x1="${at(x(tick))}" x2="${at(x(tick))}" y1="${top - 8}" y2="${below}" stroke="${isNone(tick) ? PICTURE.ink : PICTURE.line}" stroke-width="${isNone(tick) ? 1.5 : 1}"/>${label}`;
  })}</g>`;
}

const rangeOf = ({ low, high }: ChartedChange, kind: ChartKind): string =>
  low === undefined || high === undefined ? 'no interval' : kind.range(low, high);

function rowMarkup(row: ChartedChange, { x, left, right, scale, kind }: Drawing, y: number): Markup {
  const { label, id, grounds, ratio, low, high, predicted, isShown } = row;
  const weight = isShown ? '600' : '400';
  const labels = linesFitting(label, MAX_LABEL_PX, LABEL_PX, true);
  const beside = id !== undefined && id !== label ? 1 : 0;
  const first = y + 4 - ((labels.length - 1 + beside) * 15) / 2;
  const interval =
    low === undefined || high === undefined
      ? undefined
      : html`<line class="interval" x1="${at(x(low))}" x2="${at(x(high))}" y1="${y}" y2="${y}" stroke="${PICTURE.measured}" stroke-width="3"/>${[low, high].map((value) => endMark(scale.sideOf(value), { x: x(value), y }))}`;
  const diamond =
    predicted === undefined
      ? undefined
      : html`<path d="M${at(x(predicted))} ${y - 8} l6 8 l-6 8 l-6 -8 Z" fill="none" stroke="${PICTURE.predicted}" stroke-width="2"/>`;
  const dot =
    scale.sideOf(ratio) === 'within'
      ? html`<circle cx="${at(x(ratio))}" cy="${y}" r="5.5" fill="${isShown ? PICTURE.measured : PICTURE.paper}" stroke="${PICTURE.measured}" stroke-width="2"/>`
      : endMark(scale.sideOf(ratio), { x: x(ratio), y });
  return html`<g><text text-anchor="end" font-weight="${weight}">${textLines(labels, { x: left - GAP, y: first, stepPx: 15 })}</text>${
    beside === 0
      ? undefined
      : html`<text x="${left - GAP}" y="${first + labels.length * 15}" text-anchor="end" font-size="${SMALL_PX}" fill="${PICTURE.faint}">${xmlText(id ?? '')}</text>`
  }${interval}${dot}${diamond}<text x="${right + GAP}" y="${grounds === undefined ? y - 2 : y - 12}" font-weight="${weight}">${kind.figure(ratio)}</text><text font-size="${SMALL_PX}" fill="${PICTURE.faint}">${textLines([rangeOf(row, kind), ...(grounds === undefined ? [] : [grounds])], { x: right + GAP, y: grounds === undefined ? y + 13 : y + 4, stepPx: 15 })}</text></g>`;
}

/** A bar where the interval ends, an arrow where it goes on beyond the picture. */
function endMark(side: ReturnType<ChartScale['sideOf']>, { x, y }: { readonly x: number; readonly y: number }): Markup {
  const points = side === 'below' ? -1 : 1;
  const path = side === 'within' ? `M${at(x)} ${y - 6} v12` : `M${at(x)} ${y - 6} l${7 * points} 6 l${-7 * points} 6 Z`;
  return html`<path d="${path}" fill="${side === 'within' ? 'none' : PICTURE.measured}" stroke="${PICTURE.measured}" stroke-width="2"/>`;
}
