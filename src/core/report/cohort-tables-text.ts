/** Cohorts as text: a table for each week that could be compared, and for each other why it could not. */

import type { Cohort } from '../compare/cohort-tables.ts';
import { assertNever } from '../errors.ts';
import { printable } from '../text/text-table.ts';
import { type CutoffTextOptions, cutoffTableText } from './format-cutoff-table.ts';

/** Weeks are parted by an empty line; the text ends with a line break. */
export function cohortTablesText(cohorts: readonly Cohort[], options: CutoffTextOptions = {}): string {
  return cohorts.map((cohort) => cohortText(cohort, options)).join('\n');
}

function cohortText(cohort: Cohort, options: CutoffTextOptions): string {
  switch (cohort.state) {
    case 'compared':
      return `${cohort.week}  ${cutoffTableText(cohort.table, options)}`;
    case 'corrupt': {
      const { first = 'first', second = 'second' } = options;
      const names = { first, second };
      const reasons = cohort.corruptions.map(({ sign, arm, detail }) =>
        printable(`  ${sign}: ${arm === undefined ? '' : `${names[arm]}: `}${detail}`),
      );
      return `${[`${cohort.week}  Data is corrupt and set aside:`, ...reasons].join('\n')}\n`;
    }
    default:
      return assertNever(cohort);
  }
}
