/**
 * Running Firefoxes: which process uses a profile folder, and since when. A Firefox keeps the profile's `.parentlock` open for as long as it runs
 * (toolkit/profile/nsProfileLock.cpp; seen in 153 for profiles below ~/.mozilla and ~/.config, and for `-profile DIR`).
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { assertNever } from '../../core/errors.ts';
import { errorCode } from '../errors.ts';

/** One start of Firefox on this profile. Process ids are reused, so the moment identifies it too. */
export interface FirefoxStart {
  readonly processId: number;
  /** When the process began, in the system's own units: always the same for one process, and different for another. */
  readonly began: string;
}

/** Whether both are the same start of the same Firefox. */
export const isSameStart = (one: FirefoxStart, other: FirefoxStart | undefined): boolean =>
  one.processId === other?.processId && one.began === other.began;

export interface FirefoxWithProfile {
  readonly start: FirefoxStart;
  /** An absolute path with links resolved. */
  readonly profileFolder: string;
}

const PARENT_LOCK = '.parentlock';

/** The Firefox with this process id; `undefined`: there is none, it has no profile, or this user cannot see it. */
export async function firefoxWithId(processId: number): Promise<FirefoxWithProfile | undefined> {
  const began = await beginningOf(processId);
  const lockFiles = (await openFiles(processId)).filter((path) => basename(path) === PARENT_LOCK);
  const [lockFile, ...others] = lockFiles;
  if (lockFile === undefined || others.length > 0) return undefined;
  // The id may have been reused while the files were read.
  if (began === undefined || (await beginningOf(processId)) !== began) return undefined;
  return { start: { processId, began }, profileFolder: dirname(lockFile) };
}

/**
 * Whether this very process runs, and not another with the same id. One that cannot be inspected counts as running: nothing may be taken from it.
 */
export async function isRunning({ processId, began }: FirefoxStart): Promise<boolean> {
  const found = await lookAt(processId);
  switch (found.state) {
    case 'began':
      return found.began === began;
    case 'gone':
      return false;
    case 'not-known':
      return true;
    default:
      return assertNever(found);
  }
}

/**
 * Identifies a process: the same value for as long as it lives, which no other process with that id ever has. `undefined` if there is none, or it is
 * not known.
 */
export async function beginningOf(processId: number): Promise<string | undefined> {
  const found = await lookAt(processId);
  return found.state === 'began' ? found.began : undefined;
}

/**
 * Identifies the machine where `beginningOf` does not: by its last boot on macOS, elsewhere by its name. `undefined` on Linux, where `beginningOf` does.
 */
export async function machineHere(): Promise<string | undefined> {
  if (process.platform === 'linux') return undefined;
  if (process.platform !== 'darwin') return hostname();
  const start = await run('sysctl', ['-n', 'kern.bootsessionuuid']).catch(() => '');
  return start.trim() || hostname();
}

/** `gone` only if the system says so: a process that cannot be inspected, for example while no more files can be opened, may be alive. */
type Look = { readonly state: 'began'; readonly began: string } | { readonly state: 'gone' } | { readonly state: 'not-known' };

async function lookAt(processId: number): Promise<Look> {
  switch (process.platform) {
    case 'linux':
      return lookByProc(processId);
    case 'darwin':
      return lookByPs(processId);
    default:
      return { state: 'not-known' };
  }
}

/** On macOS ps(1) exits with 1 and prints nothing if there is no such process. */
async function lookByPs(processId: number): Promise<Look> {
  try {
    const began = (await run('ps', ['-o', 'lstart=', '-p', String(processId)])).trim();
    return began === '' ? { state: 'not-known' } : { state: 'began', began };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    return { state: code === 1 && !stdout?.trim() && !stderr?.trim() ? 'gone' : 'not-known' };
  }
}

/** The parent of a process; `undefined` if there is no such process or the system does not say. */
export async function parentOf(processId: number): Promise<number | undefined> {
  try {
    const text =
      process.platform === 'linux' ? (await statFields(processId))[1] : await run('ps', ['-o', 'ppid=', '-p', String(processId)]);
    const parent = Number(text?.trim());
    return Number.isInteger(parent) && parent > 0 ? parent : undefined;
  } catch {
    return undefined;
  }
}

