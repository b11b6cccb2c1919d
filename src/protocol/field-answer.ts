/** The messages between the popup and its comparison worker, and the last answer as it is kept: schemas and types. */
import * as v from 'valibot';
import { answerSchema } from '../core/answer/answer.ts';
import { comparisonSchema } from '../core/compare/comparison.ts';
import type { FieldComparison } from '../core/field/compare-field.ts';
import { WHY_EXCLUDED } from '../core/field/load-summary.ts';
import { count, finite } from '../core/schema.ts';

/** A link's name as the user types it; more does not fit beside the figures. */
export const linkNameSchema = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40));

/** With the figures that the link had when it was named, by which it is recognised. */
export const givenLinkNamesSchema = v.array(
  v.object({ id: finite, name: linkNameSchema, rttMs: v.pipe(finite, v.gtValue(0)), downKbps: v.optional(v.pipe(finite, v.gtValue(0))) }),
);
export type GivenLinkNames = v.InferOutput<typeof givenLinkNamesSchema>;

const bounds = v.object({ low: v.optional(finite), high: v.optional(finite) });

/** A link as everyday loads show it; `given`: what a person called it. */
export const fieldLinkSchema = v.object({
  id: finite,
  name: v.string(),
  given: v.optional(v.string()),
  rttMs: finite,
  rttIntervalMs: bounds,
  downKbps: v.optional(finite),
  downIntervalKbps: bounds,
  loads: count,
});
export type ShownLink = v.InferOutput<typeof fieldLinkSchema>;

/** A comparison, and what is said of the newest load. No address is in it. */
export const fieldAnswerSchema = v.object({
  /** Without its scenarios and what is said of single ones: pages are many, and the popup shows none. */
  comparison: comparisonSchema,
  links: v.array(fieldLinkSchema),
  newest: v.optional(
    v.object({
      startedAt: finite,
      link: v.optional(fieldLinkSchema),
      idealTimeMs: v.optional(finite),
      efficiency: v.optional(finite),
      utilisation: v.optional(finite),
    }),
  ),
  /** What is known of the load that the page asked for; absent: nothing. */
  shown: v.exactOptional(v.object({ startedAt: finite, efficiency: v.optional(finite) })),
  /** See `sinceApplied`. */
  sinceApplied: v.exactOptional(v.object({ profileId: v.string(), since: finite, gain: finite, days: count, before: count })),
  /** See `FieldComparison`; absent: it was kept by an earlier version, or there are none. */
  trialNetworks: v.exactOptional(v.array(v.object({ name: v.string(), isGiven: v.boolean(), loads: count }))),
  /** Loads that are in no figure although their link is known, by cause. */
  excluded: v.array(v.object({ why: v.picklist(WHY_EXCLUDED), loads: count })),
  /** Loads that were compared, that are stored, whose record cannot be read, whose link cannot be estimated. */
  compared: count,
  loads: count,
  unreadable: count,
  withoutLink: count,
});
export type FieldAnswer = v.InferOutput<typeof fieldAnswerSchema>;

const text = v.pipe(v.string(), v.maxLength(200));

/** From the popup. */
export const workerRequestSchema = v.variant('kind', [
  /** `shownAt`: when the load began that the page shows. `newestFirst`: nothing is shown yet, so the newest loads are compared before all are. */
  v.object({ kind: v.literal('compare'), names: givenLinkNamesSchema, newestFirst: v.boolean(), shownAt: v.exactOptional(finite) }),
  v.object({
    kind: v.literal('report'),
    names: givenLinkNamesSchema,
    provenance: v.object({ plumbfox: text, firefox: v.object({ version: text, buildId: text }), os: text }),
    createdAt: v.pipe(v.string(), v.isoTimestamp()),
    answer: v.exactOptional(answerSchema),
  }),
]);
export type WorkerRequest = v.InferOutput<typeof workerRequestSchema>;

/** What the worker posts to the popup; one request may have several. */
export const workerReplySchema = v.variant('kind', [
  /** Loads whose figures are still to be computed, and their total. */
  v.object({ kind: v.literal('progress'), missing: count, loads: count }),
  /** `final`: nothing is missing from it. `newest`: only that many of the newest loads were compared. */
  v.object({ kind: v.literal('answer'), answer: fieldAnswerSchema, final: v.boolean(), newest: v.exactOptional(count) }),
  /** The report as the text of its file. */
  v.object({ kind: v.literal('report'), text: v.string() }),
  v.object({ kind: v.literal('failed'), asked: v.picklist(['compare', 'report']), message: v.string() }),
]);
export type WorkerReply = v.InferOutput<typeof workerReplySchema>;

/** The part of a comparison that the popup shows. */
export function withoutScenarios({ comparison }: FieldComparison): FieldComparison['comparison'] {
  const protocols = comparison.protocols?.map((own) => ({ ...own, pages: [] }));
  return { ...comparison, scenarios: [], modes: [], ...(protocols && { protocols }) };
}
