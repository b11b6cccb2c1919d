/**
 * The messages between the extension and its native messaging host. The extension names an operation and a profile, and no path. A profile of the
 * person's own is named by its preferences and values (`profile-id.ts`): the host takes those of its own catalogue alone, within bounds. Addresses of pages are never among it, so that nothing of what a person
 * browses leaves the browser; of sites only those that the person has listed for the gateway, which carries them.
 */
import * as v from 'valibot';
import { profileIdSchema } from '../core/profiles/profile-id.ts';
import { acceptsSchema } from '../core/profiles/profile-price.ts';
import { count } from '../core/schema.ts';
import { foundSiteSchema, MAX_SITES } from './gateway-sites.ts';

/** Name of the host in its manifest and in `runtime.connectNative`. */
export const HELPER_HOST = 'plumbfox';
/** Grows when a message changes its meaning; host and extension refuse each other's if it differs. */
export const HELPER_PROTOCOL = 1;

const envelope = {
  version: v.literal(HELPER_PROTOCOL),
  /** A new one for each request, returned with its answer. */
  nonce: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{8,64}$/)),
  /** Asks for `HelperProgress`; only of a helper that offers it in its `hello`, as an earlier one refuses a member that it does not know. */
  progress: v.optional(v.literal(true)),
};
const plain = <const Op extends string>(op: Op) => v.strictObject({ ...envelope, op: v.literal(op) });
const withProfile = <const Op extends string>(op: Op) => v.strictObject({ ...envelope, op: v.literal(op), profileId: profileIdSchema });

/** A request; members that are not named here are refused. */
export const helperRequestSchema = v.variant('op', [
  /** Who is there, and in which version. Always the first. */
  plain('hello'),
  /** Once per start of Firefox: counts starts of a profile that has not been confirmed yet, and restores what was there at the third. */
  plain('started'),
  plain('status'),
  /** Takes effect at the next start of Firefox. */
  v.strictObject({ ...envelope, op: v.literal('apply'), profileId: profileIdSchema, accepts: v.optional(acceptsSchema) }),
  /** The browser has been well for 30 s with what is applied. */
  plain('confirm'),
  plain('revert'),
  /** Opens the probe: pieces to be fetched from loopback, for the profile named (its connections and depth say how many pieces). */
  withProfile('probe-open'),
  /** What the probe counted; it goes on until it is closed. */
  plain('probe-result'),
  plain('probe-close'),
  /** Starts the gateway with the profile's connections and depth, or gives it another profile's. */
  withProfile('gateway-open'),
  /** The sites that it may carry, where Firefox itself has found them, in place of those before. */
  v.strictObject({ ...envelope, op: v.literal('gateway-carry'), sites: v.pipe(v.array(foundSiteSchema), v.maxLength(MAX_SITES)) }),
  /** Sites that have answered more than they were asked, since this was last asked: what came of them may be another request's. */
  plain('gateway-doubts'),
  plain('gateway-counters'),
  plain('gateway-close'),
]);
export type HelperRequest = v.InferOutput<typeof helperRequestSchema>;
export type HelperOperation = HelperRequest['op'];

const value = v.union([v.pipe(v.number(), v.integer()), v.boolean(), v.string()]);

/** One preference of the applied profile: what it should be, and what the Firefox profile's files hold. */
export const helperPreferenceSchema = v.object({
  name: v.string(),
  intended: value,
  /** Absent: no file holds it, so that the browser's default is in effect. */
  found: v.optional(value),
  /** Whether an enterprise policy locked it. */
  locked: v.boolean(),
});

/**
 * `none`: nothing of ours is there. `pending`: written, and not yet confirmed by a healthy start. `confirmed`. `restoring`: reverted, but
 * some values are with the running Firefox until it ends.
 */
export const helperPhaseSchema = v.picklist(['none', 'pending', 'confirmed', 'restoring']);
export type HelperPhase = v.InferOutput<typeof helperPhaseSchema>;

/** The state of the Firefox profile; what the helper cannot say is absent. */
export const helperStatusSchema = v.object({
  phase: helperPhaseSchema,
  /** The profile that is written; absent in phases `none` and `restoring`. */
  profileId: v.optional(profileIdSchema),
  /** Starts of Firefox since it was written. */
  starts: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Whether the running Firefox was started before it was written, so that it is not in effect yet. */
  restartNeeded: v.boolean(),
  preferences: v.array(helperPreferenceSchema),
  /** Preferences that something else has changed since; they are left unchanged. */
  changedByOthers: v.array(v.string()),
  /** Why the previous state came back by itself; absent: it did not. */
  restoredBecause: v.optional(v.string()),
});
export type HelperStatus = v.InferOutput<typeof helperStatusSchema>;

