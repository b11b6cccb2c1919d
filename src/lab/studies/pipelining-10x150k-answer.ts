/** Whether pipelining onto cold connections doubles the time, and why: sentences that hold for what was measured. Pure. */
import { captureFigures } from '../../core/capture/capture-figures.ts';
import { groupBy } from '../../core/group-by.ts';
import { type PictureCell, picturePage, referenceOf, timeRatio } from './pipelining-10x150k-cells.ts';
import type { SeedComparison } from './study-findings.ts';
import type { StudyCapture } from './study-load.ts';

/** "Almost doubling": from here on a load time counts as nearly doubled. Our own choice. */
const NEARLY_DOUBLED = 1.7;

interface Ratio {
  readonly cell: PictureCell;
  readonly reference: PictureCell;
  readonly ratio: number;
}

function ratiosOf(cells: readonly PictureCell[], baseline: string): readonly Ratio[] {
  return cells.flatMap((cell) => {
    const reference = referenceOf(cell, cells, baseline);
    const ratio = timeRatio(cell, cells, baseline);
    return reference === undefined || ratio === undefined || cell.profile.depth === 1 ? [] : [{ cell, reference, ratio }];
  });
}

export function answerOf(
  cells: readonly PictureCell[],
  { baseline, bundledId }: { readonly baseline: string; readonly bundledId: string },
): readonly string[] {
  const ratios = ratiosOf(cells, baseline);
  if (ratios.length === 0) {
    return [
      `Too little was measured for an answer: it needs a page with ${baseline}, or the gateway's control, and with a profile that pipelines.`,
    ];
  }
  return [
    ...seedSentence(ratios.filter(({ cell }) => cell.profile.id === bundledId)),
    ...profileSentences(ratios, bundledId),
    ...explanation(ratios),
    ...warmSentence(ratios),
    ...waitSentence(ratios),
  ];
}

const where = ({ cell }: Ratio): string => `${cell.page.name} over ${cell.link.name}`;
const shown = (ratio: Ratio): string => `${ratio.ratio.toFixed(2)} (${where(ratio)})`;
const byRatio = (a: Ratio, b: Ratio): number => a.ratio - b.ratio;

/** The pipelining of the seed: the last four onto one of six. */
function seedSentence(bundled: readonly Ratio[]): readonly string[] {
  const [least, most] = [bundled.toSorted(byRatio)[0], bundled.toSorted(byRatio).at(-1)];
  if (least === undefined || most === undefined) {
    return ['The pipelining of the seed, a bundle of four onto one of six connections, was not measured.'];
  }
  const range = least === most ? shown(least) : `${shown(least)} to ${shown(most)}`;
  const verdict = most.ratio >= NEARLY_DOUBLED ? 'Yes, at the most' : 'No';
  return [
    `${verdict}: the seed's pipelining, a bundle of up to four onto one of six connections, took ${range} times as long as six connections without pipelining.`,
  ];
}

/** The other ways to pipeline, each with its best and its worst. */
function profileSentences(ratios: readonly Ratio[], bundledId: string): readonly string[] {
  const others = groupBy(
    ratios.filter(({ cell }) => cell.profile.id !== bundledId),
    ({ cell }) => cell.profile.id,
  );
  return [...others].flatMap(([id, own]) => {
    const [least, most] = [own.toSorted(byRatio)[0], own.toSorted(byRatio).at(-1)];
    if (least === undefined || most === undefined) return [];
    return [`${id}: ${least === most ? shown(least) : `${shown(least)} to ${shown(most)}`} times as long.`];
  });
}

/** The congestion window: round trips by arithmetic against what was measured, for the profile that costs most. */
function explanation(ratios: readonly Ratio[]): readonly string[] {
  const cold = ratios.filter(({ cell }) => cell.page.connections === 'cold');
  const most = cold.toSorted(byRatio).at(-1);
  if (most === undefined) return [];
  const { cell, reference } = most;
  const { pictures, pictureBytes } = picturePage(cell.page.recipe);
  const lineMs = Math.round((pictures * pictureBytes * 8) / cell.link.downKbps);
  const arithmetic = moreOrLess((cell.roundTrips - reference.roundTrips) * cell.link.rttMs);
  const measured = moreOrLess(Math.round(cell.loadTimeMs - reference.loadTimeMs));
  return [
    `Why, where it is slowest against none (${cell.profile.id}, ${where(most)}): the congestion window of a connection doubles once a round trip, and the windows of the others do not add to it; but a connection of its own costs a round trip first. All pictures are sent after ${cell.roundTrips} round trips, against ${reference.roundTrips} without pipelining: ${arithmetic} by arithmetic, ${measured} measured. The line itself needs ${lineMs} ms for all ten.`,
  ];
}

