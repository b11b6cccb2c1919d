/** The lower half of a time-sequence graph: bytes outstanding, and the congestion window as estimated. */
import { html, type Markup } from '../../core/text/markup.ts';
import type { WindowRound } from './congestion-window.ts';
import type { InFlightPoint } from './in-flight.ts';
import { byteTicks, COLOURS, linearScale, px, type Scale } from './picture-frame.ts';
import { type PanelSpan, PLOT, stepPath } from './time-sequence-panel.ts';

interface Look {
  readonly label: string;
  readonly colour: string;
  readonly dash: string;
}

/** What held the sender back in a round, and how that stretch of the window is drawn. */
export const LIMIT_LOOKS: ReadonlyMap<WindowRound['limit'], Look> = new Map([
  ['congestion', { label: 'congestion window (estimate)', colour: COLOURS.window, dash: '' }],
  ['application', { label: 'at least (no more to send)', colour: COLOURS.held, dash: '4 3' }],
  ['receiver', { label: "receiver's window", colour: COLOURS.receiver, dash: '7 2' }],
  ['recovery', { label: 'repairing a loss', colour: COLOURS.again, dash: '2 2' }],
]);

const MOST_TICKS = 4;

export function outstandingPanel({ connection, fromMs, toMs, x, axisBytes }: PanelSpan): Markup {
  const { sending } = connection.down;
  const [top, bottom] = PLOT.outstanding;
  if (!sending)
    return html`<text x="${(PLOT.left + PLOT.right) / 2}" y="${(top + bottom) / 2}" text-anchor="middle" fill="${COLOURS.quiet}">What is outstanding is seen only where it is sent: this capture was made at the client.</text>`;
  const points = sending.inFlight.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const rounds = sending.rounds.filter((round) => round.toMs >= fromMs && round.fromMs <= toMs);
  const most = Math.max(
    1,
    ...rounds.map(({ bytes }) => bytes),
    points.reduce((high, each) => Math.max(high, each.outstandingBytes), 0),
  );
  const y = linearScale([0, axisBytes ?? most * HEADROOM], [bottom, top]);
  return html`${axis(axisBytes ?? most * HEADROOM, y)}
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

function axis(endBytes: number, y: Scale): Markup {
  const ticks = byteTicks(endBytes, MOST_TICKS);
  const lines = ticks.map(({ bytes }) => `M${PLOT.left} ${px(y(bytes))}H${PLOT.right}`).join('');
  const labels = ticks.map(({ bytes, label }) => html`<text x="${PLOT.left - 6}" y="${px(y(bytes) + 4)}">${label}</text>`);
  const middle = (PLOT.outstanding[0] + PLOT.outstanding[1]) / 2;
  return html`<path d="${lines}" stroke="${COLOURS.grid}" fill="none"/>
<g font-size="11" fill="${COLOURS.quiet}"><g text-anchor="end">${labels}</g>
<text transform="translate(20 ${middle}) rotate(-90)" text-anchor="middle">not acknowledged</text></g>`;
}

function areaPath(points: readonly InFlightPoint[], x: Scale, y: Scale): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return '';
  const outline = stepPath(tallest(points, x).map(({ at, bytes }) => [at, y(bytes)]));
  return `${outline}H${px(x(last.atMs))}V${px(y(0))}H${px(x(first.atMs))}z`;
}

/** Of all in a third of a pixel the tallest and the last: more the eye cannot tell. */
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
