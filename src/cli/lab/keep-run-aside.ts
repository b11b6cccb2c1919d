/** Makes room in a folder for a run that begins, without losing what is in it: of a run before, or somebody else's. */
import { basename, join } from 'node:path';
import { keepAside } from '../../lab/run/keep-aside.ts';
import { CAPTURES_FOLDER } from '../../lab/study-run/study-captures.ts';
import { STUDY_LOG } from '../../lab/study-run/study-log.ts';

/** Whatever a run of a study writes into its folder. */
const WRITTEN = [STUDY_LOG, 'report.json', 'report.html', 'findings.md', 'pictures', CAPTURES_FOLDER];

/** @returns the names that the former files have now. */
export async function keepRunAside(folder: string): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const name of WRITTEN) {
    const aside = await keepAside(join(folder, name));
    if (aside !== undefined) kept.push(basename(aside));
  }
  return kept;
}
