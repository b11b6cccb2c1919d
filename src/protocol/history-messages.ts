/** The messages between the dashboard and its history worker: schemas and types. Addresses stay within the extension. */
import * as v from 'valibot';
import { LOAD_PROTOCOLS } from '../core/compare/comparison.ts';
import { HISTORY_EXCLUSIONS, historyQuerySchema } from '../core/field/history.ts';
import { groupQuerySchema, loadGroupSchema } from '../core/field/load-groups.ts';
import { LOAD_STATUSES } from '../core/field/load-summary.ts';
import { trendDaySchema } from '../core/field/load-trend.ts';
import { count, finite } from '../core/schema.ts';
import { fieldLinkSchema, givenLinkNamesSchema } from './field-answer.ts';

const historyRowSchema = v.object({
  key: count,
  /** Absent: its requests are no longer kept, so that nothing more can be shown of it. */
  id: v.exactOptional(v.string()),
  /** The address of its page; absent: no load of it is kept with its address. */
  url: v.exactOptional(v.string()),
  /** The site’s host, where the address of one of its loads is kept. */
  host: v.exactOptional(v.string()),
  site: finite,
  startedAt: finite,
  profileId: v.string(),
  standing: v.picklist(LOAD_STATUSES),
  link: v.exactOptional(fieldLinkSchema),
  protocol: v.exactOptional(v.picklist(LOAD_PROTOCOLS)),
  excluded: v.exactOptional(v.picklist(HISTORY_EXCLUSIONS)),
  loadTimeMs: v.exactOptional(finite),
  efficiency: v.exactOptional(finite),
  /** The load was faster than the figures of its link allow. */
  linkDisproved: v.exactOptional(v.literal(true)),
});
export type HistoryRow = v.InferOutput<typeof historyRowSchema>;

const choice = <T extends v.GenericSchema>(value: T) => v.array(v.object({ value, loads: count }));
const unknown = v.literal('unknown');

const historyAnswerSchema = v.object({
  rows: v.array(historyRowSchema),
  /** Loads that were found, and all. */
  found: count,
  total: count,
  /** When the newest of all began, wall clock, ms since the epoch; absent: there is none. */
  newestAt: v.exactOptional(finite),
  /** Only the newest loads were looked through: another answer follows. */
  isPart: v.boolean(),
  /** The networks, or the addresses of older loads, are still being read: another answer follows. */
  pending: v.boolean(),
  choices: v.object({
    /** Those of which an address is kept. */
    sites: v.array(v.object({ value: finite, loads: count, host: v.string() })),
    networks: v.array(v.object({ value: v.union([finite, unknown]), loads: count, link: v.exactOptional(fieldLinkSchema) })),
    profiles: choice(v.string()),
    protocols: choice(v.picklist([...LOAD_PROTOCOLS, 'unknown'])),
    excluded: choice(v.picklist(HISTORY_EXCLUSIONS)),
  }),
});
export type HistoryAnswer = v.InferOutput<typeof historyAnswerSchema>;

const groupsAnswerSchema = v.object({
  /** `host` or `link`: which site or network it is; a network without is unknown. */
  rows: v.array(v.object({ ...loadGroupSchema.entries, host: v.exactOptional(v.string()), link: v.exactOptional(fieldLinkSchema) })),
  /** Groups that can be shown. */
  total: count,
  /** Sites of which no address is kept any more, and their loads. */
  unnamed: v.object({ sites: count, loads: count }),
  /** Loads, networks, addresses or requests are still being read: another answer follows. */
  pending: v.boolean(),
});
export type GroupsAnswer = v.InferOutput<typeof groupsAnswerSchema>;

const trendAnswerSchema = v.object({
  days: v.array(trendDaySchema),
  /** The networks of the site's loads, the most frequent first. */
  networks: v.array(v.object({ link: fieldLinkSchema, loads: count })),
  pending: v.boolean(),
});
export type TrendAnswer = v.InferOutput<typeof trendAnswerSchema>;

/** `isNew`: something may have been stored since the last request. */
const common = { number: count, names: givenLinkNamesSchema, isNew: v.boolean() };

/** Requests of the dashboard; the reply carries the same number. */
export const historyRequestSchema = v.variant('kind', [
  v.object({ kind: v.literal('find'), ...common, query: historyQuerySchema }),
  v.object({ kind: v.literal('groups'), ...common, query: groupQuerySchema }),
  /** The number of a site, and perhaps the id of a network. */
  v.object({ kind: v.literal('trend'), ...common, site: finite, network: v.exactOptional(finite) }),
]);
export type HistoryRequest = v.InferOutput<typeof historyRequestSchema>;

/** `more`: more is known than when the last request was answered. `failed` without a number: no request waits for it. */
export const historyReplySchema = v.variant('kind', [
  v.object({ kind: v.literal('find'), number: count, answer: historyAnswerSchema }),
  v.object({ kind: v.literal('groups'), number: count, answer: groupsAnswerSchema }),
  v.object({ kind: v.literal('trend'), number: count, answer: trendAnswerSchema }),
  v.object({ kind: v.literal('failed'), number: v.exactOptional(count), message: v.string() }),
  v.object({ kind: v.literal('more') }),
]);
export type HistoryReply = v.InferOutput<typeof historyReplySchema>;

/** The answer to a request of each kind. */
export type HistoryAnswers = {
  [K in HistoryRequest['kind']]: Extract<HistoryReply, { kind: K }>['answer'];
};
