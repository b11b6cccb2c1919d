/** The warm-up study's answer in sentences. Pure. */

import { groupBy } from '../../../core/group-by.ts';
import { counted } from '../../../core/text/figures.ts';
import { heldUp } from './held-up.ts';
import {
  coldOf,
  firstToLater,
  firstToLaterWithSetUp,
  firstWithSetUpMs,
  laterRatio,
  objectBytes,
  ownBufferOf,
  type SequenceCell,
  sparedMs,
} from './sequences.ts';
import type { SpeculationCell, SpeculationVerdicts } from './speculation.ts';
import { speculationSentences } from './speculation-words.ts';
import { bytesText, kilobytes, msText, timesRange, timesText } from './words.ts';

/** Fewer loads of a page over a link are no ground for a sentence. */
export const FEWEST_LOADS = 2;
/** Two medians closer than this are called the same. Our own choice: between loads of an idle lab those of 20 ms differ by 2 to 3 %. */
const SAME = 0.05;

/** `verdicts`: `undefined` where nothing that can be compared was measured. */
export interface AnswerFacts {
  readonly cells: readonly SequenceCell[];
  readonly speculation: readonly SpeculationCell[];
  readonly verdicts: SpeculationVerdicts | undefined;
  readonly baseline: string;
}

export function warmUpAnswer({ cells, speculation, verdicts, baseline }: AnswerFacts): readonly string[] {
  const enough = cells.filter(({ loads }) => loads >= FEWEST_LOADS);
  const own = enough.filter(({ link }) => link.receiveBufferBytes === undefined);
  const cold = own.filter(({ page }) => page.connections === 'cold');
  const few = cells.length - enough.length;
  return [
    ...(enough.length === 0
      ? [`Too little was measured: no page whose requests came one after another was loaded ${FEWEST_LOADS} times over a link.`]
      : []),
    ...allSentence(cold),
    ...ends(cold).map((cell) => `${coldSentence(cell)}${warmSentence(cell, own)}`),
    ...bySize(enough.filter(({ page }) => page.connections === 'cold')).flatMap(bufferSentence),
    ...speculationSentences(speculation, { verdicts, baseline }),
    ...(few > 0 && enough.length > 0
      ? [`Left out of these sentences: ${counted(few, 'page over a link', 'pages over a link')} with less than ${FEWEST_LOADS} loads.`]
      : []),
  ];
}

const bySize = (cells: readonly SequenceCell[]): readonly (readonly SequenceCell[])[] => [
  ...groupBy(cells, ({ page }) => objectBytes(page)).values(),
];

/** The first and the last in the study's order, the nearest with the smallest objects and the farthest with the largest: whatever they show. */
const ends = (cells: readonly SequenceCell[]): readonly SequenceCell[] => [...new Set([...cells.slice(0, 1), ...cells.slice(-1)])];

function allSentence(cold: readonly SequenceCell[]): readonly string[] {
  if (cold.length < 2) return [];
  const sizes = bySize(cold);
  const times = (ratioOf: typeof firstToLater) =>
    sizes.map((cells) => timesRange(cells.map((cell) => ratioOf(cell)?.middle ?? Number.NaN)));
  const objects = sizes.map(([cell]) => (cell ? ` with objects of ${bytesText(objectBytes(cell.page))}` : ''));
  const whole = times(firstToLaterWithSetUp).map((text, at) => `${text}${at === 0 ? ' as long as a later one' : ''}${objects[at]}`);
  const links = [...new Set(cold.map(({ link }) => link.name))].join(', ');
  return [
    `The first request on a new connection takes, the handshake included, ${whole.join(' and ')} (${links}); without the handshake ${times(firstToLater).join(' and ')}.`,
  ];
}

function coldSentence(cell: SequenceCell): string {
  const { link, page, loads, setUpMs, firstMs, laterMs } = cell;
  const [whole, alone] = [firstToLaterWithSetUp(cell), firstToLater(cell)].map((ratio) => timesText(ratio?.middle ?? Number.NaN));
  return `${link.name} (RTT ${link.rttMs} ms), ${bytesText(objectBytes(page))}, ${loads} loads: first request on a new connection ${msText(firstWithSetUpMs(cell))} ms (handshake ${msText(setUpMs)} + request ${msText(firstMs)}), later ones ${msText(laterMs)} ms: ${whole}; without the handshake ${alone}.`;
}

