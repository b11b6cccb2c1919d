// @ts-check
// Quick and offline: types, lint, format, unit and repo tests. `--changed [REF]`: of files and tests only those that what differs from REF touches.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BUILD, LINT, lintOf, runSteps, TYPES, vitest } from './run-steps.mjs';

/** Modules that Vite has transformed are kept from run to run, by their content: a fifth of the processor time of the unit tests. */
const CACHED = ['--experimental.fsModuleCache', '--experimental.fsModuleCachePath=node_modules/.cache/vitest-modules'];
const PROJECTS = ['unit', 'isolated', 'repo'];

/** Against the last commit, where nothing else is named: what is about to be committed. */
const DEFAULT_REF = 'HEAD';

/** @param {string} ref @returns {readonly string[]} files that differ from it, new ones among them; deleted ones are not */
function changedSince(ref) {
  const git = (/** @type {readonly string[]} */ ...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', '--relative', ref, '--'), ...git('ls-files', '--others', '--exclude-standard')].filter((path) =>
    existsSync(path),
  );
}

const { values, positionals } = parseArgs({ options: { changed: { type: 'boolean' } }, allowPositionals: true });
if (positionals.length > (values.changed ? 1 : 0)) {
  console.error('Usage: npm run check, or npm run check -- --changed [REF]');
  process.exitCode = 2;
} else if (values.changed) {
  const [ref = DEFAULT_REF] = positionals;
  const files = changedSince(ref);
  // Imports do not tell which files of the repository a test of it reads, so all of these run; they are quick.
  const steps = [
    TYPES,
    lintOf(files),
    BUILD,
    vitest(['unit', 'isolated'], ['--changed', ref, '--passWithNoTests', ...CACHED]),
    vitest(['repo'], CACHED),
  ];
  process.exitCode = files.length === 0 ? 0 : runSteps(steps);
  if (files.length === 0) console.log(`Nothing differs from ${ref}.`);
} else {
  process.exitCode = runSteps([TYPES, LINT, BUILD, vitest(PROJECTS, CACHED)]);
}
