/** A copy of the repository from which a guard is taken, so that the tests can be seen to notice it. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Bar, Guard } from '../bar.ts';
import { hashFor, type Standing } from './files-that-count.ts';
import type { GuardRun } from './records.ts';
import { runTests, type TestsRun } from './run-tests.ts';

export interface GuardTree {
  /** @throws Error where a guard's text does not stand once in its file, or the copy cannot be built. */
  try(bar: Bar, guard: Guard, standing: Standing): GuardRun;
  remove(): void;
}

/** What git knows or would know is copied; the packages are linked. */
export function openGuardTree(): GuardTree {
  const root = mkdtempSync(join(tmpdir(), 'plumbfox-guards-'));
  const { stdout } = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  for (const path of stdout.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(path, join(root, path));
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  return {
    try: (bar, guard, standing) => tryGuard(root, { bar, guard, standing }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function tryGuard(root: string, { bar, guard, standing }: { bar: Bar; guard: Guard; standing: Standing }): GuardRun {
  const startedMs = performance.now();
  const files = new Map(guard.replacements.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')]));
  try {
    for (const [file, text] of files) writeFileSync(join(root, file), withoutGuard(file, text, guard));
    return {
      bar: bar.number,
      removed: guard.removed,
      ...outcomeOf(guard, build(root) ? runTests(guard.test.file, { only: guard.test.only, cwd: root }) : undefined),
      ...standing,
      files: hashForGuard(guard),
      seconds: Math.round((performance.now() - startedMs) / 100) / 10,
    };
  } finally {
    for (const [file, text] of files) writeFileSync(join(root, file), text);
  }
}

/** Of its test, and of what is replaced. */
export const hashForGuard = (guard: Guard): string => hashFor(guard.test.file, JSON.stringify(guard));

/** The text of a file with the guard's replacements for it made. @throws Error where what is replaced does not stand there once. */
export function withoutGuard(file: string, text: string, { removed, replacements }: Guard): string {
  return replacements
    .filter((one) => one.file === file)
    .reduce((before, { from, to }) => {
      if (before.split(from).length !== 2) throw new Error(`${file} does not have this once, which is "${removed}": ${from}`);
      return before.replace(from, () => to);
    }, text);
}

function build(root: string): boolean {
  return spawnSync(process.execPath, ['src/tools/build.mjs', '--quiet'], { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
}

const SHOWS = { assertion: /AssertionError|Property failed after|promise (resolved|rejected) .* instead of/, 'time-out': /Test timed out/ };

/** A test that fails for another reason than what it asserts shows nothing. */
export function outcomeOf(guard: Guard, ran: TestsRun | undefined): Pick<GuardRun, 'outcome' | 'test' | 'said'> {
  if (ran === undefined) return { outcome: 'broken', test: '', said: 'it cannot be built' };
  const shown = ran.failed.find(({ message }) => SHOWS[guard.by ?? 'assertion'].test(message));
  if (shown !== undefined) return { outcome: 'failed', test: shown.name, said: firstLine(shown.message) };
  const [other] = ran.failed;
  if (other !== undefined) return { outcome: 'broken', test: other.name, said: firstLine(other.message) };
  if (ran.exitCode !== 0 || ran.passed === 0) return { outcome: 'broken', test: '', said: 'no test ran to its end' };
  return { outcome: 'survived', test: '', said: `${ran.passed} tests passed` };
}

/** For a table: short, and without the colours of a terminal. */
const LONGEST_SAID = 160;

function firstLine(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape of a terminal's colours is one.
  const [line = ''] = message.replace(/\u001b\[\d+m/g, '').split('\n');
  // Places of one machine say nothing to anybody else.
  const said = line
    .replace(/^(AssertionError|Error): /, '')
    .replaceAll(/\/tmp\/[\w.-]+/g, 'FOLDER')
    .trim();
  return said.length > LONGEST_SAID ? `${said.slice(0, LONGEST_SAID)}…` : said;
}
