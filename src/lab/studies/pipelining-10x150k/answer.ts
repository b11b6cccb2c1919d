/** Whether pipelining onto cold connections doubles the time, and why: sentences that hold for what was measured. Pure. */
import { counted } from '../../../core/text/figures.ts';
import type { StudyCapture } from '../study.ts';
import { type PictureCell, referenceCell } from './cells.ts';
import { isOriginalCase, lineMs, type SeedsCase } from './seeds-case.ts';
import { referenceWords, type TimesReference, timesText } from './times.ts';

/** "Almost doubling": from here on a load time counts as nearly doubled. Our own choice. */
const NEARLY_DOUBLED = 1.7;

/** What the sentences are made of. */
export interface PictureFacts {
  readonly cells: readonly PictureCell[];
  readonly seeds: SeedsCase;
  readonly captures: readonly StudyCapture[];
  readonly bundledId: string;
}

/** A profile that pipelines, and the reference, on the same page over the same link. */
export interface PipelinedCell {
  readonly cell: PictureCell;
  readonly reference: PictureCell;
  readonly times: TimesReference;
}

/** Cells of depth 1, and those without a pair of loads, are left out. */
export function pipelinedCells({ cells, seeds }: Pick<PictureFacts, 'cells' | 'seeds'>): readonly PipelinedCell[] {
  return cells.flatMap((cell) => {
    const reference = referenceCell(cell, cells, seeds.reference);
    return reference === undefined || cell.times === undefined || cell.profile.depth === 1 ? [] : [{ cell, reference, times: cell.times }];
  });
}

/** One sentence where too little was measured; never none. */
export function answerOf(facts: PictureFacts): readonly string[] {
  const pipelined = pipelinedCells(facts);
  if (pipelined.length === 0) {
    return [
      `Too little was measured for an answer: it needs a page with ${facts.seeds.reference}, and in the same turn with a profile that pipelines.`,
    ];
  }
  return [
    decision(facts, pipelined),
    ...linkSentence(facts, pipelined),
    ...profileSentences(facts),
    ...openSentence(facts),
    ...besideTheCase(pipelined),
    ...explanations(facts, pipelined),
    ...waitSentence(pipelined),
  ];
}

const isOriginal = ({ cell: { page, link } }: PipelinedCell): boolean => page.connections === 'cold' && isOriginalCase(page, link);
/** The page and the link, in words. */
export const whereOf = ({ cell: { page, link } }: PipelinedCell): string => `${page.name} over ${link.name}`;

/** The pipelining of the seed: the last four onto one of six. Decided by the interval alone. */
function decision({ seeds, bundledId }: PictureFacts, pipelined: readonly PipelinedCell[]): string {
  const times = seeds.cold.find(({ id }) => id === bundledId)?.times;
  if (times === undefined)
    return 'Not decided: the pipelining of the original, a bundle of four onto one of six cold connections, was not measured with pictures of 150 kB over a link on which slow start decides.';
  const links = pipelined.filter((each) => isOriginal(each) && each.cell.profile.id === bundledId).map(({ cell: { link } }) => link.name);
  const where = `with pictures of 150 kB over the links on which slow start decides and not the line (${links.join(', ')})`;
  const what = `${bundledId}, the original's pipelining of up to four onto one of six cold connections, took ${times.ratio.toFixed(2)} times as long as ${referenceWords(seeds.reference)}`;
  return `${verdictOf(times)}: ${where}, ${what} (${sureness(times, seeds)}). "Nearly doubled" is ${NEARLY_DOUBLED} times or more, a bound of our own: yes if all of the interval is there, no if none of it is.`;
}

function verdictOf({ bounds, fault }: TimesReference): string {
  if (bounds === undefined) return 'Not decided, as so few loads give no interval';
  if (fault !== undefined) return `Not decided (${fault.replace(/\.$/, '')})`;
  if (bounds.low >= NEARLY_DOUBLED) return 'Yes';
  return bounds.high < NEARLY_DOUBLED ? 'No' : 'Not decided';
}

function sureness({ bounds, pairs }: TimesReference, seeds: SeedsCase): string {
  const loads = `${counted(pairs, 'pair')} of loads`;
  return bounds === undefined ? loads : `${bounds.low.toFixed(2)} to ${bounds.high.toFixed(2)}, ${intervalWords(seeds)}; ${loads}`;
}

const intervalWords = ({ comparisons }: SeedsCase): string =>
  comparisons === 1 ? '95 % interval' : `95 % interval, ${comparisons} comparisons together`;

