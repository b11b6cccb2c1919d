/** Vitest over a file of tests, and what it and they have said. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';

const reportSchema = v.object({
  testResults: v.array(
    v.object({
      /** Of a file that failed as a whole: why. */
      message: v.optional(v.string(), ''),
      assertionResults: v.array(
        v.object({ fullName: v.string(), status: v.string(), failureMessages: v.optional(v.nullable(v.array(v.string()))) }),
      ),
    }),
  ),
});
const countSchema = v.object({ bar: v.number(), what: v.string(), held: v.number(), of: v.number() });

/** A line that a test has written by `countBar`. */
export type CountLine = v.InferOutput<typeof countSchema>;

export interface FailedTest {
  readonly name: string;
  readonly message: string;
}

export interface TestsRun {
  readonly exitCode: number;
  readonly passed: number;
  readonly failed: readonly FailedTest[];
  readonly counts: readonly CountLine[];
}

/** Long enough for 200 kills with a pause each, and for 1,000,000 rows. */
const LONGEST_MS = 45 * 60_000;

/** @throws Error where it was interrupted. */
export function runTests(file: string, { only, full = false, cwd = '.' }: { only?: string; full?: boolean; cwd?: string }): TestsRun {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-bars-'));
  const [report, counts] = [join(folder, 'report.json'), join(folder, 'counts.jsonl')];
  try {
    const { status, signal } = spawnSync(
      'node_modules/.bin/vitest',
      ['run', file, ...(only === undefined ? [] : ['-t', only]), '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      {
        cwd,
        // What Vitest prints is for whoever watches; what this command prints is its result.
        stdio: ['ignore', 2, 2],
        timeout: LONGEST_MS,
        env: { ...process.env, PLUMBFOX_BAR_COUNTS: counts, ...(full ? { PLUMBFOX_FULL: '1' } : {}) },
      },
    );
    if (signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGKILL') throw new Error(`The tests were ended by ${signal}`);
    const results = existsSync(report) ? v.parse(reportSchema, JSON.parse(readFileSync(report, 'utf8'))).testResults : [];
    const each = results.flatMap(({ assertionResults }) => assertionResults);
    return {
      exitCode: status ?? 1,
      passed: each.filter((test) => test.status === 'passed').length,
      failed: each
        .filter((test) => test.status === 'failed')
        .map(({ fullName, failureMessages }) => ({ name: fullName.trim(), message: (failureMessages ?? []).join('\n') })),
      counts: existsSync(counts) ? linesOf(readFileSync(counts, 'utf8')) : [],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const linesOf = (text: string): readonly CountLine[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => v.parse(countSchema, JSON.parse(line)));
