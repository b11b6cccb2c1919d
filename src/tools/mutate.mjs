// @ts-check
// Breaks the code on purpose, a small change at a time, and sees whether a test fails, by Stryker. Help: npm run mutate -- --help
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MODULES } from './mutation/modules.mjs';
import { noteFiles, writePage } from './mutation/results.mjs';

const HELP = `npm run mutate -- [MODULE ...] [--share 0.25] [--page]

Modules: ${MODULES.map(({ name }) => name).join(', ')}; all of them where none is named.
--share  how much of the mutants is drawn, above 0 up to 1 (the default); the same ones each time
--page   writes the page again from the figures that are there, and tries nothing

Goes by a few files at a time and takes up again where it was interrupted: files are tried again when they, their tests or the share have changed, and of files
tried before only what the change can touch. What it needs is installed into .cache/mutation at the first run (65 MB, from npm).`;

/** Everything of these runs but the results. */
const HOME = '.cache/mutation';
const OWN = 'src/tools/mutation';
/** Endless loops are found by how often a mutant is passed, much sooner; on a machine that others fill, a test may wait for minutes. */
const TIMEOUT_MS = 300_000;
/** What is lost, at most, when a run is interrupted. */
const GROUP_LINES = 300;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: 'string', default: '1' }, page: { type: 'boolean' }, help: { type: 'boolean' } },
});
const share = Number(values.share);
const unknown = positionals.filter((name) => !MODULES.some((module) => module.name === name));
if (values.help || unknown.length > 0 || !(share > 0 && share <= 1)) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
if (!values.page) tryModules();
writePage();

function tryModules() {
  install();
  for (const module of MODULES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    for (const files of groupsOf(module.files)) tryFiles(module, files);
  }
}

function install() {
  const lock = 'package-lock.json';
  const installed =
    existsSync(`${HOME}/node_modules`) && readFileSync(`${HOME}/${lock}`, 'utf8') === readFileSync(`${OWN}/${lock}`, 'utf8');
  if (installed) return;
  mkdirSync(HOME, { recursive: true });
  for (const name of ['package.json', lock]) cpSync(`${OWN}/${name}`, `${HOME}/${name}`);
  // Its peer, Vitest, is the project's own, found one folder up.
  const { status } = spawnSync('npm', ['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: HOME,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

/**
 * Each start of Stryker costs as much as some twenty mutants.
 * @param {readonly string[]} files
 */
function groupsOf(files) {
  /** @type {string[][]} */
  const groups = [];
  let room = 0;
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').split('\n').length;
    if (lines > room) {
      groups.push([]);
      room = GROUP_LINES;
    }
    groups.at(-1)?.push(file);
    room -= lines;
  }
  return groups;
}

/**
 * @param {import('./mutation/modules.mjs').MutatedModule} module
 * @param {readonly string[]} files
 */
function tryFiles({ name, tests }, files) {
  const state = `${HOME}/${createHash('sha256').update(files.join(' ')).digest('hex').slice(0, 12)}`;
  const key = keyOf([...files, ...tests]);
  if (existsSync(`${state}.key`) && readFileSync(`${state}.key`, 'utf8') === key) return;
  forgetUndrawn(`${state}.json`);
  const startedMs = performance.now();
  const config = `${HOME}/stryker.conf.json`;
  writeFileSync(config, JSON.stringify(strykerConfig(files, state)));
  const { status, stdout } = spawnSync(process.execPath, [`${HOME}/node_modules/@stryker-mutator/core/bin/stryker.js`, 'run', config], {
    encoding: 'utf8',
    env: { ...process.env, PLUMBFOX_MUTATION_TESTS: JSON.stringify(tests), PLUMBFOX_MUTATION_SHARE: String(share) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) {
    console.error(`${files.join(', ')}:\n${stdout.slice(-2_000)}`);
    process.exitCode = 1;
    return;
  }
  for (const said of noteFiles(name, files, `${state}.report.json`)) console.log(said);
  writeFileSync(`${state}.key`, key);
  writePage();
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
}

/** @param {readonly string[]} paths */
function keyOf(paths) {
  const hash = createHash('sha256').update(`${share}\n${readFileSync(`${OWN}/package-lock.json`, 'utf8')}`);
  for (const path of paths) hash.update(`${path}\n${readFileSync(path, 'utf8')}`);
  return hash.digest('hex');
}

/**
 * Stryker takes over what it knows; what an earlier, smaller sample left out it is not to know.
 * @param {string} path
 */
function forgetUndrawn(path) {
  if (!existsSync(path)) return;
  const known = JSON.parse(readFileSync(path, 'utf8'));
  for (const file of Object.values(known.files)) file.mutants = file.mutants.filter((mutant) => mutant.status !== 'CompileError');
  writeFileSync(path, JSON.stringify(known));
}

/**
 * @param {readonly string[]} files
 * @param {string} state
 */
function strykerConfig(files, state) {
  return {
    mutate: files,
    testRunner: 'vitest',
    vitest: { configFile: `${OWN}/vitest-alone.mjs`, related: true },
    coverageAnalysis: 'perTest',
    plugins: [`./${HOME}/node_modules/@stryker-mutator/vitest-runner/dist/src/index.js`, `./${OWN}/sample-checker.mjs`],
    checkers: share < 1 ? ['sample'] : [],
    concurrency: 1,
    incremental: true,
    incrementalFile: `${state}.json`,
    reporters: ['json'],
    jsonReporter: { fileName: `${state}.report.json` },
    tempDirName: `${HOME}/sandbox`,
    ignorePatterns: ['/.cache', '/dist', '/plumbfox-results', '/docs', '/test/corpus-cubic', '/test/browser'],
    // It would look for the compiler's interface in JavaScript, which TypeScript 7 has no more.
    tsconfigFile: 'none.json',
    timeoutMS: TIMEOUT_MS,
    disableTypeChecks: false,
    allowConsoleColors: false,
    fileLogLevel: 'off',
    logLevel: 'error',
  };
}