const revertedSchema = v.object({ restored: v.array(v.string()), leftAlone: v.array(v.string()), status: helperStatusSchema });
const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));

/** The result of each operation. */
export const helperResultSchemas = {
  hello: v.object({
    /** Version of the helper's program. */
    helper: v.string(),
    system: v.picklist(['linux', 'darwin', 'win32']),
    /** Whether the Firefox that asks, and its profile folder, were found; without it nothing can be applied. */
    profileFound: v.boolean(),
    /** Whether it may be asked to say that it is at work; absent: no, it is of an earlier version. */
    progress: v.optional(v.literal(true)),
  }),
  started: helperStatusSchema,
  status: helperStatusSchema,
  apply: helperStatusSchema,
  confirm: helperStatusSchema,
  revert: revertedSchema,
  'probe-open': v.object({
    port,
    /** Path prefix only this probe answers to; the pieces are `/TOKEN/0` to `/TOKEN/(pieces-1)`. */
    token: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,64}$/)),
    pieces: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1024)),
  }),
  'probe-result': v.object({
    arrived: count,
    /** Most connections with a request at once; most requests outstanding on one of them. */
    connections: count,
    depth: count,
  }),
  'probe-close': v.object({}),
  'gateway-open': v.object({
    port,
    secret: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,128}$/)),
    connections: count,
    depth: count,
  }),
  'gateway-counters': v.object({ requests: count, mostConnections: count, mostDepth: count, failures: count }),
  'gateway-carry': v.object({}),
  'gateway-doubts': v.object({ sites: v.array(v.object({ origin: v.string(), answers: count })) }),
  'gateway-close': v.object({}),
} as const satisfies Readonly<Record<HelperOperation, v.GenericSchema>>;
export type HelperResult<Op extends HelperOperation> = v.InferOutput<(typeof helperResultSchemas)[Op]>;

/** Why the helper refuses or fails; a closed set, so that the popup can explain each. */
export const HELPER_ERROR_KINDS = [
  /** Not a request of this protocol, or of another version of it. */
  'bad-request',
  'unknown-profile',
  /** The Firefox that asks, or its profile folder, was not found. */
  'no-firefox-profile',
  /** The folder or a file in it is not as it has to be: a symbolic link, another user's, in use by another Firefox, malformed. */
  'refused',
  /** The disk is full, read-only, ... */
  'cannot-write',
  /** Another helper is at work on the same profile. */
  'busy',
  'internal',
] as const;

/**
 * How long work on a request may go on, ms: after that, progress reports and the wait for them end. Files are written and forced to the disk: a
 * prefs.js of 18.7 MB took 2.9 s on 2 cores of 2026, and a slow disk that is busy may need ten times that and more. The others touch no file.
 */
export const longestWorkMs = (op: HelperOperation): number => (/^(probe|gateway)-/.test(op) ? 15_000 : 120_000);

/** Comes before the answer where it was requested, about once a second, for as long as the helper works on it: the caller goes on waiting. */
export const helperProgressSchema = v.strictObject({ version: v.literal(HELPER_PROTOCOL), nonce: v.string(), working: v.literal(true) });
export type HelperProgress = v.InferOutput<typeof helperProgressSchema>;

/** The frame of every answer; what is in `result` depends on the request, see `helperResultSchemas`. */
export const helperReplySchema = v.variant('ok', [
  v.object({ version: v.literal(HELPER_PROTOCOL), nonce: v.optional(v.string()), ok: v.literal(true), result: v.unknown() }),
  v.object({
    version: v.number(),
    /** Absent where the request could not be read. */
    nonce: v.optional(v.string()),
    ok: v.literal(false),
    error: v.object({ kind: v.picklist(HELPER_ERROR_KINDS), message: v.string() }),
  }),
]);
export type HelperReply = v.InferOutput<typeof helperReplySchema>;
/** See `HELPER_ERROR_KINDS`. */
export type HelperErrorKind = (typeof HELPER_ERROR_KINDS)[number];

/**
 * The extension as Firefox knows it: `gecko.id` of its manifest, which a test compares. Policies are given to it, and the
 * native messaging host is started for it, by this name.
 */
export const EXTENSION_ID = 'plumbfox@plumbfox.org';
