/** The guard as a process of its own, with the system's eyes: one for each profile, and of no cost while nothing happens. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Guarded, guard } from './guard.ts';
import { HostError } from './host-error.ts';
import type { FirefoxStart } from './profile/changes.ts';
import { beginningOf, isRunning } from './profile/firefox-process.ts';
import { LOCK_FILE, withProfileLock } from './profile/lock.ts';
import { openProfile } from './profile/open-profile.ts';
import { RECORD, RECORD_FOLDER } from './profile/record.ts';
import { LOCK_LINK, linkMaker, profileUse } from './profile/use.ts';

/** A guard that ends and the one that follows it may meet. */
const PATIENCE_MS = 3_000;

/** Settles when nothing is left to do, or another guard is there already. */
export async function runGuard(directory: string): Promise<void> {
  const record = join(directory, RECORD_FOLDER);
  const identity = identityOf(record);
  if (identity === undefined) return;
  try {
    await withProfileLock(record, { patienceMs: PATIENCE_MS }, () => watchOver(directory, () => identityOf(record) === identity));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
  }
}

/** `undefined`: it is not there. One that is made anew is another. */
function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}/${found.ino}/${found.birthtimeNs}`;
}

async function watchOver(directory: string, isThere: () => boolean): Promise<void> {
  const changes = new FolderChanges(directory);
  /** Somebody has it open who does not show himself here. */
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
  // Older than the record: it read the files before they were written, or has been counted in it.
  if (recorded === undefined || left.madeNs <= recorded.mtimeNs) return undefined;
  return { processId: left.processId, began: `left-behind/${left.madeNs}` };
}

/** Names in the profile folder that tell of a Firefox or of us; there are many others while Firefox runs. */
const TELLING = new Set([LOCK_LINK, '.parentlock', 'parent.lock', RECORD_FOLDER]);
/** A process that is killed changes no file. */
const LOOK_AT_PROCESS_MS = 1_000;
/** For file systems that tell of no changes, and for a Firefox that does not show itself here, as from a container. */
const LOOK_ANYWAY_MS = 5_000;
const SETTLE_MS = 50;

/** Tells when it is worth looking again. */
class FolderChanges {
  readonly #watchers = new Set<FSWatcher>();
  #changed = false;
  #wake: () => void = () => {};

  constructor(directory: string) {
    const tell = () => {
      this.#changed = true;
      this.#wake();
    };
    this.#watch(directory, (name) => name !== null && TELLING.has(name) && tell());
    // The lock there is our own, and touched now and then.
    this.#watch(join(directory, RECORD_FOLDER), (name) => name !== LOCK_FILE && tell());
  }

  /** `unseen`: its end changes no file, where it is killed. */
  async next({ running, failed, unseen }: Parameters<Guarded['next']>[0] & { readonly unseen: boolean }): Promise<void> {
    // Where nothing tells of changes, a look now and then has to do.
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

  /** Does without where the system gives no more watchers, or takes one back. */
  #watch(folder: string, tell: (name: string | null) => void): void {
    try {
      const watcher = watch(folder, (_, name) => tell(name));
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
