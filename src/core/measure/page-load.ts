/**
 * The record of one top-level navigation, and what webRequest saw of it, from which it is joined with the page's own timing (`page-timing.ts`).
 * Times of `timing` are milliseconds after the navigation's time origin. Unknown is `undefined`, never 0.
 */
import * as v from 'valibot';
import { type AppliedProfile, storedProfileSchema } from '../profiles/profile.ts';
import { bytesSchema, count, finite, millisecondsSchema, notNegative, type Shape } from '../schema.ts';
import { MAX_REQUESTS } from './load-measures.ts';
import { observationEndSchema } from './page-timing.ts';

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
/** Type of request as webRequest names it, as far as Firefox 153 uses it; see `webRequest.ResourceType` on MDN. */
export type RequestType = Shape<typeof requestTypeSchema>;

const requestTimingSchema = v.object({
  fetchStart: millisecondsSchema,
  domainLookupStart: v.optional(millisecondsSchema),
  domainLookupEnd: v.optional(millisecondsSchema),
  connectStart: v.optional(millisecondsSchema),
  connectEnd: v.optional(millisecondsSchema),
  /** Present only on TLS. */
  secureConnectionStart: v.optional(millisecondsSchema),
  requestStart: v.optional(millisecondsSchema),
  responseStart: v.optional(millisecondsSchema),
  responseEnd: millisecondsSchema,
});
/** Resource Timing's own names (W3C Resource Timing 2). */
export type RequestTiming = Shape<typeof requestTimingSchema>;

/** The HTTP versions that a status line may name. */
export const httpVersionSchema = v.picklist(['http/1.0', 'http/1.1', 'http/2', 'http/3']);
/** The HTTP version of a response, by its status line. */
export type HttpVersion = Shape<typeof httpVersionSchema>;

const wireInfoSchema = v.object({
  /** Response bytes on the wire with headers; 0 when it came from cache. */
  responseBytes: v.optional(bytesSchema),
  requestBytes: v.optional(bytesSchema),
  fromCache: v.boolean(),
  httpVersion: v.optional(httpVersionSchema),
  address: v.optional(v.string()),
  status: v.optional(finite),
  /** The request went through a proxy. */
  proxied: v.optional(v.boolean()),
});
/** The facts that only webRequest knows. */
export type WireInfo = Shape<typeof wireInfoSchema>;

const requestOutcomeSchema = v.variant('state', [
  v.object({ state: v.literal('completed') }),
  v.object({ state: v.literal('redirected') }),
  /** `at`: when webRequest saw it fail, ms after the time origin; absent: not known. */
  v.object({ state: v.literal('failed'), error: v.string(), at: v.optional(millisecondsSchema) }),
  /** Still open when the observation ended. */
  v.object({ state: v.literal('unfinished') }),
]);
export type RequestOutcome = Shape<typeof requestOutcomeSchema>;

const requestRecordSchema = v.object({
  requestId: v.optional(v.string()),
  url: v.string(),
  /** scheme://host:port, or `null` for data: and blob:. */
  origin: v.nullable(v.string()),
  type: requestTypeSchema,
  /** Resource Timing's initiatorType, where the page reported the request. */
  initiatorType: v.optional(v.string()),
  renderBlocking: v.optional(v.boolean()),
  timing: v.optional(requestTimingSchema),
  /** When webRequest saw it begin, ms after the time origin; of a request in a frame that had no end when the load was joined. */
  beganAt: v.optional(millisecondsSchema),
  wire: v.optional(wireInfoSchema),
  outcome: requestOutcomeSchema,
});
export type RequestRecord = Shape<typeof requestRecordSchema>;

/** A load's place in a trial. The mark is the trial's own: nothing that measures a load looks into it. */
export interface TrialPlace<Mark = unknown> {
  readonly mark: Mark;
  /** Why the load is excluded there, in words; absent: the mark says whether it counts. */
  readonly void?: string | undefined;
}

/** Without its place in a trial; see `stored-records.ts`. */
export const pageLoadSchema = v.object({
  format: v.literal(1),
  /** Unique: main request id and start time. */
  id: v.string(),
  /** Stays on this machine; no export holds it. */
  url: v.string(),
  /** Wall clock of the navigation's time origin, ms since the epoch. */
  startedAt: millisecondsSchema,
  observation: v.object({
    ended: observationEndSchema,
    quietMs: v.pipe(notNegative, v.brand('ms')),
    /** How far webRequest's clock is ahead of the document's, its delay included; absent: nothing was seen by both. */
    eventsAheadMs: v.optional(millisecondsSchema),
    /** The page requested more than is recorded; see `MAX_REQUESTS`. */
    tooManyRequests: v.optional(v.literal(true)),
  }),
  loadEventEnd: v.optional(millisecondsSchema),
  domContentLoadedEventEnd: v.optional(millisecondsSchema),
  firstContentfulPaint: v.optional(millisecondsSchema),
  largestContentfulPaint: v.optional(millisecondsSchema),
  /** The document's own request comes first. */
  requests: v.array(requestRecordSchema),
  /** The profile in effect when the load began; `undefined`: nothing was applied by Plumbfox. */
  applied: v.optional(storedProfileSchema),
});
/** One page load as it was recorded; `Mark` is what a trial ties it to its slot by. Without `trial`: none was in progress when it began. */
export type PageLoad<Mark = unknown> = Shape<typeof pageLoadSchema> & { readonly trial?: TrialPlace<Mark> | undefined };

