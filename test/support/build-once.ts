/** The built command, for tests that run it; built here only where it is missing, because building beside other tests would disturb them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { COMMAND } from './command-run.ts';

export function buildOnce(): void {
  if (existsSync(COMMAND)) return;
  const { status, stderr } = spawnSync(process.execPath, ['src/tools/build.mjs', '--quiet'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The command could not be built: ${stderr}`);
}
