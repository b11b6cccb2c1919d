/**
 * A table of figures as one SVG file, darker where the figure is higher, every figure in its cell: it reads in black and white, and without
 * seeing colours apart. No script, no font or image from anywhere.
 */
import { UNKNOWN } from '../text/figures.ts';
import { html, type Markup, markupText, shortened, xmlText } from '../text/markup.ts';

interface HeatMapAxis {
  /** What the labels stand for: `connections per server`. */
  readonly name: string;
  readonly labels: readonly string[];
}

export interface HeatMapCell {
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
  /** Decimals of the figures. Default: 2. */
  readonly digits?: number;
}

const MARGIN = 20;
const CELL = { width: 92, height: 60 } as const;
const LEFT = 96;
const TOP = 112;
const BELOW = 34;
const MIN_WIDTH = 640;
/** Width of a character of the title at 17 px and of other text at 12, generous: no font is measured here. */
const TITLE_PX = 10.8;
const TEXT_PX = 7.2;

/** @returns a whole file of well-formed XML. */
export function heatMapSvg({ title, subtitle, columns, rows, cells, digits = 2 }: HeatMapInput): string {
  const width = Math.max(MIN_WIDTH, LEFT + columns.labels.length * CELL.width + MARGIN);
  const height = TOP + rows.labels.length * CELL.height + BELOW;
  const known = cells.flat().filter((cell) => cell !== undefined);
  const values = known.map(({ value }) => value);
  const range = { low: Math.min(...values), high: Math.max(...values) };
  const drawn = rows.labels.flatMap((_, row) =>
    columns.labels.map((_, column) => cellMarkup(cells[row]?.[column], { ...place(row, column), range, digits })),
  );
  const legend =
    known.length === 0
      ? 'nothing measured yet'
      : `from ${range.low.toFixed(digits)}, lightest, to ${range.high.toFixed(digits)}, darkest; ${UNKNOWN} not measured`;
  return markupText(html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, 'Liberation Sans', Arial, sans-serif" font-size="12" fill="${INK}">
<title>${xmlText(title)}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${MARGIN}" y="30" font-size="17" font-weight="600">${line(title, width, TITLE_PX)}</text>
<text x="${MARGIN}" y="50" fill="${FAINT}">${line(subtitle, width, TEXT_PX)}</text>
<text x="${LEFT + (columns.labels.length * CELL.width) / 2}" y="${TOP - 26}" text-anchor="middle" fill="${FAINT}">${xmlText(columns.name)}</text>
<text transform="translate(${MARGIN + 8} ${TOP + (rows.labels.length * CELL.height) / 2}) rotate(-90)" text-anchor="middle" fill="${FAINT}">${xmlText(rows.name)}</text>
${columns.labels.map((label, column) => html`<text x="${place(0, column).x + CELL.width / 2}" y="${TOP - 8}" text-anchor="middle" font-weight="600">${xmlText(label)}</text>`)}
${rows.labels.map((label, row) => html`<text x="${LEFT - 12}" y="${place(row, 0).y + CELL.height / 2 + 4}" text-anchor="end" font-weight="600">${xmlText(label)}</text>`)}
${drawn}
<text x="${MARGIN}" y="${height - 12}" fill="${FAINT}">${legend}</text>
</svg>
`);
}

const line = (text: string, width: number, characterPx: number): string =>
  shortened(xmlText(text), Math.floor((width - 2 * MARGIN) / characterPx));

const place = (row: number, column: number) => ({ x: LEFT + column * CELL.width, y: TOP + row * CELL.height });

interface Drawing {
  readonly x: number;
  readonly y: number;
  readonly range: { readonly low: number; readonly high: number };
  readonly digits: number;
}

function cellMarkup(cell: HeatMapCell | undefined, { x, y, range, digits }: Drawing): Markup {
  const [middleX, middleY] = [x + CELL.width / 2, y + CELL.height / 2];
  if (cell === undefined) {
    return html`<text x="${middleX}" y="${middleY + 5}" text-anchor="middle" fill="${FAINT}">${UNKNOWN}</text>`;
  }
  const share = range.high > range.low ? (cell.value - range.low) / (range.high - range.low) : 0;
  const ink = inkOn(share);
  const border =
    cell.marked === true
      ? html`<rect x="${x + 4}" y="${y + 4}" width="${CELL.width - 8}" height="${CELL.height - 8}" fill="none" stroke="${ink}" stroke-width="3"/>`
      : undefined;
  const note =
    cell.note === undefined
      ? undefined
      : html`<text x="${middleX}" y="${middleY + 20}" text-anchor="middle" font-size="11" fill="${ink}">${xmlText(cell.note)}</text>`;
  return html`<g><rect x="${x + 1}" y="${y + 1}" width="${CELL.width - 2}" height="${CELL.height - 2}" fill="${shadeOf(share)}"/>${border}<text x="${middleX}" y="${middleY + (note === undefined ? 6 : 2)}" text-anchor="middle" font-size="17" font-weight="${cell.marked === true ? '700' : '400'}" fill="${ink}">${cell.value.toFixed(digits)}</text>${note}</g>`;
}

const INK = '#1d1b20';
const FAINT = '#55505c';
/** The ends of one blue, from light to dark: a copier makes them greys in the same order. */
const LIGHTEST = [236, 242, 249] as const;
const DARKEST = [16, 54, 104] as const;
/** From here on white text has the higher contrast; at least 4.5:1 on either side (WCAG 2.1, 1.4.3). */
const WHITE_FROM = 0.65;

/** @param share in [0, 1]. */
export function shadeOf(share: number): string {
  const parts = LIGHTEST.map((from, at) => Math.round(from + share * ((DARKEST[at] ?? 0) - from)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The colour of text on that shade. */
export const inkOn = (share: number): string => (share >= WHITE_FROM ? '#ffffff' : '#000000');
