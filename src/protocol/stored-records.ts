/**
 * What lies in IndexedDB, as schemas. Every record that is read is parsed; a record of another format is refused, not guessed at.
 * Format history: 1, first.
 */
import * as v from 'valibot';
import type { RawRequestEvent } from '../core/measure/page-load.ts';
import type { AppliedProfile } from '../core/profiles/profile.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import { appliedProfileSchema } from './messages.ts';
import { trialMarkSchema } from './trial-record.ts';

const finite = v.pipe(v.number(), v.finite());
const size = v.pipe(finite, v.minValue(0));

/** webRequest's ResourceType, as far as Firefox 153 uses it. */
export const requestTypeSchema = v.picklist([
  'main_frame',
  'sub_frame',
  'stylesheet',
  'script',
  'image',
  'imageset',
  'font',
  'media',
  'object',
  'xmlhttprequest',
  'ping',
  'beacon',
  'websocket',
  'csp_report',
  'xslt',
  'xml_dtd',
  'web_manifest',
  'speculative',
  'json',
  'other',
]);

const httpVersionSchema = v.picklist(['http/1.0', 'http/1.1', 'http/2', 'http/3']);

/** One webRequest event, kept only until its load is joined. */
export const rawRequestEventSchema = v.object({
  phase: v.picklist(['started', 'redirected', 'completed', 'failed']),
  at: finite,
  requestId: v.string(),
  tabId: v.pipe(v.number(), v.integer(), v.minValue(0)),
  frameId: v.pipe(v.number(), v.integer()),
  type: requestTypeSchema,
  url: v.string(),
  documentId: v.optional(v.string()),
  documentUrl: v.optional(v.string()),
  responseBytes: v.optional(size),
  requestBytes: v.optional(size),
  fromCache: v.optional(v.boolean()),
  httpVersion: v.optional(httpVersionSchema),
  address: v.optional(v.string()),
  status: v.optional(finite),
  proxied: v.optional(v.boolean()),
  error: v.optional(v.string()),
});

const requestRecordSchema = v.object({
  requestId: v.optional(v.string()),
  url: v.string(),
  origin: v.nullable(v.string()),
  type: requestTypeSchema,
  initiatorType: v.optional(v.string()),
  renderBlocking: v.optional(v.boolean()),
  timing: v.optional(
    v.object({
      fetchStart: finite,
      domainLookupStart: v.optional(finite),
      domainLookupEnd: v.optional(finite),
      connectStart: v.optional(finite),
      connectEnd: v.optional(finite),
      secureConnectionStart: v.optional(finite),
      requestStart: v.optional(finite),
      responseStart: v.optional(finite),
      responseEnd: finite,
    }),
  ),
  beganAt: v.optional(finite),
  wire: v.optional(
    v.object({
      responseBytes: v.optional(size),
      requestBytes: v.optional(size),
      fromCache: v.boolean(),
      httpVersion: v.optional(httpVersionSchema),
      address: v.optional(v.string()),
      status: v.optional(finite),
      proxied: v.optional(v.boolean()),
    }),
  ),
  outcome: v.variant('state', [
    v.object({ state: v.literal('completed') }),
    v.object({ state: v.literal('redirected') }),
    v.object({ state: v.literal('failed'), error: v.string(), at: v.optional(finite) }),
    v.object({ state: v.literal('unfinished') }),
  ]),
});

/** See `PageLoad`. */
export const pageLoadSchema = v.object({
  format: v.literal(1),
  id: v.string(),
  url: v.string(),
  startedAt: finite,
  observation: v.object({
    ended: v.picklist(['quiet', 'page-left', 'time-limit']),
    quietMs: size,
    eventsAheadMs: v.optional(finite),
    tooManyRequests: v.optional(v.literal(true)),
  }),
  loadEventEnd: v.optional(finite),
  domContentLoadedEventEnd: v.optional(finite),
  firstContentfulPaint: v.optional(finite),
  largestContentfulPaint: v.optional(finite),
  requests: v.array(requestRecordSchema),
  applied: v.optional(appliedProfileSchema),
  trial: v.optional(v.object({ mark: trialMarkSchema, void: v.optional(v.string()) })),
});

/**
 * A navigation that began, whether or not its timing ever came: attempted loads against recorded ones show what is missing.
 * Holds no URL.
 */
export const navigationSchema = v.object({
  /** The main request's id; these begin anew with every start of Firefox. */
  requestId: v.string(),
  startedAt: finite,
  /** `open` until the document's timing came (`recorded`) or the document's own request failed (`failed`). */
  state: v.picklist(['open', 'recorded', 'failed']),
});

/** What was in effect from this moment on; `null`: nothing was applied by Plumbfox. */
export const appliedSinceSchema = v.object({ since: finite, applied: v.nullable(appliedProfileSchema) });

export type Navigation = v.InferOutput<typeof navigationSchema>;
export type AppliedSince = v.InferOutput<typeof appliedSinceSchema>;

/** The record as the domain types it. @throws v.ValiError when it is not one: the brands of units only exist in types. */
export const parsePageLoad = (value: unknown): MarkedPageLoad => v.parse(pageLoadSchema, value) as unknown as MarkedPageLoad;
/** `undefined`: it is none. One record that cannot be read must not keep the others from being read. */
export function readPageLoad(value: unknown): MarkedPageLoad | undefined {
  const result = v.safeParse(pageLoadSchema, value);
  return result.success ? (result.output as unknown as MarkedPageLoad) : undefined;
}

/** `undefined`: it is none. */
export function readRawRequestEvent(value: unknown): RawRequestEvent | undefined {
  const result = v.safeParse(rawRequestEventSchema, value);
  return result.success ? result.output : undefined;
}

/** @throws v.ValiError when it is none. */
export const parseRawRequestEvent = (value: unknown): RawRequestEvent => v.parse(rawRequestEventSchema, value);

/** As the domain types it: a value that the browser does not know is `undefined` there, and simply absent in the record. */
export function parseAppliedProfile(value: unknown): AppliedProfile {
  const { readBack, ...rest } = v.parse(appliedProfileSchema, value);
  return { ...rest, readBack: readBack.map((held) => ({ ...held, value: held.value })) };
}
