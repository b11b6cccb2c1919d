/**
 * A Firefox profile folder, into which settings profiles can be written and removed. Firefox reads user.js only at startup, so it may be written at
 * any time; prefs.js belongs to Firefox while it runs and is changed only when it does not.
 */
import { PlumbfoxError, PreferenceRefused } from '../../core/errors.ts';
import { checkProfile } from '../../core/profiles/check-profile.ts';
import type { PreferenceValue } from '../../core/profiles/knob.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import type { HelperStatus } from '../../protocol/helper-messages.ts';
import { type PolicyPreferences, policyPreferences } from '../policy/preferences.ts';
import { type ProfileFiles, readProfileFiles, savedStatements, userJsBefore, writeUserJs } from './files.ts';
import { type FirefoxStart, isSameStart } from './firefox-process.ts';
import { withProfileLock } from './lock.ts';
import { blockFor, intendedBy, planPreferences, planRestore } from './plan.ts';
import { type ProfileRecord, readRecord, removeRecord, writeRecord } from './record.ts';
import { adoptedRecord, finish, finishRestoring, type Undone, undo } from './restore.ts';
import { isUnread, statusOf } from './status.ts';
import { checkProfileFolder, profileUse, usedByAsking } from './use.ts';

/**
 * The changes that can be made to one Firefox profile folder: the port between the files (user.js, prefs.js, our own record) and their callers, which
 * are the native messaging host, the guard and the commands `apply`, `revert` and `status`.
 */
export interface ProfileChanges {
  /**
   * Writes the profile in place of whichever was written before; pending until `confirm`.
   * @throws PlumbfoxError `bad-input` where the folder or a file in it is not as required, `environment` where it cannot be written,
   *   PreferenceRefused for a profile that may not be written. Nothing is changed then.
   */
  apply(profile: Profile): Promise<HelperStatus>;
  /** Counts this start once, and restores the previous state if two starts before it were not confirmed. */
  started(start: FirefoxStart): Promise<HelperStatus>;
  confirm(): Promise<HelperStatus>;
  /**
   * For the guard, each time a Firefox on this profile has ended: finishes a revert, and restores the previous state (`restoredBecause`) if two starts
   * were not confirmed, so that the third does not read the profile. Does nothing in other phases, and while a Firefox runs.
   */
  ended(): Promise<HelperStatus>;
  /** Undoes everything; what was changed outside Plumbfox since is left unchanged and named. */
  revert(): Promise<{ readonly restored: readonly string[]; readonly leftAlone: readonly string[]; readonly status: HelperStatus }>;
  status(): Promise<HelperStatus>;
}

interface OpenProfileOptions {
  /** Milliseconds since 1970, for the day that our block names. */
  readonly now: () => number;
  /** The running Firefox that makes the request; absent: none may have the profile open. */
  readonly askedBy?: FirefoxStart;
  /** The policies.json of the system, where it is not in its usual place. */
  readonly systemPolicies?: string;
  /** How long to wait for another helper before failing as busy, in ms; 3,000 if not given. */
  readonly patienceMs?: number;
}

/** Starts that may pass without a confirmation. */
const UNCONFIRMED_STARTS = 2;
/** Another helper, or the guard, writes files and forces them to the disk, some 10 ms each: this is ample. */
const PATIENCE_MS = 3_000;

/** @param directory - Absolute. @throws PlumbfoxError `bad-input` for a folder that is no profile of the caller's. */
export async function openProfile(directory: string, options: OpenProfileOptions): Promise<ProfileChanges> {
  checkProfileFolder(directory);
  return new OpenProfile(directory, options);
}

class OpenProfile implements ProfileChanges {
  readonly #directory: string;
  readonly #askedBy: FirefoxStart | undefined;
  readonly #systemPolicies: string | undefined;
  readonly #now: () => number;
  readonly #patienceMs: number;

