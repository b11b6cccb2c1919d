/** The tables of the study of ten pictures. Pure. */
import { captureFigures } from '../../core/capture/capture-figures.ts';
import { UNKNOWN } from '../../core/report/figure-text.ts';
import { verdictWords } from '../../core/report/verdict-words.ts';
import { type PictureCell, referenceOf, timeRatio } from './pipelining-10x150k-cells.ts';
import type { StudyTable } from './study-findings.ts';
import type { StudyCapture } from './study-load.ts';

const column = (name: string, align: 'left' | 'right' = 'right') => ({ name, align });
const ms = (value: number | undefined): string => (value === undefined ? UNKNOWN : `${Math.round(value)} ms`);

export function pictureTable(cells: readonly PictureCell[], baseline: string): StudyTable {
  return {
    title:
      'Ten pictures (medians over the loads; through the gateway compared with control, the gateway with 6 connections and no pipelining)',
    columns: [
      ...[column('page', 'left'), column('link', 'left'), column('profile', 'left'), column('loads'), column('load time')],
      ...[column('times that of', 'left'), column('ratio'), column('pictures'), column('wait for first byte'), column('longest wait')],
      ...[column('round trips, arithmetic'), column('verdict', 'left')],
    ],
    rows: cells.map((cell) => {
      const ratio = timeRatio(cell, cells, baseline);
      return [
        ...[cell.page.name, cell.link.name, cell.profile.id, `${cell.loads.length}`, ms(cell.loadTimeMs)],
        ratio === undefined ? UNKNOWN : (referenceOf(cell, cells, baseline)?.profile.id ?? UNKNOWN),
        ratio === undefined ? UNKNOWN : ratio.toFixed(2),
        ...[ms(cell.picturesMs), ms(cell.waits?.medianMs), ms(cell.waits?.longestMs)],
        cell.page.connections === 'cold' ? `${cell.roundTrips}` : UNKNOWN,
        `${verdictWords(cell.compared)}${againstWords(cell, baseline)}`,
      ];
    }),
  };
}

const againstWords = ({ compared: { versusBaseline } }: PictureCell, baseline: string): string =>
  versusBaseline.verdict === 'baseline' || versusBaseline.against === baseline ? '' : ` (against ${versusBaseline.against})`;

/** What the packets of single loads say; `undefined`: there are no captures. */
export function captureTable(captures: readonly StudyCapture[] = []): StudyTable | undefined {
  const rows = captures.flatMap(({ page, link, profileId, analysis, window }) => {
    if (!window) return [];
    const { connections, opened, headOfLineMs, mostWindowBytes, dataPackets, retransmittedPackets } = captureFigures(analysis, window);
    return [
      [
        ...[page, link, profileId, `${connections}`, `${opened}`, `${headOfLineMs.requests}`],
        ...(headOfLineMs.requests === 0 ? [UNKNOWN, UNKNOWN] : [ms(headOfLineMs.sum / headOfLineMs.requests), ms(headOfLineMs.most)]),
        mostWindowBytes === undefined ? UNKNOWN : `${Math.round(mostWindowBytes / 1000)} kB`,
        `${retransmittedPackets} of ${dataPackets}`,
      ],
    ];
  });
  if (rows.length === 0) return undefined;
  return {
    title: 'From packets: one load of each, head-of-line waiting behind the response before it on the connection',
    columns: [
      ...[
        column('page', 'left'),
        column('link', 'left'),
        column('profile', 'left'),
        column('connections'),
        column('of them new'),
        column('answers behind others'),
      ],
      ...[column('mean wait behind'), column('longest'), column('largest congestion window'), column('segments sent again')],
    ],
    rows,
  };
}