/** Position of `starttime` after the name: field 22 of proc_pid_stat(5), clock ticks since boot. */
const START_TIME = 19;
/** USER_HZ is 100 on every Linux that Firefox runs on. */
const TICKS_PER_SECOND = 100;
/** State `Z`: the process has ended, but its parent has not waited for it yet. */
const ENDED = new Set(['Z', 'X']);

async function lookByProc(processId: number): Promise<Look> {
  let fields: readonly string[];
  try {
    fields = await statFields(processId);
  } catch (error) {
    return { state: NONE.has(errorCode(error) ?? '') && isNobodys(processId) ? 'gone' : 'not-known' };
  }
  if (ENDED.has(fields[0] ?? '')) return { state: 'gone' };
  const ticks = fields[START_TIME];
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => undefined);
  return ticks === undefined || boot === undefined ? { state: 'not-known' } : { state: 'began', began: `${boot.trim()}/${ticks}` };
}

/** Errors of reading about a process that does not exist or ends during the read, see proc(5). */
const NONE = new Set(['ENOENT', 'ESRCH']);

/** A /proc that is not mounted, or hides processes of others, gives the same error for processes that are alive. */
function isNobodys(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

/** Whether a process has ended but its parent has not waited for it. One that cannot be read has not ended. */
export async function isZombie(processId: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const [state = ''] = await statFields(processId).catch(() => []);
  return ENDED.has(state);
}

/** The start of a process in ms since 1970, to about a second; `undefined` if there is none or this system does not give it. */
export async function startedAtMs(processId: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  try {
    const bootSeconds = /^btime (\d+)$/m.exec(await readFile('/proc/stat', 'latin1'))?.[1];
    const ticks = (await statFields(processId))[START_TIME];
    if (bootSeconds === undefined || ticks === undefined) return undefined;
    return Number(bootSeconds) * 1000 + (Number(ticks) / TICKS_PER_SECOND) * 1000;
  } catch {
    return undefined;
  }
}

/** The fields after the process's name, which may contain anything. */
async function statFields(processId: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${processId}/stat`, 'latin1');
  return text
    .slice(text.lastIndexOf(')') + 2)
    .trim()
    .split(' ');
}

/** Paths of the files that a process has open; none if this user may not see them. */
async function openFiles(processId: number): Promise<readonly string[]> {
  try {
    switch (process.platform) {
      case 'linux': {
        const folder = `/proc/${processId}/fd`;
        const links = (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => ''));
        return (await Promise.all(links)).filter((path) => path.startsWith('/'));
      }
      // `-Fn`: one line a field, names with an `n` before them; `-w`: no warnings.
      case 'darwin':
        return (await run('lsof', ['-w', '-p', String(processId), '-Fn']))
          .split('\n')
          .filter((line) => line.startsWith('n/'))
          .map((line) => line.slice(1));
      default:
        return [];
    }
  } catch {
    return [];
  }
}

const LOOK_TIMEOUT_MS = 5_000;
async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    encoding: 'utf8',
    timeout: LOOK_TIMEOUT_MS,
    maxBuffer: 16_777_216,
    env: { ...process.env, LC_ALL: 'C' },
  });
  return stdout;
}

/** Launchers that may be between Firefox and the host. */
const MAX_STEPS = 3;

/**
 * The Firefox that started this native messaging host. It is the parent process (153 on Linux starts hosts itself, not by its fork server); launchers
 * of a package between them are skipped. Not on Windows, where a process's open files cannot be seen without a driver, nor in a snap or flatpak,
 * where a portal starts the host. If none is found, no profile may be changed.
 */
export async function askingFirefox(parent: number = process.ppid): Promise<FirefoxWithProfile | undefined> {
  let processId: number | undefined = parent;
  for (let step = 0; processId !== undefined && processId > 1 && step <= MAX_STEPS; step += 1) {
    const found = await firefoxWithId(processId);
    if (found !== undefined) return found;
    processId = await parentOf(processId);
  }
  return undefined;
}
