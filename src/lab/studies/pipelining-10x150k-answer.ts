/** Whether pipelining onto cold connections doubles the time, and why: sentences that hold for what was measured. Pure. */
import { captureFigures } from '../../core/capture/capture-figures.ts';
import type { Comparison } from '../../core/compare/comparison.ts';
import { withInterval } from '../../core/report/figure-text.ts';
import { type PictureCell, picturePage, referenceOf, timeRatio } from './pipelining-10x150k-cells.ts';
import type { SeedComparison } from './study-findings.ts';
import type { StudyCapture } from './study-load.ts';

/** "Almost doubling": from here on a load time counts as nearly doubled. Our own choice. */
const NEARLY_DOUBLED = 1.7;

/** What the sentences are made of. */
export interface PictureFacts {
  readonly cells: readonly PictureCell[];
  /** Over all cold pages and links, and over all warm ones. */
  readonly overall: { readonly cold: Comparison | undefined; readonly warm: Comparison | undefined };
  readonly captures: readonly StudyCapture[];
  readonly baseline: string;
  readonly bundledId: string;
}

interface Ratio {
  readonly cell: PictureCell;
  readonly reference: PictureCell;
  readonly ratio: number;
}

/** Of the profiles that pipeline. */
function ratiosOf({ cells, baseline }: PictureFacts): readonly Ratio[] {
  return cells.flatMap((cell) => {
    const reference = referenceOf(cell, cells, baseline);
    const ratio = timeRatio(cell, cells, baseline);
    return reference === undefined || ratio === undefined || cell.profile.depth === 1 ? [] : [{ cell, reference, ratio }];
  });
}

export function answerOf(facts: PictureFacts): readonly string[] {
  const ratios = ratiosOf(facts);
  if (ratios.length === 0) {
    return [
      `Too little was measured for an answer: it needs a page with ${facts.baseline}, or the gateway's control, and with a profile that pipelines.`,
    ];
  }
  return [seedSentence(facts, ratios), ...profileSentences(facts, ratios), ...explanations(facts, ratios), ...waitSentence(ratios)];
}

const where = ({ cell }: Ratio): string => `${cell.page.name} over ${cell.link.name}`;
const shown = (ratio: Ratio): string => `${ratio.ratio.toFixed(2)} (${where(ratio)})`;
const byRatio = (a: Ratio, b: Ratio): number => a.ratio - b.ratio;

/** The pipelining of the seed: the last four onto one of six. */
function seedSentence(facts: PictureFacts, ratios: readonly Ratio[]): string {
  const cold = ratios.filter(({ cell }) => cell.profile.id === facts.bundledId && cell.page.connections === 'cold');
  const times = timesOf(facts.overall.cold, facts.bundledId);
  const most = cold.toSorted(byRatio).at(-1);
  if (times?.ratio === undefined || most === undefined)
    return 'The pipelining of the seed, a bundle of four onto one of six cold connections, was not measured.';
  const verdict = times.ratio >= NEARLY_DOUBLED ? 'Yes' : most.ratio >= NEARLY_DOUBLED ? 'Only in places' : 'No';
  const sure = times.low === undefined ? ', as far as so few loads can tell' : '';
  return `${verdict}${sure}: on cold connections the seed's pipelining, a bundle of up to four onto one of six, took ${timesText(times)} times as long as six without pipelining (the most in one scenario: ${shown(most)}).`;
}

/** Load time against the reference, over all scenarios: pages and bytes are the same, so it is efficiency the other way round. */
interface Times {
  readonly ratio: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

function timesOf(comparison: Comparison | undefined, profileId: string): Times | undefined {
  const versus = comparison?.profiles.find(({ id }) => id === profileId)?.versusBaseline;
  if (versus?.ratio === undefined) return undefined;
  const inverse = (value: number | undefined) => (value === undefined ? undefined : 1 / value);
  return { ratio: inverse(versus.ratio), low: inverse(versus.high), high: inverse(versus.low) };
}

const timesText = ({ ratio, low, high }: Times): string => withInterval({ estimate: ratio, low, high }, 2);

/** Every way to pipeline, on cold and on warm connections. */
function profileSentences({ overall }: PictureFacts, ratios: readonly Ratio[]): readonly string[] {
  return [...new Set(ratios.map(({ cell }) => cell.profile.id))].map((id) => {
    const parts = (['cold', 'warm'] as const).flatMap((connections) => {
      const times = timesOf(overall[connections], id);
      return times === undefined ? [] : [`${timesText(times)} on ${connections} connections`];
    });
    return `${id}, times as long as without pipelining, all pages and links together: ${parts.join('; ')}.`;
  });
}

/** The congestion window, by arithmetic beside what was measured: for the seed's bundle, and where arithmetic has most to say. */
function explanations({ bundledId }: PictureFacts, ratios: readonly Ratio[]): readonly string[] {
  const cold = ratios.filter(({ cell }) => cell.page.connections === 'cold');
  const extra = ({ cell, reference }: Ratio) => cell.roundTrips - reference.roundTrips;
  const bundle = cold.find(({ cell }) => cell.profile.id === bundledId);
  const most = cold.toSorted((a, b) => extra(a) - extra(b)).at(-1);
  const told = [...new Set([bundle, most])].filter((ratio) => ratio !== undefined);
  if (told.length === 0) return [];
  return [
    'Why: the congestion window of a connection doubles once a round trip, and the windows of other connections do not add to it; but each connection besides the first costs a round trip of its own before it carries anything.',
    ...told.map((ratio) => {
      const { cell, reference } = ratio;
      const { pictures, pictureBytes } = picturePage(cell.page.recipe);
      const arithmetic = moreOrLess(extra(ratio) * cell.link.rttMs);
      const measured = moreOrLess(Math.round(cell.loadTimeMs - reference.loadTimeMs));
      const lineMs = Math.round((pictures * pictureBytes * 8) / cell.link.downKbps);
      return `${cell.profile.id} (${where(ratio)}): all pictures are sent after ${cell.roundTrips} round trips, against ${reference.roundTrips} without pipelining: ${arithmetic} by arithmetic, ${measured} measured. The line itself needs ${lineMs} ms.`;
    }),
  ];
}

const moreOrLess = (differenceMs: number): string =>
  differenceMs === 0 ? 'no more' : `${Math.abs(differenceMs)} ms ${differenceMs > 0 ? 'more' : 'less'}`;

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

export function besidesThePost(facts: PictureFacts): readonly SeedComparison[] {
  const bundled = ratiosOf(facts).filter(({ cell }) => cell.profile.id === facts.bundledId && cell.page.connections === 'cold');
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
      ours: windowsSeen(facts.captures),
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
