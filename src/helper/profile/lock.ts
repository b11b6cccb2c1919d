/**
 * A lock lets one helper at a time work on a folder. It is a file in that folder, which no other user may write, so that no other user can hold it,
 * and every network namespace and container sees the same one. It names the process that holds it. A lock whose process has ended, for example by a
 * kill or a reboot, is taken over.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lutimesSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { errorCode, fileError, HelperError, quietly } from '../errors.ts';
import { hashOf } from '../files/checked-file.ts';
import { type CheckedFolder, callerId, openCheckedFolder } from '../files/checked-path.ts';
import { beginningOf, isRunning, machineHere } from './firefox-process.ts';

/** Pause between two attempts. */
const PAUSE_MS = 50;

/** The lock's name in its folder. */
export const LOCK_FILE = '.plumbfox-lock';

/**
 * Members that a later version adds are ignored: a holder that cannot be read counts as gone. `began` is absent on Windows, where a process is known
 * only by its id: a leftover lock is kept for as long as another process has that id.
 */
const holderSchema = v.object({
  processId: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** The value of `beginningOf` for this process, which identifies the boot of the machine too. */
  began: v.optional(v.string()),
  /** The value of `machineHere`, where `began` does not identify the boot. */
  machine: v.optional(v.string()),
  /** The namespace of the process id; absent where there are none. */
  processNamespace: v.optional(v.string()),
  /** Differs each time the lock is taken. */
  nonce: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
});
type Holder = v.InferOutput<typeof holderSchema>;

/**
 * A process of another container or machine cannot be inspected: its lock counts as left behind if it was not touched for a minute. Long work touches
 * its lock four times in that time. Both are chosen, and counted by the clock that dates the folder's files, which is the same for all.
 */
const UNSEEN_MS = 60_000;
const TOUCH_MS = 15_000;
/** An unreadable lock may be half-written on a slow disk; after a power cut it is empty. Chosen, not measured. */
const UNREADABLE_MS = 2_000;
/** Real locks have some 200 bytes. */
const MAX_LOCK_BYTES = 1024;

/**
 * @param options.patienceMs - How long to wait for another helper; 0: not at all.
 * @throws HelperError `busy` while another holds it; PlumbfoxError where the folder is not the caller's own, or the system fails.
 */
export async function withProfileLock<T>(
  directory: string,
  { patienceMs = 0 }: { patienceMs?: number },
  work: () => Promise<T>,
): Promise<T> {
  const holder = await ourselves();
  let taken = await take(directory, holder);
  for (let waitedMs = 0; taken === undefined && waitedMs < patienceMs; waitedMs += PAUSE_MS) {
    await wait(PAUSE_MS);
    taken = await take(directory, holder);
  }
  if (taken === undefined) throw new HelperError('busy', `Another Plumbfox is working on ${directory}; try again in a moment`);
  const touching = setInterval(taken.touch, TOUCH_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(touching);
    taken.release();
  }
}

interface Taken {
  readonly touch: () => void;
  readonly release: () => void;
}

async function ourselves(): Promise<Holder> {
  const began = await beginningOf(process.pid);
  const processNamespace = namespaceOfProcesses();
  const machine = await machineHere();
  return {
    processId: process.pid,
    ...(began !== undefined && { began }),
    ...(machine !== undefined && { machine }),
    ...(processNamespace !== undefined && { processNamespace }),
    nonce: randomBytes(8).toString('hex'),
  };
}

