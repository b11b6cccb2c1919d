/** Results kept in a file as they come, so that a calibration that was interrupted goes on where it was. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunResult, RunTask } from './tasks.ts';

export interface KeptResults {
  /** Those there are already; `undefined`: the task has yet to be run. */
  find(task: RunTask): RunResult | undefined;
  add(result: RunResult): void;
}

/**
 * Beside the bundle that simulates, and named by what is in it: another version of the code never finds what this one kept.
 * @param fresh forgets what was kept.
 */
export function keptResults(workerFile: URL, { fresh }: { readonly fresh: boolean }): KeptResults {
  const version = createHash('sha256').update(readFileSync(workerFile)).digest('hex').slice(0, 16);
  const file = fileURLToPath(new URL(`results-${version}.jsonl`, workerFile));
  if (fresh) rmSync(file, { force: true });
  const kept = new Map(existsSync(file) ? readFileSync(file, 'utf8').split('\n').flatMap(resultIn) : []);
  return {
    find: (task) => kept.get(keyOf(task)),
    add: (result) => appendFileSync(file, `${JSON.stringify(result)}\n`),
  };
}

/** None in a line that is not whole: the process was ended while it wrote. */
function resultIn(line: string): readonly (readonly [string, RunResult])[] {
  try {
    const result = JSON.parse(line) as RunResult;
    return [[keyOf(result), result]];
  } catch {
    return [];
  }
}

const keyOf = ({ line, seed, from, to }: RunTask): string => `${line} ${seed} ${from} ${to}`;
