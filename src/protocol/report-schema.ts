/** The run-time schema of a report, and its parser. `assets/report.schema.json` is made from it. */
import * as v from 'valibot';
import { answerSchema } from '../core/answer/answer.ts';
import { comparisonSchema } from '../core/compare/comparison.ts';
import { REPORT_FORMAT, REPORT_VERSION, type Report } from '../core/report/report.ts';
import { damagedReport } from './damaged-report.ts';
import { linkSchema, loadSchema, pageSchema, profileSchema, provenanceSchema } from './report-parts-schema.ts';
import { upgradeReport } from './report-upgrades.ts';

export const reportSchema = v.object({
  format: v.literal(REPORT_FORMAT),
  version: v.literal(REPORT_VERSION),
  metricVersion: v.pipe(v.number(), v.integer(), v.minValue(1)),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  provenance: provenanceSchema,
  links: v.array(linkSchema),
  pages: v.array(pageSchema),
  profiles: v.array(profileSchema),
  loads: v.array(loadSchema),
  comparison: comparisonSchema,
  answer: v.exactOptional(v.object({ sentence: v.string(), finding: answerSchema })),
});

/**
 * A report read from a file or received: upgraded to the present version, then checked field by field.
 * @throws PlumbfoxError bad-input with one line: not a report, newer than this Plumbfox reads, or the first field that is wrong.
 */
export function parseReport(json: unknown): Report {
  const result = v.safeParse(reportSchema, upgradeReport(json), { abortEarly: true });
  if (result.success) return result.output;
  throw damagedReport(result.issues);
}

/** The schema and the interface are the same type, field by field; read-only is for the compiler alone. */
type Mutable<T> = T extends number | string | boolean | null | undefined ? T : { -readonly [K in keyof T]: Mutable<T[K]> };
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
true satisfies Same<Mutable<v.InferOutput<typeof reportSchema>>, Mutable<Report>>;
