/** Vitest over files of tests, and what it and they have said. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as v from 'valibot';

const reportSchema = v.object({
  testResults: v.array(
    v.object({
      /** Path of the file. */
      name: v.string(),
      /** `failed` also where it failed as a whole. */
      status: v.string(),
      /** ms since the epoch. */
      startTime: v.number(),
      endTime: v.number(),
      assertionResults: v.array(
        v.object({ fullName: v.string(), status: v.string(), failureMessages: v.optional(v.nullable(v.array(v.string()))) }),
      ),
    }),
  ),
});
const countSchema = v.object({ file: v.string(), bar: v.number(), what: v.string(), held: v.number(), of: v.number() });

/** A line that a test has written by `countBar`. */
export type CountLine = Omit<v.InferOutput<typeof countSchema>, 'file'>;

export interface FailedTest {
  readonly name: string;
  readonly message: string;
}

export interface TestsRun {
  /** Whether Vitest found nothing amiss, in this file or, where several were run together, in any. */
  readonly exitCode: number;
  readonly passed: number;
  readonly failed: readonly FailedTest[];
  readonly counts: readonly CountLine[];
  /** With the start of Vitest where it was run alone. */
  readonly seconds: number;
}

/** Long enough for 200 kills with a pause each, and for 1,000,000 rows. */
const LONGEST_MS = 45 * 60_000;
const NOTHING: TestsRun = { exitCode: 1, passed: 0, failed: [], counts: [], seconds: 0 };

interface RunOptions {
  readonly only?: string;
  readonly full?: boolean;
  readonly cwd?: string;
}

/** @throws Error where it was interrupted. */
export function runTests(file: string, options: RunOptions = {}): TestsRun {
  const beganMs = performance.now();
  const run = runTogether([file], options).get(file) ?? NOTHING;
  return { ...run, seconds: (performance.now() - beganMs) / 1000 };
}

/** All of them in one go, side by side as far as `npm test` runs them so. By file; one that was not run is missing. @throws Error where it was interrupted. */
export function runTogether(files: readonly string[], { only, full = false, cwd = '.' }: RunOptions = {}): ReadonlyMap<string, TestsRun> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbfox-bars-'));
  const [report, counts] = [join(folder, 'report.json'), join(folder, 'counts.jsonl')];
  try {
    const { status, signal } = spawnSync(
      'node_modules/.bin/vitest',
      [
        'run',
        ...files,
        ...(only === undefined ? [] : ['-t', only]),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
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
    const lines = existsSync(counts) ? linesOf(readFileSync(counts, 'utf8')) : [];
    const root = realpathSync(cwd);
    return new Map(
      results.map(({ name, status: state, startTime, endTime, assertionResults: each }) => {
        const file = relative(root, name);
        const run: TestsRun = {
          exitCode: files.length === 1 ? (status ?? 1) : Number(state === 'failed'),
          passed: each.filter((test) => test.status === 'passed').length,
          failed: each
            .filter((test) => test.status === 'failed')
            .map(({ fullName, failureMessages }) => ({ name: fullName.trim(), message: (failureMessages ?? []).join('\n') })),
          counts: lines.filter((line) => line.file === file).map(({ file: _, ...count }) => count),
          seconds: Math.max(0, endTime - startTime) / 1000,
        };
        return [file, run];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => v.parse(countSchema, JSON.parse(line)));
