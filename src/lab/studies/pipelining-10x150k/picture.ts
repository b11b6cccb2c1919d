/** Who waits for whom: the pictures of one load of each profile as bars, a drawing per page and link. Pure. */
import { groupBy } from '../../../core/group-by.ts';
import { html, type Markup, markupText } from '../../../core/text/markup.ts';
import { type TimeTick, timeTicks } from '../../../core/text/svg-axes.ts';
import type { StudyPicture } from '../findings.ts';
import type { StudyLoad, StudyRequest } from '../study.ts';
import type { PictureCell } from './times.ts';

const WIDTH = 1000;
const LEFT = 200;
const RIGHT = 24;
const TOP = 92;
const ROW = 9;
const GAP = 22;
const MAX_TICKS = 10;
const MUTED = '#55505c';
const WAITING = '#c9b48f';
const RECEIVING = '#0b6e8f';

export function waitingPictures(cells: readonly PictureCell[]): readonly StudyPicture[] {
  return [...groupBy(cells, ({ page, link }) => `${page.name}-${link.name}`)].flatMap(([key, own]) => {
    const rows = own.flatMap(({ profile, loads, loadTimeMs }) => {
      const load = middleLoad(loads, loadTimeMs);
      return load === undefined ? [] : [{ profileId: profile.id, requests: load.requests, loadTimeMs: Number(load.measures?.loadTimeMs) }];
    });
    const [first] = own;
    if (first === undefined || rows.length === 0) return [];
    const title = `${first.page.recipe.title}, ${first.page.connections} connections, RTT ${first.link.rttMs} ms, ${first.link.downKbps / 1000} Mbit/s${first.link.initialWindow === undefined ? '' : `, first window ${first.link.initialWindow} segments`}`;
    return [{ name: `pipelining-10x150k-${key}`, title, svg: waitingSvg(rows, title) }];
  });
}

interface Panel {
  readonly profileId: string;
  readonly requests: readonly StudyRequest[];
  readonly loadTimeMs: number;
}

/** The load nearest to the median, with its requests. */
function middleLoad(
  loads: readonly StudyLoad[],
  medianMs: number,
): (StudyLoad & { readonly requests: readonly StudyRequest[] }) | undefined {
  const distance = ({ measures }: StudyLoad) => Math.abs((measures?.loadTimeMs ?? Number.POSITIVE_INFINITY) - medianMs);
  return loads
    .flatMap((load) => (load.requests && load.requests.length > 1 ? [{ ...load, requests: load.requests }] : []))
    .toSorted((a, b) => distance(a) - distance(b))[0];
}

/** @returns a whole file of well-formed XML. */
function waitingSvg(panels: readonly Panel[], title: string): string {
  const endMs = Math.max(
    1,
    ...panels.flatMap(({ requests, loadTimeMs }) => [loadTimeMs, ...requests.map(({ responseEnd }) => responseEnd)]),
  );
  const axis = { endMs, ticks: timeTicks(endMs, MAX_TICKS) };
  const heights = panels.map(({ requests }) => requests.length * ROW);
  const bottom = TOP + heights.reduce((sum, height) => sum + height + GAP, 0) - GAP;
  let y = TOP;
  const drawn = panels.map((each, at) => {
    const markup = panel(each, axis, y);
    y += (heights[at] ?? 0) + GAP;
    return markup;
  });
  return markupText(html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${bottom + 34}" viewBox="0 0 ${WIDTH} ${bottom + 34}" role="img" font-family="system-ui, 'Liberation Sans', Arial, sans-serif" font-size="12" fill="#1d1b20">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="28" font-size="17" font-weight="600">${title}</text>
<text x="16" y="48" fill="${MUTED}">A row per request, the document first: the load of each profile whose time is nearest to the median.</text>
<rect x="16" y="60" width="20" height="4" fill="${WAITING}"/><text x="42" y="67">asked for, no byte yet (for a connection, or behind other answers)</text>
<rect x="470" y="58" width="20" height="7" fill="${RECEIVING}"/><text x="496" y="67">receiving</text>
${axis.ticks.map(({ ms, label }) => html`<line x1="${xAt(ms, axis)}" x2="${xAt(ms, axis)}" y1="${TOP - 6}" y2="${bottom}" stroke="#e4e1e8"/><text x="${xAt(ms, axis)}" y="${bottom + 18}" text-anchor="middle" fill="${MUTED}">${label}</text>`)}
${drawn}
</svg>
`);
}

interface Axis {
  readonly endMs: number;
  readonly ticks: readonly TimeTick[];
}

const xAt = (ms: number, { endMs }: Axis): number => Math.round((LEFT + (ms / endMs) * (WIDTH - LEFT - RIGHT)) * 10) / 10;

function panel({ profileId, requests, loadTimeMs }: Panel, axis: Axis, y: number): Markup {
  const rows = requests.map(({ fetchStart, responseStart = fetchStart, responseEnd }, at) => {
    const top = y + at * ROW;
    const [start, first, end] = [xAt(fetchStart, axis), xAt(responseStart, axis), xAt(responseEnd, axis)];
    return html`<rect x="${start}" y="${top + 3}" width="${width(start, first)}" height="3" fill="${WAITING}"/><rect x="${first}" y="${top + 1}" width="${width(first, end)}" height="7" fill="${RECEIVING}"/>`;
  });
  return html`<g><text x="16" y="${y + 14}" font-weight="600">${profileId}</text><text x="16" y="${y + 31}" fill="${MUTED}">${Math.round(loadTimeMs)} ms</text>${rows}</g>`;
}

/** What is too short to be seen still is. */
const width = (from: number, to: number): number => Math.max(0.8, Math.round((to - from) * 10) / 10);
