/**
 * Loads of one page side by side on the same axes: a panel per load with its connections as rows, in columns by group (cold and warm, say), and
 * below them the bytes that had arrived over time, a curve per load.
 */
import { counted } from '../../core/text/figures.ts';
import { html, type Markup } from '../../core/text/markup.ts';
import { timeTicks } from '../../core/text/svg-axes.ts';
import type { CaptureAnalysis } from './capture-analysis.ts';
import { connectionRow, ROWS_LEGEND } from './connection-rows-svg.ts';
import { type CaptureWindow, captureFigures, captureWindow, connectionsInWindow } from './load-window.ts';
import { byteTicks, CANVAS, COLOURS, fitting, linearScale, lineKey, picture, px } from './picture-frame.ts';
import { stepPath } from './time-sequence-panel.ts';

export interface ComparedLoad {
  /** Such as `6 connections, depth 1`; the same in every group. */
  readonly label: string;
  /** Its column, such as `cold`. */
  readonly group: string;
  readonly analysis: CaptureAnalysis;
  /** Absent: all requests of the capture. */
  readonly window?: CaptureWindow;
}

interface ComparisonOptions {
  readonly title: string;
  /** Over which link, with its figures; one line. */
  readonly subtitle: string;
}

interface Cell extends ComparedLoad {
  readonly window: CaptureWindow;
}

const GAP = 26;
const CELL_HEAD = 40;
const LINE_HEIGHT = 8;
const ROW_GAP = 5;
const MAX_TICKS = 6;
const ARRIVED_HEIGHT = 250;

export function loadComparisonSvg(loads: readonly ComparedLoad[], { title, subtitle }: ComparisonOptions): string {
  const cells = loads.flatMap((load): readonly Cell[] => {
    const window = load.window ?? captureWindow(load.analysis);
    return window ? [{ ...load, window }] : [];
  });
  const axisMs = Math.max(1, ...cells.map(({ window }) => window.toMs - window.fromMs));
  const groups = [...new Set(cells.map(({ group }) => group))];
  const labels = [...new Set(cells.map(({ label }) => label))];
  const width = (CANVAS.width - 2 * CANVAS.margin - GAP * (groups.length - 1)) / Math.max(1, groups.length);
  let y: number = CANVAS.contentY + 8;
  const rows = labels.map((label) => {
    const panels = groups.map((group, column) => {
      const cell = cells.find((each) => each.label === label && each.group === group);
      return cell && loadPanel(cell, { left: CANVAS.margin + column * (width + GAP), width, axisMs });
    });
    const markup = html`<g transform="translate(0 ${px(y)})">${panels.flatMap((panel) => panel?.markup ?? [])}</g>`;
    y += Math.max(...panels.map((panel) => panel?.height ?? 0)) + GAP;
    return markup;
  });
  const curves = cells.map(
    ({ analysis, window, label, group }): ComparedCurve => ({
      analysis,
      window,
      name: `${label}, ${group}`,
      colour: CURVE_COLOURS[labels.indexOf(label) % CURVE_COLOURS.length] ?? COLOURS.text,
      dash: DASHES[groups.indexOf(group) % DASHES.length] ?? '',
    }),
  );
  return picture({
    title,
    subtitles: [subtitle, 'One load each, as captured. All panels have the same axis of time; segments resent are of those with data.'],
    legend: [...ROWS_LEGEND, { label: 'end of the load', mark: lineKey(COLOURS.again, '5 3') }],
    height: y + Math.max(ARRIVED_HEIGHT, 40 + curves.length * 18) + 16,
    content: [...rows, arrivedPanel(curves, { top: y, height: ARRIVED_HEIGHT, axisMs })],
  });
}

/** Told apart by hue and by lightness, each at least 3:1 against white. */
const CURVE_COLOURS = ['#1f6fd1', '#c2410c', '#2e7d32', '#7b3fc4', '#1d1b20', '#b0186e'];
const DASHES = ['', '6 3', '2 2'];

interface PanelPlace {
  readonly left: number;
  readonly width: number;
  readonly axisMs: number;
}

function loadPanel({ analysis, window, label, group }: Cell, { left, width, axisMs }: PanelPlace): { markup: Markup; height: number } {
  const right = left + width;
  const x = linearScale([window.fromMs, window.fromMs + axisMs], [left, right]);
  let y = CELL_HEAD + 6;
  const rows = connectionsInWindow(analysis, window).map((connection) => {
    const row = connectionRow(connection, { x, window, right, lineHeight: LINE_HEIGHT, dotRadius: 3, named: false });
    const markup = html`<g transform="translate(0 ${y})">${row.markup}</g>`;
    y += row.height + ROW_GAP;
    return markup;
  });
  const ticks = timeTicks(axisMs, MAX_TICKS).map((tick) => ({ ...tick, place: x(window.fromMs + tick.ms) }));
  const end = px(x(window.toMs));
  return {
    height: y + 16,
    markup: html`<g><text x="${px(left)}" y="14" font-size="14" font-weight="600">${`${label}, ${group}`}</text>
<text x="${px(left)}" y="31" font-size="11" fill="${COLOURS.muted}">${fitting(figuresText(analysis, window), width)}</text>
<path d="${ticks.map(({ place }) => `M${px(place)} ${CELL_HEAD}V${y}`).join('')}" stroke="${COLOURS.grid}"/>
<g font-size="11" fill="${COLOURS.muted}">${ticks.map(({ place, label: text }) => html`<text x="${px(place)}" y="${y + 13}" text-anchor="${place > right - 12 ? 'end' : place < left + 12 ? 'start' : 'middle'}">${text}</text>`)}</g>
${rows}
<path d="M${end} ${CELL_HEAD - 2}V${y}" stroke="${COLOURS.again}" stroke-width="1.5" stroke-dasharray="5 3"/></g>`,
  };
}

