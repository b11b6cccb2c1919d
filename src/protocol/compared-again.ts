/** The comparison of a report whose own is of an older form: made anew from its loads, as it was when the report was written. */
import * as v from 'valibot';
import { compareProfiles } from '../core/compare/compare-profiles.ts';
import type { Comparison } from '../core/compare/comparison.ts';
import { PlumbfoxError } from '../core/errors.ts';
import { comparableReport } from '../core/report/comparable-loads.ts';
import { damagedReport } from './damaged-report.ts';
import { loadSchema, pageSchema, profileSchema } from './report-parts-schema.ts';

const comparedParts = v.object({
  pages: v.array(pageSchema),
  profiles: v.array(profileSchema),
  loads: v.array(loadSchema),
  provenance: v.object({ turns: v.exactOptional(v.literal('as-they-came')), plannedBlocks: v.exactOptional(v.number()) }),
});

/** @throws PlumbfoxError bad-input when the report's profiles or loads are damaged. */
export function comparedAgain(report: unknown): Comparison {
  const result = v.safeParse(comparedParts, report, { abortEarly: true });
  if (!result.success) throw damagedReport(result.issues);
  const { pages, profiles, loads, provenance } = result.output;
  const baseline = profiles.find(({ role }) => role === 'baseline')?.id;
  if (baseline === undefined) throw new PlumbfoxError('bad-input', 'The report is damaged at profiles: none of them is the baseline');
  const { turns, plannedBlocks } = provenance;
  return compareProfiles(comparableReport({ loads, pages }), { baseline, profiles, turns, plannedBlocks });
}
