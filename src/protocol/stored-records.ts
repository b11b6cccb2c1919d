/**
 * The records in IndexedDB, as schemas. Every record that is read is parsed; a record of another format is refused, not guessed at.
 * Format history: 1, first.
 */
import * as v from 'valibot';
import { pageLoadSchema, type RawRequestEvent, rawRequestEventSchema } from '../core/measure/page-load.ts';
import { type AppliedProfile, appliedProfileSchema, storedProfileSchema } from '../core/profiles/profile.ts';
import { finite } from '../core/schema.ts';
import { type MarkedPageLoad, trialMarkSchema } from '../core/trial/trial-mark.ts';

/** A page load with its place in one of our trials. */
export const markedPageLoadSchema = v.object({
  ...pageLoadSchema.entries,
  trial: v.optional(v.object({ mark: trialMarkSchema, void: v.optional(v.string()) })),
});

/**
 * A navigation that began, whether or not its timing ever came: attempted loads against recorded ones show what is missing.
 * Holds no URL.
 */
export const navigationSchema = v.object({
  /** The main request's id; these restart with every start of Firefox. */
  requestId: v.string(),
  startedAt: finite,
  /** `open` until the document's timing came (`recorded`) or the document's own request failed (`failed`). */
  state: v.picklist(['open', 'recorded', 'failed']),
});

/** The profile in effect from this moment on; `null`: nothing was applied by Plumbfox. */
export const appliedSinceSchema = v.object({ since: finite, applied: v.nullable(storedProfileSchema) });

export type Navigation = v.InferOutput<typeof navigationSchema>;
export type AppliedSince = v.InferOutput<typeof appliedSinceSchema>;

/** @throws v.ValiError when it is none. */
export const parsePageLoad = (value: unknown): MarkedPageLoad => v.parse(markedPageLoadSchema, value);
/** `undefined`: it is none. One record that cannot be read must not keep the others from being read. */
export function readPageLoad(value: unknown): MarkedPageLoad | undefined {
  const result = v.safeParse(markedPageLoadSchema, value);
  return result.success ? result.output : undefined;
}

/** `undefined`: it is none. */
export function readRawRequestEvent(value: unknown): RawRequestEvent | undefined {
  const result = v.safeParse(rawRequestEventSchema, value);
  return result.success ? result.output : undefined;
}

/** @throws v.ValiError when it is none. */
export const parseRawRequestEvent = (value: unknown): RawRequestEvent => v.parse(rawRequestEventSchema, value);

/** A value that the browser does not know is `undefined` there, and may be absent in the record. @throws v.ValiError when it is none. */
export const parseAppliedProfile = (value: unknown): AppliedProfile => v.parse(appliedProfileSchema, value);
