/** What the study of ten pictures finds. Pure. */
import { answerOf, type PictureFacts } from './pipelining-10x150k-answer.ts';
import { besidesThePost } from './pipelining-10x150k-besides.ts';
import { type PictureCell, pictureCells } from './pipelining-10x150k-cells.ts';
import { waitingPictures } from './pipelining-10x150k-picture.ts';
import { seedsCase } from './pipelining-10x150k-seeds-case.ts';
import { captureTable, pictureTable } from './pipelining-10x150k-tables.ts';
import type { StudyData } from './study.ts';
import type { StudyFindings } from './study-findings.ts';

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
    besides: besidesThePost(facts),
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
