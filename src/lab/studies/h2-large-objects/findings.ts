/** What the study of large objects finds. Pure. */

import { percent } from '../../../core/text/figures.ts';
import type { ComparisonWithOriginal, StudyFindings } from '../findings.ts';
import type { StudyData } from '../study.ts';
import { answerOf } from './answer.ts';
import { type LargeObjectCell, largeObjectCells } from './cells.ts';
import { isRated, windowFindings } from './effects.ts';
import { ratePictures } from './picture.ts';
import { rateTable, verdictTable, windowTable } from './tables.ts';
import { loadVerdicts } from './verdicts.ts';
import { windowCourse } from './window.ts';
import { IN_WINDOWS, megabits } from './words.ts';

export function h2LargeObjectsFindings(data: StudyData): StudyFindings {
  const { baseline } = data.study;
  const cells = largeObjectCells(data);
  const compared = loadVerdicts(data);
  return {
    tables: cells.length === 0 ? [] : [rateTable(cells), windowTable(cells), verdictTable(compared)],
    answer: answerOf(cells, baseline),
    comparisonWithOriginal: comparedWithTheCommit(cells, baseline),
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

/** The commit's figures beside ours. Pure. */
function comparedWithTheCommit(cells: readonly LargeObjectCell[], baseline: string): readonly ComparisonWithOriginal[] {
  const shipped = cells.filter(isRated).filter(({ profile, page }) => profile.id === baseline && page.servedBy === 'http2');
  const shown = shipped.map(({ page, link, rate }) => `${page.name} over ${link.name}: ${percent(rate.variation)}`).join(', ');
  return [
    {
      what: 'swings of large objects over HTTP/2',
      original: '"unexplained performance variations", gone with the fix ("a much more stable bit rate")',
      ours: shown === '' ? 'not measured' : `variation of the rate ${IN_WINDOWS} with what Firefox ships: ${shown}`,
      why: 'the fault was memory moved within the proxy up to 10,000 times a second, seen at tens of Gbit/s; it is repaired in every HAProxy since 2.0, and these links are a thousand times slower',
    },
    {
      what: 'rate at which it was seen',
      original: '60 Gbit/s (one realignment in 15 s once repaired)',
      ours: shown === '' ? 'not measured' : `${[...new Set(shipped.map(({ link }) => megabits(link.downKbps)))].join(' and ')}`,
      why: 'a browser on the links of people; what can swing here is the flow control between it and the proxy',
    },
  ];
}
