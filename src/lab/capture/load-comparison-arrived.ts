/** Bytes that had arrived over time, a curve per load. */
import { html, type Markup } from '../../core/report/markup.ts';
import { timeTicks } from '../../core/report/time-axis.ts';
import { byteTicks } from './byte-axis.ts';
import type { CaptureAnalysis } from './capture-analysis.ts';
import { connectionsInWindow, type LoadWindow } from './load-window.ts';
import { COLOURS, linearScale, PAGE, px } from './picture-frame.ts';
import { stepPath } from './time-sequence-layout.ts';

/** One load and how its curve looks; `dash` as in SVG's `stroke-dasharray`, empty for a line without gaps. */
export interface ComparedCurve {
  readonly analysis: CaptureAnalysis;
  readonly window: LoadWindow;
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
const RIGHT = PAGE.width - PAGE.margin - LEGEND_WIDTH;
const MOST_TIME_TICKS = 10;
const MOST_BYTE_TICKS = 5;

export function arrivedPanel(curves: readonly ComparedCurve[], { top, height, axisMs }: ArrivedPlace): Markup {
  const drawn = curves.map((curve) => ({ ...curve, points: arrivedBytes(curve) }));
  const most = Math.max(1, ...drawn.map(({ points }) => points.at(-1)?.bytes ?? 0));
  const bottom = top + height - 34;
  const x = linearScale([0, axisMs], [LEFT, RIGHT]);
  const y = linearScale([0, most], [bottom, top + 24]);
  const times = timeTicks(axisMs, MOST_TIME_TICKS);
  const sizes = byteTicks(most, MOST_BYTE_TICKS);
  const grid = [
    ...times.map(({ ms }) => `M${px(x(ms))} ${top + 24}V${bottom}`),
    ...sizes.map(({ bytes }) => `M${LEFT} ${px(y(bytes))}H${RIGHT}`),
  ];
  return html`<text x="${PAGE.margin}" y="${top + 8}" font-size="14" font-weight="600">Bytes acknowledged on all connections</text>
<path d="${grid.join('')}" stroke="${COLOURS.grid}" fill="none"/>
<g font-size="11" fill="${COLOURS.quiet}"><g text-anchor="middle">${times.map(({ ms, label }) => html`<text x="${px(x(ms))}" y="${bottom + 15}">${label}</text>`)}<text x="${(LEFT + RIGHT) / 2}" y="${bottom + 32}">time since the load began</text></g>
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
