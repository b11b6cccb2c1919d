/** Whether the receive window explains swings of the rate: what each window does beside the shipped one, and whole loads compared. Pure. */
import type { ProfileComparison } from '../../../core/compare/comparison.ts';
import { groupBy } from '../../../core/group-by.ts';
import { comparableLoads } from '../../../core/report/comparable-loads.ts';
import { verdictLabel } from '../../../core/report/shown-comparison.ts';
import { counted, percent } from '../../../core/text/figures.ts';
import { html, type Markup, markupText } from '../../../core/text/markup.ts';
import { type TimeTick, timeTicks } from '../../../core/text/svg-axes.ts';
import { headingPx, withDarkMode } from '../../../core/text/svg-picture.ts';
import { changeText, compareOnce, excludesNoChange, intervalText, loadsByServer, PROTOCOL_NAMES, withoutVerdict } from '../comparisons.ts';
import {
  comparedWith,
  figureColumn as figure,
  type StudyFindings,
  type StudyPicture,
  type StudyTable,
  tableOf,
  textColumn as text,
} from '../findings.ts';
import type { StudyData } from '../study.ts';
import {
  bandwidthDelayBytes,
  bytesText,
  type LargeObjectCell,
  largeObjectCells,
  MIN_WINDOWS,
  megabits,
  type Range,
  rateKbps,
  WINDOW_MS,
  windowCourse,
  windowOf,
} from './rates.ts';

/** A rate swings where it varies by at least this, and at least twice as much as with Firefox's own settings. Chosen, not measured. */
const SWINGS_FROM = 0.1;
const TIMES_SHIPPED = 2;
/** A profile is held back where it gets this much less of the link than with Firefox's own settings. Chosen, not measured. */
const HELD_BACK_FROM = 0.05;

const IN_WINDOWS = `in windows of ${WINDOW_MS} ms`;

/** A cell of which it is known how fast its object came. */
type RatedCell = LargeObjectCell & { readonly rate: NonNullable<LargeObjectCell['rate']> };
const isRated = (cell: LargeObjectCell): cell is RatedCell => cell.rate !== undefined;

/** One window of HTTP/2 on one page over one link, beside what Firefox ships there. */
interface WindowFinding {
  readonly cell: RatedCell;
  readonly shipped: RatedCell;
  /** `open`: the medians say so, but not every load does. */
  readonly effect: 'swings' | 'slow' | 'open' | 'none';
  /** Sets the very window that is shipped: a check, in which there must be no effect. */
  readonly check: boolean;
}

export function h2LargeObjectsFindings(data: StudyData): StudyFindings {
  const { baseline } = data.study;
  const cells = largeObjectCells(data);
  const compared = loadVerdicts(data);
  const windows = windowFindings(cells, baseline);
  const shipped = cells.filter(isRated).filter(({ profile, page }) => profile.id === baseline && page.servedBy === 'http2');
  const variations = shipped.map(({ page, link, rate }) => `${page.name} over ${link.name}: ${percent(rate.variation)}`);
  const rates = [...new Set(shipped.map(({ link }) => megabits(link.downKbps)))];
  return {
    tables: cells.length === 0 ? [] : [rateTable(cells), windowTable(cells), verdictTable(compared)],
    answer: answerOf(windows),
    comparisonWithOriginal: comparedWith(data.study, {
      swings:
        shipped.length === 0 ? undefined : `variation of the rate ${IN_WINDOWS} with Firefox's own settings: ${variations.join(', ')}`,
      rate: shipped.length === 0 ? undefined : rates.join(' and '),
    }),
    pictures: ratePictures(cells),
    figures: {
      cells: cells.map(({ page, link, profile, windowBytes, loads, goodputKbps, rate, droppedDown }) => ({
        ...{ page: page.name, servedBy: page.servedBy, link: link.name, profileId: profile.id, windowBytes },
        ...{ loads: loads.length, goodputKbps, rate, droppedDown },
      })),
      windows: windows.map(({ cell, effect, check }) => ({
        ...{ page: cell.page.name, link: cell.link.name, profileId: cell.profile.id, effect, check },
        arithmetic: windowCourse(cell.windowBytes, cell.link),
      })),
      verdicts: compared.flatMap(({ name, intervals, profiles }) =>
        profiles.map(({ id, versusBaseline: { ratio, low, high, pairs, verdict } }) => ({
          ...{ scenario: name, profileId: id, ratio, low, high, intervals, pairs, verdict },
        })),
      ),
    },
  };
}

