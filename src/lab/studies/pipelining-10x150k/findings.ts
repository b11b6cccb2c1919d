/** What the study of ten pictures finds. Pure. */

import { verdictWords } from '../../../core/report/verdict-words.ts';
import { counted, UNKNOWN } from '../../../core/text/figures.ts';
import { captureFigures } from '../../capture/capture-figures.ts';
import { type ComparisonWithOriginal, countText, type StudyFindings, type StudyTable } from '../findings.ts';
import type { StudyCapture, StudyData } from '../study.ts';
import { answerOf, type PictureFacts, type PipelinedCell, pipelinedCells, whereOf } from './answer.ts';
import { type PictureCell, pictureCells } from './cells.ts';
import { waitingPictures } from './picture.ts';
import { isOriginalCase, seedsCase } from './seeds-case.ts';
import { referenceWords, timesText } from './times.ts';

/** Six connections; a bundle of up to four onto the first that comes free: what the seed did. */
export const BUNDLED_ID = 'c6-d4-bundled';

export function pipelining10x150kFindings(data: StudyData): StudyFindings {
  const cells = pictureCells(data);
  const seeds = seedsCase(data);
  const captured = captureTable(data.captures);
  const facts: PictureFacts = { cells, seeds, bundledId: BUNDLED_ID, captures: data.captures ?? [] };
  return {
    tables: [...(cells.length === 0 ? [] : [pictureTable(cells, seeds.reference)]), ...(captured === undefined ? [] : [captured])],
    answer: answerOf(facts),
    comparisonWithOriginal: comparedWithThePost(facts),
    pictures: waitingPictures(cells),
    figures: { seedsCase: seeds, cells: cells.map((cell) => cellFigures(cell)) },
  };
}

function cellFigures({ page, link, profile, loads, loadTimeMs, times, comparisons, compared, ...cell }: PictureCell) {
  const { against, verdict } = compared.versusBaseline;
  return {
    ...{ page: page.name, link: link.name, profileId: profile.id, loads: loads.length, loadTimeMs, timesReference: times?.ratio },
    ...{ picturesMs: cell.picturesMs, waits: cell.waits, roundTrips: cell.roundTrips },
    loadTime: { against, ...times, comparisons, verdict },
  };
}

/** What "Firefox Pipelining: Be Afraid" says, and what was found here. Pure. */
const NOT_MEASURED = 'not measured';

function comparedWithThePost(facts: PictureFacts): readonly ComparisonWithOriginal[] {
  const bundled = pipelinedCells(facts).filter(
    ({ cell: { profile, page } }) => profile.id === facts.bundledId && page.connections === 'cold',
  );
  const seeds = bundled.filter(({ cell: { page, link } }) => isOriginalCase(page, link));
  return [
    {
      what: `load time with four requests pipelined onto one of six connections, against ${facts.seeds.reference}`,
      original: '"almost doubling"; one load of each, without an interval',
      ours: seeds.length === 0 ? NOT_MEASURED : seeds.map((each) => `${whereOf(each)} ${timesText(each.times)}`).join(', '),
      why: 'the original compares what two connections of two runs carried (80,000 bytes against 30,000), not two page loads: the one that carried more took longer. The bundle here starts from the window its first picture left, and the connection it is on had no handshake to wait for',
    },
    {
      what: 'time of the pictures, pipelined and not',
      original:
        '"well over a second" for all that the one connection carried that pipelined; "~600ms" for the first 30,000 bytes of the busiest connection, in either run alike',
      ours:
        bundled.length === 0
          ? NOT_MEASURED
          : `all ten pictures on all connections, from the first request to the last byte: ${bundled.map(picturesText).join(', ')}`,
      why: "not the same quantity: the original's times are of one connection, and its 600 ms are from before anything was pipelined. Its bytes fit pictures of about 16 kB, and its servers began with a smaller window; both sizes and both windows are measured here",
    },
    {
      what: 'congestion window',
      original: '"quite variable", shrinking at points',
      ours: mostInFlight(facts.captures),
      why: "tcptrace's time-sequence graph has the receiver's window at its top: the congestion window is the sender's, and in no packet. What was in flight is a lower bound of it",
    },
  ];
}

const picturesText = (each: PipelinedCell): string =>
  `${picturesMs(each.cell)} and ${picturesMs(each.reference)} (medians of ${each.cell.loads.length} and ${counted(each.reference.loads.length, 'load')}; ${whereOf(each)})`;