function namespaceOfProcesses(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

/** Takes the lock; `undefined` if another process has it. */
async function take(directory: string, holder: Holder): Promise<Taken | undefined> {
  const folder = openCheckedFolder(directory, callerId());
  if (folder === undefined) throw fileError(directory, Object.assign(new Error('not there'), { code: 'ENOENT' }));
  try {
    if (!(await takeName(folder, LOCK_FILE, holder))) {
      folder.close();
      return undefined;
    }
    forgetSuccessors(folder);
  } catch (error) {
    folder.close();
    throw fileError(directory, error);
  }
  // A lock that is gone with its folder, or taken over by a process to which we seemed to be gone, is left unchanged.
  const ifOurs = (work: () => void) => quietly(() => readLock(folder, LOCK_FILE)?.holder?.nonce === holder.nonce && work());
  return {
    touch: () =>
      ifOurs(() => {
        const now = new Date(nowIn(folder));
        lutimesSync(folder.at(LOCK_FILE), now, now);
      }),
    release: () => {
      ifOurs(() => unlinkSync(folder.at(LOCK_FILE)));
      folder.close();
    },
  };
}

/**
 * A process that replaces a leftover lock needs a second lock for that very one, whose name contains its nonce, which is unique. The second lock is
 * taken in the same way, so that a process that is killed at that point blocks no other.
 */
async function takeName(folder: CheckedFolder, name: string, holder: Holder): Promise<boolean> {
  if (placed(folder, holder, (temporary) => linkOrMake(folder, { temporary, name, holder }))) return true;
  const found = readLock(folder, name);
  if (found === undefined || (await isHeld(folder, found))) return false;
  const successor = `${LOCK_FILE}-${found.nonce}`;
  if (!(await takeName(folder, successor, holder))) return false;
  try {
    // A quicker process has replaced it, and may have ended since.
    if (readLock(folder, name)?.nonce !== found.nonce) return false;
    return placed(folder, holder, (temporary) => renameSync(folder.at(temporary), folder.at(name)));
  } finally {
    quietly(() => unlinkSync(folder.at(successor)));
  }
}

/** Removes second locks of killed processes: the locks they were for are gone, now that this one is ours. */
function forgetSuccessors(folder: CheckedFolder): void {
  for (const name of readdirSync(folder.at('.'))) {
    if (name.startsWith(`${LOCK_FILE}-`)) quietly(() => unlinkSync(folder.at(name)));
  }
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The next replacement of a file in this folder removes leftovers of this form: see `replaceFile`. */
const temporaryName = (): string => `.plumbfox-${randomBytes(8).toString('hex')}.tmp`;

/**
 * The time by the clock that dates the folder's files: for a folder on the network that is the server's, from which this machine's may differ by
 * minutes. If no file can be created, as on a full disk, this machine's.
 */
function nowIn(folder: CheckedFolder): number {
  const temporary = temporaryName();
  try {
    const fd = openSync(folder.at(temporary), NEW_FILE, 0o600);
    try {
      return Number(fstatSync(fd, { bigint: true }).mtimeMs);
    } finally {
      closeSync(fd);
      quietly(() => unlinkSync(folder.at(temporary)));
    }
  } catch {
    return Date.now();
  }
}

/** Writes a lock under a temporary name first, so that it is complete when it gets its own. @returns whether no other process came first. */
function placed(folder: CheckedFolder, holder: Holder, place: (temporary: string) => void): boolean {
  const temporary = temporaryName();
  const fd = openSync(folder.at(temporary), NEW_FILE, 0o600);
  try {
    writeSync(fd, JSON.stringify(holder));
    place(temporary);
    return true;
  } catch (error) {
    // ENOENT: the holder of the lock has removed it as a leftover.
    if (['EEXIST', 'ENOENT'].includes(errorCode(error) ?? '')) return false;
    throw error;
  } finally {
    closeSync(fd);
    quietly(() => unlinkSync(folder.at(temporary)));
  }
}

/** Errors of link(2) on file systems without hard links: exFAT, some of FUSE and SMB. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Without hard links the lock is written in place; a reader that finds it half-written treats it as held for a while. */
function linkOrMake(folder: CheckedFolder, { temporary, name, holder }: { temporary: string; name: string; holder: Holder }): void {
  try {
    linkSync(folder.at(temporary), folder.at(name));
  } catch (error) {
    if (!NO_HARD_LINKS.includes(errorCode(error) ?? '')) throw error;
    const fd = openSync(folder.at(name), NEW_FILE, 0o600);
    try {
      writeSync(fd, JSON.stringify(holder));
    } finally {
      closeSync(fd);
    }
  }
}

interface FoundLock {
  /** `undefined` if the lock cannot be read. */
  readonly holder: Holder | undefined;
  /** The holder's nonce; for an unreadable lock a value that identifies the file. */
  readonly nonce: string;
  /** The time by the folder's clock. */
  readonly touchedMs: number;
}

/** Reads a lock, if there is one. */
function readLock(folder: CheckedFolder, name: string): FoundLock | undefined {
  try {
    const fd = openSync(folder.at(name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const found = fstatSync(fd, { bigint: true });
      const text = found.isFile() && found.size <= MAX_LOCK_BYTES ? readFileSync(fd, 'utf8') : '';
      const holder = holderIn(text);
      const known = `${found.dev}/${found.ino}/${found.mtimeNs}`;
      return {
        holder,
        nonce: holder?.nonce ?? hashOf(Buffer.from(known)).slice(0, 16),
        touchedMs: Number(found.mtimeMs),
      };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function holderIn(text: string): Holder | undefined {
  try {
    const holder = v.safeParse(holderSchema, JSON.parse(text));
    return holder.success ? holder.output : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the lock must not be taken over. */
async function isHeld(folder: CheckedFolder, { holder, touchedMs }: FoundLock): Promise<boolean> {
  // Absolute, because a clock may have been set in between.
  const ageMs = () => Math.abs(nowIn(folder) - touchedMs);
  if (holder === undefined) return ageMs() < UNREADABLE_MS;
  if (!(await isVisible(holder))) return ageMs() < UNSEEN_MS;
  const { processId, began } = holder;
  if (began !== undefined) return isRunning({ processId, began });
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Whether its process id belongs to this system, and not to another container or machine, or to this one before a reboot. */
async function isVisible({ began, machine, processNamespace }: Holder): Promise<boolean> {
  if (processNamespace !== namespaceOfProcesses()) return false;
  if (machine !== undefined && machine !== (await machineHere())) return false;
  const ours = bootOf(await beginningOf(process.pid));
  const theirs = bootOf(began);
  return ours === undefined || theirs === undefined || ours === theirs;
}

/** The boot of the machine in a value of `beginningOf`, which has one only on Linux. */
const bootOf = (began: string | undefined): string | undefined => (began?.includes('/') ? began.split('/')[0] : undefined);
