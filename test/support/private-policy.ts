/**
 * A command that runs a program with a policies.json of its own in /etc/firefox and nobody else's: in a mount namespace whose /etc is a copy.
 * Needs root, as the mount does.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const canMount = (): boolean => spawnSync('unshare', ['-m', 'true']).status === 0;

/** `directory`: private, removed by the caller. Answers the words before the program's arguments. */
export async function privatePolicy(directory: string, policies: object, program = 'firefox-esr'): Promise<readonly string[]> {
  const etc = join(directory, 'etc');
  await mkdir(etc, { recursive: true });
  await writeFile(join(directory, 'policies.json'), JSON.stringify(policies));
  const script = [
    'set -e',
    `cp -a /etc/. "${etc}"`,
    `rm -rf "${etc}/firefox"`,
    `mkdir -p "${etc}/firefox/policies"`,
    `cp "${directory}/policies.json" "${etc}/firefox/policies/policies.json"`,
    `mount --bind "${etc}" /etc`,
    'exec "$@"',
  ].join('; ');
  return ['unshare', '-m', 'sh', '-c', script, 'private-policy', program];
}
