/** Reads a report from a file or another program. */
import * as v from 'valibot';
import { type Report, reportSchema } from '../core/report/report.ts';
import { damagedReport } from './damaged-report.ts';
import { upgradeReport } from './report-upgrades.ts';

/**
 * A report read from a file or received: upgraded to the present version, then checked field by field.
 * @throws PlumbfoxError bad-input with one line: not a report, newer than this Plumbfox reads, or the first field that is wrong.
 */
export function parseReport(json: unknown): Report {
  const result = v.safeParse(reportSchema, upgradeReport(json), { abortEarly: true });
  if (result.success) return result.output;
  throw damagedReport(result.issues);
}
