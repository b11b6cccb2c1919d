/** The status of what was written into a Firefox profile, in the protocol's form. */
import { parsePreferenceFile, valuesSet } from '../../core/profiles/preference-statements.ts';
import type { HelperStatus } from '../../protocol/helper-messages.ts';
import type { PreferenceInPolicy } from '../policy/preferences.ts';
import { type ProfileFiles, savedStatements } from './files.ts';
import { type FirefoxStart, isSameStart } from './firefox-process.ts';
import { type Saved, savedBy } from './plan.ts';
import type { ProfileRecord, RecordedPreference } from './record.ts';
import { isBy, type ProfileUse } from './use.ts';

const NOTHING: HelperStatus = { phase: 'none', starts: 0, restartNeeded: false, preferences: [], changedByOthers: [] };

/** Sources read shortly before, all of the same profile. `use`: who has it open; `undefined`: no process. */
interface StatusSources {
  readonly files: ProfileFiles;
  readonly use: ProfileUse | undefined;
  readonly askedBy: FirefoxStart | undefined;
  readonly policies: ReadonlyMap<string, PreferenceInPolicy>;
}

/** Pure. A restored or unwritten profile has phase `none`, and the reason for the restore. */
export function statusOf({ files, use, askedBy, policies }: StatusSources): HelperStatus {
  const { record } = files;
  if (record === undefined) return NOTHING;
  const because = record.restoredBecause === undefined ? {} : { restoredBecause: record.restoredBecause };
  if (record.phase === 'restored') return { ...NOTHING, ...because };
  const { phase, profileId } = record;
  const read = { saved: savedStatements(files), set: valuesSet(parsePreferenceFile(files.userJs.bytes)) };
  return {
    phase,
    ...(profileId === undefined || phase === 'restoring' ? {} : { profileId }),
    starts: record.starts.length,
    restartNeeded: isUnread(record, { use, askedBy }),
    preferences: record.preferences.flatMap((preference) => onePreference(preference, read, policies)),
    changedByOthers: changedByOthers(record, read),
    ...because,
  };
}

/** Whether a running Firefox has not read what was last written. */
export function isUnread({ writtenWhile }: ProfileRecord, { use, askedBy }: Pick<StatusSources, 'use' | 'askedBy'>): boolean {
  if (writtenWhile === undefined) return false;
  if (askedBy !== undefined) return isSameStart(askedBy, writtenWhile);
  return use !== undefined && isBy(use, writtenWhile);
}

/** The statements in force of prefs.js and of user.js, by name. */
interface Read {
  readonly saved: Saved;
  readonly set: Saved;
}

/** `found`: the value at the next start of Firefox: a locking policy's, else that of the last line of user.js, else that of prefs.js. */
function onePreference(
  { name, intended }: RecordedPreference,
  { saved, set }: Read,
  policies: StatusSources['policies'],
): HelperStatus['preferences'] {
  if (intended === undefined) return [];
  const policy = policies.get(name);
  const locked = policy?.status === 'locked';
  const written = set.get(name) ?? saved.get(name);
  const found = locked ? readable(policy.value) : written?.value;
  return [{ name, intended, ...(found === undefined ? {} : { found }), locked }];
}

const readable = (value: unknown): number | boolean | string | undefined =>
  typeof value === 'boolean' || typeof value === 'string' || Number.isInteger(value) ? (value as number | boolean | string) : undefined;

/**
 * Preferences for which another line of user.js overrides ours, ours is gone, or Firefox has saved a value that is neither ours nor the previous one.
 */
function changedByOthers({ preferences }: ProfileRecord, { saved, set }: Read): string[] {
  return preferences
    .filter((one) => savedBy(one, saved) === 'others' || (one.intended !== undefined && set.get(one.name)?.value !== one.intended))
    .map(({ name }) => name);
}
