/** Before tests that run what is built: it is of the sources as they are now, so that `vitest run` alone never tests an older build. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND } from './command-run.ts';

/** Builds what is missing or older than a source. */
export function buildIfStale(): void {
  const built = statSync(COMMAND, { throwIfNoEntry: false });
  if (built !== undefined && built.mtimeMs >= newestSourceMs()) return;
  const { status, stderr } = spawnSync(process.execPath, ['src/tools/build.mjs', '--quiet'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The sources are newer than what is built, and could not be built: ${stderr}`);
  // The build leaves a file alone that would be the same.
  utimesSync(COMMAND, new Date(), new Date());
}

function newestSourceMs(): number {
  const sources = readdirSync('src', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = ['manifest.json', ...sources.map(({ parentPath, name }) => join(parentPath, name))];
  return Math.max(...paths.map((path) => statSync(path).mtimeMs));
}
