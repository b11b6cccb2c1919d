/** Loads are appended to a JSONL file as they come, so that an interrupted run loses nothing but the load in flight. */
import { appendFileSync } from 'node:fs';
import { access, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import type { MeasuredLoad } from '../../core/report/report.ts';

/** On the real network it names servers that the user visits, so no other user may read it. */
const OWNER_ONLY = 0o600;

/** In the folder of the run. */
export const RESULTS_FILE = 'loads.jsonl';

export interface ResultsLog {
  readonly path: string;
  /** Where the file of a previous run is now, if there was one. */
  readonly formerKeptAs: string | undefined;
  /** @throws PlumbfoxError `environment` when it cannot be written any more, as on a full disk. */
  append(load: MeasuredLoad): void;
}

/** Starts a log in an existing folder. The file appears with the first load. */
export async function openResultsLog(folder: string): Promise<ResultsLog> {
  const path = join(folder, RESULTS_FILE);
  return {
    path,
    formerKeptAs: await keepAside(path),
    append: (load) => {
      try {
        // Synchronous: a line is in the file before the next load begins.
        appendFileSync(path, `${JSON.stringify(load)}\n`, { mode: OWNER_ONLY });
      } catch (error) {
        throw new PlumbfoxError('environment', `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? error})`, {
          cause: error,
        });
      }
    },
  };
}

/**
 * Makes room for a file without losing the one that is there.
 * @returns the name that the previous file has now, `NAME.before-N`; `undefined` when there was none.
 */
export async function keepAside(path: string): Promise<string | undefined> {
  if (!(await exists(path))) return undefined;
  let number = 1;
  while (await exists(`${path}.before-${number}`)) number += 1;
  const aside = `${path}.before-${number}`;
  await rename(path, aside);
  return aside;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
