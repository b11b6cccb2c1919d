/** What the study of ten pictures finds. Pure. */
import { answerOf, besidesThePost, type PictureFacts } from './pipelining-10x150k-answer.ts';
import { overallComparison, type PictureCell, pictureCells, timeRatio } from './pipelining-10x150k-cells.ts';
import { waitingPictures } from './pipelining-10x150k-picture.ts';
import { captureTable, pictureTable } from './pipelining-10x150k-tables.ts';
import type { StudyFindings } from './study-findings.ts';
import type { StudyData } from './study-load.ts';

/** Six connections; a bundle of up to four onto the first that comes free: what the seed did. */
export const BUNDLED_ID = 'c6-d4-bundled';

export function pipelining10x150kFindings(data: StudyData): StudyFindings {
  const { baseline } = data.study;
  const cells = pictureCells(data);
  const captured = captureTable(data.captures);
  const facts: PictureFacts = {
    ...{ cells, baseline, bundledId: BUNDLED_ID, captures: data.captures ?? [] },
    overall: { cold: overallComparison(data, 'cold'), warm: overallComparison(data, 'warm') },
  };
  return {
    tables: [...(cells.length === 0 ? [] : [pictureTable(cells, baseline)]), ...(captured === undefined ? [] : [captured])],
    answer: answerOf(facts),
    besides: besidesThePost(facts),
    pictures: waitingPictures(cells),
    figures: { cells: cells.map((cell) => cellFigures(cell, timeRatio(cell, cells, baseline))) },
  };
}

function cellFigures(cell: PictureCell, timesReference: number | undefined) {
  const { page, link, profile, loads, loadTimeMs, picturesMs, waits, roundTrips, compared } = cell;
  const { ratio, low, high, verdict, against } = compared.versusBaseline;
  return {
    ...{ page: page.name, link: link.name, profileId: profile.id, loads: loads.length, loadTimeMs, timesReference },
    ...{ picturesMs, waits, roundTrips, efficiency: { against, ratio, low, high, verdict } },
  };
}
