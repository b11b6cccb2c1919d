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
  /** Hatched, with a dashed border: nothing was measured there. */
  readonly isPredicted?: boolean;
}

/** What a map says beside its figures. */
export interface HeatMapWords {
  /** A ratio in its cell, and in the key. */
  readonly change: (ratio: number) => string;
  /** Stands in a cell that is predicted. */
  readonly predictedChange: (ratio: number) => string;
  /** What the shades of the key stand for, from the slowest on, each with a change. */
  readonly key: readonly [andSlower: Said, upTo: Said, under: Said, andFaster: Said];
  readonly measured: string;
  readonly predicted: string;
  readonly notMeasured: string;
  readonly nothing: string;
}
type Said = (change: string) => string;

const change = (ratio: number): string => signedPercent(ratio - 1);
const ENGLISH_WORDS: HeatMapWords = {
  change,
  predictedChange: (ratio) => `≈ ${change(ratio)}`,
  key: [(least) => `${least} and slower`, (most) => `to ${most}`, (margin) => `under ${margin}`, (most) => `${most} and faster`],
  measured: 'measured',
  predicted: 'predicted',
  notMeasured: 'not measured',
  nothing: 'Nothing measured yet.',
};

interface HeatMapInput {
  readonly title: string;
  readonly subtitle: string;
  readonly columns: HeatMapAxis;
  readonly rows: HeatMapAxis;
  /** Cells by row, then by column; `undefined`: not measured. */
  readonly cells: readonly (readonly (HeatMapCell | undefined)[])[];
  /** `change`: ratios, written as `+12 %`; `amount`: figures with so many decimals. */
  readonly shows: 'change' | { readonly digits: number };
  /** In English unless given. */
  readonly words?: HeatMapWords;
  /** For a narrow screen: narrow cells, and no wider than these need. */
  readonly isNarrow?: boolean;
}

const MARGIN = 20;
const CELL_HEIGHT = 52;
/** Px of a cell and of the figure in it. */
const [CELL, NARROW_CELL] = [
  { cellWidth: 88, figurePx: 15 },
  { cellWidth: 66, figurePx: 13 },
];
const MAX_LEFT = 210;
const LABEL_PX = 12;
const LINE_PX = 15;
const MIN_WIDTH = 560;

