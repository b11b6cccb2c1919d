/**
 * The port every way of setting preferences implements; one contract suite runs against the fake and each real one.
 * Change preferences like a guest: note the former value, write, read back, remember, back off if someone else
 * changed it, undo in reverse.
 */
import type { AppliedProfile, ApplierKind, GatewayRoute, PreferenceReadback, Profile } from './profile.ts';

/** Names of preferences, by what became of them. */
export interface Reverted {
  readonly restored: readonly string[];
  /** Somebody else has changed them since. */
  readonly leftAlone: readonly string[];
  /** Locked now, and put back as soon as they are not; absent: none. */
  readonly locked?: readonly string[];
}

export interface Applier {
  readonly kind: ApplierKind;
  /** `live`: in effect when `apply` settles; `at-start`: after the next start of Firefox. */
  readonly takesEffect: 'live' | 'at-start';
  /**
   * Puts the profile in place of whichever this applier applied before.
   * With a route, plain-http requests go through that gateway.
   * @throws PreferenceRefused when a preference is outside the catalogue, out of range, of the wrong type, locked,
   *   or was changed by someone else since this applier set it; nothing is changed then.
   */
  apply(profile: Profile, options?: { route?: GatewayRoute }): Promise<AppliedProfile>;
  /** The preferences of the catalogue as the running browser holds them. */
  readBack(): Promise<readonly PreferenceReadback[]>;
  /** Undoes everything this applier did, in reverse; what someone else changed since is left alone and named. */
  revert(): Promise<Reverted>;
}