/** Windows on HTTP/2 for which what ships was measured on the same page over the same link. */
function windowFindings(cells: readonly LargeObjectCell[], baseline: string): readonly WindowFinding[] {
  const rated = cells.filter(isRated).filter(({ page }) => page.servedBy === 'http2');
  return rated.flatMap((cell) => {
    const shipped = rated.find(({ page, link, profile }) => page === cell.page && link === cell.link && profile.id === baseline);
    if (shipped === undefined || shipped === cell) return [];
    return [{ cell, shipped, effect: effectOf(cell.rate, shipped.rate), check: cell.windowBytes === shipped.windowBytes }];
  });
}

function effectOf(own: RatedCell['rate'], shipped: RatedCell['rate']): WindowFinding['effect'] {
  if (own.variation >= SWINGS_FROM && own.variation >= TIMES_SHIPPED * shipped.variation) {
    const { low } = own.spread.variation;
    return low >= SWINGS_FROM && low >= TIMES_SHIPPED * shipped.spread.variation.high ? 'swings' : 'open';
  }
  if (shipped.shareOfLink - own.shareOfLink < HELD_BACK_FROM) return 'none';
  return shipped.spread.shareOfLink.low - own.spread.shareOfLink.high >= HELD_BACK_FROM ? 'slow' : 'open';
}

/** Empty without a window besides the shipped one. */
function answerOf(windows: readonly WindowFinding[]): readonly string[] {
  const [checks, others] = [windows.filter(({ check }) => check), windows.filter(({ check }) => !check)];
  if (others.length === 0) return [];
  const failed = checks.filter(({ effect }) => effect !== 'none');
  if (failed.length > 0)
    return [
      `No conclusion: ${idsOf(failed)}, which sets Firefox's own values, differs from it in ${counted(failed.length, 'scenario')} of ${checks.length}. Measure again on an idle machine.`,
    ];
  const shipped = others.some((each) => each.shipped.rate.spread.variation.high >= SWINGS_FROM) ? 'swings as well' : 'does not swing';
  const parts = [
    ...named('swings with', others, 'swings'),
    ...named('is held back with', others, 'slow'),
    ...named('differs from load to load with', others, 'open'),
  ];
  const effects = parts.length === 0 ? 'neither swings nor is held back with any window that was tried' : parts.join(', ');
  return [
    `Over HTTP/2, ${IN_WINDOWS}, the rate ${effects}; with Firefox's own settings it ${shipped}.`,
    checks.length === 0
      ? "No profile that sets Firefox's own values was loaded, so nothing checks these figures."
      : `${idsOf(checks)}, which sets Firefox's own values, has no effect in ${counted(checks.length, 'scenario')} of ${checks.length}, as must be.`,
  ];
}

const idsOf = (windows: readonly WindowFinding[]): string => [...new Set(windows.map(({ cell }) => cell.profile.id))].join(', ');

/** `swings with 256 KiB (2 of 3 scenarios)`; empty where no window does. */
function named(what: string, windows: readonly WindowFinding[], effect: WindowFinding['effect']): readonly string[] {
  const parts = [...groupBy(windows, ({ cell }) => cell.windowBytes)].flatMap(([bytes, own]) => {
    const having = own.filter((finding) => finding.effect === effect).length;
    return having === 0 ? [] : [`${bytesText(bytes)} (${having} of ${counted(own.length, 'scenario')})`];
  });
  return parts.length === 0 ? [] : [`${what} ${parts.join(', ')}`];
}

interface LoadVerdicts {
  readonly name: string;
  /** Intervals that hold together. */
  readonly intervals: number;
  readonly profiles: readonly ProfileComparison[];
}

/** Whole loads against what Firefox ships, one comparison per protocol and link: a window acts differently on each. */
function loadVerdicts(data: StudyData): readonly LoadVerdicts[] {
  const { study, links } = data;
  const shipped = study.profiles.find(({ id }) => id === study.baseline);
  const isCheck = (id: string) =>
    id !== study.baseline &&
    study.profiles.some((profile) => profile.id === id && shipped !== undefined && windowOf(profile) === windowOf(shipped));
  return loadsByServer(data).flatMap(({ servedBy, loads }) =>
    links.flatMap((link) => {
      const own = loads.filter((load) => load.link === link.name);
      if (!own.some(({ profileId }) => profileId === study.baseline)) return [];
      const { profiles, method } = compareOnce(comparableLoads(own), { baseline: study.baseline });
      const differing = profiles.find(({ id, versusBaseline }) => isCheck(id) && excludesNoChange(versusBaseline));
      const checked = profiles.map((profile) =>
        differing === undefined || isCheck(profile.id) || profile.versusBaseline.verdict === 'baseline'
          ? profile
          : { ...profile, versusBaseline: withoutVerdict(profile.versusBaseline, differing.id) },
      );
      return [{ name: `${PROTOCOL_NAMES[servedBy]}, ${link.name}`, intervals: method.intervals, profiles: checked }];
    }),
  );
}

/** `28 % to 31 %`. */
const percentRange = ({ low, high }: Range): string => `${percent(low)} to ${percent(high)}`;

