/**
 * Every message between the extension's contexts: one map from name to request and response.
 * The receiver parses the request by its schema; the sender's type comes from the same map.
 */
import * as v from 'valibot';
import { ERROR_KINDS, REFUSAL_REASONS } from '../core/errors.ts';
import { TRYOUT_SITES } from '../core/field/tryout.ts';
import { pageTimingSchema } from '../core/measure/page-timing.ts';
import {
  type AppliedProfile,
  heldValueSchema,
  MAX_TITLE_LENGTH,
  type PreferenceReadback,
  type Reverted,
  storedProfileSchema,
} from '../core/profiles/profile.ts';
import { profileIdSchema } from '../core/profiles/profile-id.ts';
import { acceptsSchema } from '../core/profiles/profile-price.ts';
import type { Report } from '../core/report/report.ts';
import type { MarkedPageLoad } from '../core/trial/trial-mark.ts';
import type { GatewayFacts, HelperFacts } from './helper-state.ts';
import { type OwnProfile, ownProfileSchema } from './own-profile.ts';
import type { CardFacts, DashboardState, LiveFacts, LiveReverted, PopupState } from './page-state.ts';
import { type Settings, settingsChangeSchema, siteSchema } from './settings.ts';
import { type TrialFacts, type TrialLengths, trialWishSchema } from './trial-state.ts';
import type { TryoutFacts } from './tryout-state.ts';

/** Only its form: whether its preferences may be set, the catalogue says (`checkProfile`). */
export const profileSchema = v.object({
  id: profileIdSchema,
  title: v.pipe(v.string(), v.maxLength(MAX_TITLE_LENGTH)),
  connections: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255))),
  depth: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)),
  preferences: v.record(v.string(), heldValueSchema),
});

/** Only a proxy on this machine; the secret is one that a header can carry. */
export const gatewayRouteSchema = v.object({
  host: v.literal('127.0.0.1'),
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  secret: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,128}$/)),
});

/** A request by name; `kind` chooses the schema. */
export const requestSchema = v.variant('kind', [
  /** Content script: the document's timing, when its observation ended. */
  v.object({ kind: v.literal('page-timing'), timing: pageTimingSchema }),
  /** Content script, after the load event: how long quiet must last, and whether to record at all. */
  v.object({ kind: v.literal('observation-settings') }),
  /** Popup: everything it shows. */
  v.object({ kind: v.literal('popup-state') }),
  /** Popup's card: what it shows besides; `tab`: the one that is in front; absent: its address is not known. */
  v.object({
    kind: v.literal('card-facts'),
    tab: v.optional(v.object({ id: v.pipe(v.number(), v.integer()), url: v.string() })),
    /** Ids of loads whose hosts it names. */
    loads: v.optional(v.pipe(v.array(v.string()), v.maxLength(100))),
  }),
  /** Dashboard: what it needs besides its worker. */
  v.object({ kind: v.literal('dashboard-state') }),
  v.object({ kind: v.literal('export-report') }),
  v.object({ kind: v.literal('delete-all') }),
  /** Popup: a loss has been read of. */
  v.object({ kind: v.literal('dismiss-loss') }),
  /** Popup: a damaged store is deleted and created again. */
  v.object({ kind: v.literal('reset-records') }),
  /** Popup: trials. Each is answered with the trial's state then. */
  v.object({ kind: v.literal('start-trial'), trial: trialWishSchema }),
  /** Popup: how long the trial would be, before it is started. */
  v.object({ kind: v.literal('plan-trial'), trial: trialWishSchema }),
  v.object({ kind: v.literal('pause-trial') }),
  v.object({ kind: v.literal('resume-trial') }),
  v.object({ kind: v.literal('stop-trial') }),
  v.object({ kind: v.literal('trial-state') }),
  /** Lab: quiet window of the recorder; the design's 2 s unless a lab page is known to end earlier. */
  v.object({ kind: v.literal('set-quiet'), quietMs: v.pipe(v.number(), v.minValue(0), v.maxValue(60_000)) }),
  /** Lab: loads stored after the one with this id (all, without it), oldest first. */
  v.object({ kind: v.literal('loads-after'), id: v.optional(v.string()) }),
  v.object({ kind: v.literal('apply-profile'), profile: profileSchema, route: v.optional(gatewayRouteSchema) }),
  /** Lab on a Firefox that refuses Experiments: the driver applied this; records carry it. */
  v.object({ kind: v.literal('note-applied'), applied: storedProfileSchema, route: v.optional(gatewayRouteSchema) }),
  v.object({ kind: v.literal('read-back') }),
  /** Lab: closes every idle connection, so that the next load begins cold. */
  v.object({ kind: v.literal('prune-connections') }),
  v.object({ kind: v.literal('revert-profile') }),
  v.object({ kind: v.literal('browser-facts') }),
  /** Popup, where the Experiment API is there: a profile by its name, in effect at once, and the way back. */
  v.object({ kind: v.literal('live-apply'), profileId: profileIdSchema, accepts: v.optional(acceptsSchema) }),
  v.object({ kind: v.literal('live-revert') }),
  /** Popup: the helper, and what it writes for the next start of Firefox. Each is answered with how things stand then. */
  v.object({ kind: v.literal('helper-state') }),
  v.object({ kind: v.literal('helper-apply'), profileId: profileIdSchema, accepts: v.optional(acceptsSchema) }),
  v.object({ kind: v.literal('helper-revert') }),
  v.object({ kind: v.literal('helper-keep') }),
  /** Popup: how many connections and requests the Firefox that runs has outstanding to one server. */
  v.object({ kind: v.literal('helper-observe') }),
  /** Popup: the gateway for plain-http sites. Each is answered with its state then. */
  v.object({ kind: v.literal('gateway-state') }),
  v.object({ kind: v.literal('gateway-on'), profileId: profileIdSchema }),
  v.object({ kind: v.literal('gateway-off') }),
  /** Popup: the person lists a site for pipelining, or takes it off. */
  v.object({
    kind: v.literal('gateway-sites'),
    change: v.union([
      v.strictObject({ add: v.pipe(v.string(), v.maxLength(2_000)) }),
      v.strictObject({ remove: v.pipe(v.string(), v.maxLength(300)) }),
    ]),
  }),
  /** Welcome page: three of the person's tabs are loaded twice. Each is answered with how that stands then. */
  v.object({ kind: v.literal('tryout-state') }),
  v.object({ kind: v.literal('start-tryout'), tabIds: v.pipe(v.array(v.pipe(v.number(), v.integer())), v.length(TRYOUT_SITES)) }),
  v.object({ kind: v.literal('cancel-tryout') }),
  /** Any page: the person changes what they have chosen. Answered with all of it. */
  v.object({ kind: v.literal('change-settings'), change: settingsChangeSchema }),
  /** Dashboard: how many loads of a site are stored, and deleting them. */
  v.object({ kind: v.literal('count-site'), site: siteSchema }),
  v.object({ kind: v.literal('delete-site'), site: siteSchema }),
  /** Dashboard: the person names settings, or deletes those of that name. Each is answered with all of theirs. */
  v.object({ kind: v.literal('keep-own-profile'), own: ownProfileSchema }),
  v.object({ kind: v.literal('drop-own-profile'), name: v.string() }),
  /** Popup: the person has set the profile manually; with none named, what was set manually is reverted. */
  v.object({ kind: v.literal('note-by-hand'), profileId: v.optional(profileIdSchema) }),
]);

