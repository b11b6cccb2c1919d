/** What "Firefox Pipelining: Be Afraid" says, and what was found here. Pure. */

import { counted } from '../../core/compare/plain-words.ts';
import { captureFigures } from '../capture/capture-figures.ts';
import { countText } from './count-text.ts';
import { type PictureFacts, type PipelinedCell, pipelinedCells, whereOf } from './pipelining-10x150k-answer.ts';
import type { PictureCell } from './pipelining-10x150k-cells.ts';
import { isSeedsCase } from './pipelining-10x150k-seeds-case.ts';
import { timesText } from './pipelining-10x150k-times.ts';
import type { SeedComparison } from './study-findings.ts';
import type { StudyCapture } from './study-load.ts';

const NOT_MEASURED = 'not measured';

export function besidesThePost(facts: PictureFacts): readonly SeedComparison[] {
  const bundled = pipelinedCells(facts).filter(
    ({ cell: { profile, page } }) => profile.id === facts.bundledId && page.connections === 'cold',
  );
  const seeds = bundled.filter(({ cell: { page, link } }) => isSeedsCase(page, link));
  return [
    {
      what: `load time with four requests pipelined onto one of six connections, against ${facts.seeds.reference}`,
      seed: '"almost doubling"; one load of each, without an interval',
      ours: seeds.length === 0 ? NOT_MEASURED : seeds.map((each) => `${whereOf(each)} ${timesText(each.times)}`).join(', '),
      why: 'the original compares what two connections of two runs carried (80,000 bytes against 30,000), not two page loads: the one that carried more took longer. The bundle here starts from the window its first picture left, and the connection it is on had no handshake to wait for',
    },
    {
      what: 'time of the pictures, pipelined and not',
      seed: '"well over a second" for all that the one connection carried that pipelined; "~600ms" for the first 30,000 bytes of the busiest connection, in either run alike',
      ours:
        bundled.length === 0
          ? NOT_MEASURED
          : `all ten pictures on all connections, from the first request to the last byte: ${bundled.map(picturesText).join(', ')}`,
      why: "not the same quantity: the original's times are of one connection, and its 600 ms are from before anything was pipelined. Its bytes fit pictures of about 16 kB, and its servers began with a smaller window; both sizes and both windows are measured here",
    },
    {
      what: 'congestion window',
      seed: '"quite variable", shrinking at points',
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
