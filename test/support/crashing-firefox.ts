/** A Firefox that is killed as soon as it has opened its profile, before any extension runs. */
import { once } from 'node:events';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './command-run.ts';
import { spawnFirefox } from './firefox-process.ts';

/** `directory`: as `startExtensionFirefox` is given as its `profile`. */
export async function crashFirefox(directory: string): Promise<void> {
  const profile = join(directory, 'profile');
  // When Firefox made its link, if there is one; a crash leaves it behind.
  const opened = () => lstatSync(join(profile, 'lock'), { throwIfNoEntry: false })?.mtimeMs;
  const before = opened();
  const child = await spawnFirefox({ profile, home: join(directory, 'home') });
  for (const output of [child.stdout, child.stderr]) output?.resume();
  const gone = once(child, 'exit');
  await eventually('Firefox opens its profile', () => opened() !== undefined && opened() !== before);
  process.kill(-(child.pid as number), 'SIGKILL');
  await gone;
}
