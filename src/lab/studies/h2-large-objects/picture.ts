/** The rate over time, one panel per protocol and window: a picture per size and link. Pure. */

import { groupBy } from '../../../core/group-by.ts';
import { percent } from '../../../core/text/figures.ts';
import { html, type Markup, markupText } from '../../../core/text/markup.ts';
import { type TimeTick, timeTicks } from '../../../core/text/svg-axes.ts';
import { PROTOCOL_NAMES } from '../comparisons.ts';
import type { StudyPicture } from '../findings.ts';
import { bytesText, type LargeObjectCell, megabits, rateKbps, WINDOW_MS } from './rates.ts';

const WIDTH = 1000;
const LEFT = 260;
const RIGHT = 24;
const TOP = 78;
const PANEL = 58;
const GAP = 14;
const MAX_TICKS = 10;
/** Above the link's rate: a window may carry a packet more than its share. */
const HEADROOM = 1.12;
/** Loads of one profile, one over another. */
const LOAD_COLOURS = ['#0b6e8f', '#b5541c', '#5a7d2a', '#7a4fa3', '#8a6d00'];
const MUTED = '#55505c';

/** First the one with the largest variation: it shows what the study asks. */
export function ratePictures(cells: readonly LargeObjectCell[]): readonly StudyPicture[] {
  const drawn = cells.filter(({ loads }) => loads.some(({ load }) => load.deliveredBytes !== undefined));
  const variation = (own: readonly LargeObjectCell[]) => Math.max(...own.map(({ rate }) => rate?.variation ?? 0));
  const groups = [...groupBy(drawn, ({ page, link }) => `${page.recipe.name}-${link.name}`)];
  return groups
    .toSorted(([, a], [, b]) => variation(b) - variation(a))
    .flatMap(([key, own]) => {
      const [first] = own;
      if (first === undefined) return [];
      const { rttMs, downKbps } = first.link;
      const title = `${first.page.recipe.title}: rate over time, RTT ${rttMs} ms, ${megabits(downKbps)}`;
      return [{ name: `h2-large-objects-${key}`, title, svg: rateSvg(own, { title, downKbps }) }];
    });
}

interface Axis {
  readonly endMs: number;
  readonly ticks: readonly TimeTick[];
  readonly downKbps: number;
}

/** @returns a whole file of well-formed XML. */
function rateSvg(cells: readonly LargeObjectCell[], { title, downKbps }: { readonly title: string; readonly downKbps: number }): string {
  const endMs = Math.max(...cells.flatMap(({ loads }) => loads.map(({ load }) => lastWindow(load.deliveredBytes) * WINDOW_MS)), WINDOW_MS);
  const axis: Axis = { endMs, ticks: timeTicks(endMs, MAX_TICKS), downKbps };
  const height = TOP + cells.length * (PANEL + GAP) + 30;
  const bottom = TOP + cells.length * (PANEL + GAP) - GAP;
  const drawing = html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, 'Liberation Sans', Arial, sans-serif" font-size="12" fill="#1d1b20">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="28" font-size="17" font-weight="600">${title}</text>
<text x="16" y="48" fill="${MUTED}">What left the link in every 100 ms. One line per load. Dashed: the rate of the link, Mbit/s.</text>
${timeGrid(axis, bottom)}
${cells.map((cell, at) => panel(cell, axis, TOP + at * (PANEL + GAP)))}
</svg>
`;
  return markupText(drawing);
}

const xAt = (ms: number, { endMs }: Axis): number => round(LEFT + (ms / endMs) * (WIDTH - LEFT - RIGHT));

function timeGrid(axis: Axis, bottom: number): Markup {
  return html`<g>${axis.ticks.map(({ ms, label }) => {
    const x = xAt(ms, axis);
    return html`<line x1="${x}" x2="${x}" y1="${TOP}" y2="${bottom}" stroke="#e4e1e8"/><text x="${x}" y="${bottom + 18}" text-anchor="middle" fill="${MUTED}">${label}</text>`;
  })}</g>`;
}

function panel({ page, profile, windowBytes, loads, rate }: LargeObjectCell, axis: Axis, y: number): Markup {
  const bottom = y + PANEL;
  const yAt = (kbps: number) => round(bottom - Math.min(1, kbps / (axis.downKbps * HEADROOM)) * PANEL);
  const figures = rate === undefined ? 'too short for a rate' : `${megabits(rate.meanKbps)}, variation ${percent(rate.variation)}`;
  // HTTP/1.1 has no window of its own.
  const window = page.servedBy === 'https' ? 'no window but that of TCP' : `window ${bytesText(windowBytes)}`;
  return html`<g>
<text x="16" y="${y + 15}" font-weight="600">${PROTOCOL_NAMES[page.servedBy]}, ${profile.id}</text>
<text x="16" y="${y + 31}" fill="${MUTED}">${figures}</text>
<text x="16" y="${y + 47}" fill="${MUTED}">${window}</text>
<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${bottom}" y2="${bottom}" stroke="#8d8794"/>
<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${yAt(axis.downKbps)}" y2="${yAt(axis.downKbps)}" stroke="#8d8794" stroke-dasharray="4 4"/>
<text x="${LEFT - 6}" y="${yAt(axis.downKbps) + 4}" text-anchor="end" fill="${MUTED}">${Math.round(axis.downKbps / 1000)}</text>
<text x="${LEFT - 6}" y="${bottom}" text-anchor="end" fill="${MUTED}">0</text>
${loads.map(({ load }, at) => rateLine(load.deliveredBytes ?? [], { at, axis, yAt }))}
</g>`;
}

function rateLine(delivered: readonly number[], { at, axis, yAt }: { at: number; axis: Axis; yAt: (kbps: number) => number }): Markup {
  const used = delivered.slice(0, lastWindow(delivered));
  if (used.length === 0) return html``;
  const steps = used.map((bytes, window) => `V${yAt(rateKbps(bytes))}H${xAt((window + 1) * WINDOW_MS, axis)}`);
  const path = `M${xAt(0, axis)} ${yAt(0)}${steps.join('')}V${yAt(0)}`;
  return html`<path d="${path}" fill="none" stroke="${LOAD_COLOURS[at % LOAD_COLOURS.length] ?? MUTED}" stroke-width="1.2" stroke-opacity="0.85"/>`;
}

/** Windows up to the last in which anything came. */
function lastWindow(delivered: readonly number[] | undefined): number {
  return (delivered?.findLastIndex((bytes) => bytes > 0) ?? -1) + 1;
}

const round = (value: number): number => Math.round(value * 10) / 10;
