/**
 * Watches over a profile that was written and is not confirmed, or was reverted while Firefox runs: reports every start of Firefox, even if it ends
 * before the extension runs, and every end, so that the previous state is restored as soon as possible. It ends when nothing is left to do.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, statSync, watch } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import type { HelperPhase } from '../protocol/helper-messages.ts';
import { HelperError } from './errors.ts';
import { beginningOf, type FirefoxStart, isRunning, isSameStart } from './profile/firefox-process.ts';
import { LOCK_FILE, withProfileLock } from './profile/lock.ts';
import { openProfile, type ProfileChanges } from './profile/profile-changes.ts';
import { RECORD, RECORD_FOLDER } from './profile/record.ts';
import { LOCK_LINK, linkMaker, profileUse } from './profile/use.ts';

interface Guarded {
  /** Whether the watched record still exists. */
  readonly isThere: () => boolean;
  /** The Firefox that has the profile open. */
  readonly running: () => Promise<FirefoxStart | undefined>;
  /** The last Firefox, according to its leftovers, if it crashed and nothing has been recorded since it began. */
  readonly crashed: () => Promise<FirefoxStart | undefined>;
  /** @throws whatever prevents reading or changing the files. */
  readonly changes: (askedBy: FirefoxStart | undefined) => Promise<ProfileChanges>;
  /** Settles when that Firefox may have ended, another may have started, the record may have changed, or what failed may be tried again. */
  readonly next: (look: { readonly running: FirefoxStart | undefined; readonly failed: boolean }) => Promise<void>;
}

export async function guard(guarded: Guarded): Promise<void> {
  const unreported: FirefoxStart[] = [];
  let before: FirefoxStart | undefined;
  let crashedBefore: FirefoxStart | undefined;
  while (guarded.isThere()) {
    const running = await guarded.running();
    const crashed = await guarded.crashed();
    // It started and ended between two checks, unless it was seen before.
    if (crashed && !isSameStart(crashed, crashedBefore) && crashed.processId !== before?.processId) unreported.push(crashed);
    if (running && !isSameStart(running, before)) unreported.push(running);
    const phase = await attempt(() => reportStarts(guarded, { running, unreported }));
    if (phase === 'none' || phase === 'confirmed') return;
    before = running;
    crashedBefore = crashed;
    await guarded.next({ running, failed: phase === undefined });
  }
}

interface Found {
  readonly running: FirefoxStart | undefined;
  /** Each is removed once it is reported. */
  readonly unreported: FirefoxStart[];
}

async function reportStarts(guarded: Guarded, { running, unreported }: Found): Promise<HelperPhase> {
  const changes = await guarded.changes(running);
  for (const start of [...unreported]) {
    // It may be refused, for example for one that has ended while another runs, and is reported again when that has ended too.
    if ((await attempt(() => changes.started(start))) !== undefined) unreported.splice(unreported.indexOf(start), 1);
  }
  const { phase } = await (running === undefined ? changes.ended() : changes.status());
  return phase;
}

/** The result, or `undefined` if the work failed, as when another helper is working or a file is damaged. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

/** First argument of the helper's file. */
export const GUARD_COMMAND = 'guard';

interface GuardLaunch {
  /** Absolute path of plumbfox-helper.mjs. */
  readonly program: string;
  /** The Firefox profile's folder. */
  readonly directory: string;
}

/**
 * Starts the guard as a process that outlives its parent, and settles when it runs. A second guard of the same profile ends by itself.
 * @throws PlumbfoxError `environment` when it cannot be started.
 */
export async function startGuard({ program, directory }: GuardLaunch): Promise<void> {
  // It gets its own session, so that neither Firefox's end nor a terminal's reaches it, and no streams, so that no process waits for it to close
  // ours.
  const guard = spawn(process.execPath, [program, GUARD_COMMAND, directory], { detached: true, stdio: 'ignore', cwd: '/' });
  guard.unref();
  try {
    await once(guard, 'spawn');
  } catch (cause) {
    throw new PlumbfoxError(
      'environment',
      `${process.execPath} could not be started to watch over ${directory}: what is written there stays, and nothing is restored by itself`,
      { cause },
    );
  }
}

/** A guard that is ending and its successor may overlap. */
const PATIENCE_MS = 3_000;

