/** What the study of large objects finds. Pure. */
import { answerOf } from './h2-large-objects-answer.ts';
import { besidesTheCommit } from './h2-large-objects-besides.ts';
import { type LargeObjectCell, largeObjectCells } from './h2-large-objects-cells.ts';
import { windowFindings } from './h2-large-objects-effects.ts';
import { ratePictures } from './h2-large-objects-picture.ts';
import { rateTable, verdictTable, windowTable } from './h2-large-objects-tables.ts';
import { loadVerdicts } from './h2-large-objects-verdicts.ts';
import { windowCourse } from './h2-large-objects-window.ts';
import type { StudyData } from './study.ts';
import type { StudyFindings } from './study-findings.ts';

export function h2LargeObjectsFindings(data: StudyData): StudyFindings {
  const { baseline } = data.study;
  const cells = largeObjectCells(data);
  const compared = loadVerdicts(data);
  return {
    tables: cells.length === 0 ? [] : [rateTable(cells), windowTable(cells), verdictTable(compared)],
    answer: answerOf(cells, baseline),
    besides: besidesTheCommit(cells, baseline),
    pictures: ratePictures(cells),
    figures: {
      cells: cells.map(cellFigures),
      windows: windowFindings(cells, baseline).map(({ cell, effect, check }) => ({
        ...{ page: cell.page.name, link: cell.link.name, profileId: cell.profile.id, effect, check },
        arithmetic: windowCourse(cell.windowBytes, cell.link),
      })),
      verdicts: compared.flatMap(({ name, intervals, profiles }) =>
        profiles.map(({ id, versusBaseline: { ratio, low, high, pairs, verdict } }) => ({
          scenario: name,
          profileId: id,
          ratio,
          low,
          high,
          intervals,
          pairs,
          verdict,
        })),
      ),
    },
  };
}

const cellFigures = ({ page, link, profile, windowBytes, loads, goodputKbps, rate, droppedDown }: LargeObjectCell) => ({
  ...{ page: page.name, servedBy: page.servedBy, link: link.name, profileId: profile.id, windowBytes },
  ...{ loads: loads.length, goodputKbps, rate, droppedDown },
});
