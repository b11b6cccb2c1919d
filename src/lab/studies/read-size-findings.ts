/** What the read-size study found. Pure. */

import type { CutoffTable } from '../../core/compare/cutoff-table.ts';
import { answerOf } from './read-size-answer.ts';
import { besidesTheMail } from './read-size-besides.ts';
import { NOTHING_CHANGED } from './read-size-check.ts';
import { compared, pairedArms, repeatCohorts } from './read-size-first-bytes.ts';
import { type ComparedSize, cohortTable, outcomeTable, profileTable, verdictTable } from './read-size-tables.ts';
import { profileVerdicts } from './read-size-verdicts.ts';
import type { StudyData } from './study.ts';
import type { StudyFindings } from './study-findings.ts';

/** The mail's own: reads begin with 1 kB. */
const AS_IN_THE_MAIL = 'read-1k';

export interface SizeFindings extends ComparedSize {
  /** Of the sound cohorts together; `undefined`: there is none. */
  readonly table: CutoffTable | undefined;
}

export function readSizeFindings(data: StudyData): StudyFindings {
  const { study, loads } = data;
  const verdicts = profileVerdicts(data);
  const sizes = verdicts.map(({ id }): SizeFindings => {
    const arms = { first: study.baseline, second: id };
    const cohorts = repeatCohorts(loads, arms);
    return { id, cohorts, table: together(data, { id, cohorts }) };
  });
  const mail = sizes.find(({ id }) => id === AS_IN_THE_MAIL);
  return {
    tables: [
      verdictTable(verdicts, study.baseline),
      ...(sizes.length > 0 ? [outcomeTable(sizes, study.baseline)] : []),
      ...(mail ? [cohortTable(mail, study.baseline)] : []),
      ...sizes.flatMap(({ id, table }) => (table ? [profileTable({ id, table }, study.baseline)] : [])),
    ],
    answer: answerOf(verdicts, sizes),
    besides: besidesTheMail({
      mail,
      same: sizes.find(({ id }) => id === NOTHING_CHANGED),
      verdict: verdicts.find(({ id }) => id === AS_IN_THE_MAIL),
    }),
    pictures: [],
    figures: { verdicts, sizes, unit: 'microseconds' },
  };
}

/** The repeats of the cohorts that are sound, as one. */
function together({ study, loads }: StudyData, { id, cohorts }: ComparedSize): CutoffTable | undefined {
  const sound = new Set(cohorts.flatMap(({ state, repeat }) => (state === 'compared' ? [repeat] : [])));
  const kept = loads.filter(({ block }) => sound.has(block));
  const all = compared(pairedArms(kept, { first: study.baseline, second: id }));
  return all.state === 'compared' ? all.table : undefined;
}
