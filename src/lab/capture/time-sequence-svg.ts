/**
 * A connection as tcptrace's time-sequence graph shows it: what was sent when and what was acknowledged when, with what was sent again
 * marked; and on the same axis of time what was outstanding, and the congestion window as estimated.
 */
import { counted } from '../../core/text/figures.ts';
import { html, type Markup } from '../../core/text/markup.ts';
import { timeTicks } from '../../core/text/svg-axes.ts';
import type { ConnectionAnalysis } from './capture-analysis.ts';
import type { WindowRound } from './congestion-window.ts';
import type { InFlightPoint } from './in-flight.ts';
import type { CaptureWindow } from './load-window.ts';
import { boxKey, bytesText, COLOURS, type LegendKey, linearScale, lineKey, picture, px, type Scale } from './picture-frame.ts';
import { bytesAxis, type PanelSpan, PLOT, sequencePanel, stepPath } from './time-sequence-panel.ts';

interface TimeSequenceOptions {
  /** What the connection was part of; one line. */
  readonly title?: string;
  /** Over which link, with its figures; one line. */
  readonly subtitle?: string;
  /** What is shown, ms of the capture. Absent: from the connection's first packet to its last with data. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

const HEIGHT = 748;
const MAX_TIME_TICKS = 12;

/** The server's data, which is what a load waits for. */
export function timeSequenceSvg(connection: ConnectionAnalysis, options: TimeSequenceOptions = {}): string {
  const { fromMs, toMs } = shownSpan(connection, options);
  const x = linearScale([fromMs, toMs], [PLOT.left, PLOT.right]);
  const since = options.fromMs === undefined ? "the connection's first packet" : 'the load began';
  const grid = timeGrid({ axisMs: toMs - fromMs, x: (ms) => x(fromMs + ms), since });
  const span = { connection, fromMs, toMs, x, grid };
  return picture({
    title: headingOf(connection, options.title),
    subtitles: [...(options.subtitle === undefined ? [] : [options.subtitle]), figuresOf(connection, { fromMs, toMs })],
    legend: legendOf(connection),
    height: HEIGHT,
    content: [
      html`<clipPath id="sequence"><rect x="${PLOT.left}" y="${PLOT.sequence[0]}" width="${PLOT.right - PLOT.left}" height="${PLOT.sequence[1] - PLOT.sequence[0]}"/></clipPath>`,
      sequencePanel(span),
      outstandingPanel(span),
    ],
  });
}

/** What held the sender back in a round, and how that stretch of the window is drawn. */
const LIMIT_LOOKS: ReadonlyMap<WindowRound['limit'], Look> = new Map([
  ['congestion', { label: 'congestion window (estimate)', colour: COLOURS.window, dash: '' }],
  ['application', { label: 'at least (no more to send)', colour: COLOURS.held, dash: '4 3' }],
  ['receiver', { label: "receiver's window", colour: COLOURS.receiver, dash: '7 2' }],
  ['recovery', { label: 'repairing a loss', colour: COLOURS.again, dash: '2 2' }],
]);

function shownSpan(connection: ConnectionAnalysis, { fromMs, toMs }: TimeSequenceOptions): { fromMs: number; toMs: number } {
  const { sent, acknowledged } = connection.flows.down;
  const lastData = sent.findLast(({ dataBytes }) => dataBytes > 0);
  const end = lastData && acknowledged.find(({ upTo }) => upTo >= lastData.start + lastData.dataBytes);
  const from = fromMs ?? connection.firstMs;
  return { fromMs: from, toMs: Math.max(from + 1, toMs ?? end?.atMs ?? lastData?.atMs ?? connection.lastMs) };
}

interface TimeGrid {
  readonly axisMs: number;
  /** From ms after the beginning. */
  readonly x: Scale;
  readonly since: string;
}

function timeGrid({ axisMs, x, since }: TimeGrid): Markup {
  const ticks = timeTicks(axisMs, MAX_TIME_TICKS);
  const [top, bottom] = [PLOT.sequence, PLOT.outstanding];
  const lines = ticks.map(({ ms }) => `M${px(x(ms))} ${top[0]}V${top[1]}M${px(x(ms))} ${bottom[0]}V${bottom[1]}`).join('');
  const labels = ticks.map(({ ms, label }) => html`<text x="${px(x(ms))}" y="${bottom[1] + 16}">${label}</text>`);
  return html`<path d="${lines}" stroke="${COLOURS.grid}" fill="none"/>
<g font-size="11" fill="${COLOURS.muted}" text-anchor="middle">${labels}<text x="${(PLOT.left + PLOT.right) / 2}" y="${bottom[1] + 33}">${`time since ${since}`}</text></g>`;
}

const nameOf = ({ number, client, server }: ConnectionAnalysis): string =>
  `connection ${number}, ${client.address}:${client.port} to ${server.address}:${server.port}`;

const headingOf = (connection: ConnectionAnalysis, title: string | undefined): string =>
  title === undefined ? `Time-sequence graph of ${nameOf(connection)}` : `${title}: ${nameOf(connection)}`;

/** Counts what is shown; round trips are those of the whole connection. */
function figuresOf({ down, flows, exchanges, capturePoint }: ConnectionAnalysis, { fromMs, toMs }: CaptureWindow): string {
  const { roundTrips, sending } = down;
  const within = (ms: number): boolean => ms >= fromMs && ms <= toMs;
  const data = flows.down.sent.filter(({ dataBytes, atMs }) => dataBytes > 0 && within(atMs));
  const again = data.filter(({ againBytes }) => againBytes > 0).length;
  const asked = exchanges.filter(({ requestMs }) => within(requestMs)).length;
  const bytes = data.reduce((sum, { dataBytes }) => sum + dataBytes, 0);
  const parts = [
    `${bytesText(bytes)} in ${data.length} segments from the server, ${again} of them sent again`,
    ...(roundTrips.minMs === undefined || roundTrips.meanMs === undefined || !sending
      ? []
      : [`round trip ${Math.round(roundTrips.minMs)} ms at least, ${Math.round(roundTrips.meanMs)} ms on average`]),
    ...(asked > 0 ? [counted(asked, 'request')] : []),
    `captured at the ${capturePoint}`,
  ];
  return parts.join('; ');
}

function legendOf({ down, exchanges }: ConnectionAnalysis): readonly LegendKey[] {
  const limits = new Set<WindowRound['limit']>(down.sending?.rounds.map(({ limit }) => limit));
  return [
    { label: 'data', mark: lineKey(COLOURS.data) },
    ...(down.retransmittedPackets > 0 ? [{ label: 'sent again', mark: lineKey(COLOURS.again) }] : []),
    { label: 'acknowledged', mark: lineKey(COLOURS.acknowledged) },
    ...(exchanges.length > 0 ? [{ label: 'request', mark: triangleKey }] : []),
    ...(down.sending ? [{ label: 'outstanding', mark: boxKey(COLOURS.outstanding) }] : []),
    ...[...LIMIT_LOOKS]
      .filter(([limit]) => limits.has(limit))
      .map(([, { label, colour, dash }]) => ({ label, mark: lineKey(colour, dash) })),
  ];
}

const triangleKey: LegendKey['mark'] = (x, middle) => html`<path d="M${x + 6} ${middle - 5}h10l-5 9z" fill="${COLOURS.request}"/>`;

interface Look {
  readonly label: string;
  readonly colour: string;
  readonly dash: string;
}

const MAX_OUTSTANDING_TICKS = 4;

/** The lower half: bytes outstanding, and the congestion window as estimated. */
function outstandingPanel({ connection, fromMs, toMs, x }: PanelSpan): Markup {
  const { sending } = connection.down;
  const [top, bottom] = PLOT.outstanding;
  if (!sending)
    return html`<text x="${(PLOT.left + PLOT.right) / 2}" y="${(top + bottom) / 2}" text-anchor="middle" fill="${COLOURS.muted}">What is outstanding is seen only where it is sent: this capture was made at the client.</text>`;
  const points = sending.inFlight.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const rounds = sending.rounds.filter((round) => round.toMs >= fromMs && round.fromMs <= toMs);
  const most = Math.max(
    1,
    ...rounds.map(({ bytes }) => bytes),
    points.reduce((high, each) => Math.max(high, each.outstandingBytes), 0),
  );
  const y = linearScale([0, most * HEADROOM], [bottom, top]);
  return html`${bytesAxis(most * HEADROOM, y, { place: PLOT.outstanding, ticks: MAX_OUTSTANDING_TICKS, title: html`not acknowledged` })}
<path d="${areaPath(points, x, y)}" fill="${COLOURS.outstanding}" fill-opacity="0.75"/>
${[...LIMIT_LOOKS].map(
  ([limit, { colour, dash }]) =>
    html`<path d="${roundPath(
      rounds.filter((round) => round.limit === limit),
      x,
      y,
    )}" stroke="${colour}" stroke-width="2.4" stroke-dasharray="${dash}" fill="none"/>`,
)}`;
}

/** Between the highest and the upper edge. */
const HEADROOM = 1.06;

function areaPath(points: readonly InFlightPoint[], x: Scale, y: Scale): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  const outline = stepPath(tallest(points, x).map(({ at, bytes }) => [at, y(bytes)]));
  return `${outline}H${px(x(last.atMs))}V${px(y(0))}H${px(x(first.atMs))}z`;
}

/** Keeps the tallest and the last of all in a third of a pixel: the eye cannot tell more. */
function tallest(points: readonly InFlightPoint[], x: Scale): readonly { at: number; bytes: number }[] {
  const kept: { at: number; bytes: number }[] = [];
  let column = Number.NaN;
  let lastBytes = 0;
  for (const { atMs, outstandingBytes } of points) {
    const at = Math.round(x(atMs) * 3) / 3;
    const current = kept.at(-1);
    if (at === column && current) {
      current.bytes = Math.max(current.bytes, outstandingBytes);
      lastBytes = outstandingBytes;
      continue;
    }
    if (current && current.bytes !== lastBytes) kept.push({ at: column, bytes: lastBytes });
    kept.push({ at, bytes: outstandingBytes });
    column = at;
    lastBytes = outstandingBytes;
  }
  return kept;
}

/** A level line per round, with an upright where the next follows at once. */
function roundPath(rounds: readonly WindowRound[], x: Scale, y: Scale): string {
  let path = '';
  let lastMs = Number.NaN;
  for (const { fromMs, toMs, bytes } of rounds) {
    path += fromMs === lastMs ? `V${px(y(bytes))}` : `M${px(x(fromMs))} ${px(y(bytes))}`;
    path += `H${px(x(toMs))}`;
    lastMs = toMs;
  }
  return path;
}
