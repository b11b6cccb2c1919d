/** Whether pipelining onto cold connections nearly doubles the time of a page: ten pictures by page, link and profile. Pure. */

import { groupBy } from '../../../core/group-by.ts';
import { verdictLabel } from '../../../core/report/shown-comparison.ts';
import { counted } from '../../../core/text/figures.ts';
import { html, type Markup, markupText } from '../../../core/text/markup.ts';
import { type TimeTick, timeTicks } from '../../../core/text/svg-axes.ts';
import { headingPx, withDarkMode } from '../../../core/text/svg-picture.ts';
import { captureFigures } from '../../capture/load-window.ts';
import {
  comparedWith,
  countText,
  figureColumn as figure,
  type StudyFindings,
  type StudyPicture,
  type StudyTable,
  tableOf,
  textColumn as text,
} from '../findings.ts';
import type { StudyCapture, StudyData, StudyLoad, StudyRequest } from '../study.ts';
import { isOriginalCase, type OriginalCase, originalCase, type PictureCell, pictureCells, type TimesReference } from './times.ts';

/** Six connections; a bundle of up to four onto the first that comes free: what the original did. */
export const BUNDLED_ID = 'c6-d4-bundled';
/** "Almost doubling": from here on a load time counts as nearly doubled. Chosen, not measured. */
const NEARLY_DOUBLED = 1.7;

/** The answer is about pictures of 150 kB where slow start decides; the tables have every page and link. */
export function pipelining10x150kFindings(data: StudyData): StudyFindings {
  const cells = pictureCells(data);
  const original = originalCase(data);
  const captured = captureTable(data.captures);
  return {
    tables: [
      ...(original.cold.length + original.warm.length === 0 ? [] : [caseTable(original)]),
      ...(cells.length === 0 ? [] : [pictureTable(cells, original.reference)]),
      ...(captured === undefined ? [] : [captured]),
    ],
    answer: answerOf(cells, original),
    comparisonWithOriginal: comparedWith(data.study, {
      ...bundledFigures(cells, original.reference),
      congestionWindow: data.captures && maxInFlight(data.captures),
    }),
    pictures: waitingPictures(cells),
    figures: { seedsCase: original, cells: cells.map((cell) => cellFigures(cell)) },
  };
}

function cellFigures({ page, link, profile, loads, loadTimeMs, times, comparisons, compared, ...cell }: PictureCell) {
  const { against, verdict } = compared.versusBaseline;
  return {
    ...{ page: page.name, link: link.name, profileId: profile.id, loads: loads.length, loadTimeMs, timesReference: times?.ratio },
    ...{ picturesMs: cell.picturesMs, waits: cell.waits, roundTrips: cell.roundTrips },
    loadTime: { against, ...times, comparisons, verdict },
  };
}

/** Whether the original's pipelining doubles the time, only by the interval. `undefined`: it was not measured. */
export function decisionOf({ cold }: OriginalCase): { readonly state: 'yes' | 'no' | 'open'; readonly times: TimesReference } | undefined {
  const times = cold.find(({ id }) => id === BUNDLED_ID)?.times;
  if (times === undefined) return undefined;
  const { bounds, fault } = times;
  if (bounds === undefined || fault !== undefined) return { state: 'open', times };
  if (bounds.low >= NEARLY_DOUBLED) return { state: 'yes', times };
  return { state: bounds.high < NEARLY_DOUBLED ? 'no' : 'open', times };
}

const DECISIONS = { yes: 'Yes', no: 'No', open: 'Not decided' } as const;

/** Empty where nothing that pipelines was measured beside the reference. */
function answerOf(cells: readonly PictureCell[], original: OriginalCase): readonly string[] {
  const { reference, cold } = original;
  const decision = decisionOf(original);
  if (!cells.some(({ profile, times }) => profile.depth > 1 && times !== undefined)) return [];
  const bundled = cells.filter(({ page, link, profile, times }) => profile.id === BUNDLED_ID && times && isOriginalCase(page, link));
  const links = [...new Set(bundled.filter(({ page }) => page.connections === 'cold').map(({ link }) => link.name))].join(', ');
  const level = cold.filter(({ times: { bounds } }) => bounds !== undefined && bounds.low <= 1 && bounds.high >= 1).map(({ id }) => id);
  return [
    decision === undefined
      ? `Not decided: ${BUNDLED_ID}, the pipelining of the original, was not measured with pictures of 150 kB where slow start decides.`
      : `${DECISIONS[decision.state]}: ${BUNDLED_ID}, the pipelining of the original, took ${decision.times.ratio.toFixed(2)} times as long as ${reference} (${withBounds(decision.times)}) on cold connections with pictures of 150 kB where slow start decides (${links}). "Nearly doubled" is ${NEARLY_DOUBLED} times or more.`,
    ...(level.length === 0 ? [] : [`Not shown to be faster or slower than ${reference} there: ${level.join(', ')}.`]),
  ];
}