const picturesMs = ({ picturesMs: of }: PictureCell): string => (of === undefined ? 'not known' : `${Math.round(of)} ms`);

function mostInFlight(captures: readonly StudyCapture[]): string {
  const figures = captures.flatMap(({ analysis, window }) => (window ? [captureFigures(analysis, window)] : []));
  const most = figures.flatMap(({ mostWindowBytes }) => mostWindowBytes ?? []);
  if (most.length === 0) return 'not measured: no packets were captured';
  const again = figures.reduce((sum, { retransmittedPackets }) => sum + retransmittedPackets, 0);
  const all = figures.reduce((sum, { dataPackets }) => sum + dataPackets, 0);
  const range = `${Math.round(Math.min(...most) / 1000)} to ${Math.round(Math.max(...most) / 1000)} kB`;
  return `the most that one connection of a load had in flight: ${range} in ${counted(figures.length, 'load')}, ${countText(again)} of ${countText(all)} segments sent again; see the time-sequence pictures`;
}

/** The tables of the study of ten pictures. Pure. */
const column = (name: string, align: 'left' | 'right' = 'right') => ({ name, align });
const ms = (value: number | undefined): string => (value === undefined ? UNKNOWN : `${Math.round(value)} ms`);

/** A row per page, link and profile. @param reference - Id of the profile without pipelining. */
function pictureTable(cells: readonly PictureCell[], reference: string): StudyTable {
  const comparisons = Math.max(...cells.map((cell) => cell.comparisons));
  return {
    title: `Ten pictures: medians over the loads; load times over those of ${referenceWords(reference)}, in pairs of loads of the same turn`,
    columns: [
      ...[column('page', 'left'), column('link', 'left'), column('profile', 'left'), column('loads'), column('load time')],
      ...[column(`times that of ${reference}`), column(`95 % interval, the ${comparisons} of a page and link together`), column('pairs')],
      ...[column('pictures'), column('wait for first byte'), column('longest wait')],
      ...[column('round trips, arithmetic'), column('verdict on load time', 'left')],
    ],
    rows: cells.map((cell) => [
      ...[cell.page.name, cell.link.name, cell.profile.id, `${cell.loads.length}`, ms(cell.loadTimeMs)],
      ...timesCells(cell),
      ...[ms(cell.picturesMs), ms(cell.waits?.medianMs), ms(cell.waits?.longestMs)],
      cell.page.connections === 'cold' ? `${cell.roundTrips}` : UNKNOWN,
      cell.profile.id === reference ? 'compared with' : verdictWords(cell.compared),
    ]),
  };
}

function timesCells({ times }: PictureCell): readonly string[] {
  if (times === undefined) return [UNKNOWN, UNKNOWN, UNKNOWN];
  const { ratio, bounds, pairs } = times;
  return [ratio.toFixed(2), bounds === undefined ? UNKNOWN : `${bounds.low.toFixed(2)} to ${bounds.high.toFixed(2)}`, `${pairs}`];
}

/** What the packets of single loads say; `undefined`: there are no captures. */
function captureTable(captures: readonly StudyCapture[] = []): StudyTable | undefined {
  const rows = captures.flatMap(({ page, link, profileId, analysis, window }) => {
    if (!window) return [];
    const { connections, opened, headOfLineMs, mostWindowBytes, dataPackets, retransmittedPackets } = captureFigures(analysis, window);
    return [
      [
        ...[page, link, profileId, `${connections}`, `${opened}`, `${headOfLineMs.requests}`],
        ...(headOfLineMs.requests === 0 ? [UNKNOWN, UNKNOWN] : [ms(headOfLineMs.sum / headOfLineMs.requests), ms(headOfLineMs.most)]),
        mostWindowBytes === undefined ? UNKNOWN : `${Math.round(mostWindowBytes / 1000)}`,
        `${countText(retransmittedPackets)} of ${countText(dataPackets)}`,
      ],
    ];
  });
  if (rows.length === 0) return undefined;
  return {
    title:
      'From packets, one load of each: head-of-line waiting behind the response before it on the connection, and the most that one connection had in flight, a lower bound of its congestion window',
    columns: [
      ...[
        column('page', 'left'),
        column('link', 'left'),
        column('profile', 'left'),
        column('connections'),
        column('of them new'),
        column('answers behind others'),
      ],
      ...[column('mean wait behind'), column('longest'), column('most in flight, kB'), column('segments sent again')],
    ],
    rows,
  };
}
