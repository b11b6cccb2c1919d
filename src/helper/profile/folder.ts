/** Whether a folder is a Firefox profile that this caller may change now. */
import { readdirSync } from 'node:fs';
import { PlumbfoxError } from '../../core/errors.ts';
import { openCheckedFolder } from '../files/checked-path.ts';
import type { FirefoxStart } from './changes.ts';
import { type ProfileUse, profileUse } from './use.ts';

/** What Firefox, or somebody who prepares a profile for it, puts into one. */
const OF_A_PROFILE = ['prefs.js', 'user.js', 'times.json', 'compatibility.ini', '.parentlock', 'parent.lock', 'extensions', 'chrome'];

/** The caller; on Windows there is no such number, and it is not looked at. */
export const callerId = (): number => process.getuid?.() ?? 0;

/**
 * An empty folder is one too: Firefox makes a profile of it.
 * @throws PlumbfoxError `bad-input` for a folder that is not there, is reached through a link, belongs to somebody else or to everybody, or
 *   holds other things than a profile.
 */
export function checkProfileFolder(directory: string): void {
  const folder = openCheckedFolder(directory, callerId());
  if (folder === undefined) {
    throw new PlumbfoxError('bad-input', `${directory} is not there; about:profiles in Firefox shows where your profile is`);
  }
  try {
    const names = readdirSync(folder.at('.'));
    if (names.length === 0 || names.some((name) => OF_A_PROFILE.includes(name))) return;
  } finally {
    folder.close();
  }
  throw new PlumbfoxError('bad-input', `${directory} is no Firefox profile; about:profiles in Firefox shows where yours is`);
}

/**
 * Whether the Firefox that asks has it open.
 * @throws PlumbfoxError `bad-input` while another one has.
 */
export async function usedByAsking(directory: string, askedBy: FirefoxStart | undefined): Promise<boolean> {
  const use = await profileUse(directory);
  if (use === undefined) return false;
  if (askedBy !== undefined && isBy(use, askedBy)) return true;
  const which = use.processId === undefined ? '' : ` (process ${use.processId})`;
  throw new PlumbfoxError('bad-input', `A running Firefox${which} has ${directory} open; close it, and do it again`);
}

/** One that does not show its number can only be the one that asks. */
export const isBy = ({ processId }: ProfileUse, start: FirefoxStart): boolean => processId === undefined || processId === start.processId;