export type Request = v.InferOutput<typeof requestSchema>;
export type RequestKind = Request['kind'];

export interface BrowserFacts {
  readonly name: string;
  readonly version: string;
  readonly buildId: string;
  readonly os: string;
  readonly architecture: string;
  /** Whether the Experiment API is there (lab build on a Firefox that accepts it). */
  readonly experimentApi: boolean;
  /** State of the policy engine, where the Experiment API can see it. */
  readonly policies: 'inactive' | 'active' | 'failed' | 'unknown';
}

/** The response to each request, by its `kind`. A failure is no response: see the envelope below. */
export interface Responses {
  'page-timing': { readonly stored: boolean };
  'observation-settings': { readonly record: boolean; readonly quietMs: number };
  'popup-state': PopupState;
  'card-facts': CardFacts;
  'dashboard-state': DashboardState;
  'export-report': Report;
  /** `leftToDo`: what the person has to do, because a trial could not revert what it had set, or not apply again what was there before. */
  'delete-all': { readonly deleted: number; readonly leftToDo?: string };
  'dismiss-loss': { readonly dismissed: true };
  'reset-records': { readonly reset: true };
  'start-trial': TrialFacts;
  'plan-trial': TrialLengths;
  'pause-trial': TrialFacts;
  'resume-trial': TrialFacts;
  'stop-trial': TrialFacts;
  'trial-state': TrialFacts;
  'set-quiet': { readonly quietMs: number };
  'loads-after': readonly MarkedPageLoad[];
  'apply-profile': AppliedProfile;
  'note-applied': { readonly noted: true };
  'read-back': readonly PreferenceReadback[];
  'prune-connections': { readonly pruned: true };
  'revert-profile': Reverted;
  'browser-facts': BrowserFacts;
  'live-apply': LiveFacts;
  'live-revert': LiveReverted;
  'helper-state': HelperFacts;
  'helper-apply': HelperFacts;
  'helper-revert': HelperFacts;
  'helper-keep': HelperFacts;
  'helper-observe': HelperFacts;
  'gateway-state': GatewayFacts;
  'gateway-on': GatewayFacts;
  'gateway-off': GatewayFacts;
  'gateway-sites': GatewayFacts;
  'tryout-state': TryoutFacts;
  'start-tryout': TryoutFacts;
  'cancel-tryout': TryoutFacts;
  'change-settings': Settings;
  'count-site': { readonly loads: number };
  'delete-site': { readonly deleted: number };
  'keep-own-profile': readonly OwnProfile[];
  'drop-own-profile': readonly OwnProfile[];
  'note-by-hand': { readonly noted: true };
}

/** Errors cross the boundary as data; `reason` and `preference` only for a refused preference. */
export type Reply<K extends RequestKind> =
  | { readonly ok: true; readonly value: Responses[K] }
  | {
      readonly ok: false;
      readonly error: { readonly kind: string; readonly message: string; readonly reason?: string; readonly preference?: string };
    };

/** The envelope of every reply from the background, as whoever asked parses it. The value inside is the asker's to parse. */
export const replySchema = v.variant('ok', [
  v.object({ ok: v.literal(true), value: v.unknown() }),
  v.object({
    ok: v.literal(false),
    error: v.object({
      /** A kind that this build does not know is a fault of ours. */
      kind: v.fallback(v.picklist(ERROR_KINDS), 'internal'),
      message: v.string(),
      reason: v.optional(v.picklist(REFUSAL_REASONS)),
      preference: v.optional(v.string()),
    }),
  }),
]);
