/** What the warm-up study found. Pure. */

import type { StudyData } from './study.ts';
import type { StudyFindings } from './study-findings.ts';
import { warmUpAnswer } from './warm-up-answer.ts';
import { besidesTheSurvey } from './warm-up-besides.ts';
import { heldUp } from './warm-up-held-up.ts';
import { objectBytes, sequenceCells } from './warm-up-sequences.ts';
import { speculationCells, speculationVerdicts } from './warm-up-speculation.ts';
import { speculationTable, verdictTable } from './warm-up-speculation-words.ts';
import { bufferTable, firstAndLaterTable } from './warm-up-tables.ts';

export function warmUpFindings(data: StudyData): StudyFindings {
  const { baseline } = data.study;
  const cells = sequenceCells(data);
  const speculation = speculationCells(data);
  const verdicts = speculationVerdicts(data);
  const tables = [firstAndLaterTable(cells), bufferTable(cells), speculationTable(speculation), verdictTable(verdicts, baseline)];
  return {
    tables: tables.filter(({ rows }) => rows.length > 0),
    answer: warmUpAnswer({ cells, speculation, verdicts, baseline }),
    besides: besidesTheSurvey(cells),
    pictures: [],
    figures: {
      sequences: cells.map(({ page, link, ...cell }) => ({
        page: page.name,
        link: link.name,
        bytes: objectBytes(page),
        connections: page.connections,
        ...cell,
        heldUp: heldUp({ page, link, ...cell }),
      })),
      speculation: speculation.map(({ link, ...cell }) => ({ link: link.name, ...cell })),
      verdicts: verdicts && { ...verdicts, versus: Object.fromEntries(verdicts.versus) },
    },
  };
}
