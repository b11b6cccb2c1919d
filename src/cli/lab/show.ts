/** `plumbfox lab show`: what a run found, made from its log again, as this version says it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { reportTable } from '../../core/report/report-table.ts';
import { holdRun } from '../../lab/study-run/hold-run.ts';
import { STUDY_LOG } from '../../lab/study-run/study-log.ts';
import { EXIT_CODES } from '../errors.ts';
import { REPORT_NAMES, readReport, reportIn } from '../report.ts';
import { type LabFiles, type LabResults, labJson, labReportJson, labResults, labText, writeLabResults } from './results.ts';

export interface LabShowOptions {
  readonly folder: string;
  readonly json: boolean;
  /** The run's report, findings and pictures are written anew. */
  readonly write: boolean;
}

export async function labShow({ folder, json, write }: LabShowOptions): Promise<number> {
  if (!existsSync(join(folder, STUDY_LOG)) && REPORT_NAMES.some((name) => existsSync(join(folder, name))))
    return showShipped({ folder, json, write });
  const results = labResults(folder);
  const files = write ? await written(folder, results) : undefined;
  process.stdout.write(json ? `${JSON.stringify(labJson(results, files), null, 2)}\n` : labText(results, files));
  return EXIT_CODES.done;
}

/** A published folder: its report without the log. What a study finds needs the log; the page of findings is beside it. */
async function showShipped({ folder, json, write }: LabShowOptions): Promise<number> {
  if (write) throw new PlumbfoxError('bad-input', `${folder} has no ${STUDY_LOG}: nothing can be written anew from its report alone`);
  const found = await readReport(folder);
  const page = join(folder, 'findings.md');
  const findings = existsSync(page) ? page : null;
  if (json) {
    const report = await reportIn(folder);
    process.stdout.write(`${JSON.stringify(labReportJson(found, { report, findings }), null, 2)}\n`);
    return EXIT_CODES.done;
  }
  const more = findings ? `What the study found: ${page}\n` : '';
  const table = reportTable(found.comparison, { width: process.stdout.columns || 140, answer: found.answer?.sentence });
  process.stdout.write(`${table}\n\nFrom the report alone: there is no ${STUDY_LOG} in ${folder}.\n${more}`);
  return EXIT_CODES.done;
}

/** Not while a run writes the same. */
async function written(folder: string, results: LabResults): Promise<LabFiles> {
  const held = await holdRun(folder);
  try {
    return await writeLabResults(
      folder,
      results,
      results.record.study?.command?.replace(/^npx /, '') ?? `plumbfox lab run ${results.study.id}`,
    );
  } finally {
    held.release();
  }
}
