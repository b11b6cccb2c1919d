/**
 * A table of figures as one SVG file, every figure in its cell. Changes have a colour on either side of 1, alike for a gain and the loss that undoes it;
 * amounts are darker where they are higher, and an outlier does not take the scale for itself. No script, no font or image from anywhere.
 */
import { MEANINGFUL_CHANGE } from '../compare/thresholds.ts';
import { median } from '../stats/quantile.ts';
import { percent, signedPercent, UNKNOWN } from '../text/figures.ts';
import { html, type Markup, xmlText } from '../text/markup.ts';
import { type AxisRange, robustRange } from '../text/svg-axes.ts';
import { linesFitting, PICTURE, svgPicture, textLines, textWidthPx } from '../text/svg-picture.ts';

interface HeatMapAxis {
  /** What the labels stand for: `connections per server`. */
  readonly name: string;
  readonly labels: readonly string[];
  /** Below the labels, in grey: ids that commands take. */
  readonly ids?: readonly string[];
}

export interface HeatMapCell {
  /** A ratio where the map shows changes. */
  readonly value: number;
  /** Below the figure, a word or two: `default`. */
  readonly note?: string;
  readonly marked?: boolean;
}

interface HeatMapInput {
  readonly title: string;
  readonly subtitle: string;
  readonly columns: HeatMapAxis;
  readonly rows: HeatMapAxis;
  /** Cells by row, then by column; `undefined`: not measured. */
  readonly cells: readonly (readonly (HeatMapCell | undefined)[])[];
  /** `change`: ratios, written as `+12 %`; `amount`: figures with so many decimals. */
  readonly shows: 'change' | { readonly digits: number };
}

const MARGIN = 20;
const CELL = { width: 88, height: 52 } as const;
const MAX_LEFT = 210;
const LABEL_PX = 12;
const LINE_PX = 15;
const MIN_WIDTH = 560;

/** @returns a whole file of well-formed XML. */
export function heatMapSvg({ title, subtitle, columns, rows, cells, shows }: HeatMapInput): string {
  const left = leftOf(rows);
  const width = Math.max(MIN_WIDTH, left + columns.labels.length * CELL.width + MARGIN);
  const scale =
    shows === 'change'
      ? CHANGE_SCALE
      : amountScale(
          cells.flat().flatMap((cell) => cell?.value ?? []),
          shows.digits,
        );
  const heads = columns.labels.map((label, column) => [
    ...linesFitting(label, CELL.width - 8, LABEL_PX, true),
    ...(columns.ids?.[column] === undefined ? [] : [columns.ids[column]]),
  ]);
  return svgPicture({
    width,
    title,
    subtitle,
    body: (heading) => {
      const top = heading + 36 + Math.max(1, ...heads.map(({ length }) => length)) * LINE_PX;
      const place = (row: number, column: number) => ({ x: left + column * CELL.width, y: top + row * CELL.height });
      const below = top + rows.labels.length * CELL.height;
      const key = keyMarkup(scale, below + 14, width);
      return {
        markup: html`<text x="${left}" y="${heading + 26}" font-size="${LABEL_PX}" fill="${PICTURE.faint}">${xmlText(columns.name)}</text>
<text x="${left - 12}" y="${top - 8}" text-anchor="end" font-size="${LABEL_PX}" fill="${PICTURE.faint}">${xmlText(rows.name)}</text>
${heads.map((lines, column) => html`<text text-anchor="middle" font-size="${LABEL_PX}" font-weight="600">${textLines(lines, { x: place(0, column).x + CELL.width / 2, y: top - 8 - (lines.length - 1) * LINE_PX, stepPx: LINE_PX })}</text>`)}
${rows.labels.map((label, row) => rowLabel(label, rows.ids?.[row], { x: left - 12, y: place(row, 0).y + CELL.height / 2 }))}
${rows.labels.flatMap((_, row) => columns.labels.map((_, column) => cellMarkup(cells[row]?.[column], { ...place(row, column), scale })))}
${key.markup}`,
        bottom: key.bottom,
      };
    },
  });
}

const isAlike = (label: string, id: string | undefined): boolean => id === undefined || id === label;

function leftOf({ labels, ids = [] }: HeatMapAxis): number {
  const widths = labels.flatMap((label, at) => [textWidthPx(label, LABEL_PX, true), textWidthPx(ids[at] ?? '', LABEL_PX)]);
  return MARGIN + Math.min(MAX_LEFT, Math.max(60, ...widths)) + 12;
}

function rowLabel(label: string, id: string | undefined, { x, y }: { readonly x: number; readonly y: number }): Markup {
  const lines = linesFitting(label, MAX_LEFT, LABEL_PX, true);
  const first = y + 4 - ((lines.length - (isAlike(label, id) ? 1 : 0)) * LINE_PX) / 2;
  const grey = isAlike(label, id)
    ? undefined
    : html`<text x="${x}" y="${first + lines.length * LINE_PX}" text-anchor="end" font-size="${LABEL_PX}" fill="${PICTURE.faint}">${xmlText(id ?? '')}</text>`;
  return html`<text text-anchor="end" font-size="${LABEL_PX}" font-weight="600">${textLines(lines, { x, y: first, stepPx: LINE_PX })}</text>${grey}`;
}

/** Steps on either side of the middle, or from the lowest to the highest. */
export const HEAT_STEPS = 5;
/** Per cent of colour in the strongest shade: ink has 4.5:1 on it in light and in dark (WCAG 2.1, 1.4.3). */
const MAX_BLEND = 62;
/** The strongest shade stands for this factor and more. */
export const STRONGEST_FACTOR = 1.5;

