/**
 * Whether a folder is a Firefox profile that the caller may change, and whether a Firefox has it open (toolkit/profile/nsProfileLock.cpp). On Linux it
 * holds a lock of fcntl(2) on `.parentlock`, which /proc/locks shows, and makes the link `lock` -> `127.0.1.1:+PID`, which remains after a crash. macOS
 * has only the lock, and lsof(8) shows who has the file open; Windows keeps `parent.lock` open exclusively. Those two follow the documentation and have
 * not been tried.
 */
import { execFile } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PlumbfoxError } from '../../core/errors.ts';
import { errorCode } from '../errors.ts';
import { callerId, openCheckedFolder } from '../files/checked-path.ts';
import { type FirefoxStart, isZombie, startedAtMs } from './firefox-process.ts';

export interface ProfileUse {
  /** The Firefox that has it open; `undefined` if it cannot be seen here, for example from a container. */
  readonly processId: number | undefined;
}

/** The Firefox that has the profile open, if any. */
export async function profileUse(directory: string): Promise<ProfileUse | undefined> {
  switch (process.platform) {
    case 'win32':
      return heldOnWindows(join(directory, 'parent.lock'));
    case 'darwin':
      return (await openOnMac(join(directory, '.parentlock'))) ?? (await linkedProcess(directory));
    default:
      return (await lockedProcess(join(directory, '.parentlock'))) ?? (await linkedProcess(directory));
  }
}

/** `1: POSIX  ADVISORY  WRITE 1234 fe:00:5678 0 EOF`; lines with `->` wait for the lock. See proc_locks(5). */
const LOCK_LINE = /^\d+: (?!->)\S+\s+\S+\s+\S+\s+(-?\d+)\s+([0-9a-f]+):([0-9a-f]+):(\d+)\s/;

async function lockedProcess(path: string): Promise<ProfileUse | undefined> {
  const file = await stat(path, { bigint: true }).catch(() => undefined);
  if (file === undefined) return undefined;
  for (const line of readIfThere('/proc/locks').split('\n')) {
    const [, process, major, minor, inode] = LOCK_LINE.exec(line) ?? [];
    if (inode === undefined || BigInt(inode) !== file.ino) continue;
    const processId = Number(process);
    const sameDevice = `${major}:${minor}` === deviceInHex(file.dev);
    if (sameDevice || (await hasOpen(processId, file))) return { processId: processId > 0 ? processId : undefined };
  }
  return undefined;
}

/** The device of stat(2) in the form of /proc/locks: the bits of gnu_dev_major(3) and gnu_dev_minor(3). */
function deviceInHex(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n);
  const minor = (device & 0xffn) | ((device >> 12n) & 0xffffff00n);
  return [major, minor].map((number) => number.toString(16).padStart(2, '0')).join(':');
}

/** On some file systems (btrfs, overlays) files have another device than their locks. A process that cannot be inspected counts as having it open. */
async function hasOpen(processId: number, file: { readonly dev: bigint; readonly ino: bigint }): Promise<boolean> {
  try {
    const folder = `/proc/${processId}/fd`;
    for (const name of await readdir(folder)) {
      const open = await stat(join(folder, name), { bigint: true }).catch(() => undefined);
      if (open?.dev === file.dev && open.ino === file.ino) return true;
    }
    return false;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}

/** Firefox makes this link when it opens a profile, and removes it when it exits normally. */
export const LOCK_LINK = 'lock';

/** The process that made the link: `lock` -> `ADDRESS:+PID`, or `ADDRESS:PID` of a Firefox without the other lock. */
export async function linkMaker(directory: string): Promise<{ readonly processId: number; readonly madeNs: bigint } | undefined> {
  const path = join(directory, LOCK_LINK);
  const target = await readlink(path).catch(() => '');
  const processId = Number(/:\+?(\d+)$/.exec(target)?.[1]);
  if (!(processId > 0)) return undefined;
  const link = await lstat(path, { bigint: true }).catch(() => undefined);
  return link && { processId, madeNs: link.mtimeNs };
}

async function linkedProcess(directory: string): Promise<ProfileUse | undefined> {
  const made = await linkMaker(directory);
  if (made === undefined || !isAlive(made.processId) || (await isZombie(made.processId))) return undefined;
  // The process id may have been reused after a crash: a process younger than the link did not make it.
  const beganMs = await startedAtMs(made.processId);
  const madeMs = Number(made.madeNs / NS_PER_MS);
  return beganMs !== undefined && beganMs > madeMs + CLOCK_SLACK_MS ? undefined : { processId: made.processId };
}

const NS_PER_MS = 1_000_000n;
/** The boot time is known to the second, the start of a process to 10 ms. */
const CLOCK_SLACK_MS = 2_000;

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

async function openOnMac(path: string): Promise<ProfileUse | undefined> {
  // lsof exits with 1 if no process has it open.
  const { stdout } = await promisify(execFile)('lsof', ['-t', '--', path]).catch(() => ({ stdout: '' }));
  const processId = Number(stdout.trim().split('\n')[0]);
  return processId > 0 ? { processId } : undefined;
}

function heldOnWindows(path: string): ProfileUse | undefined {
  try {
    closeSync(openSync(path, 'r+'));
    return undefined;
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : { processId: undefined };
  }
}

/** Files that Firefox, or an administrator who prepares a profile, puts into one. */
const OF_A_PROFILE = ['prefs.js', 'user.js', 'times.json', 'compatibility.ini', '.parentlock', 'parent.lock', 'extensions', 'chrome'];

/**
 * Checks that a folder is a Firefox profile. An empty folder is one too: Firefox makes a profile of it.
 * @throws PlumbfoxError `bad-input` for a folder that is not there, is reached through a link, belongs to another user or is writable by all, or
 *   holds other things than a profile.
 */
export function checkProfileFolder(directory: string): void {
  const folder = openCheckedFolder(directory, callerId());
  if (folder === undefined) {
    throw new PlumbfoxError('bad-input', `${directory} does not exist; about:profiles in Firefox shows where your profile is`);
  }
  try {
    const names = readdirSync(folder.at('.'));
    if (names.length === 0 || names.some((name) => OF_A_PROFILE.includes(name))) return;
  } finally {
    folder.close();
  }
  throw new PlumbfoxError('bad-input', `${directory} is not a Firefox profile; about:profiles in Firefox shows where yours is`);
}

/** Whether the Firefox that makes the request has it open. @throws PlumbfoxError `bad-input` while another one has. */
export async function usedByAsking(directory: string, askedBy: FirefoxStart | undefined): Promise<boolean> {
  const use = await profileUse(directory);
  if (use === undefined) return false;
  if (askedBy !== undefined && isBy(use, askedBy)) return true;
  const which = use.processId === undefined ? '' : ` (process ${use.processId})`;
  throw new PlumbfoxError('bad-input', `A running Firefox${which} has ${directory} open; close it, and try again`);
}

/** A Firefox whose process id cannot be seen can only be the one that makes the request. */
export const isBy = ({ processId }: ProfileUse, start: FirefoxStart): boolean => processId === undefined || processId === start.processId;
