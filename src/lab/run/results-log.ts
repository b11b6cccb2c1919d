/** Loads are appended to a JSONL file as they come, so that an interrupted run loses nothing but the load in flight. */
import { appendFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import type { MeasuredLoad } from '../../core/report/report.ts';

export const RESULTS_FILE = 'loads.jsonl';

export interface ResultsLog {
  readonly path: string;
  append(load: MeasuredLoad): void;
}

/** @throws PlumbfoxError `bad-input` when the folder cannot be written. */
export async function openResultsLog(folder: string): Promise<ResultsLog> {
  const path = join(folder, RESULTS_FILE);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(path, '');
  } catch (error) {
    throw new PlumbfoxError('bad-input', `--out: ${folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? error})`, {
      cause: error,
    });
  }
  return {
    path,
    // Synchronous: a line is in the file before the next load begins.
    append: (load) => appendFileSync(path, `${JSON.stringify(load)}\n`),
  };
}
