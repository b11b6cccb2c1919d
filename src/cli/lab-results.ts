/** What a study leaves behind, made from its log: report, findings and pictures; and what is printed of it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import type { Report } from '../core/report/report.ts';
import { reportHtml } from '../core/report/report-html.ts';
import { findStudy } from '../lab/studies/all-studies.ts';
import type { Study } from '../lab/studies/study.ts';
import type { StudyFindings } from '../lab/studies/study-findings.ts';
import { readStudyLog, STUDY_LOG, type StudyRecord, standingLoads } from '../lab/study-run/study-log.ts';
import { type StudyPlan, studyPlan } from '../lab/study-run/study-plan.ts';
import { type StudyPlaces, studyPlaces } from '../lab/study-run/study-ranking.ts';
import { studyReport } from '../lab/study-run/study-report.ts';
import { tuneJson } from './tune-json.ts';

export interface LabResults {
  readonly study: Study;
  readonly plan: StudyPlan;
  readonly report: Report;
  readonly findings: StudyFindings;
  readonly places: readonly StudyPlaces[];
  readonly valid: number;
  readonly planned: number;
}

/** @throws PlumbfoxError `bad-input` when the folder holds no run of a study, `run-void` when nothing was measured yet. */
export function labResults(folder: string): LabResults {
  const record = readStudyLog(join(folder, STUDY_LOG));
  const { study, plan, seed } = declared(record, folder);
  const report = studyReport({ study, plan, record, seed });
  const loads = standingLoads(record).filter(({ validity }) => validity.state === 'valid');
  const findings = study.findings({ study, pages: plan.pages, links: plan.links, loads });
  const { ranking, scenarios } = report.comparison;
  const places = studyPlaces(ranking, { scenarios, baseline: study.baseline });
  return { study, plan, report, findings, places, valid: loads.length, planned: plan.loads };
}

/** What the log says was to be measured. */
export function declared({ study: line }: StudyRecord, folder: string): { study: Study; plan: StudyPlan; seed: number } {
  if (!line) throw new PlumbfoxError('bad-input', `${folder} holds no run of a study: there is no ${STUDY_LOG} of one in it`);
  const study = findStudy(line.id);
  const { pages, links, profiles, repeats, seed } = line;
  return { study, plan: studyPlan(study, { cut: { pages, links, profiles, repeats }, seed }), seed };
}

export interface LabFiles {
  readonly report: string;
  readonly html: string;
  readonly findings: string;
  readonly loads: string;
  readonly pictures: readonly string[];
}

/** Written anew by every run: whatever they say follows from the log. @throws PlumbfoxError `environment` when they cannot be written. */
export async function writeLabResults(folder: string, { report, findings, study }: LabResults): Promise<LabFiles> {
  const pictures = findings.pictures.map(({ name, svg }) => [join(folder, 'pictures', `${name}.svg`), svg] as const);
  const files = {
    report: join(folder, 'report.json'),
    html: join(folder, 'report.html'),
    findings: join(folder, 'findings.md'),
    loads: join(folder, STUDY_LOG),
    pictures: pictures.map(([path]) => path),
  };
  try {
    if (pictures.length > 0) await mkdir(join(folder, 'pictures'), { recursive: true });
    await writeFile(files.report, `${JSON.stringify(report, null, 2)}\n`);
    await writeFile(files.html, reportHtml(report));
    await writeFile(files.findings, findingsMarkdown(findings, { title: study.question }));
    for (const [path, svg] of pictures) await writeFile(path, svg);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? error;
    throw new PlumbfoxError('environment', `${folder} cannot be written (${why}); the loads in ${files.loads} are complete`, {
      cause: error,
    });
  }
  return files;
}

/** The shape of `tune --json`, with the study's own. */
export function labJson({ study, report, findings, places, valid, planned }: LabResults, files: LabFiles | undefined): object {
  const { report: reportFile = null, html = null, loads = null, findings: findingsFile = null, pictures = [] } = files ?? {};
  return {
    ...tuneJson(report, { report: reportFile, html, policies: null, userJs: null, loads }),
    study: { id: study.id, question: study.question, baseline: study.baseline },
    loads: { planned, valid },
    ranking: places,
    answer: findings.answer,
    besides: findings.besides,
    figures: findings.figures,
    findings: findingsFile,
    pictures,
  };
}

const findingsMarkdown = (findings: StudyFindings, { title }: { title: string }): string => `# ${title}\n${findings.answer.join('\n')}\n`;
const findingsText = (findings: StudyFindings, _: object): string => findings.answer.join('\n');

/** Wide enough for every column where there is no terminal. */
const FILE_COLUMNS = 140;

export function labText({ study, findings, valid, planned, report }: LabResults, files: LabFiles | undefined): string {
  const width = process.stdout.columns || FILE_COLUMNS;
  return [
    '',
    `${study.id}: ${study.question}`,
    `${valid} of ${planned} loads are valid.`,
    '',
    findingsText(findings, { width, colour: process.stdout.isTTY === true && !process.env.NO_COLOR }),
    ...report.provenance.notes,
    ...(files
      ? ['Written:', ...[files.report, files.html, files.findings, ...files.pictures, files.loads].map((path) => `  ${path}`)]
      : []),
    '',
  ].join('\n');
}
