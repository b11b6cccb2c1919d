/** One interval on the axis of its chart, as inline SVG that stretches with its row. What lies beyond the axis ends in an arrow. */
import { html, type Markup } from '../../text/markup.ts';
import type { IntervalPlaces } from '../../text/svg-axes.ts';

/** What lies behind an interval, in percent of the width. */
export interface PlotPaper {
  /** No change. */
  readonly none: number;
  /** Changes that are too small to notice. */
  readonly same?: { readonly from: number; readonly to: number };
  readonly ticks: readonly number[];
}

interface PlotInput {
  /** Names colour and words: a verdict, or `predicted`. */
  readonly kind: string;
  /** The same in words, for who cannot see it. */
  readonly label: string;
  readonly places: IntervalPlaces;
  readonly paper: PlotPaper;
  /** Height of the interval in its row, per cent. */
  readonly atPercent: number;
  readonly dots?: readonly Markup[];
}

/** The plot of a row: band and lines of the axis, then single pairs, then the interval. */
export function intervalPlot({ kind, label, places, paper, atPercent, dots = [] }: PlotInput): Markup {
  return html`<svg class="plot ${kind}" role="img" aria-label="${label}">${backdrop(paper)}${dots}
${intervalMark(places, `${atPercent}%`)}</svg>`;
}

function backdrop({ none, same, ticks }: PlotPaper): Markup {
  const unity = placeText(none);
  const lines = ticks.map((tick) => {
    const x = placeText(tick);
    return html`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="100%"/>`;
  });
  const band = same && html`<rect class="band" x="${placeText(same.from)}" width="${placeText(same.to - same.from)}" y="0" height="100%"/>`;
  return html`${band}${lines}
<line class="unity" x1="${unity}" x2="${unity}" y1="0" y2="100%"/>`;
}

function intervalMark({ at, from, to, goesOn }: IntervalPlaces, y: string): Markup {
  if (at === undefined) return html``;
  const estimate = html`<circle class="estimate" cx="${placeText(at)}" cy="${y}" r="6"/>`;
  const [low = at, high = at] = [from, to];
  const bar =
    from === undefined ? undefined : html`<line class="interval" x1="${placeText(low)}" x2="${placeText(high)}" y1="${y}" y2="${y}"/>`;
  return html`${bar}${goesOn === undefined || goesOn === 'high' ? undefined : arrow(low, -1, y)}${goesOn === undefined || goesOn === 'low' ? undefined : arrow(high, 1, y)}${estimate}`;
}

/** Nested, so that its size does not stretch with the row. */
const arrow = (place: number, points: 1 | -1, y: string): Markup =>
  html`<svg x="${placeText(place)}" y="${y}" overflow="visible"><path class="arrow" d="M${4 * points} -6 l${9 * points} 6 l${-9 * points} 6 z"/></svg>`;

/** A place on the axis as an SVG length. */
export const placeText = (share: number): string => `${share.toFixed(2)}%`;
