/**
 * What can be done to one Firefox profile folder: the port between the files (user.js, prefs.js, our own record) and those who ask, which are
 * the native messaging host and the commands `apply`, `revert` and `status`.
 */
import type { Profile } from '../../core/profiles/profile.ts';
import type { HelperStatus } from '../../protocol/helper-messages.ts';

/** One start of Firefox on this profile. Process ids come again, so the moment belongs to it. */
export interface FirefoxStart {
  readonly processId: number;
  /** When that process began, in whatever the system counts: the same for the same process, another for another. */
  readonly began: string;
}

export const isSameStart = (one: FirefoxStart, other: FirefoxStart | undefined): boolean =>
  one.processId === other?.processId && one.began === other.began;

/** One Firefox profile folder, opened for one that asks. */
export interface ProfileChanges {
  /**
   * Writes the profile in place of whichever was written before; pending until `confirm`.
   * @throws PlumbfoxError `bad-input` where the folder or a file in it is not as it has to be, `environment` where it cannot be written,
   *   PreferenceRefused for a profile that may not be written. Nothing is changed then.
   */
  apply(profile: Profile): Promise<HelperStatus>;
  /** Counts this start once, and restores what was there if two starts before it were not confirmed. */
  started(start: FirefoxStart): Promise<HelperStatus>;
  confirm(): Promise<HelperStatus>;
  /**
   * For the guard, each time a Firefox on this profile has ended: finishes a revert, and restores what was there (`restoredBecause`) if two
   * starts were not confirmed, so that the third does not read it. Does nothing in other phases, and while a Firefox runs.
   */
  ended(): Promise<HelperStatus>;
  /** Undoes everything; what somebody else has changed since is left alone and named. */
  revert(): Promise<{ readonly restored: readonly string[]; readonly leftAlone: readonly string[]; readonly status: HelperStatus }>;
  status(): Promise<HelperStatus>;
}
