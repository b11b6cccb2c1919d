/** The warm-up study's answer in sentences. Pure. */
import type { VersusBaseline } from '../../core/compare/comparison.ts';
import { counted, rangeInWords, signedPercent } from '../../core/compare/plain-words.ts';
import { bytesPerRoundTrip, firstWithSetUpMs, objectBytes, type SequenceCell } from './warm-up-sequences.ts';
import { bytesText, msText } from './warm-up-tables.ts';

/** Fewer loads of a page over a link are no ground for a sentence. */
export const FEWEST_LOADS = 2;
/** Two medians closer than this are called the same. Our own choice: between loads of an idle lab those of 20 ms differ by 2 to 3 %. */
const SAME = 0.05;

export interface AnswerFacts {
  readonly cells: readonly SequenceCell[];
  readonly verdicts: ReadonlyMap<string, VersusBaseline>;
  readonly baseline: string;
}

export function warmUpAnswer({ cells, verdicts, baseline }: AnswerFacts): readonly string[] {
  const enough = cells.filter(({ loads }) => loads >= FEWEST_LOADS);
  const own = enough.filter(({ link }) => link.receiveBufferBytes === undefined);
  const cold = own.filter(({ page }) => page.connections === 'cold');
  const few = cells.length - enough.length;
  return [
    ...(enough.length === 0
      ? [`Too little was measured: no page whose requests came one after another was loaded ${FEWEST_LOADS} times over a link.`]
      : []),
    ...cold.map(coldSentence),
    ...cold.flatMap((cell) => warmSentence(cell, warmOf(cell, own))),
    ...cold.flatMap((cell) =>
      bufferSentence(
        cell,
        enough.filter((other) => isSameButForBuffer(other, cell)),
      ),
    ),
    ...[...verdicts].filter(([id]) => id !== baseline).map(([id, versus]) => speculationSentence(id, versus)),
    ...(few > 0 && enough.length > 0
      ? [`Left out of these sentences: ${counted(few, 'page over a link', 'pages over a link')} with less than ${FEWEST_LOADS} loads.`]
      : []),
  ];
}

const sameObjects = (a: SequenceCell, b: SequenceCell): boolean => objectBytes(a.page) === objectBytes(b.page);

const warmOf = (cold: SequenceCell, cells: readonly SequenceCell[]): SequenceCell | undefined =>
  cells.find((cell) => cell.link === cold.link && sameObjects(cell, cold) && cell.page.connections === 'warm');

const isSameButForBuffer = ({ page, link }: SequenceCell, own: SequenceCell): boolean =>
  page === own.page &&
  link.receiveBufferBytes !== undefined &&
  link.rttMs === own.link.rttMs &&
  link.downKbps === own.link.downKbps &&
  link.upKbps === own.link.upKbps;

const over = ({ link, page }: SequenceCell): string =>
  `Over ${link.name} (RTT ${link.rttMs} ms), objects of ${bytesText(objectBytes(page))}`;

function coldSentence(cell: SequenceCell): string {
  const { setUpMs, firstMs, laterMs } = cell;
  const whole = firstWithSetUpMs(cell);
  return `${over(cell)}: the first over a cold connection takes ${msText(whole)} ms, ${msText(setUpMs)} of them for the handshake, a later one ${msText(laterMs)} ms: ${(whole / laterMs).toFixed(1)} times as long, ${(firstMs / laterMs).toFixed(1)} times without the handshake.`;
}

function warmSentence(cold: SequenceCell, warm: SequenceCell | undefined): readonly string[] {
  if (warm === undefined) return [];
  const spared = firstWithSetUpMs(cold) - warm.firstMs;
  const slowStart = Math.abs(cold.firstMs / cold.laterMs - 1) > SAME;
  const asGrown = Math.abs(warm.firstMs / warm.laterMs - 1) <= SAME;
  const asCold = Math.abs(warm.firstMs / cold.firstMs - 1) <= SAME;
  const window = asGrown
    ? ', and the window that it had grown to is still there'
    : asCold
      ? ': the handshake, but not slow start, which begins anew after a pause'
      : ', and the window that it had grown to is there in some loads and not in others, or in part';
  return [
    `${over(warm)}: a connection that is warm makes the first request ${msText(warm.firstMs)} ms, which spares ${msText(spared)} ms${slowStart ? window : ': the handshake'}.`,
  ];
}

function bufferSentence(own: SequenceCell, cells: readonly SequenceCell[]): readonly string[] {
  if (cells.length === 0) return [];
  const slower = cells.filter(({ laterMs }) => laterMs / own.laterMs - 1 > SAME);
  const rest = cells.filter((cell) => !slower.includes(cell));
  const named = (some: readonly SequenceCell[]) => some.map(({ link }) => bytesText(link.receiveBufferBytes ?? 0)).join(', ');
  const parts = [
    ...slower.map((cell) => `with ${named([cell])} ${slowText(cell, own)}`),
    ...(rest.length > 0 ? [`with ${named(rest)} no longer (within ${SAME * 100} %)`] : []),
  ];
  return [`${over(own)}: with the kernel's own receive buffer a later request takes ${msText(own.laterMs)} ms, ${parts.join(', ')}.`];
}

function slowText(cell: SequenceCell, own: SequenceCell): string {
  const window = bytesPerRoundTrip(cell);
  const why = window === undefined ? '' : `, ${window.toFixed(0)} bytes a round trip`;
  return `${msText(cell.laterMs)} ms (${(cell.laterMs / own.laterMs).toFixed(1)} times${why})`;
}

function speculationSentence(id: string, { ratio, low, high, verdict }: VersusBaseline): string {
  const limit = id.replace('speculative-', '');
  const subject = `At most ${limit} half-open connections ahead of need`;
  if (ratio === undefined) return `${subject}: too little was measured.`;
  const interval = low === undefined || high === undefined ? 'not bounded yet' : rangeInWords(low, high);
  return `${subject}: efficiency of loads over cold connections ${signedPercent(ratio - 1)} (${interval}), ${verdict.replaceAll('-', ' ')}.`;
}