/** @returns a whole file of well-formed XML. */
export function heatMapSvg({
  title,
  subtitle,
  columns,
  rows,
  cells,
  shows,
  words = ENGLISH_WORDS,
  isNarrow = false,
}: HeatMapInput): string {
  const left = leftOf(rows);
  // On a narrow screen the rows' labels may be shorter than what names them.
  const name = isNarrow ? { x: MARGIN, anchor: 'start' } : { x: left - 12, anchor: 'end' };
  const { cellWidth, figurePx } = isNarrow ? NARROW_CELL : CELL;
  const width = Math.max(isNarrow ? 0 : MIN_WIDTH, left + columns.labels.length * cellWidth + MARGIN);
  const all = cells.flat().filter((cell) => cell !== undefined);
  const scale =
    shows === 'change'
      ? changeScale(words)
      : amountScale(
          all.map(({ value }) => value),
          { digits: shows.digits, words },
        );
  const heads = columns.labels.map((label, column) => [
    ...linesFitting(label, cellWidth - 8, LABEL_PX, true),
    ...(columns.ids?.[column] === undefined ? [] : [columns.ids[column]]),
  ]);
  return svgPicture({
    width,
    title,
    subtitle,
    body: (heading) => {
      const top = heading + 36 + Math.max(1, ...heads.map(({ length }) => length)) * LINE_PX;
      const place = (row: number, column: number) => ({
        x: left + column * cellWidth,
        y: top + row * CELL_HEIGHT,
        width: cellWidth,
        figurePx,
      });
      const below = top + rows.labels.length * CELL_HEIGHT;
      const isHatched = all.some(({ isPredicted }) => isPredicted);
      const key = keyMarkup(scale, { words, isHatched, top: below + 14, width });
      return {
        markup: html`${isHatched ? HATCH : undefined}<text x="${left}" y="${heading + 26}" font-size="${LABEL_PX}" fill="${PICTURE.faint}">${xmlText(columns.name)}</text>
<text x="${name.x}" y="${top - 8}" text-anchor="${name.anchor}" font-size="${LABEL_PX}" fill="${PICTURE.faint}">${xmlText(rows.name)}</text>
${heads.map((lines, column) => html`<text text-anchor="middle" font-size="${LABEL_PX}" font-weight="600">${textLines(lines, { x: place(0, column).x + cellWidth / 2, y: top - 8 - (lines.length - 1) * LINE_PX, stepPx: LINE_PX })}</text>`)}
${rows.labels.map((label, row) => rowLabel(label, rows.ids?.[row], { x: left - 12, y: place(row, 0).y + CELL_HEIGHT / 2 }))}
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
  readonly figure: (cell: HeatMapCell) => string;
  /** Boxes of the key with the meaning of their shade. */
  readonly key: readonly { readonly step: number; readonly text: string }[];
  readonly note: string;
}

/** The factor at which a step ends, as a ratio: steps are even on a log scale. */
const ratioAt = (step: number): number => STRONGEST_FACTOR ** (step / HEAT_STEPS);

function changeScale({ change, predictedChange, key: [andSlower, upTo, under, andFaster] }: HeatMapWords): HeatScale {
  const at = (step: number) => change(ratioAt(step));
  return {
    stepOf: changeStep,
    figure: ({ value, isPredicted }) => (isPredicted ? predictedChange : change)(value),
    key: [
      { step: -HEAT_STEPS, text: andSlower(at(-HEAT_STEPS)) },
      { step: -3, text: upTo(at(-3)) },
      { step: 0, text: under(percent(MEANINGFUL_CHANGE)) },
      { step: 3, text: upTo(at(3)) },
      { step: HEAT_STEPS, text: andFaster(at(HEAT_STEPS)) },
    ],
    note: '',
  };
}

function amountScale(values: readonly number[], { digits, words }: { readonly digits: number; readonly words: HeatMapWords }): HeatScale {
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
  return { stepOf, figure: ({ value }) => figure(value), key, note: values.length === 0 ? words.nothing : '' };
}

/** Stripes of paper take nothing from the contrast of what stands on them, in light and in dark. */
const HATCH = html`<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="3" height="6" fill="${PICTURE.paper}"/></pattern></defs>`;

function hatched(box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }): Markup {
  const place = html`x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"`;
  return html`<rect ${place} fill="url(#hatch)"/><rect class="predicted" ${place} fill="none" stroke="${PICTURE.faint}" stroke-dasharray="3 3"/>`;
}

interface Drawing {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly figurePx: number;
  readonly scale: HeatScale;
}

function cellMarkup(cell: HeatMapCell | undefined, { x, y, width, figurePx, scale }: Drawing): Markup {
  const [middleX, middleY] = [x + width / 2, y + CELL_HEIGHT / 2];
  if (cell === undefined) {
    return html`<text x="${middleX}" y="${middleY + 5}" text-anchor="middle" fill="${PICTURE.faint}">${UNKNOWN}</text>`;
  }
  const { value, note, marked = false, isPredicted = false } = cell;
  const stripes = isPredicted ? hatched({ x: x + 2, y: y + 2, width: width - 4, height: CELL_HEIGHT - 4 }) : undefined;
  const border = marked
    ? html`<rect class="mark" x="${x + 4}" y="${y + 4}" width="${width - 8}" height="${CELL_HEIGHT - 8}" fill="none" stroke="${PICTURE.ink}" stroke-width="2"/>`
    : undefined;
  const below =
    note === undefined
      ? undefined
      : html`<text x="${middleX}" y="${middleY + 16}" text-anchor="middle" font-size="11">${xmlText(note)}</text>`;
  return html`<g><rect x="${x + 1}" y="${y + 1}" width="${width - 2}" height="${CELL_HEIGHT - 2}" fill="${shadeOf(scale.stepOf(value))}"/>${stripes}${border}<text x="${middleX}" y="${middleY + (note === undefined ? 5 : 2)}" text-anchor="middle" font-size="${figurePx}" font-weight="${marked ? '700' : '400'}">${scale.figure(cell)}</text>${below}</g>`;
}

interface KeyInput {
  readonly words: HeatMapWords;
  readonly isHatched: boolean;
  readonly top: number;
  readonly width: number;
}

/** Boxes with what their shade means, as many beside each other as fit. */
function keyMarkup(
  { key, note }: HeatScale,
  { words, isHatched, top, width }: KeyInput,
): { readonly markup: Markup; readonly bottom: number } {
  const kinds = isHatched
    ? [
        { text: words.measured, fill: shadeOf(3), isPredicted: false },
        { text: words.predicted, fill: shadeOf(3), isPredicted: true },
      ]
    : [];
  const entries = [
    ...key.map(({ step, text }) => ({ text, fill: shadeOf(step), isPredicted: false })),
    ...kinds,
    { text: `${UNKNOWN} ${words.notMeasured}`, fill: undefined, isPredicted: false },
  ];
  let [x, y] = [MARGIN, top + 12];
  const drawn = entries.map(({ text, fill, isPredicted }) => {
    const needed = (fill === undefined ? 0 : 22) + textWidthPx(text, LABEL_PX) + 16;
    if (x > MARGIN && x + needed > width - MARGIN) [x, y] = [MARGIN, y + 20];
    const from = x;
    x += needed;
    const box =
      fill === undefined
        ? undefined
        : html`<rect x="${from}" y="${y - 11}" width="16" height="14" fill="${fill}" stroke="${PICTURE.line}"/>${isPredicted ? hatched({ x: from, y: y - 11, width: 16, height: 14 }) : undefined}`;
    return html`${box}<text x="${from + (fill === undefined ? 0 : 22)}" y="${y}">${text}</text>`;
  });
  const more = note === '' ? undefined : html`<text x="${MARGIN}" y="${y + 20}">${note}</text>`;
  return { markup: html`<g font-size="${LABEL_PX}" fill="${PICTURE.faint}">${drawn}${more}</g>`, bottom: y + (note === '' ? 16 : 36) };
}
