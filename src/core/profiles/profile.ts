/** A profile: a named set of knob values. `connections` and `depth` are the two headline numbers; `depth` needs a carrier. */
import * as v from 'valibot';
import type { Shape } from '../schema.ts';
import type { PreferenceValue } from './knob.ts';

/** The baseline of every verdict: whatever this Firefox ships. The name is in files and must not change. */
export const BASELINE_ID = 'firefox-default';

export const carrierSchema = v.picklist(['none', 'gateway', 'http2', 'legacy']);
/** The mechanism that makes a depth above 1 real. `none`: there is none, and the depth has no effect. */
export type Carrier = Shape<typeof carrierSchema>;

export const roleSchema = v.picklist(['baseline', 'candidate', 'control']);
/** The role of a profile in a comparison. `control`: c6-d1 through the gateway, which shows the gateway's own cost. */
export type ProfileRole = Shape<typeof roleSchema>;

/** A longer title is not sent to the extension. */
export const MAX_TITLE_LENGTH = 200;

/** A title within `room`, its end cut off where it is longer. */
export const shortTitle = (title: string, room = MAX_TITLE_LENGTH): string =>
  title.length <= room ? title : `${title.slice(0, room - 1)}…`;

/** A named set of preferences. */
export interface Profile {
  /** `c4-d6`, `firefox-default`, `betterfox`, ... Lower-case letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  /** HTTP/1.1 connections per server; `undefined`: whatever this Firefox ships. Range 1..255. */
  readonly connections: number | undefined;
  /** Requests that may be outstanding on one connection. Range 1..64. */
  readonly depth: number;
  /** Values of catalogue knobs; a knob that is left out keeps the value this Firefox ships. */
  readonly preferences: Readonly<Record<string, PreferenceValue>>;
  /** How the gateway uses the depth: `bundled` puts waiting requests only onto a connection with nothing outstanding. Absent: `appended`. */
  readonly dispatch?: 'appended' | 'bundled';
}

/** Where a gateway listens, loopback only, and the secret it asks for (HTTP Basic proxy authentication, user `plumbfox`). */
export interface GatewayRoute {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly secret: string;
}

/** A value as Firefox holds it: its numbers are whole. */
export const heldValueSchema = v.union([v.pipe(v.number(), v.integer()), v.boolean(), v.string()]);

export const preferenceReadbackSchema = v.object({
  preference: v.string(),
  /** Effective value; `undefined`: the browser does not know the preference. */
  value: v.optional(heldValueSchema, () => undefined),
  type: v.picklist(['integer', 'boolean', 'string', 'none']),
  locked: v.boolean(),
  /** Set on the user branch (by anyone). */
  userSet: v.boolean(),
});
/** One preference as the running browser holds it. */
export type PreferenceReadback = Shape<typeof preferenceReadbackSchema>;

/** A read-back as it is sent and stored: the value that the browser does not know may be absent. */
export const storedReadbackSchema = v.object({ ...preferenceReadbackSchema.entries, value: v.optional(heldValueSchema) });

export const applierKindSchema = v.picklist(['experiment-api', 'driver', 'policy', 'helper', 'gateway', 'manual']);
/** `gateway`: nothing is set; plain-http requests go through a gateway while it is on, as its own counters show. */
export type ApplierKind = Shape<typeof applierKindSchema>;

export const appliedProfileSchema = v.object({
  profileId: v.string(),
  applier: applierKindSchema,
  carrier: carrierSchema,
  intended: v.record(v.string(), heldValueSchema),
  readBack: v.array(preferenceReadbackSchema),
  /** Preferences whose value read back is not the value intended: empty when the profile is in effect. */
  mismatches: v.array(v.string()),
});
/** The profile in effect, as intended and as the browser itself reports it. */
export type AppliedProfile = Shape<typeof appliedProfileSchema>;

/** An applied profile as it is sent and stored. */
export const storedProfileSchema = v.object({ ...appliedProfileSchema.entries, readBack: v.array(storedReadbackSchema) });

/** Preferences whose value read back is not the one intended. */
export const mismatchesOf = (readBack: readonly PreferenceReadback[], intended: AppliedProfile['intended']): readonly string[] =>
  readBack.filter(({ preference, value }) => value !== intended[preference]).map(({ preference }) => preference);

/** Names of preferences, by what became of them. */
export interface Reverted {
  readonly restored: readonly string[];
  /** Something else has changed them since. */
  readonly leftAlone: readonly string[];
  /** Locked now, and put back as soon as they are not; absent: none. */
  readonly locked?: readonly string[];
}

/**
 * The port every way of setting preferences implements; one contract suite runs against the fake and each real one. Change preferences like
 * a guest: note the previous value, write, read back, remember, back off if something else changed it, undo in reverse.
 */
export interface Applier {
  readonly kind: ApplierKind;
  /** `live`: in effect when `apply` settles; `at-start`: after the next start of Firefox. */
  readonly takesEffect: 'live' | 'at-start';
  /**
   * Puts the profile in place of whichever this applier applied before. With a route, plain-http requests go through that gateway.
   * @throws PreferenceRefused when a preference is outside the catalogue, out of range, of the wrong type, locked, or was changed by
   * someone else since this applier set it; nothing is changed then.
   */
  apply(profile: Profile, options?: { route?: GatewayRoute }): Promise<AppliedProfile>;
  /** The preferences of the catalogue as the running browser holds them. */
  readBack(): Promise<readonly PreferenceReadback[]>;
  /** Undoes everything this applier did, in reverse; what something else changed since is left unchanged and named. */
  revert(): Promise<Reverted>;
}
