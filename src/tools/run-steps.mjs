// @ts-check
// Runs commands one after another and stops at the first that fails, naming what repairs it.
import { spawnSync } from 'node:child_process';

/**
 * @param {readonly { name: string, command: readonly string[], repair?: string }[]} steps
 * @returns {number} exit code
 */
export function runSteps(steps) {
  for (const { name, command, repair } of steps) {
    const [program, ...rest] = command;
    const startedMs = performance.now();
    const { status, error } = spawnSync(/** @type {string} */ (program), rest, { stdio: 'inherit' });
    if (status !== 0) {
      console.error(`${name} failed${error ? ` (${error.message})` : ''}${repair ? `: ${repair}` : ''}`);
      return 1;
    }
    console.log(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  }
  return 0;
}

const BIN = 'node_modules/.bin';

export const BUILD = { name: 'build', command: [process.execPath, 'src/tools/build.mjs', '--quiet'] };
export const TYPES = { name: 'types', command: [`${BIN}/tsc`, '-b'] };
/** @param {readonly string[]} files those that Biome does not know are passed over */
export const lintOf = (files) => ({
  name: 'lint and format',
  command: [`${BIN}/biome`, 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...files],
  repair: 'npm run fix repairs what can be repaired',
});
export const LINT = lintOf(['.']);

/**
 * @param {readonly string[]} projects
 * @param {readonly string[]} args options, and files; all files of the projects where none is named
 */
export const vitest = (projects, args = []) => ({
  name: `tests (${projects.join(', ')})`,
  command: [`${BIN}/vitest`, 'run', ...projects.flatMap((project) => ['--project', project]), ...args],
});