/** Begins with a blank; empty where no connection was open already. */
function warmSentence(cold: SequenceCell, cells: readonly SequenceCell[]): string {
  const warm = cells.find((cell) => cell.page.connections === 'warm' && coldOf(cell, cells) === cold);
  const spared = warm && sparedMs(warm, cold);
  if (warm === undefined || spared === undefined) return '';
  const pause = warm.pauseMs === undefined ? '' : `, at least ${msText(warm.pauseMs)} ms after its last answer`;
  return ` On a connection already open${pause}: ${msText(warm.firstMs)} ms, ${msText(spared.middle)} ms less (${msText(spared.low)} to ${msText(spared.high)} in ${counted(spared.pairs, 'pair')} of loads): ${sparedWhat(cold, warm)}.${isWindowKept(cold, warm) ? AFTER_LONGER_PAUSES : ''}`;
}

/** `tcp_cwnd_restart` of net/ipv4/tcp_output.c halves it for every retransmission timeout that passes; on unless the sysctl says 0. */
const AFTER_LONGER_PAUSES =
  ' After longer pauses (not measured) Linux shrinks the window, unless it is told otherwise (net.ipv4.tcp_slow_start_after_idle).';

const alike = (a: number, b: number): boolean => Math.abs(a / b - 1) <= SAME;

const isWindowKept = (cold: SequenceCell, warm: SequenceCell): boolean =>
  !alike(cold.firstMs, cold.laterMs) && alike(warm.firstMs, warm.laterMs);

function sparedWhat(cold: SequenceCell, warm: SequenceCell): string {
  if (alike(cold.firstMs, cold.laterMs)) return 'the handshake';
  if (isWindowKept(cold, warm)) return 'no handshake, and the congestion window is kept';
  if (alike(warm.firstMs, cold.firstMs)) return 'the handshake; slow start begins anew';
  return 'the handshake; the congestion window is kept in some loads and not in others, or in part';
}

/** Of objects of one size. */
function bufferSentence(cells: readonly SequenceCell[]): readonly string[] {
  const links = groupBy(
    cells.filter(({ link }) => link.receiveBufferBytes !== undefined),
    (cell) => ownBufferOf(cell, cells),
  );
  const parts = [...links].flatMap(([own, fixed]) => (own ? [`over ${own.link.name} ${buffersOver(own, fixed)}`] : []));
  const [any] = cells;
  if (any === undefined || parts.length === 0) return [];
  return [
    `Receive buffer of the client, objects of ${bytesText(objectBytes(any.page))}, a later request, times as long as with the kernel's own buffer: ${parts.join('; ')}.`,
  ];
}

function buffersOver(own: SequenceCell, fixed: readonly SequenceCell[]): string {
  const known = fixed.flatMap((cell) => {
    const ratio = laterRatio(cell, own)?.middle;
    return ratio === undefined ? [] : [{ cell, ratio }];
  });
  const slower = known.filter(({ ratio }) => ratio - 1 > SAME);
  const rest = known.filter((each) => !slower.includes(each)).map(({ cell }) => bufferText(cell));
  return [
    ...slower.map(({ cell, ratio }) => `${timesText(ratio).replace(' times', '')} with ${bufferText(cell)}${whySlow(cell)}`),
    ...(rest.length > 0 ? [`no longer (within ${SAME * 100} %) with ${rest.join(', ')}`] : []),
  ].join(', ');
}

const bufferText = ({ link }: SequenceCell): string => bytesText(link.receiveBufferBytes ?? 0);

function whySlow(cell: SequenceCell): string {
  const held = heldUp(cell);
  if (held === undefined) return '';
  return held.by === 'window'
    ? ` (about ${kilobytes(held.bytesPerRoundTrip)} per round trip)`
    : ` (held up by the sender's timer: ${msText(held.firstByteMs)} ms to the first byte)`;
}