function rateTable(cells: readonly LargeObjectCell[]): StudyTable {
  const title = `Delivery rate ${IN_WINDOWS} after slow start: medians over the loads, with their smallest and largest. Stalls and packets lost are means, the longest stall is that of all loads. A rate needs ${MIN_WINDOWS} windows`;
  return tableOf(title, cells, [
    text('page', ({ page }) => page.name),
    text('link', ({ link }) => link.name),
    text('profile', ({ profile }) => profile.id),
    figure('loads', ({ loads }) => loads.length),
    figure('goodput', ({ goodputKbps }) => megabits(goodputKbps)),
    figure('rate', ({ rate }) => rate && megabits(rate.meanKbps)),
    figure('of the link', ({ rate }) => rate && percent(rate.shareOfLink)),
    figure('variation', ({ rate }) => rate && percent(rate.variation)),
    figure('min to max', ({ rate }) => rate && percentRange(rate.spread.variation)),
    figure('below half', ({ rate }) => rate && percent(rate.belowHalf)),
    figure('stalls', ({ rate }) => rate?.stalls.toFixed(1)),
    figure('longest stall', ({ rate }) => rate && `${rate.longestStallMs} ms`),
    figure('packets lost', ({ droppedDown }) => droppedDown?.toFixed(droppedDown < 10 ? 1 : 0)),
  ]);
}

/** HTTP/2 only: the window against the bandwidth-delay product. */
function windowTable(cells: readonly LargeObjectCell[]): StudyTable {
  const rows = cells
    .filter(isRated)
    .filter(({ page }) => page.servedBy === 'http2')
    .map((cell) => ({ ...cell, course: windowCourse(cell.windowBytes, cell.link), product: bandwidthDelayBytes(cell.link) }));
  const title = `HTTP/2: the window against the bandwidth-delay product, by arithmetic and measured. A rate swings where in every load it varies by ${percent(SWINGS_FROM)} or more and ${TIMES_SHIPPED} times as much as in any with Firefox's own settings; it is held back where every load gets ${percent(HELD_BACK_FROM)} of the link less than any with Firefox's own settings`;
  return tableOf(title, rows, [
    text('page', ({ page }) => page.name),
    text('link', ({ link }) => link.name),
    figure('bandwidth-delay product', ({ product }) => bytesText(product)),
    figure('window', ({ windowBytes }) => bytesText(windowBytes)),
    figure('window / product', ({ windowBytes, product }) => (windowBytes / product).toFixed(1)),
    figure('left when acknowledged', ({ course }) => bytesText(course.leftBytes)),
    figure('pause of a cycle, arithmetic', ({ course }) => `${course.pauseMs.toFixed(0)} ms`),
    figure('of the link, arithmetic', ({ course }) => percent(course.share)),
    figure('loads', ({ rate }) => rate.loads),
    figure('of the link, measured', ({ rate }) => percent(rate.shareOfLink)),
    figure('min to max', ({ rate }) => percentRange(rate.spread.shareOfLink)),
    figure('variation', ({ rate }) => percent(rate.variation)),
    figure('min to max', ({ rate }) => percentRange(rate.spread.variation)),
  ]);
}

function verdictTable(compared: readonly LoadVerdicts[]): StudyTable {
  const together = [...new Set(compared.map(({ intervals }) => intervals))].join(' or ');
  const rows = compared.flatMap(({ name, profiles }) =>
    profiles
      .filter(({ versusBaseline }) => versusBaseline.verdict !== 'baseline')
      .map((profile) => ({ name, profile, ...profile.versusBaseline })),
  );
  return tableOf('Efficiency of whole loads against the baseline, all sizes of a protocol over a link together', rows, [
    text('protocol and link', ({ name }) => name),
    text('profile', ({ profile }) => profile.id),
    figure('pairs', ({ pairs }) => pairs),
    figure('change', ({ ratio }) => changeText(ratio)),
    figure(`95 % interval, ${together} together`, (versus) => intervalText(versus, 'not bounded yet')),
    text('verdict', ({ profile }) => verdictLabel(profile)),
  ]);
}

/** The rate over time, one panel per protocol and window: a picture per size and link. Pure. */
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
function ratePictures(cells: readonly LargeObjectCell[]): readonly StudyPicture[] {
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
<text x="16" y="28" font-size="${headingPx(title, WIDTH - 32)}" font-weight="600">${title}</text>
<text x="16" y="48" fill="${MUTED}">What left the link in every 100 ms. One line per load. Dashed: the rate of the link, Mbit/s.</text>
${timeGrid(axis, bottom)}
${cells.map((cell, at) => panel(cell, axis, TOP + at * (PANEL + GAP)))}
</svg>
`;
  return withDarkMode(markupText(drawing));
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
