/** `plumbfox lab show`: what a run found, made from its log again, as this version says it. */
import { holdRun } from '../lab/study-run/hold-run.ts';
import { EXIT_CODES } from './exit-code.ts';
import { type LabFiles, type LabResults, labJson, labResults, labText, writeLabResults } from './lab-results.ts';

export interface LabShowOptions {
  readonly folder: string;
  readonly json: boolean;
  /** The run's report, findings and pictures are written anew. */
  readonly write: boolean;
}

export async function labShow({ folder, json, write }: LabShowOptions): Promise<number> {
  const results = labResults(folder);
  const files = write ? await written(folder, results) : undefined;
  process.stdout.write(json ? `${JSON.stringify(labJson(results, files), null, 2)}\n` : labText(results, files));
  return EXIT_CODES.done;
}

/** Not while a run writes the same. */
async function written(folder: string, results: LabResults): Promise<LabFiles> {
  const held = await holdRun(folder);
  try {
    return await writeLabResults(folder, results, results.record.study?.command ?? `npx plumbfox lab run ${results.study.id}`);
  } finally {
    held.release();
  }
}
