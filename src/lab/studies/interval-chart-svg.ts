/**
 * Changes against a baseline as one SVG file: a line for each interval, a dot for each estimate, and a diamond for what was predicted. It reads in
 * black and white: what is shown to differ is drawn full, the rest hollow. No script, no font or image from anywhere.
 */
import { signedPercent } from '../../core/text/figures.ts';
import { html, type Markup, markupText, xmlText } from '../../core/text/markup.ts';

export interface ChartedChange {
  readonly label: string;
  /** Ratios to the baseline; 1: no change. */
  readonly ratio: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** Absent: nothing predicts it. */
  readonly predicted?: number | undefined;
  readonly isShown: boolean;
}

interface IntervalChartInput {
  readonly title: string;
  readonly subtitle: string;
  readonly rows: readonly ChartedChange[];
}

const WIDTH = 780;
const LEFT = 230;
const RIGHT = 110;
const TOP = 92;
const ROW = 34;
const BELOW = 52;
const INK = '#1d1b20';
const FAINT = '#55505c';
const BLUE = '#103668';
/** Ends of the axis are whole steps beyond every figure; an interval wider than this is cut off there, with an arrow. */
const STEPS = [0.05, 0.1, 0.2, 0.5, 1];
const MAX_TICKS = 9;
const WIDEST = { low: 0.5, high: 2 } as const;

/** @returns a whole file of well-formed XML. */
export function intervalChartSvg({ title, subtitle, rows }: IntervalChartInput): string {
  const axis = axisOf(rows);
  const x = (ratio: number) =>
    LEFT + ((Math.min(axis.high, Math.max(axis.low, ratio)) - axis.low) / (axis.high - axis.low)) * (WIDTH - LEFT - RIGHT);
  const bottom = TOP + rows.length * ROW;
  const hasPredictions = rows.some(({ predicted }) => predicted !== undefined);
  return markupText(html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${bottom + BELOW}" viewBox="0 0 ${WIDTH} ${bottom + BELOW}" role="img" font-family="system-ui, 'Liberation Sans', Arial, sans-serif" font-size="13" fill="${INK}">
<title>${xmlText(title)}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="20" y="30" font-size="17" font-weight="600">${xmlText(title)}</text>
<text x="20" y="51" font-size="12" fill="${FAINT}">${xmlText(subtitle)}</text>
${axis.ticks.map((tick) => html`<g><line x1="${x(tick).toFixed(1)}" x2="${x(tick).toFixed(1)}" y1="${TOP - 10}" y2="${bottom}" stroke="${isNone(tick) ? INK : '#d9d6dd'}" stroke-width="${isNone(tick) ? 1.5 : 1}"/><text x="${x(tick).toFixed(1)}" y="${TOP - 16}" text-anchor="middle" font-size="12" fill="${FAINT}">${signedPercent(tick - 1)}</text></g>`)}
${rows.map((row, at) => rowMarkup(row, { x, y: TOP + at * ROW + ROW / 2, axis }))}
<text x="20" y="${bottom + 34}" font-size="12" fill="${FAINT}">Dot: measured, with its interval. Full: shown to differ.${hasPredictions ? ' Diamond: predicted by simulation.' : ''} To the right: faster.</text>
</svg>
`);
}

interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

const isNone = (tick: number): boolean => Math.abs(tick - 1) < 1e-9;

function axisOf(rows: readonly ChartedChange[]): Axis {
  const values = rows.flatMap(({ ratio, low, high, predicted }) => [ratio, low, high, predicted]).filter((value) => value !== undefined);
  const [least, most] = [Math.max(WIDEST.low, Math.min(0.95, ...values)), Math.min(WIDEST.high, Math.max(1.05, ...values))];
  const step = STEPS.find((each) => (most - least) / each < MAX_TICKS - 2) ?? 1;
  const [first, last] = [Math.floor((least - 1) / step + 1e-9), Math.ceil((most - 1) / step - 1e-9)];
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => 1 + (first + at) * step);
  return { low: 1 + first * step, high: 1 + last * step, ticks };
}

function rowMarkup(
  { label, ratio, low, high, predicted, isShown }: ChartedChange,
  { x, y, axis }: { readonly x: (ratio: number) => number; readonly y: number; readonly axis: Axis },
): Markup {
  const centre = x(ratio).toFixed(1);
  const interval =
    low === undefined || high === undefined
      ? undefined
      : html`<line x1="${x(low).toFixed(1)}" x2="${x(high).toFixed(1)}" y1="${y}" y2="${y}" stroke="${BLUE}" stroke-width="3"/>${end(low, axis, { x: x(low), y, points: -1 })}${end(high, axis, { x: x(high), y, points: 1 })}`;
  const at = predicted === undefined ? undefined : x(predicted);
  const diamond =
    at === undefined
      ? undefined
      : html`<path d="M${at.toFixed(1)} ${y - 8} l6 8 l-6 8 l-6 -8 Z" fill="none" stroke="#a8480a" stroke-width="2"/>`;
  return html`<g><text x="${LEFT - 14}" y="${y + 4}" text-anchor="end" font-weight="${isShown ? '600' : '400'}">${xmlText(label)}</text>${interval}<circle cx="${centre}" cy="${y}" r="5.5" fill="${isShown ? BLUE : '#fff'}" stroke="${BLUE}" stroke-width="2"/>${diamond}<text x="${WIDTH - RIGHT + 20}" y="${y + 4}" font-weight="${isShown ? '600' : '400'}">${signedPercent(ratio - 1)}</text></g>`;
}

/** A bar where the interval ends, an arrow where it goes on beyond the picture. */
function end(
  value: number,
  { low, high }: Axis,
  { x, y, points }: { readonly x: number; readonly y: number; readonly points: -1 | 1 },
): Markup {
  const goesOn = value < low || value > high;
  const path = goesOn ? `M${x.toFixed(1)} ${y - 6} l${7 * points} 6 l${-7 * points} 6 Z` : `M${x.toFixed(1)} ${y - 6} v12`;
  return html`<path d="${path}" fill="${goesOn ? BLUE : 'none'}" stroke="${BLUE}" stroke-width="2"/>`;
}