/** The load without what is above the bound; one that reached it is measured as cut short. */
export function withinMaxRequests<Mark>(load: PageLoad<Mark>): PageLoad<Mark> {
  if (load.requests.length <= MAX_REQUESTS) return load;
  return cutOff({ ...load, requests: load.requests.slice(0, MAX_REQUESTS) });
}

/** Says of a load that more was requested than is recorded. */
export const cutOff = <Mark>(load: PageLoad<Mark>): PageLoad<Mark> =>
  load.observation.tooManyRequests ? load : { ...load, observation: { ...load.observation, tooManyRequests: true } };

export const rawRequestEventSchema = v.object({
  phase: v.picklist(['started', 'redirected', 'completed', 'failed']),
  at: finite,
  requestId: v.string(),
  tabId: count,
  frameId: v.pipe(v.number(), v.integer()),
  type: requestTypeSchema,
  url: v.string(),
  /** The document that asked; of a document's own request, the document it becomes. */
  documentId: v.optional(v.string()),
  documentUrl: v.optional(v.string()),
  responseBytes: v.optional(notNegative),
  requestBytes: v.optional(notNegative),
  fromCache: v.optional(v.boolean()),
  httpVersion: v.optional(httpVersionSchema),
  address: v.optional(v.string()),
  status: v.optional(finite),
  proxied: v.optional(v.boolean()),
  error: v.optional(v.string()),
});
/** One webRequest event. `at` is the wall clock in ms since the epoch, taken by Firefox when the event happened. */
export type RawRequestEvent = Shape<typeof rawRequestEventSchema>;
/** Which of webRequest's events it was. */
export type RawPhase = RawRequestEvent['phase'];

/** An entry of the history of what was in effect when. */
export interface InEffectSince {
  /** Wall clock, ms since the epoch. */
  readonly since: number;
  /** `null`: nothing applied by Plumbfox. */
  readonly applied: AppliedProfile | null;
}

/** Without what the gateway was on with: it goes over what else is in effect, and does not end it. */
export const withoutGateway = (history: readonly InEffectSince[]): readonly InEffectSince[] =>
  history.filter(({ applied }) => applied?.applier !== 'gateway');

/**
 * When what is in effect by the newest entry came into effect: entries that note it again, as after a restart or after the gateway, do not begin it
 * anew. `undefined`: nothing of ours is in effect.
 */
export function inEffectSince(history: readonly InEffectSince[]): number | undefined {
  const newest = history.at(-1)?.applied ?? undefined;
  if (newest === undefined) return undefined;
  const entries = newest.applier === 'gateway' ? history : withoutGateway(history);
  const isSame = ({ applied }: InEffectSince): boolean =>
    applied?.profileId === newest.profileId &&
    applied.applier === newest.applier &&
    (applied.mismatches.length === 0) === (newest.mismatches.length === 0);
  return entries[entries.findLastIndex((entry) => !isSame(entry)) + 1]?.since;
}

/** Settings in effect, and since when: wall clock, ms since the epoch. */
export interface AppliedSince {
  readonly profileId: string;
  readonly since: number;
}

/**
 * What is applied as the popup's card says it: the gateway's settings only where nothing but a policy has put others in effect beneath them.
 * `undefined`: nothing of ours.
 */
export function appliedSince(history: readonly InEffectSince[]): AppliedSince | undefined {
  const beneath = withoutGateway(history);
  const own = beneath.at(-1)?.applied ?? undefined;
  const entries = own === undefined || own.applier === 'policy' ? history : beneath;
  const { profileId } = entries.at(-1)?.applied ?? {};
  const since = inEffectSince(entries);
  return profileId === undefined || since === undefined ? undefined : { profileId, since };
}

/**
 * Which profile a load ran under: the one in effect when it began; `undefined`: none of ours.
 * A load during which another profile came into effect ran under neither: its record keeps the first and names every preference in which
 * the two differ as a mismatch, so that nothing counts it.
 */
export function appliedDuring(history: readonly InEffectSince[], startedAt: number, endedAt: number): AppliedProfile | undefined {
  const ordered = history.toSorted((a, b) => a.since - b.since);
  const atStart = ordered.findLast((entry) => entry.since <= startedAt)?.applied ?? undefined;
  const changes = ordered.filter((entry) => entry.since > startedAt && entry.since <= endedAt);
  const start = atStart ?? changes.find(({ applied }) => applied !== null)?.applied;
  if (!start) return undefined;
  const changed = changes.flatMap((change) => differing(start.intended, change.applied?.intended ?? {}));
  return { ...start, mismatches: [...new Set([...start.mismatches, ...changed, ...(atStart ? [] : Object.keys(start.intended))])] };
}

function differing(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);
}