const moreOrLess = (differenceMs: number): string =>
  differenceMs === 0 ? 'no more' : `${Math.abs(differenceMs)} ms ${differenceMs > 0 ? 'more' : 'less'}`;

function warmSentence(ratios: readonly Ratio[]): readonly string[] {
  const pairs = ratios
    .filter(({ cell }) => cell.page.connections === 'cold')
    .flatMap((cold) => {
      const warm = ratios.find(
        ({ cell }) =>
          cell.page.connections === 'warm' &&
          cell.page.recipe === cold.cell.page.recipe &&
          cell.link === cold.cell.link &&
          cell.profile.id === cold.cell.profile.id,
      );
      return warm === undefined ? [] : [{ cold, warm }];
    });
  const most = pairs.toSorted((a, b) => byRatio(a.cold, b.cold)).at(-1);
  if (most === undefined) return [];
  const { cold, warm } = most;
  return [
    `On warm connections, loaded over just before, ${cold.cell.profile.id} over ${cold.cell.link.name} takes ${warm.ratio.toFixed(2)} times as long (${Math.round(warm.cell.loadTimeMs)} ms), against ${cold.ratio.toFixed(2)} on cold ones (${Math.round(cold.cell.loadTimeMs)} ms).`,
  ];
}

/** What stands behind another answer waits for it. */
function waitSentence(ratios: readonly Ratio[]): readonly string[] {
  const longest = ratios
    .filter(({ cell, reference }) => cell.waits !== undefined && reference.waits !== undefined)
    .toSorted((a, b) => (a.cell.waits?.longestMs ?? 0) - (b.cell.waits?.longestMs ?? 0))
    .at(-1);
  const { waits } = longest?.cell ?? {};
  const beside = longest?.reference.waits;
  if (longest === undefined || waits === undefined || beside === undefined) return [];
  return [
    `The longest wait for a first byte, for a connection or behind other pictures: ${Math.round(waits.longestMs)} ms with ${longest.cell.profile.id} (${where(longest)}), ${Math.round(beside.longestMs)} ms without pipelining.`,
  ];
}

export function besidesThePost(
  cells: readonly PictureCell[],
  { baseline, bundledId, captures }: { readonly baseline: string; readonly bundledId: string; readonly captures: readonly StudyCapture[] },
): readonly SeedComparison[] {
  const bundled = ratiosOf(cells, baseline).filter(({ cell }) => cell.profile.id === bundledId && cell.page.connections === 'cold');
  const times = bundled.map(({ cell, reference }) => ({ cell, reference }));
  return [
    {
      what: 'load time with four requests pipelined onto one of six connections, against none',
      seed: '"almost doubling"',
      ours: bundled.length === 0 ? 'not measured' : bundled.map(shown).join(', '),
      why: 'the seed compares what two connections of two runs carried (80,000 bytes against 30,000), not two page loads: the one that carried more took longer. The bundle here starts from the window its first picture left, and the connection it is on had no handshake to wait for',
    },
    {
      what: 'time of the pictures, pipelined and not',
      seed: '"well over a second" and about 600 ms',
      ours:
        times.length === 0
          ? 'not measured'
          : times
              .map(
                ({ cell, reference }) =>
                  `${ms(cell.picturesMs)} and ${ms(reference.picturesMs)} (${cell.page.name} over ${cell.link.name})`,
              )
              .join(', '),
      why: "the seed's graphs fit pictures of about 16 kB and its servers began with a smaller window; both sizes and both windows are measured here",
    },
    {
      what: 'congestion window',
      seed: '"quite variable", shrinking at points',
      ours: windowsSeen(captures),
      why: "tcptrace's time-sequence graph has the receiver's window at its top: the congestion window is the sender's, and in no packet",
    },
  ];
}

function windowsSeen(captures: readonly StudyCapture[]): string {
  const figures = captures.flatMap(({ analysis, window }) => (window ? [captureFigures(analysis, window)] : []));
  const windows = figures.flatMap(({ mostWindowBytes }) => mostWindowBytes ?? []);
  if (windows.length === 0) return 'not measured: no packets were captured';
  const again = figures.reduce((sum, { retransmittedPackets }) => sum + retransmittedPackets, 0);
  const all = figures.reduce((sum, { dataPackets }) => sum + dataPackets, 0);
  const largest = `${Math.round(Math.min(...windows) / 1000)} to ${Math.round(Math.max(...windows) / 1000)} kB`;
  return `the largest of a load ${largest}, ${again} of ${all} segments sent again in ${figures.length} loads; see the time-sequence pictures`;
}

const ms = (value: number | undefined): string => (value === undefined ? 'not known' : `${Math.round(value)} ms`);
