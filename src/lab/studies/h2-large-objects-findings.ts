/** What the study of large objects finds. Pure. */
import { compareProfiles } from '../../core/compare/compare-profiles.ts';
import type { Comparison } from '../../core/compare/comparison.ts';
import { comparableLoads } from '../../core/report/comparable-loads.ts';
import { answerOf, besidesTheCommit, windowFindings } from './h2-large-objects-answer.ts';
import { type LargeObjectCell, largeObjectCells } from './h2-large-objects-cells.ts';
import { ratePictures } from './h2-large-objects-picture.ts';
import { rateTable, verdictTable, windowTable } from './h2-large-objects-tables.ts';
import { windowCourse } from './h2-large-objects-window.ts';
import { PROTOCOL_WORDS } from './h2-large-objects-words.ts';
import type { StudyFindings } from './study-findings.ts';
import type { StudyData } from './study-load.ts';

export function h2LargeObjectsFindings(data: StudyData): StudyFindings {
  const { baseline } = data.study;
  const cells = largeObjectCells(data);
  const compared = comparisons(data);
  return {
    tables: cells.length === 0 ? [] : [rateTable(cells), windowTable(cells), verdictTable(compared)],
    answer: answerOf(cells, baseline),
    besides: besidesTheCommit(cells, baseline),
    pictures: ratePictures(cells),
    figures: {
      cells: cells.map(cellFigures),
      windows: windowFindings(cells, baseline).map(({ cell, effect }) => ({
        ...{ page: cell.page.name, link: cell.link.name, profileId: cell.profile.id, effect },
        arithmetic: windowCourse(cell.windowBytes, cell.link),
      })),
      verdicts: compared.flatMap(({ name, comparison }) =>
        comparison.profiles.map(({ id, versusBaseline: { ratio, low, high, verdict } }) => ({
          scenario: name,
          profileId: id,
          ratio,
          low,
          high,
          verdict,
        })),
      ),
    },
  };
}

/** One per protocol and link: a window acts differently on each. */
function comparisons({ study, pages, links, loads }: StudyData): readonly { readonly name: string; readonly comparison: Comparison }[] {
  const protocols = [...new Set(pages.map(({ servedBy }) => servedBy))];
  return protocols.flatMap((servedBy) =>
    links.flatMap((link) => {
      const names = pages.filter((page) => page.servedBy === servedBy).map(({ name }) => name);
      const own = loads.filter((load) => load.link === link.name && names.includes(load.page));
      if (!own.some(({ profileId }) => profileId === study.baseline)) return [];
      // The number of loads is fixed before the first, and they are looked at once.
      const comparison = compareProfiles(comparableLoads(own), { baseline: study.baseline, looks: 'once' });
      return [{ name: `${PROTOCOL_WORDS[servedBy]}, ${link.name}`, comparison }];
    }),
  );
}

const cellFigures = ({ page, link, profile, windowBytes, loads, goodputKbps, rate, droppedDown }: LargeObjectCell) => ({
  ...{ page: page.name, servedBy: page.servedBy, link: link.name, profileId: profile.id, windowBytes },
  ...{ loads: loads.length, goodputKbps, rate, droppedDown },
});
