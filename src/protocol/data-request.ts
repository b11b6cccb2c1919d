/** The messages between the dashboard and its data worker, which makes files of the records and reads reports: schemas and types. */
import * as v from 'valibot';
import { answerSchema } from '../core/answer/answer.ts';
import { firstBytesSchema } from '../core/field/first-bytes.ts';
import { trialLogSchema } from '../core/field/trial-log.ts';
import { count, finite } from '../core/schema.ts';
import { fieldLinkSchema, givenLinkNamesSchema } from './field-answer.ts';
import { siteSchema } from './settings.ts';

const text = v.pipe(v.string(), v.maxLength(200));
/** The site whose loads are meant; absent: all. */
const site = v.exactOptional(siteSchema);

/** What a report of this Firefox says beside its loads. */
const ownReportSchema = v.object({
  names: givenLinkNamesSchema,
  provenance: v.object({ plumbfox: text, firefox: v.object({ version: text, buildId: text }), os: text }),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
});
export type OwnReportRequest = v.InferOutput<typeof ownReportSchema>;

/** From the dashboard; a worker answers one. */
export const dataRequestSchema = v.variant('kind', [
  /** The sites of the loads that have their requests. */
  v.object({ kind: v.literal('sites') }),
  v.object({ kind: v.literal('report'), ...ownReportSchema.entries, answer: v.exactOptional(answerSchema) }),
  v.object({ kind: v.literal('csv'), names: givenLinkNamesSchema, site }),
  /** `id`: that load alone. */
  v.object({ kind: v.literal('har'), plumbfox: text, firefox: text, site, id: v.exactOptional(text) }),
  /** `network`: the id of the link whose loads are meant; absent: all. */
  v.object({ kind: v.literal('first-bytes'), names: givenLinkNamesSchema, site, network: v.exactOptional(finite) }),
  /** The text of a report's file; `own`: it is joined with the loads of this Firefox, whose report needs that. */
  v.object({ kind: v.literal('read-report'), text: v.string(), own: v.exactOptional(ownReportSchema) }),
  v.object({ kind: v.literal('trial-log') }),
]);
export type DataRequest = v.InferOutput<typeof dataRequestSchema>;

const shownReportSchema = v.object({
  lines: v.array(v.string()),
  /** What the lines say, as data, where the report is of everyday loads. */
  answer: v.exactOptional(answerSchema),
  facts: v.array(v.object({ term: v.picklist(['made', 'firefox', 'loads', 'links']), value: v.string() })),
  groups: v.array(
    v.object({
      /** The protocol, where there are several. */
      heading: v.optional(v.string()),
      rows: v.array(v.object({ profile: v.string(), loads: v.string(), time: v.string(), change: v.string(), verdict: v.string() })),
    }),
  ),
  notes: v.array(v.string()),
});
/** A report as it is looked at: every text of it is bounded, and without control characters. */
export type ShownReport = Readonly<v.InferOutput<typeof shownReportSchema>>;

/** What the worker answers: one of these, to whatever it was asked. */
export const dataReplySchema = v.variant('kind', [
  v.object({ kind: v.literal('sites'), sites: v.array(v.object({ site: siteSchema, loads: count })) }),
  v.object({ kind: v.literal('file'), text: v.string(), loads: count }),
  v.object({ kind: v.literal('shown'), report: shownReportSchema }),
  /** `log` is that of the newest trial; absent: there is none. */
  v.object({ kind: v.literal('trial-log'), log: v.exactOptional(trialLogSchema) }),
  v.object({
    kind: v.literal('first-bytes'),
    answer: firstBytesSchema,
    /** What there is to choose from, the most frequent first. */
    sites: v.array(v.object({ site: siteSchema, loads: count })),
    networks: v.array(v.object({ link: fieldLinkSchema, loads: count })),
  }),
  v.object({ kind: v.literal('failed'), message: v.string() }),
]);
export type DataReply = v.InferOutput<typeof dataReplySchema>;