/** Together they could hide that they differ. */
function linkSentence({ bundledId }: PictureFacts, pipelined: readonly PipelinedCell[]): readonly string[] {
  const own = pipelined.filter((each) => isOriginal(each) && each.cell.profile.id === bundledId);
  if (own.length < 2) return [];
  const parts = own.map(({ cell: { link }, times }) => `${link.name} ${timesText(times)}`);
  return [`${bundledId} link by link, with the intervals of the table: ${parts.join('; ')}.`];
}

/** Every profile on cold and on warm connections; without pipelining it is the gateway's own cost that is seen. */
function profileSentences({ seeds }: PictureFacts): readonly string[] {
  return (['cold', 'warm'] as const).flatMap((connections) => {
    const parts = seeds[connections].map(({ id, times }) => `${id} ${timesText(times)}`);
    if (parts.length === 0) return [];
    return [`Times as long as ${seeds.reference} on ${connections} connections (${intervalWords(seeds)}): ${parts.join(', ')}.`];
  });
}

/** On the study's own question: its loads, against its reference. */
function openSentence({ seeds }: PictureFacts): readonly string[] {
  const open = seeds.cold.filter(({ times: { bounds } }) => bounds !== undefined && bounds.low <= 1 && bounds.high >= 1);
  if (open.length === 0) return [];
  const names = open.map(({ id }) => id).join(', ');
  return [`On cold connections none of these is shown to be faster or slower than ${seeds.reference}, for its interval holds 1: ${names}.`];
}

function besideTheCase(pipelined: readonly PipelinedCell[]): readonly string[] {
  const rest = pipelined.filter(({ cell: { page, link } }) => !isOriginalCase(page, link)).map(whereOf);
  if (rest.length === 0) return [];
  return [
    `Not in these figures, but in the table: ${[...new Set(rest)].join(', ')}. There the pictures are smaller than the original's, or the line is what takes the time.`,
  ];
}

/** The congestion window, by arithmetic beside what was measured: for the seed's bundle, and where arithmetic has most to say. */
function explanations({ bundledId, seeds }: PictureFacts, pipelined: readonly PipelinedCell[]): readonly string[] {
  const cold = pipelined.filter(isOriginal);
  const extra = ({ cell, reference }: PipelinedCell) => cell.roundTrips - reference.roundTrips;
  const bundle = cold.find(({ cell }) => cell.profile.id === bundledId);
  const most = cold.toSorted((a, b) => extra(a) - extra(b)).at(-1);
  const told = [...new Set([bundle, most])].filter((each) => each !== undefined);
  if (told.length === 0) return [];
  return [
    'What arithmetic expects: the congestion window of a connection doubles once a round trip, and the windows of other connections do not add to it; but each connection besides the first costs a round trip of its own before it carries anything.',
    ...told.map((each) => {
      const { cell, reference, times } = each;
      const arithmetic = moreOrLess(extra(each) * cell.link.rttMs);
      const measured = `median ${loadMs(cell)}, with ${seeds.reference} ${loadMs(reference)}: ${timesText(times)}`;
      return `${cell.profile.id} (${whereOf(each)}): all pictures are sent after ${cell.roundTrips} round trips, against ${reference.roundTrips} without pipelining, ${arithmetic} by arithmetic. Measured: ${measured}. The line itself needs ${Math.round(lineMs(cell.page, cell.link))} ms.`;
    }),
  ];
}

const loadMs = ({ loadTimeMs, loads }: PictureCell): string => `${Math.round(loadTimeMs)} ms of ${counted(loads.length, 'load')}`;

const moreOrLess = (differenceMs: number): string =>
  differenceMs === 0 ? 'no more' : `${Math.abs(differenceMs)} ms ${differenceMs > 0 ? 'more' : 'less'}`;

/** What stands behind another answer waits for it. */
function waitSentence(pipelined: readonly PipelinedCell[]): readonly string[] {
  const waited = pipelined.filter(({ cell, reference }) => cell.waits !== undefined && reference.waits !== undefined);
  const longest = waited.toSorted((a, b) => (a.cell.waits?.longestMs ?? 0) - (b.cell.waits?.longestMs ?? 0)).at(-1);
  const { waits } = longest?.cell ?? {};
  const beside = longest?.reference.waits;
  if (longest === undefined || waits === undefined || beside === undefined) return [];
  const { cell, reference } = longest;
  const chosen = waited.length === 1 ? '' : ` It is the longest of ${waited.length} such medians, chosen after the fact.`;
  return [
    `The longest wait of a load for a first byte, for a connection or behind other pictures: median ${Math.round(waits.longestMs)} ms of ${counted(cell.loads.length, 'load')} with ${cell.profile.id} (${whereOf(longest)}), ${Math.round(beside.longestMs)} ms of ${reference.loads.length} with ${reference.profile.id}.${chosen}`,
  ];
}