  constructor(directory: string, { askedBy, systemPolicies, now, patienceMs = PATIENCE_MS }: OpenProfileOptions) {
    this.#directory = directory;
    this.#now = now;
    this.#patienceMs = patienceMs;
    this.#askedBy = askedBy;
    this.#systemPolicies = systemPolicies;
  }

  async apply(profile: Profile): Promise<HelperStatus> {
    checkProfile(profile);
    return this.#exclusively(this.#askedBy, async (running) => {
      await this.#write(profile, running);
      return this.status();
    });
  }

  async started(start: FirefoxStart): Promise<HelperStatus> {
    return this.#exclusively(start, async (running) => {
      await this.#countStart(start, running);
      return this.status();
    });
  }

  async confirm(): Promise<HelperStatus> {
    return this.#locked(async () => {
      const { record } = await readProfileFiles(this.#directory);
      const use = await profileUse(this.#directory);
      // A Firefox that was already running does not show what the next one will read.
      if (record?.phase === 'pending' && !isUnread(record, { use, askedBy: this.#askedBy })) {
        await writeRecord(this.#directory, { ...record, phase: 'confirmed' });
      }
      return this.status();
    });
  }

  async ended(): Promise<HelperStatus> {
    return this.#locked(async () => {
      if ((await profileUse(this.#directory)) === undefined) await this.#whileClosed();
      return this.status();
    });
  }

  async revert(): Promise<Undone & { readonly status: HelperStatus }> {
    return this.#exclusively(this.#askedBy, async (running) => {
      const files = await readProfileFiles(this.#directory);
      const undone = await this.#undo(files, running);
      return { ...undone, status: await this.status() };
    });
  }

  async status(): Promise<HelperStatus> {
    const [files, use, { preferences: policies }] = await Promise.all([
      readProfileFiles(this.#directory),
      profileUse(this.#directory),
      this.#policies(),
    ]);
    const record = files.record ?? (await this.#foundWithoutRecord(files));
    return statusOf({ files: { ...files, record }, use, askedBy: this.#askedBy, policies });
  }

  /** Also finds a block of ours whose record is lost or that was pasted in, if it can be parsed. */
  async #foundWithoutRecord(files: ProfileFiles): Promise<ProfileRecord | undefined> {
    const record = await adoptedRecord(this.#directory, files).catch(() => undefined);
    return record?.profileId === undefined ? undefined : record;
  }

  /** Runs `work` under the lock, with the running Firefox, which must be the one that asks. */
  #exclusively<T>(askedBy: FirefoxStart | undefined, work: (running: FirefoxStart | undefined) => Promise<T>): Promise<T> {
    return this.#locked(async () => work((await usedByAsking(this.#directory, askedBy)) ? askedBy : undefined));
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return withProfileLock(this.#directory, { patienceMs: this.#patienceMs }, work);
  }

  async #write(profile: Profile, running: FirefoxStart | undefined): Promise<void> {
    const directory = this.#directory;
    if ((await readRecord(directory)) === 'damaged') {
      throw new PlumbfoxError('bad-input', `The record in ${directory}/plumbfox is damaged; run plumbfox revert first`);
    }
    const intended = intendedBy(profile);
    checkPolicies(intended, await this.#policies());
    let files = await readProfileFiles(directory);
    // While Firefox is closed, preferences that the new profile no longer sets are restored at once.
    if (running === undefined && files.record !== undefined) files = await this.#restoreFirst(files, files.record, intended);
    const before = await userJsBefore(directory, files);
    const saved = savedStatements(files);
    const old = files.record?.preferences ?? [];
    const plan = planRestore(planPreferences(old, intended, { prefsJs: files.prefsJs.bytes, saved }), before.bytes ?? '');
    await writeUserJs(directory, {
      files,
      before,
      block: blockFor({ profile, preferences: plan.preferences, givenBack: plan.lines, today: this.#today() }),
      record: {
        phase: 'pending',
        profileId: profile.id,
        starts: [],
        preferences: [...plan.preferences],
        ...(running === undefined ? {} : { writtenWhile: running }),
      },
    });
  }

  async #restoreFirst(files: ProfileFiles, record: ProfileRecord, intended: Readonly<Record<string, unknown>>): Promise<ProfileFiles> {
    const preferences = record.preferences.map(({ intended: was, ...rest }) =>
      was !== undefined && Object.hasOwn(intended, rest.name) ? { ...rest, intended: was } : rest,
    );
    if (preferences.every((one) => 'intended' in one)) return files;
    await finishRestoring(this.#directory, { ...files, record: { ...record, preferences } }, { today: this.#today() });
    return readProfileFiles(this.#directory);
  }

  async #countStart(start: FirefoxStart, running: FirefoxStart | undefined): Promise<void> {
    const files = await readProfileFiles(this.#directory);
    const { record } = files;
    if (record === undefined || (record.writtenWhile !== undefined && isSameStart(record.writtenWhile, start))) return;
    if (record.phase === 'restored') return this.#reportOnce(record, start);
    if (record.phase === 'pending' && !record.starts.some((one) => isSameStart(one, start))) {
      if (record.starts.length >= UNCONFIRMED_STARTS) {
        await this.#undo(files, running, becauseOf(record));
        return;
      }
      await writeRecord(this.#directory, { ...record, starts: [...record.starts, start] });
    }
    await finishRestoring(this.#directory, await readProfileFiles(this.#directory), { running, today: this.#today() });
  }

  /** The reason of a restore is kept for the one session in which it is reported. */
  async #reportOnce(record: ProfileRecord, start: FirefoxStart): Promise<void> {
    if (record.toldTo === undefined) await writeRecord(this.#directory, { ...record, toldTo: start });
    else if (!isSameStart(record.toldTo, start)) await removeRecord(this.#directory);
  }

  async #whileClosed(): Promise<void> {
    const files = await readProfileFiles(this.#directory);
    const { record } = files;
    if (record?.phase === 'pending' && record.starts.length >= UNCONFIRMED_STARTS) {
      await finish(this.#directory, { ...files, record }, becauseOf(record));
    } else await finishRestoring(this.#directory, files, { today: this.#today() });
  }

  async #undo(files: ProfileFiles, running: FirefoxStart | undefined, because?: string): Promise<Undone> {
    const record = files.record ?? (await adoptedRecord(this.#directory, files));
    if (record === undefined || record.phase === 'restored') {
      await removeRecord(this.#directory);
      return { restored: [], leftAlone: [] };
    }
    return undo(this.#directory, { ...files, record }, { running, because, today: this.#today() });
  }

  #today(): string {
    return new Date(this.#now()).toISOString().slice(0, 'YYYY-MM-DD'.length);
  }

  #policies(): Promise<PolicyPreferences> {
    return policyPreferences(this.#directory, this.#systemPolicies);
  }
}

function becauseOf({ profileId }: ProfileRecord): string {
  return `Firefox was started ${UNCONFIRMED_STARTS} times with ${profileId} and it was not confirmed, so the previous settings were restored`;
}

/** @throws PreferenceRefused for what an enterprise policy would silently override. */
function checkPolicies(intended: Readonly<Record<string, PreferenceValue>>, { path, preferences }: PolicyPreferences): void {
  for (const [name, value] of Object.entries(intended)) {
    const policy = preferences.get(name);
    if (policy === undefined || policy.status === 'default') continue;
    if (policy.status !== 'clear' && policy.value === value) continue;
    const what = policy.status === 'clear' ? 'resets it at each start' : `sets it to ${JSON.stringify(policy.value) ?? 'another value'}`;
    throw new PreferenceRefused(
      name,
      'locked',
      `an enterprise policy (${path}) ${what}, so ${value} would have no effect; ask whoever manages this Firefox`,
    );
  }
}
