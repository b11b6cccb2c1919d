/**
 * The load times of a site over days as one SVG file: a dot for the median of each day with its interval, shaded while a trial ran, a dashed line where
 * other settings began. It reads in black and white. No script, no font or image from anywhere.
 */
import { settingsChanges, type TrendDay, trialSpans } from '../field/load-trend.ts';
import { html, type Markup, xmlText } from '../text/markup.ts';
import { robustRange, timeTicks } from '../text/svg-axes.ts';
import { linesFitting, PICTURE, svgPicture, textLines, textWidthPx } from '../text/svg-picture.ts';

interface TrendSvgInput {
  readonly title: string;
  readonly subtitle: string;
  readonly width: number;
  /** At least one, in their order. */
  readonly days: readonly TrendDay[];
  /** How the picture writes its figures and what its marks mean: in the reader's language. */
  readonly labels: {
    readonly time: (ms: number) => string;
    readonly day: (at: number) => string;
    readonly settings: (profiles: readonly string[]) => string;
    readonly trial: string;
    /** What dot, line and shade are. */
    readonly key: string;
  };
}

const MARGIN = 20;
const PLOT_HEIGHT = 170;
const SMALL_PX = 12;
const DAY_MS = 86_400_000;
const MAX_TICKS = 4;
/** More lines than these would hide what they are about; the table has all. Chosen, not measured. */
const MAX_MARKS = 6;
/** Rows in which labels of neighbouring marks stand below each other. */
const LABEL_ROWS = 3;
const LINE_PX = 15;
/** Between the numbers of loads below two dots. */
const COUNT_GAP_PX = 2;

