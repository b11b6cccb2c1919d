/** What a cohort comes to by the mail's own rule, and by a stricter one. Pure. */
import { type CutoffSpan, cutoffSpan } from '../../../core/compare/cutoff-span.ts';
import type { CutoffTable } from '../../../core/compare/cutoff-table.ts';
import type { RepeatCohort } from './first-bytes.ts';

/**
 * In per cent. The mail leaves its tail out: its "WIN - 1.35% to 5.07%" ends at 95 % in nine weeks of ten and at 98 % in the first (see
 * `cutoffSpan`). At 98 % and above a repeat of the lab has a handful of connections, so that one of them decides.
 */
export const LAST_CUTOFF = 95;

/** The cut-offs up to 95 %: by these all ten sound weeks of the mail are wins. By all of them, up to 99.5 %, six are, and four are mixed. */
export const cohortSpan = (table: CutoffTable): CutoffSpan =>
  cutoffSpan({ ...table, rows: table.rows.filter(({ cutoffPercent }) => cutoffPercent <= LAST_CUTOFF) });

/** One for every sound cohort. */
export const cohortSpans = (cohorts: readonly RepeatCohort[], spanOf: (table: CutoffTable) => CutoffSpan): readonly CutoffSpan[] =>
  cohorts.flatMap((cohort) => (cohort.state === 'compared' ? [spanOf(cohort.table)] : []));

/** How many of these weeks the second arm wins. */
export const winsOf = (spans: readonly CutoffSpan[]): number => spans.filter(({ outcome }) => outcome === 'win').length;
