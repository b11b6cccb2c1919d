// @ts-check
// Breaks the code on purpose, a small change at a time, and sees whether a test fails: mutants by Stryker, tried in one process.
// Help: npm run mutate -- --help
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { instrumented } from './mutation/instrumented.mjs';
import { MODULES } from './mutation/modules.mjs';
import { noteFile, writePage } from './mutation/results.mjs';

const HELP = `npm run mutate -- [MODULE ...] [--file PATH ...] [--share 0.25] [--processes 2] [--page]

Modules: ${MODULES.map(({ name }) => name).join(', ')}; all of them where none is named.
--file       only this file; it can be named several times
--share      how much of the mutants is drawn, above 0 up to 1 (the default); the same ones each time
--processes  at a time, 1 unless given
--page       writes the page again from the figures that are there, and tries nothing

Takes up again where it was interrupted: what was killed is not tried again while its file and the test that killed it stay, what survived is when a test
has changed. What it needs is installed into .cache/mutation at the first run (67 packages, from npm).`;

const HOME = '.cache/mutation';
const OWN = 'src/tools/mutation';
/** A part that no mutant belongs to. */
const NONE = -1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', multiple: true, default: [] },
    share: { type: 'string', default: '1' },
    processes: { type: 'string', default: '1' },
    page: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const [share, processes] = [Number(values.share), Number(values.processes)];
const unknown = positionals.filter((name) => !MODULES.some((module) => module.name === name));
if (values.help || unknown.length > 0 || !(share > 0 && share <= 1) || !(processes >= 1)) {
  console.log(HELP);
  process.exit(values.help ? 0 : 2);
}
if (!values.page) {
  install();
  for (const module of MODULES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    const only = module.files.filter((file) => values.file.includes(file));
    if (values.file.length > 0 && only.length === 0) continue;
    // The first process runs the code unmutated, which all of them need.
    await tryPart(module.name, NONE, only);
    await Promise.all(Array.from({ length: processes }, (_, part) => tryPart(module.name, part, only)));
    const files = only.length > 0 ? only : module.files;
    const { mutants } = await instrumented(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])));
    for (const file of files) {
      console.log(
        noteFile(
          module.name,
          file,
          mutants.filter(({ fileName }) => fileName === file),
        ),
      );
    }
  }
}
writePage();

/**
 * A process that meets a loop without end notes the mutant, ends, and is started again for those that are left.
 * @param {string} name
 * @param {number} part
 * @param {readonly string[]} only
 */
async function tryPart(name, part, only) {
  for (;;) {
    const child = spawn(process.execPath, [`${OWN}/try-mutants.mjs`, name, String(share), String(part), String(processes), ...only], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code, signal] = await new Promise((resolve) => child.once('exit', (...how) => resolve(how)));
    if (code === 0) return;
    if (signal !== 'SIGKILL') process.exit(1);
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
