/**
 * Overview of a load: a row per connection, requests as dots and responses as bars, after htracr; what waited behind another response is hatched.
 * Below, how many requests were outstanding in all.
 */
import { html, type Markup } from '../../core/text/markup.ts';
import { timeTicks } from '../../core/text/svg-axes.ts';
import type { CaptureAnalysis } from './capture-analysis.ts';
import { captureFigures } from './capture-figures.ts';
import { connectionRow } from './connection-row.ts';
import { mostOutstanding, type OutstandingStep, requestsOutstanding } from './http-exchanges.ts';
import { type CaptureWindow, type ConnectionInWindow, captureWindow, connectionsInWindow } from './load-window.ts';
import { boxKey, COLOURS, type LegendKey, linearScale, lineKey, PAGE, picture, px, type Scale } from './picture-frame.ts';
import { stepPath } from './time-sequence-panel.ts';

export interface ConnectionRowsOptions {
  /** What was loaded, how; one line. */
  readonly title?: string;
  /** Over which link, with its figures; one line. */
  readonly subtitle?: string;
  /** The part of the capture that is shown. Absent: from the first request or its connection's SYN to the end of the last response. */
  readonly window?: CaptureWindow;
  /** End of the axis, ms after the window's beginning, so that several pictures have the same. Absent: the window's own. */
  readonly axisMs?: number;
}

const PLOT = { left: 190, right: 1040, top: PAGE.contentY + 22 } as const;
const LINE_HEIGHT = 14;
const ROW_GAP = 12;
const OUTSTANDING_HEIGHT = 64;
const MOST_TICKS = 10;

export function connectionRowsSvg(analysis: CaptureAnalysis, options: ConnectionRowsOptions = {}): string {
  const window = options.window ?? captureWindow(analysis) ?? { fromMs: 0, toMs: Math.max(1, analysis.endMs) };
  const axisMs = Math.max(1, options.axisMs ?? window.toMs - window.fromMs);
  const x = linearScale([window.fromMs, window.fromMs + axisMs], [PLOT.left, PLOT.right]);
  const connections = connectionsInWindow(analysis, window);
  let y: number = PLOT.top;
  const rows = connections.map((connection) => {
    const row = connectionRow(connection, { x, window, right: PLOT.right, lineHeight: LINE_HEIGHT, dotRadius: 4, named: true });
    const markup = html`<g transform="translate(0 ${y})">${rowLabel(connection)}${row.markup}</g>`;
    y += row.height + ROW_GAP;
    return markup;
  });
  const plotTop = y + 6;
  const bottom = plotTop + OUTSTANDING_HEIGHT;
  const ticks = timeTicks(axisMs, MOST_TICKS).map(({ ms, label }) => ({ place: x(window.fromMs + ms), label }));
  return picture({
    title: options.title ?? 'Requests and responses of a load, connection by connection',
    subtitles: [...(options.subtitle === undefined ? [] : [options.subtitle]), figuresOf(analysis, window)],
    legend: ROWS_LEGEND,
    height: bottom + 42,
    content: [
      html`<path d="${ticks.map(({ place }) => `M${px(place)} ${PLOT.top - 8}V${bottom}`).join('')}" stroke="${COLOURS.grid}"/>`,
      html`<g font-size="11" fill="${COLOURS.quiet}" text-anchor="middle">${ticks.map(({ place, label }) => html`<text x="${px(place)}" y="${bottom + 15}">${label}</text>`)}<text x="${(PLOT.left + PLOT.right) / 2}" y="${bottom + 32}">time since the load began</text></g>`,
      ...rows,
      outstandingPanel(connections, { x, top: plotTop, window }),
    ],
  });
}

/** In the order in which a load has them. `#hatch` is a pattern of the picture that it stands in. */
export const ROWS_LEGEND: readonly LegendKey[] = [
  { label: 'connection open', mark: boxKey(COLOURS.connection) },
  { label: 'handshake', mark: boxKey(COLOURS.handshake) },
  { label: 'request', mark: (x, middle) => html`<circle cx="${x + 14}" cy="${middle}" r="4" fill="${COLOURS.request}"/>` },
  { label: 'waiting for its response', mark: lineKey(COLOURS.waiting) },
  { label: 'of it, behind another response', mark: boxKey('url(#hatch)') },
  {
    label: 'response',
    mark: (x, middle) =>
      html`<rect x="${x}" y="${middle - 5}" width="11" height="10" fill="${COLOURS.data}"/><rect x="${x + 11}" y="${middle - 5}" width="11" height="10" fill="${COLOURS.dataOther}"/>`,
  },
];

function figuresOf(analysis: CaptureAnalysis, window: CaptureWindow): string {
  const { connections, requests, headOfLineMs, durationMs, mostOutstandingRequests } = captureFigures(analysis, window);
  return [
    `${connections} connection${connections === 1 ? '' : 's'}, ${requests} request${requests === 1 ? '' : 's'} in ${(durationMs / 1000).toFixed(2)} s`,
    `at most ${mostOutstandingRequests} outstanding`,
    `head-of-line waiting ${(headOfLineMs.sum / 1000).toFixed(2)} s in all`,
    `captured at the ${analysis.capturePoint}`,
    ...cutOffText(analysis, window),
  ].join('; ');
}

function cutOffText(analysis: CaptureAnalysis, window: CaptureWindow): readonly string[] {
  const cutOff = connectionsInWindow(analysis, window).filter(({ connection }) => connection.exchangesCutOff).length;
  return cutOff === 0 ? [] : [`not all told apart on ${cutOff} of the connections: packets were kept only in part`];
}

function rowLabel({ connection: { number, client, server }, exchanges }: ConnectionInWindow): Markup {
  const second = exchanges.length === 0 ? 'nothing asked' : `${exchanges.length} request${exchanges.length === 1 ? '' : 's'}`;
  return html`<text x="${PAGE.margin}" y="10">connection ${number}, port ${client.port}</text>
<text x="${PAGE.margin}" y="24" font-size="11" fill="${COLOURS.quiet}">${server.address}:${server.port}, ${second}</text>`;
}

interface OutstandingLook {
  readonly x: Scale;
  readonly top: number;
  readonly window: CaptureWindow;
}

function outstandingPanel(connections: readonly ConnectionInWindow[], { x, top, window }: OutstandingLook): Markup {
  const steps = requestsOutstanding(connections.flatMap(({ exchanges }) => exchanges.map(({ exchange }) => exchange)));
  const most = Math.max(1, mostOutstanding(steps));
  const y = linearScale([0, most], [top + OUTSTANDING_HEIGHT, top]);
  const shown: readonly OutstandingStep[] = [{ atMs: window.fromMs, requests: 0 }, ...steps];
  const outline = stepPath(shown.map(({ atMs, requests }) => [x(atMs), y(requests)]));
  return html`<path d="${outline}H${px(x(window.toMs))}V${px(y(0))}z" fill="${COLOURS.outstanding}"/>
<path d="M${PLOT.left} ${px(y(0))}H${PLOT.right}" stroke="${COLOURS.grid}"/>
<g font-size="11" fill="${COLOURS.quiet}"><text x="${PAGE.margin}" y="${top + OUTSTANDING_HEIGHT / 2 + 4}">requests outstanding</text>
<g text-anchor="end"><text x="${PLOT.left - 6}" y="${px(y(most) + 8)}">${most}</text><text x="${PLOT.left - 6}" y="${px(y(0))}">0</text></g></g>`;
}
