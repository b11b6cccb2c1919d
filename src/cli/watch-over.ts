/** Where the helper is installed, its guard sees to what a command has written, as it does for the extension. */
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { startGuard } from '../helper/guard-launch.ts';
import { receiptOf } from '../helper/install.ts';
import { helperPlaces } from '../helper/install-places.ts';
import { noteProfile } from '../helper/noted-profiles.ts';

/** @param directory - Absolute, of a Firefox profile. @returns whether somebody watches over it. */
export async function watchOver(directory: string): Promise<boolean> {
  const { platform } = process;
  if (platform !== 'linux' && platform !== 'darwin') return false;
  // Somebody without a home has installed nothing there.
  const home = await realpath(homedir()).catch(() => undefined);
  if (home === undefined) return false;
  const places = helperPlaces(platform, { home, env: process.env });
  if ((await receiptOf(places)) === undefined) return false;
  await startGuard({ program: places.program, directory });
  await noteProfile(places.program, directory);
  return true;
}
