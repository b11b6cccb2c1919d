/**
 * A copy of /etc that programs see in its place, with policies of its own and nobody else's; unlike that of private-policy.ts it lasts from one
 * program to the next, and may be changed while one runs. Needs root, as the mount does.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PrivateEtc {
  /** Where its policies.json is from outside. */
  readonly policies: string;
  /** The words before a program that is to see it. */
  readonly enter: readonly string[];
  /** Runs a program in it to its end. */
  readonly run: (...words: readonly string[]) => { readonly code: number | null; readonly stdout: string; readonly stderr: string };
}

/** `directory`: private, removed by the caller. */
export async function privateEtc(directory: string, policies: string): Promise<PrivateEtc> {
  const etc = join(directory, 'etc');
  await cp('/etc', etc, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  await rm(join(etc, 'firefox'), { recursive: true, force: true });
  await mkdir(join(etc, 'firefox', 'policies'), { recursive: true });
  await writeFile(join(etc, 'firefox', 'policies', 'policies.json'), policies);
  const enter = ['unshare', '-m', 'sh', '-c', 'mount --bind "$0" /etc && exec "$@"', etc];
  return {
    policies: join(etc, 'firefox', 'policies', 'policies.json'),
    enter,
    run: (...words) => {
      const [command = '', ...rest] = [...enter, ...words];
      const { status, stdout, stderr } = spawnSync(command, rest, { encoding: 'utf8' });
      return { code: status, stdout, stderr };
    },
  };
}
