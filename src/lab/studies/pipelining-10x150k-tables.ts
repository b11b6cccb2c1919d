/** The tables of the study of ten pictures. Pure. */

import { UNKNOWN } from '../../core/report/figure-text.ts';
import { verdictWords } from '../../core/report/verdict-words.ts';
import { captureFigures } from '../capture/capture-figures.ts';
import { countText } from './count-text.ts';
import type { PictureCell } from './pipelining-10x150k-cells.ts';
import { referenceWords } from './pipelining-10x150k-times.ts';
import type { StudyTable } from './study-findings.ts';
import type { StudyCapture } from './study-load.ts';

const column = (name: string, align: 'left' | 'right' = 'right') => ({ name, align });
const ms = (value: number | undefined): string => (value === undefined ? UNKNOWN : `${Math.round(value)} ms`);

/** A row per page, link and profile. @param reference - Id of the profile without pipelining. */
export function pictureTable(cells: readonly PictureCell[], reference: string): StudyTable {
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
export function captureTable(captures: readonly StudyCapture[] = []): StudyTable | undefined {
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