interface Plot {
  readonly x: (at: number) => number;
  readonly y: (ms: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** @returns a whole file of well-formed XML. */
export function trendSvg({ title, subtitle, width, days, labels }: TrendSvgInput): string {
  const highest = robustRange(
    days.map(({ loadTimeMs: { median, high = median } }) => high),
    { low: 0, high: 0 },
  ).high;
  const ticks = timeTicks(highest * 1.05, MAX_TICKS).map(({ ms }) => ({ ms, label: labels.time(ms) }));
  const left = MARGIN + Math.max(...ticks.map(({ label }) => textWidthPx(label, SMALL_PX))) + 8;
  const right = width - MARGIN;
  const changes = settingsChanges(days);
  const marks = changes.length > MAX_MARKS ? [] : changes;
  const spans = trialSpans(days);
  return svgPicture({
    width,
    title,
    subtitle,
    body: (heading) => {
      const rows = Math.min(LABEL_ROWS, marks.length) + (spans.length > 0 ? 1 : 0);
      const top = heading + 18 + rows * LINE_PX;
      const bottom = top + PLOT_HEIGHT;
      const plot: Plot = {
        left,
        right,
        top,
        bottom,
        x: placeOf(days, left, right),
        y: (ms) => bottom - (ms / (highest * 1.05)) * PLOT_HEIGHT,
      };
      const dates = dayLabels(days, plot, labels.day);
      const counts = countLabels(days, plot);
      const key = linesFitting(labels.key, width - 2 * MARGIN, SMALL_PX);
      const keyTop = bottom + (counts === undefined ? 40 : 54);
      return {
        markup: html`${spans.map(({ from, to }) => spanMarkup(from, to, { plot, label: labels.trial }))}
<g font-size="${SMALL_PX}" fill="${PICTURE.faint}">${ticks.map(
          ({ ms, label }) =>
            html`<line x1="${left}" x2="${right}" y1="${at(plot.y(ms))}" y2="${at(plot.y(ms))}" stroke="${PICTURE.line}"/><text x="${left - 8}" y="${at(plot.y(ms) + 4)}" text-anchor="end">${xmlText(label)}</text>`,
        )}</g>
${marks.map(({ day, profiles }, row) => markMarkup({ at: day, label: labels.settings(profiles), row: row % LABEL_ROWS }, { plot, below: spans.length > 0 }))}
${days.map((day) => dayMarkup(day, plot, highest * 1.05))}
<g font-size="${SMALL_PX}" fill="${PICTURE.faint}">${counts}${dates.map(({ x, label, anchor }) => html`<text x="${at(x)}" y="${bottom + (counts === undefined ? 18 : 32)}" text-anchor="${anchor}">${xmlText(label)}</text>`)}${html`<text>${textLines(key, { x: MARGIN, y: keyTop, stepPx: LINE_PX })}</text>`}</g>`,
        bottom: keyTop + (key.length - 1) * LINE_PX + 16,
      };
    },
  });
}

const at = (place: number): string => place.toFixed(1);

/** A single day stands in the middle. */
function placeOf(days: readonly TrendDay[], left: number, right: number): (at: number) => number {
  const [first, last] = [days[0]?.day ?? 0, days.at(-1)?.day ?? 0];
  const inset = Math.min(16, (right - left) / 8);
  return (moment) =>
    last === first ? (left + right) / 2 : left + inset + ((moment - first) / (last - first)) * (right - left - 2 * inset);
}

/** Half a day on either side, or some pixels where days are narrower. */
function halfDay({ x }: Plot): number {
  return Math.max(4, Math.min(16, (x(DAY_MS) - x(0)) / 2));
}

function spanMarkup(from: number, to: number, { plot, label }: { readonly plot: Plot; readonly label: string }): Markup {
  const [start, end] = [plot.x(from) - halfDay(plot), plot.x(to) + halfDay(plot)];
  const isLeft = start + textWidthPx(label, SMALL_PX) <= plot.right;
  return html`<g><rect class="trial" x="${at(start)}" width="${at(end - start)}" y="${plot.top}" height="${PLOT_HEIGHT}" fill="${PICTURE.band}"/><text x="${at(isLeft ? start : end)}" y="${plot.top - 6}" text-anchor="${isLeft ? 'start' : 'end'}" font-size="${SMALL_PX}" fill="${PICTURE.faint}">${xmlText(label)}</text></g>`;
}

interface Mark {
  readonly at: number;
  readonly label: string;
  readonly row: number;
}

function markMarkup({ at: moment, label, row }: Mark, { plot, below }: { readonly plot: Plot; readonly below: boolean }): Markup {
  const x = plot.x(moment) - halfDay(plot);
  const y = plot.top - 6 - (row + (below ? 1 : 0)) * LINE_PX;
  const isRight = x + 4 + textWidthPx(label, SMALL_PX) > plot.right;
  return html`<g><line class="settings" x1="${at(x)}" x2="${at(x)}" y1="${at(y - 8)}" y2="${plot.bottom}" stroke="${PICTURE.predicted}" stroke-width="1.5" stroke-dasharray="4 3"/><text x="${at(isRight ? x - 4 : x + 4)}" y="${at(y)}" text-anchor="${isRight ? 'end' : 'start'}" font-size="${SMALL_PX}">${xmlText(label)}</text></g>`;
}

/** A day without an interval is hollow; one that lies above the picture is an arrow at its top. */
function dayMarkup({ day, loadTimeMs: { median, low, high } }: TrendDay, { x, y, top }: Plot, end: number): Markup {
  const place = at(x(day));
  if (median > end) return html`<path d="M${place} ${top} l5 8 h-10 Z" fill="${PICTURE.measured}" stroke="${PICTURE.measured}"/>`;
  const interval =
    low === undefined || high === undefined
      ? undefined
      : html`<line class="interval" x1="${place}" x2="${place}" y1="${at(y(low))}" y2="${at(y(Math.min(end, high)))}" stroke="${PICTURE.measured}" stroke-width="2.5"/>`;
  return html`<g>${interval}<circle cx="${place}" cy="${at(y(median))}" r="4" fill="${interval === undefined ? PICTURE.paper : PICTURE.measured}" stroke="${PICTURE.measured}" stroke-width="2"/></g>`;
}

/** Below each dot where they do not touch; else the table alone has them. */
function countLabels(days: readonly TrendDay[], { x, bottom }: Plot): readonly Markup[] | undefined {
  const placed = days.map(({ day, loadTimeMs: { loads } }) => {
    const label = `n ${loads}`;
    return { place: x(day), label, half: textWidthPx(label, SMALL_PX) / 2 };
  });
  const isTight = placed.some(({ place, half }, index) => {
    const before = placed[index - 1];
    return before !== undefined && place - half < before.place + before.half + COUNT_GAP_PX;
  });
  if (isTight) return undefined;
  return placed.map(({ place, label }) => html`<text x="${at(place)}" y="${bottom + 16}" text-anchor="middle">${label}</text>`);
}

interface DayLabel {
  readonly x: number;
  readonly label: string;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** The first day, the last, and of those between them the ones that leave room. */
function dayLabels(days: readonly TrendDay[], { x, left, right }: Plot, dayLabel: (at: number) => string): readonly DayLabel[] {
  const placed = days.map(({ day }, index): DayLabel & { readonly from: number; readonly to: number } => {
    const label = dayLabel(day);
    const needed = textWidthPx(label, SMALL_PX);
    const middle = x(day);
    const anchor =
      index === 0 && middle - needed / 2 < left ? 'start' : index === days.length - 1 && middle + needed / 2 > right ? 'end' : 'middle';
    const from = anchor === 'start' ? middle : anchor === 'end' ? middle - needed : middle - needed / 2;
    return { x: middle, label, anchor, from, to: from + needed };
  });
  const last = placed.at(-1);
  const kept: (typeof placed)[number][] = [];
  for (const one of placed) {
    const isFree = one.from >= (kept.at(-1)?.to ?? Number.NEGATIVE_INFINITY) + 10;
    if (isFree && (one === last || last === undefined || one.to + 10 <= last.from)) kept.push(one);
  }
  if (last !== undefined && kept.at(-1) !== last && kept.length === 0) kept.push(last);
  return kept;
}