/** `1.53 (1.49 to 1.57; 10 pairs)`. */
const timesText = (times: TimesReference): string => `${times.ratio.toFixed(2)} (${withBounds(times)})`;

const withBounds = ({ bounds, pairs }: TimesReference): string =>
  `${bounds === undefined ? 'no interval' : boundsText(bounds)}; ${counted(pairs, 'pair')}`;

const boundsText = ({ low, high }: NonNullable<TimesReference['bounds']>): string => `${low.toFixed(2)} to ${high.toFixed(2)}`;
const ms = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${Math.round(value)} ms`);

/** Every profile over all scenarios of the original's case. */
function caseTable({ reference, cold, warm, comparisons }: OriginalCase): StudyTable {
  const rows = [...cold.map((each) => ({ connections: 'cold', ...each })), ...warm.map((each) => ({ connections: 'warm', ...each }))];
  return tableOf(
    `Pictures of 150 kB where slow start decides, all links together: load times over those of ${reference}. Nearly doubled: ${NEARLY_DOUBLED} times or more`,
    rows,
    [
      text('connections', ({ connections }) => connections),
      text('profile', ({ id }) => id),
      figure(`times that of ${reference}`, ({ times }) => times.ratio.toFixed(2)),
      figure(`95 % interval, all ${comparisons} together`, ({ times: { bounds } }) => bounds && boundsText(bounds)),
      figure('pairs', ({ times }) => times.pairs),
    ],
  );
}

function pictureTable(cells: readonly PictureCell[], reference: string): StudyTable {
  const comparisons = Math.max(...cells.map((cell) => cell.comparisons));
  return tableOf(`Ten pictures: medians over the loads; load times over those of ${reference} in pairs of loads of the same turn`, cells, [
    text('page', ({ page }) => page.name),
    text('link', ({ link }) => link.name),
    text('profile', ({ profile }) => profile.id),
    figure('loads', ({ loads }) => loads.length),
    figure('load time', ({ loadTimeMs }) => ms(loadTimeMs)),
    figure(`times that of ${reference}`, ({ times }) => times?.ratio.toFixed(2)),
    figure(`95 % interval, the ${comparisons} of a page and link together`, ({ times }) => times?.bounds && boundsText(times.bounds)),
    figure('pairs', ({ times }) => times?.pairs),
    figure('pictures', ({ picturesMs }) => ms(picturesMs)),
    figure('wait for first byte', ({ waits }) => ms(waits?.medianMs)),
    figure('longest wait', ({ waits }) => ms(waits?.longestMs)),
    figure('round trips, arithmetic', ({ page, roundTrips }) => (page.connections === 'cold' ? roundTrips : undefined)),
    text('verdict on load time', ({ profile, compared }) => (profile.id === reference ? 'compared with' : verdictLabel(compared))),
  ]);
}

/** What the packets of single loads show; `undefined`: there are no captures. */
function captureTable(captures: readonly StudyCapture[] = []): StudyTable | undefined {
  const rows = captures.flatMap(({ page, link, profileId, analysis, window }) =>
    window ? [{ page, link, profileId, ...captureFigures(analysis, window) }] : [],
  );
  if (rows.length === 0) return undefined;
  const title =
    'From packets, one load of each: waiting behind the response before it on the connection, and the most that one connection had in flight, a lower bound of its congestion window';
  return tableOf(title, rows, [
    text('page', ({ page }) => page),
    text('link', ({ link }) => link),
    text('profile', ({ profileId }) => profileId),
    figure('connections', ({ connections }) => connections),
    figure('of them new', ({ opened }) => opened),
    figure('answers behind others', ({ headOfLineMs }) => headOfLineMs.requests),
    figure('mean wait behind', ({ headOfLineMs: { requests, sum } }) => (requests === 0 ? undefined : ms(sum / requests))),
    figure('longest', ({ headOfLineMs: { requests, most } }) => (requests === 0 ? undefined : ms(most))),
    figure('most in flight, kB', ({ mostWindowBytes }) => mostWindowBytes && Math.round(mostWindowBytes / 1000)),
    figure(
      'segments sent again',
      ({ retransmittedPackets, dataPackets }) => `${countText(retransmittedPackets)} of ${countText(dataPackets)}`,
    ),
  ]);
}

/** The bundle on cold connections beside the reference, by the keys of the original's figures. */
function bundledFigures(cells: readonly PictureCell[], reference: string): Readonly<Record<string, string | undefined>> {
  const bundled = cells.flatMap((cell) => {
    const { page, link, profile, times } = cell;
    const beside = cells.find((each) => each.page === page && each.link === link && each.profile.id === reference);
    const isBundled = profile.id === BUNDLED_ID && page.connections === 'cold';
    return isBundled && times && beside ? [{ cell, beside, times, where: `${page.name} over ${link.name}` }] : [];
  });
  const loadTimes = bundled
    .filter(({ cell: { page, link } }) => isOriginalCase(page, link))
    .map(({ where, times }) => `${where} ${timesText(times)}`);
  const pictures = bundled.map(
    ({ cell, beside, where }) =>
      `${ms(cell.picturesMs) ?? 'not known'} and ${ms(beside.picturesMs) ?? 'not known'} (medians of ${cell.loads.length} and ${counted(beside.loads.length, 'load')}; ${where})`,
  );
  return {
    loadTime: loadTimes.length === 0 ? undefined : loadTimes.join(', '),
    pictures:
      pictures.length === 0
        ? undefined
        : `all ten pictures on all connections, from the first request to the last byte: ${pictures.join(', ')}`,
  };
}

function maxInFlight(captures: readonly StudyCapture[]): string | undefined {
  const figures = captures.flatMap(({ analysis, window }) => (window ? [captureFigures(analysis, window)] : []));
  const most = figures.flatMap(({ mostWindowBytes }) => mostWindowBytes ?? []);
  if (most.length === 0) return undefined;
  const again = figures.reduce((sum, { retransmittedPackets }) => sum + retransmittedPackets, 0);
  const all = figures.reduce((sum, { dataPackets }) => sum + dataPackets, 0);
  const range = `${Math.round(Math.min(...most) / 1000)} to ${Math.round(Math.max(...most) / 1000)} kB`;
  return `the most that one connection of a load had in flight: ${range} in ${counted(figures.length, 'load')}, ${countText(again)} of ${countText(all)} segments sent again; see the time-sequence pictures`;
}

/** Who waits for whom: the pictures of one load of each profile as bars, a drawing per page and link. Pure. */
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

function waitingPictures(cells: readonly PictureCell[]): readonly StudyPicture[] {
  return [...groupBy(cells, ({ page, link }) => `${page.name}-${link.name}`)].flatMap(([key, own]) => {
    const rows = own
      .flatMap(({ profile, loads, loadTimeMs }) => {
        const load = middleLoad(loads, loadTimeMs);
        return load === undefined
          ? []
          : [{ profileId: profile.id, requests: load.requests, loadTimeMs: Number(load.measures?.loadTimeMs) }];
      })
      .toSorted((a, b) => a.loadTimeMs - b.loadTimeMs);
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
  return withDarkMode(
    markupText(html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${bottom + 34}" viewBox="0 0 ${WIDTH} ${bottom + 34}" role="img" font-family="system-ui, 'Liberation Sans', Arial, sans-serif" font-size="12" fill="#1d1b20">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="28" font-size="${headingPx(title, WIDTH - 32)}" font-weight="600">${title}</text>
<text x="16" y="48" fill="${MUTED}">A row per request, the document first: the load of each profile whose time is nearest to the median, the fastest on top.</text>
<rect x="16" y="60" width="20" height="4" fill="${WAITING}"/><text x="42" y="67">asked for, no byte yet (for a connection, or behind other answers)</text>
<rect x="470" y="58" width="20" height="7" fill="${RECEIVING}"/><text x="496" y="67">receiving</text>
${axis.ticks.map(({ ms, label }) => html`<line x1="${xAt(ms, axis)}" x2="${xAt(ms, axis)}" y1="${TOP - 6}" y2="${bottom}" stroke="#e4e1e8"/><text x="${xAt(ms, axis)}" y="${bottom + 18}" text-anchor="middle" fill="${MUTED}">${label}</text>`)}
${drawn}
</svg>
`),
  );
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