function figuresText(analysis: CaptureAnalysis, window: CaptureWindow): string {
  const figures = captureFigures(analysis, window);
  return [
    `${(figures.durationMs / 1000).toFixed(2)} s`,
    counted(figures.connections, 'connection'),
    `at most ${figures.mostOutstandingRequests} outstanding`,
    `head-of-line ${(figures.headOfLineMs.sum / 1000).toFixed(2)} s`,
    `${figures.retransmittedPackets} of ${figures.dataPackets} resent`,
  ].join(' · ');
}

/** One load and how its curve looks; `dash` as in SVG's `stroke-dasharray`, empty for a line without gaps. */
interface ComparedCurve {
  readonly analysis: CaptureAnalysis;
  readonly window: CaptureWindow;
  readonly name: string;
  readonly colour: string;
  readonly dash: string;
}

interface ArrivedPlace {
  readonly top: number;
  readonly height: number;
  readonly axisMs: number;
}

const LEFT = 78;
const LEGEND_WIDTH = 250;
const RIGHT = CANVAS.width - CANVAS.margin - LEGEND_WIDTH;
const MAX_TIME_TICKS = 10;
const MAX_BYTE_TICKS = 5;

function arrivedPanel(curves: readonly ComparedCurve[], { top, height, axisMs }: ArrivedPlace): Markup {
  const drawn = curves.map((curve) => ({ ...curve, points: arrivedBytes(curve) }));
  const most = Math.max(1, ...drawn.map(({ points }) => points.at(-1)?.bytes ?? 0));
  const bottom = top + height - 34;
  const x = linearScale([0, axisMs], [LEFT, RIGHT]);
  const y = linearScale([0, most], [bottom, top + 24]);
  const times = timeTicks(axisMs, MAX_TIME_TICKS);
  const sizes = byteTicks(most, MAX_BYTE_TICKS);
  const grid = [
    ...times.map(({ ms }) => `M${px(x(ms))} ${top + 24}V${bottom}`),
    ...sizes.map(({ bytes }) => `M${LEFT} ${px(y(bytes))}H${RIGHT}`),
  ];
  return html`<text x="${CANVAS.margin}" y="${top + 8}" font-size="14" font-weight="600">Bytes acknowledged on all connections</text>
<path d="${grid.join('')}" stroke="${COLOURS.grid}" fill="none"/>
<g font-size="11" fill="${COLOURS.muted}"><g text-anchor="middle">${times.map(({ ms, label }) => html`<text x="${px(x(ms))}" y="${bottom + 15}">${label}</text>`)}<text x="${(LEFT + RIGHT) / 2}" y="${bottom + 32}">time since the load began</text></g>
<g text-anchor="end">${sizes.map(({ bytes, label }) => html`<text x="${LEFT - 6}" y="${px(y(bytes) + 4)}">${label}</text>`)}</g></g>
${drawn.map(({ points, colour, dash }) => html`<path d="${stepPath(points.map(({ afterMs, bytes }) => [x(afterMs), y(bytes)]))}" fill="none" stroke="${colour}" stroke-width="1.8" stroke-dasharray="${dash}"/>`)}
${drawn.map(({ name, colour, dash }, at) => html`<path d="M${RIGHT + 16} ${top + 36 + at * 18}h26" stroke="${colour}" stroke-width="2.2" stroke-dasharray="${dash}"/><text x="${RIGHT + 48}" y="${top + 40 + at * 18}">${name}</text>`)}`;
}

/** Acknowledged by the client, summed over the connections of the window; each time by what is new. */
function arrivedBytes({ analysis, window }: ComparedCurve): readonly { readonly afterMs: number; readonly bytes: number }[] {
  const gains = connectionsInWindow(analysis, window).flatMap(({ connection }) => {
    let reached = 0;
    const end = connection.flows.down.sent.reduce((most, { start, dataBytes }) => Math.max(most, start + dataBytes), 0);
    return connection.flows.down.acknowledged.flatMap(({ atMs, upTo }) => {
      const gain = Math.min(upTo, end) - reached;
      if (gain <= 0) return [];
      reached += gain;
      return atMs < window.fromMs ? [] : [{ afterMs: atMs - window.fromMs, bytes: gain }];
    });
  });
  let bytes = 0;
  return [{ afterMs: 0, bytes: 0 }, ...gains.sort((one, other) => one.afterMs - other.afterMs)].map((gain) => {
    bytes += gain.bytes;
    return { afterMs: gain.afterMs, bytes };
  });
}
