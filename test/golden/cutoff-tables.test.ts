/** A person reads these too; how they are renewed is said in report.test.ts. */
import { expect, it } from 'vitest';
import { cohortTables } from '../../src/core/compare/cohort-tables.ts';
import { cutoffTable } from '../../src/core/compare/cutoff-table.ts';
import { MAIL_TAIL_FROM, publishedWeeks } from '../unit/core/compare/async-slow-start.ts';
import { cohortTablesText, cutoffTableText } from '../unit/core/compare/format-cutoff-table.ts';

const OFF_AND_ON = { first: 'off', second: 'on', tailFrom: MAIL_TAIL_FROM };
const [week] = publishedWeeks();
if (week === undefined) throw new Error('The fixture has no weeks');

it('the first week of the AsyncSlowStart mail is this table', async () => {
  const table = cutoffTable(
    week.first,
    week.second,
    week.rows.map(([cutoff]) => Number(cutoff)),
  );
  await expect(cutoffTableText(table, OFF_AND_ON)).toMatchFileSnapshot('cutoff-table.txt');
});

it('weeks of which one is compared and one set aside are this text', async () => {
  const cohorts = cohortTables([
    { date: '2009-08-31', arm: 'first', histogram: week.second },
    { date: '2009-08-31', arm: 'second', histogram: week.first },
    { date: '2009-09-07', arm: 'first', histogram: week.first },
    { date: '2009-09-07', arm: 'second', histogram: { ...week.second, total: week.second.total - 1 } },
  ]);
  await expect(cohortTablesText(cohorts, OFF_AND_ON)).toMatchFileSnapshot('cohort-tables.txt');
});
