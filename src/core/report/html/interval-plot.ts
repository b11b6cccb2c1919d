/** One interval on the axis of its chart, as inline SVG that stretches with its row. What lies beyond the axis ends in an arrow. */
import { MEANINGFUL_CHANGE } from '../../compare/thresholds.ts';
import { html, type Markup } from '../../text/markup.ts';
import type { ChartScale } from '../../text/svg-axes.ts';

/** A ratio with its bounds, as far as they are known. */
export interface PlottedInterval {
  readonly ratio?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

interface PlotInput {
  /** Names colour and words: a verdict, or `predicted`. */
  readonly kind: string;
  /** The same in words, for who cannot see it. */
  readonly label: string;
  readonly interval: PlottedInterval;
  readonly scale: ChartScale;
  /** Height of the interval in its row, per cent. */
  readonly atPercent: number;
  readonly dots?: readonly Markup[];
}

/** The plot of a row: band and lines of the axis, then single pairs, then the interval. */
export function intervalPlot({ kind, label, interval, scale, atPercent, dots = [] }: PlotInput): Markup {
  return html`<svg class="plot ${kind}" role="img" aria-label="${label}">${backdrop(scale)}${dots}
${intervalMark(interval, scale, `${atPercent}%`)}</svg>`;
}

function backdrop(scale: ChartScale): Markup {
  const from = scale.position(1 - MEANINGFUL_CHANGE);
  const to = scale.position(1 + MEANINGFUL_CHANGE);
  const unity = placeText(scale.position(1));
  const lines = scale.ticks.map((tick) => {
    const x = placeText(scale.position(tick));
    return html`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="100%"/>`;
  });
  return html`<rect class="band" x="${placeText(from)}" width="${placeText(to - from)}" y="0" height="100%"/>${lines}
<line class="unity" x1="${unity}" x2="${unity}" y1="0" y2="100%"/>`;
}

function intervalMark({ ratio, low, high }: PlottedInterval, scale: ChartScale, y: string): Markup {
  if (ratio === undefined) return html``;
  const at = html`<circle class="estimate" cx="${placeText(scale.position(ratio))}" cy="${y}" r="6"/>`;
  if (low === undefined || high === undefined) return at;
  const [from, to] = [placeText(scale.position(low)), placeText(scale.position(high))];
  return html`<line class="interval" x1="${from}" x2="${to}" y1="${y}" y2="${y}"/>${arrow(low, scale, y)}${arrow(high, scale, y)}${at}`;
}

/** Nested, so that its size does not stretch with the row. */
function arrow(ratio: number, scale: ChartScale, y: string): Markup | undefined {
  const side = scale.sideOf(ratio);
  if (side === 'within') return undefined;
  const points = side === 'below' ? -1 : 1;
  return html`<svg x="${placeText(scale.position(ratio))}" y="${y}" overflow="visible"><path class="arrow" d="M${4 * points} -6 l${9 * points} 6 l${-9 * points} 6 z"/></svg>`;
}

/** A place on the axis as an SVG length. */
export const placeText = (share: number): string => `${share.toFixed(2)}%`;