/** Guards the profile in this process. Settles when nothing is left to do, or another guard runs already. */
export async function runGuard(directory: string): Promise<void> {
  const record = join(directory, RECORD_FOLDER);
  const identity = identityOf(record);
  if (identity === undefined) return;
  try {
    await withProfileLock(record, { patienceMs: PATIENCE_MS }, () => watchOver(directory, () => identityOf(record) === identity));
  } catch (error) {
    if (!(error instanceof HelperError)) throw error;
  }
}

/** Identifies the folder, if it exists; a new one at the same path has another identity. */
function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}/${found.ino}/${found.birthtimeNs}`;
}

async function watchOver(directory: string, isThere: () => boolean): Promise<void> {
  const changes = new FolderChanges(directory);
  /** Whether a Firefox that cannot be seen here has it open. */
  let unseen = false;
  try {
    await guard({
      isThere,
      running: async () => {
        const use = await profileUse(directory);
        const running = await startOf(use?.processId);
        unseen = use !== undefined && running === undefined;
        return running;
      },
      crashed: () => crashedFirefox(directory),
      changes: (askedBy) => openProfile(directory, { now: Date.now, ...(askedBy && { askedBy }) }),
      next: (look) => changes.next({ ...look, unseen }),
    });
  } finally {
    changes.close();
  }
}

async function startOf(processId: number | undefined): Promise<FirefoxStart | undefined> {
  const began = processId === undefined ? undefined : await beginningOf(processId);
  return processId === undefined || began === undefined ? undefined : { processId, began };
}

async function crashedFirefox(directory: string): Promise<FirefoxStart | undefined> {
  const left = await linkMaker(directory);
  if (left === undefined || (await profileUse(directory)) !== undefined) return undefined;
  const recorded = await lstat(join(directory, RECORD_FOLDER, RECORD), { bigint: true }).catch(() => undefined);
  // A link older than the record belongs to a Firefox that read the files before they were written, or is counted already.
  if (recorded === undefined || left.madeNs <= recorded.mtimeNs) return undefined;
  return { processId: left.processId, began: `left-behind/${left.madeNs}` };
}

/** Names in the profile folder that Firefox or we change at a start or an end; many others change while Firefox runs. */
const SIGNIFICANT = new Set([LOCK_LINK, '.parentlock', 'parent.lock', RECORD_FOLDER]);
/** A process that is killed changes no file. */
const LOOK_AT_PROCESS_MS = 1_000;
/** The interval for file systems that report no changes, and for a Firefox that cannot be seen here, such as one outside a container. */
const LOOK_ANYWAY_MS = 5_000;
const SETTLE_MS = 50;

/** Reports when something may have changed. */
class FolderChanges {
  readonly #watchers = new Set<FSWatcher>();
  #changed = false;
  #wake: () => void = () => {};

  constructor(directory: string) {
    const notify = () => {
      this.#changed = true;
      this.#wake();
    };
    this.#watch(directory, (name) => name !== null && SIGNIFICANT.has(name) && notify());
    // The lock there is our own, which we touch at times.
    this.#watch(join(directory, RECORD_FOLDER), (name) => name !== LOCK_FILE && notify());
  }

  /** `unseen`: a Firefox whose end changes no file if it is killed. */
  async next({ running, failed, unseen }: Parameters<Guarded['next']>[0] & { readonly unseen: boolean }): Promise<void> {
    // Without reports of changes an occasional check has to do.
    const blind = this.#watchers.size < 2;
    let over = false;
    while (!over && !this.#changed) {
      await this.#pause(running === undefined && !failed ? LOOK_ANYWAY_MS : LOOK_AT_PROCESS_MS);
      over = failed || blind || unseen || (running !== undefined && !(await isRunning(running)));
    }
    // Firefox makes its lock in several steps.
    await new Promise((done) => setTimeout(done, SETTLE_MS));
    this.#changed = false;
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  /** Does without a watcher if the system gives none, or it fails. */
  #watch(folder: string, onChange: (name: string | null) => void): void {
    try {
      const watcher = watch(folder, (_, name) => onChange(name));
      this.#watchers.add(watcher);
      watcher.on('error', () => {
        this.#watchers.delete(watcher);
        watcher.close();
      });
    } catch {}
  }

  /** Ends early when something changes. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
