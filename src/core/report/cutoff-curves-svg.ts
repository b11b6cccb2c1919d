/**
 * Two distributions of times as one SVG file: which share of all came within which time, on a logarithmic axis, with the interval of each cut-off. It
 * reads in black and white: the first curve is drawn through, the second in dashes.
 */
import { html, type Markup, xmlText } from '../text/markup.ts';
import { timeAxis } from '../text/svg-axes.ts';
import { PICTURE, svgPicture, textWidthPx } from '../text/svg-picture.ts';

export interface CutoffCurve {
  readonly label: string;
  /** Rising: this share of all came within so many ms. */
  readonly points: readonly { readonly ms: number; readonly share: number }[];
  readonly intervals: readonly { readonly share: number; readonly low: number; readonly high: number }[];
}

interface CutoffCurvesInput {
  readonly title: string;
  readonly subtitle: string;
  /** From the narrowest screen, px. */
  readonly width: number;
  readonly curves: readonly [CutoffCurve, CutoffCurve];
  readonly duration: (ms: number) => string;
  readonly share: (share: number) => string;
  /** What dots and lines at the cut-offs are. */
  readonly note: string;
}

const [MARGIN, LEFT, RIGHT, HEIGHT] = [20, 52, 32, 200];
const LABEL_PX = 12;
const SHARES = [0, 0.25, 0.5, 0.75, 1];
/** What is above is a few requests, which would take half of the axis. Chosen, not measured. */
const MAX_SHARE = 0.995;
const COLOURS = [PICTURE.predicted, PICTURE.measured] as const;
const DASHES = ['', '6 4'] as const;

interface Drawing {
  readonly x: (ms: number) => number;
  readonly y: (share: number) => number;
}

/** @returns a whole file of well-formed XML. */
export function cutoffCurvesSvg({ title, subtitle, width, curves, duration, share, note }: CutoffCurvesInput): string {
  const shown = curves.map((curve) => ({ ...curve, points: curve.points.filter((point) => point.share <= MAX_SHARE) }));
  const axis = timeAxis(
    shown.flatMap(({ points, intervals }) => [...points.map(({ ms }) => ms), ...intervals.flatMap(({ low, high }) => [low, high])]),
  );
  return svgPicture({
    width,
    title,
    subtitle,
    body: (heading) => {
      const [top, right] = [heading + 24, width - RIGHT];
      const below = top + HEIGHT;
      const drawing: Drawing = { x: (ms) => LEFT + axis.share(ms) * (right - LEFT), y: (own) => below - own * HEIGHT };
      const every = Math.max(1, ...ticksApart(axis.ticks, drawing, duration));
      return {
        markup: html`<g font-size="${LABEL_PX}" fill="${PICTURE.faint}">${SHARES.map(
          (own) =>
            html`<line x1="${LEFT}" x2="${right}" y1="${at(drawing.y(own))}" y2="${at(drawing.y(own))}" stroke="${PICTURE.line}"/><text x="${LEFT - 6}" y="${at(drawing.y(own) + 4)}" text-anchor="end">${xmlText(share(own))}</text>`,
        )}${axis.ticks.map((ms, index) => tickMarkup(index % every === 0 ? duration(ms) : '', { x: drawing.x(ms), top, below }))}</g>
${shown.map((curve, which) => curveMarkup(curve, which === 0 ? 0 : 1, drawing))}
${curves.map((curve, which) => keyMarkup(curve.label, which === 0 ? 0 : 1, below + 44 + which * 20))}
<text x="${MARGIN}" y="${below + 84}" font-size="${LABEL_PX}" fill="${PICTURE.faint}">${xmlText(note)}</text>`,
        bottom: below + 98,
      };
    },
  });
}

const at = (place: number): string => place.toFixed(1);

/** How many ticks a label needs. */
const ticksApart = (ticks: readonly number[], { x }: Drawing, duration: (ms: number) => string): readonly number[] =>
  ticks
    .slice(1)
    .map((tick, index) => Math.ceil((textWidthPx(duration(tick), LABEL_PX) + 6) / Math.max(1, x(tick) - x(ticks[index] ?? tick))));

const tickMarkup = (label: string, { x, top, below }: { readonly x: number; readonly top: number; readonly below: number }): Markup =>
  html`<line x1="${at(x)}" x2="${at(x)}" y1="${top}" y2="${below + 4}" stroke="${PICTURE.line}"/><text x="${at(x)}" y="${below + 18}" text-anchor="middle">${xmlText(label)}</text>`;

function curveMarkup({ points, intervals }: CutoffCurve, which: 0 | 1, { x, y }: Drawing): Markup {
  const colour = COLOURS[which];
  const line = points.map(({ ms, share }, index) => `${index === 0 ? 'M' : 'L'}${at(x(ms))} ${at(y(share))}`).join(' ');
  const bars = intervals.map(
    ({ share, low, high }) =>
      html`<path class="interval" d="M${at(x(low))} ${at(y(share) - 4)} v8 M${at(x(low))} ${at(y(share))} H${at(x(high))} M${at(x(high))} ${at(y(share) - 4)} v8" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
  );
  return html`<g><path class="curve" d="${line}" fill="none" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${DASHES[which]}"/>${bars}</g>`;
}

/** The key has the whole width: in some languages its words are long. */
const keyMarkup = (label: string, which: 0 | 1, y: number): Markup =>
  html`<line x1="${MARGIN}" x2="${MARGIN + 24}" y1="${y - 4}" y2="${y - 4}" stroke="${COLOURS[which]}" stroke-width="2.5" stroke-dasharray="${DASHES[which]}"/><text x="${MARGIN + 30}" y="${y}" font-size="${LABEL_PX}">${xmlText(label)}</text>`;