/** The step of a change on a logarithmic scale centred on 1: 0 for one that means nothing, up to 5 where faster, down to -5 where slower. */
export function changeStep(ratio: number): number {
  if (Math.abs(ratio - 1) < MEANINGFUL_CHANGE) return 0;
  const strength = Math.min(1, Math.abs(Math.log(ratio)) / Math.log(STRONGEST_FACTOR));
  return Math.sign(ratio - 1) * Math.max(1, Math.ceil(strength * HEAT_STEPS));
}

const FASTER = [63, 143, 224] as const;
const SLOWER = [240, 137, 58] as const;

/** The colour of a step, blended into white paper. */
export function shadeOf(step: number): string {
  const share = (Math.abs(step) / HEAT_STEPS) * (MAX_BLEND / 100);
  const parts = (step < 0 ? SLOWER : FASTER).map((part) => Math.round(255 + share * (part - 255)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

interface HeatScale {
  readonly stepOf: (value: number) => number;
  readonly figure: (value: number) => string;
  /** Boxes of the key with the meaning of their shade. */
  readonly key: readonly { readonly step: number; readonly text: string }[];
  readonly note: string;
}

/** The factor at which a step ends, as a change: steps are even on a log scale. */
const changeAt = (step: number): string => signedPercent(STRONGEST_FACTOR ** (step / HEAT_STEPS) - 1);

const CHANGE_SCALE: HeatScale = {
  stepOf: changeStep,
  figure: (ratio) => signedPercent(ratio - 1),
  key: [
    { step: -HEAT_STEPS, text: `${signedPercent(1 / STRONGEST_FACTOR - 1)} and slower` },
    { step: -3, text: `to ${changeAt(-3)}` },
    { step: 0, text: `under ${percent(MEANINGFUL_CHANGE)}` },
    { step: 3, text: `to ${changeAt(3)}` },
    { step: HEAT_STEPS, text: `${signedPercent(STRONGEST_FACTOR - 1)} and faster` },
  ],
  note: '',
};

function amountScale(values: readonly number[], digits: number): HeatScale {
  const middle = median(values) ?? 0;
  const range: AxisRange = robustRange(values, { low: middle, high: middle });
  const figure = (value: number) => value.toFixed(digits);
  const share = (value: number) => (range.high > range.low ? (value - range.low) / (range.high - range.low) : 0);
  const stepOf = (value: number) => Math.round(Math.min(1, Math.max(0, share(value))) * HEAT_STEPS);
  const low = values.some((value) => value < range.low) ? `${figure(range.low)} and lower` : figure(range.low);
  const high = values.some((value) => value > range.high) ? `${figure(range.high)} and higher` : figure(range.high);
  const key =
    values.length === 0
      ? []
      : [
          { step: 0, text: low },
          { step: HEAT_STEPS, text: high },
        ];
  return { stepOf, figure, key, note: values.length === 0 ? 'Nothing measured yet.' : '' };
}

interface Drawing {
  readonly x: number;
  readonly y: number;
  readonly scale: HeatScale;
}

function cellMarkup(cell: HeatMapCell | undefined, { x, y, scale }: Drawing): Markup {
  const [middleX, middleY] = [x + CELL.width / 2, y + CELL.height / 2];
  if (cell === undefined) {
    return html`<text x="${middleX}" y="${middleY + 5}" text-anchor="middle" fill="${PICTURE.faint}">${UNKNOWN}</text>`;
  }
  const { value, note, marked = false } = cell;
  const border = marked
    ? html`<rect class="mark" x="${x + 4}" y="${y + 4}" width="${CELL.width - 8}" height="${CELL.height - 8}" fill="none" stroke="${PICTURE.ink}" stroke-width="2"/>`
    : undefined;
  const below =
    note === undefined
      ? undefined
      : html`<text x="${middleX}" y="${middleY + 16}" text-anchor="middle" font-size="11">${xmlText(note)}</text>`;
  return html`<g><rect x="${x + 1}" y="${y + 1}" width="${CELL.width - 2}" height="${CELL.height - 2}" fill="${shadeOf(scale.stepOf(value))}"/>${border}<text x="${middleX}" y="${middleY + (note === undefined ? 5 : 2)}" text-anchor="middle" font-size="15" font-weight="${marked ? '700' : '400'}">${scale.figure(value)}</text>${below}</g>`;
}

/** Boxes with what their shade means, as many beside each other as fit. */
function keyMarkup({ key, note }: HeatScale, top: number, width: number): { readonly markup: Markup; readonly bottom: number } {
  const entries = [...key.map(({ step, text }) => ({ text, fill: shadeOf(step) })), { text: `${UNKNOWN} not measured`, fill: undefined }];
  let [x, y] = [MARGIN, top + 12];
  const drawn = entries.map(({ text, fill }) => {
    const needed = (fill === undefined ? 0 : 22) + textWidthPx(text, LABEL_PX) + 16;
    if (x > MARGIN && x + needed > width - MARGIN) [x, y] = [MARGIN, y + 20];
    const from = x;
    x += needed;
    const box =
      fill === undefined
        ? undefined
        : html`<rect x="${from}" y="${y - 11}" width="16" height="14" fill="${fill}" stroke="${PICTURE.line}"/>`;
    return html`${box}<text x="${from + (fill === undefined ? 0 : 22)}" y="${y}">${text}</text>`;
  });
  const more = note === '' ? undefined : html`<text x="${MARGIN}" y="${y + 20}">${note}</text>`;
  return { markup: html`<g font-size="${LABEL_PX}" fill="${PICTURE.faint}">${drawn}${more}</g>`, bottom: y + (note === '' ? 16 : 36) };
}
