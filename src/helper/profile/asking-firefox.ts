/**
 * The Firefox that started this native messaging host. It is the parent process (153 on Linux starts hosts itself, not by its fork server);
 * a launcher between, as a package may put it there, is stepped over.
 *
 * Not on Windows, where a process's open files cannot be seen without a driver; nor in a snap or flatpak, where a portal starts the host.
 */
import { firefoxWithId, parentOf, type RunningFirefox } from './firefox-process.ts';

/** Launchers between Firefox and the host, at most. */
const MOST_STEPS = 3;

/** `undefined`: none was found, and no profile may be touched. */
export async function askingFirefox(parent: number = process.ppid): Promise<RunningFirefox | undefined> {
  let processId: number | undefined = parent;
  for (let step = 0; processId !== undefined && processId > 1 && step <= MOST_STEPS; step += 1) {
    const found = await firefoxWithId(processId);
    if (found !== undefined) return found;
    processId = await parentOf(processId);
  }
  return undefined;
}
