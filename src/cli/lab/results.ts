/** The results of a study, made from its log: report, findings and pictures, and the text for the terminal. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { reportHtml } from '../../core/report/html/report-html.ts';
import { provenanceNotes } from '../../core/report/lab-deviations.ts';
import { type Report, reportText } from '../../core/report/report.ts';
import { median } from '../../core/stats/quantile.ts';
import { wrapped } from '../../core/text/text-table.ts';
import { systemReason } from '../../helper/errors.ts';
import { findStudy } from '../../lab/studies/all-studies.ts';
import { recommendedHere } from '../../lab/studies/comparisons.ts';
import { countText, type StudyFindings, type StudyTable } from '../../lab/studies/findings.ts';
import {
  comparisonFindings,
  type OtherPage,
  otherPagesNote,
  otherProfilesNote,
  withPages,
  withProfiles,
} from '../../lab/studies/other-pages.ts';
import type { Study, StudyCapture } from '../../lab/studies/study.ts';
import { findingsMarkdown, findingsText } from '../../lab/studies/write-findings.ts';
import {
  excludedTriesSentence,
  excludedTriesTable,
  type LoadCounts,
  loadCounts,
  loadCountsSentence,
  partSentence,
} from '../../lab/study-run/run-notes.ts';
import { CAPTURES_FOLDER, capturePictures, readCaptures, writeConnections } from '../../lab/study-run/study-captures.ts';
import { readStudyLog, STUDY_LOG, type StudyRecord, standingLoads } from '../../lab/study-run/study-log.ts';
import { cellKey, planFingerprint, type StudyPlan, studyPlan } from '../../lab/study-run/study-plan.ts';
import { type StudyPlaces, studyPlaces, studyReport } from '../../lab/study-run/study-report.ts';
import { hasColour, terminalWidth } from '../output/terminal.ts';
import { tuneJson } from '../tune/json.ts';

export interface LabResults {
  readonly study: Study;
  readonly plan: StudyPlan;
  readonly report: Report;
  readonly findings: StudyFindings;
  readonly places: readonly StudyPlaces[];
  readonly counts: LoadCounts;
  readonly planned: number;
  readonly record: StudyRecord;
  readonly captures: readonly StudyCapture[];
}

/** @throws PlumbfoxError `bad-input` when the folder holds no run of a study, `run-void` when nothing was measured yet. */
export function labResults(folder: string): LabResults {
  const record = readStudyLog(join(folder, STUDY_LOG));
  const { study, plan, seed } = declared(record, folder);
  const report = studyReport({ study, plan, record, seed });
  const standing = standingLoads(record);
  const loads = standing.filter(({ validity }) => validity.state === 'valid');
  const captures = readCaptures(join(folder, CAPTURES_FOLDER), loads);
  const { otherPages, otherProfiles } = record.study ?? {};
  const isAnswered = otherProfiles === undefined && (otherPages === undefined || study.holdsForOtherPages);
  const found = isAnswered
    ? study.findings({ study, pages: plan.pages, links: plan.links, loads, ...(captures.length > 0 && { captures }) })
    : comparisonFindings(report.comparison, study, otherProfiles === undefined ? 'pages' : 'profiles');
  const changed = planFingerprint(plan) === record.study?.fingerprint ? [] : [CHANGED];
  const part = partSentence(study, plan);
  const others = [
    ...(otherPages === undefined ? [] : [otherPagesNote(study, otherPages)]),
    ...(otherProfiles === undefined ? [] : [otherProfilesNote(study, otherProfiles)]),
  ];
  const findings = {
    ...found,
    recommendation: recommendedHere(study, report.comparison),
    answer: [...changed, ...others, ...(part === undefined ? [] : [part]), ...found.answer],
    pictures: [...found.pictures, ...capturePictures(captures, plan)],
  };
  const { ranking, scenarios } = report.comparison;
  const places = studyPlaces(ranking, { scenarios, baseline: study.baseline });
  return { study, plan, report, findings, places, captures, counts: loadCounts(standing), planned: plan.loads, record };
}

const CHANGED =
  'The study has changed since this run: links and pages are shown as they are today, and what it no longer measures is excluded.';

/** The study and the plan that the log was begun with. */
export function declared({ study: line }: StudyRecord, folder: string): { study: Study; plan: StudyPlan; seed: number } {
  if (!line) throw new PlumbfoxError('bad-input', `${folder} has no run of a study: there is no ${STUDY_LOG} in it`);
  const own = findStudy(line.id);
  const { otherPages, otherProfiles, pages, links, profiles, repeats, seed } = line;
  const onPages = otherPages ? withPages(own, otherPages) : own;
  const study = otherProfiles ? withProfiles(onPages, otherProfiles) : onPages;
  return { study, plan: studyPlan(study, { cut: { pages, links, profiles, repeats }, seed }), seed };
}

/** Paths as the person sees them. */
export interface LabFiles {
  readonly report: string;
  readonly html: string;
  readonly findings: string;
  readonly loads: string;
  readonly pictures: readonly string[];
}

/** Writes the files of a run; all they say follows from the log. @throws PlumbfoxError `environment` when they cannot be written. */
export async function writeLabResults(folder: string, results: LabResults, command: string): Promise<LabFiles> {
  const { report, findings, study } = results;
  const voids = excludedTriesTable(results.record);
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
    await writeFile(files.report, reportText(report));
    await writeFile(files.html, reportHtml(report));
    await writeFile(
      files.findings,
      findingsMarkdown(findings, {
        study,
        command,
        facts: factsOf(results),
        moreTables: [...(voids === undefined ? [] : [voids]), checksTable(results.record)],
        pictures: 'pictures',
      }),
    );
    for (const [path, svg] of pictures) await writeFile(path, svg);
    writeConnections(join(folder, CAPTURES_FOLDER), results.captures);
  } catch (error) {
    const kept = `the loads in ${files.loads} are complete`;
    throw new PlumbfoxError('environment', `${folder} cannot be written: ${systemReason(error)}; ${kept}`, { cause: error });
  }
  return files;
}

function voidNotes(record: StudyRecord): readonly string[] {
  const sentence = excludedTriesSentence(record);
  return sentence === undefined ? [] : [sentence];
}

/** How many captures are missing, and why. One load of each cell is captured, if captures were requested. */
export function capturesNotes(
  captures: readonly Parameters<typeof cellKey>[0][],
  { blocks }: Pick<StudyPlan, 'blocks'>,
  record: Pick<StudyRecord, 'study' | 'loads' | 'interference'>,
): readonly string[] {
  // Older logs do not say whether captures were requested.
  if (!(record.study?.capture ?? captures.length > 0)) return [];
  const there = new Set(captures.map(cellKey));
  const wanted = blocks.filter(({ repeat }) => repeat === 0).flatMap(({ loads }) => loads.map(cellKey));
  const missing = wanted.filter((key) => !there.has(key));
  if (missing.length === 0) return [];
  const standing = new Map(standingLoads(record).map((load) => [cellKey(load), load.validity.state]));
  const count = (state: 'valid' | 'void' | undefined) => missing.filter((key) => standing.get(key) === state).length;
  const parts = [
    [count(undefined), 'not made'],
    [count('void'), 'excluded'],
    [count('valid'), 'without all of their packets'],
  ] as const;
  const why = parts.flatMap(([loads, what]) => (loads === 0 ? [] : [`${countText(loads)} ${what}`])).join(', ');
  return [`${countText(missing.length)} of ${countText(wanted.length)} captures are missing; of their loads: ${why}.`];
}

/** The circumstances of the findings, a line each. */
function factsOf({ report, counts, planned, record, captures, plan }: LabResults): readonly string[] {
  const { firefox, os, node, congestionControl, seed, plumbfox } = report.provenance;
  const overheads = record.loads.flatMap(({ overheadMs }) => overheadMs ?? []);
  const overhead = median(overheads);
  return [
    loadCountsSentence(counts, planned),
    ...voidNotes(record),
    ...capturesNotes(captures, plan, record),
    `Firefox ${firefox?.version} (build ${firefox?.buildId}), Plumbfox ${plumbfox}, Node ${node}, ${os}, TCP ${congestionControl}, seed ${seed}.`,
    ...(overhead === undefined ? [] : [`Time per load beyond its own load time: median ${(overhead / 1000).toFixed(2)} s.`]),
    `First load ${new Date(Math.min(...record.loads.map(({ load }) => load.startedAt))).toISOString()}, last ${new Date(Math.max(...record.loads.map(({ load }) => load.startedAt))).toISOString()}.`,
    ...provenanceNotes(report.provenance),
  ];
}

/** Every link with the checks it passed. */
function checksTable({ links }: StudyRecord): StudyTable {
  const names = [...new Set(links.map(({ name }) => name))];
  const span = (values: readonly number[]) =>
    values.length === 0 ? '–' : `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
  return {
    title: 'Checks of the links',
    columns: [
      { name: 'link', align: 'left' },
      { name: 'checks', align: 'right' },
      { name: 'passed', align: 'right' },
      { name: 'RTT measured, ms', align: 'right' },
      { name: 'down measured, kbit/s', align: 'right' },
      { name: 'up measured, kbit/s', align: 'right' },
    ],
    rows: names.map((name) => {
      const own = links.filter((link) => link.name === name);
      const passed = own.filter(({ ok }) => ok);
      const figures = (of: (measured: (typeof own)[number]['measured']) => number | undefined) =>
        span(passed.flatMap(({ measured }) => of(measured) ?? []));
      return [
        name,
        String(own.length),
        String(passed.length),
        figures((m) => m.rttMs),
        figures((m) => m.downKbps),
        figures((m) => m.upKbps),
      ];
    }),
  };
}

/** The same document from the report only: `null` is what needs the log. */
export function labReportJson(
  report: Report,
  { report: path, findings }: { readonly report: string; readonly findings: string | null },
): object {
  const { ranking, scenarios, baseline } = report.comparison;
  const { valid, atBound } = loadCounts(report.loads);
  return {
    ...tuneJson(report, { report: path, html: null, policies: null, userJs: null, loads: null }),
    study: null,
    loads: { planned: null, valid, atBound },
    ranking: studyPlaces(ranking, { scenarios, baseline }),
    answer: null,
    besides: null,
    figures: null,
    findings,
    pictures: [],
  };
}

/** The shape of `tune --json`, with the study's own. */
export function labJson({ study, report, findings, places, counts, planned, record }: LabResults, files: LabFiles | undefined): object {
  const { report: reportFile = null, html = null, loads = null, findings: findingsFile = null, pictures = [] } = files ?? {};
  return {
    ...tuneJson(report, { report: reportFile, html, policies: null, userJs: null, loads }),
    study: { id: study.id, question: study.question, baseline: study.baseline, otherPages: otherPagesJson(record) },
    loads: { planned, valid: counts.valid, atBound: counts.atBound },
    ranking: places,
    answer: findings.answer,
    besides: findings.comparisonWithOriginal.map(({ what, original, ours, why }) => ({ what, seed: original, ours, why })),
    figures: findings.figures,
    findings: findingsFile,
    pictures,
  };
}

/** `null`: the study's own pages were measured. */
function otherPagesJson({ study }: StudyRecord): readonly object[] | null {
  const json = ({ recipe: { name, title }, file }: OtherPage) => ({ name, title, file: file ?? null });
  return study?.otherPages?.map(json) ?? null;
}

/** @param files - `undefined`: nothing was written, so they are not named. */
export function labText(
  { study, plan, findings, counts, planned, report, record, captures }: LabResults,
  files: LabFiles | undefined,
): string {
  const width = terminalWidth();
  return [
    '',
    `${study.id}: ${study.question}`,
    wrapped(`Prompted by: ${study.source}.`, width),
    loadCountsSentence(counts, planned),
    ...voidNotes(record),
    ...capturesNotes(captures, plan, record),
    '',
    findingsText(findings, { width, colour: hasColour() }),
    // What the answer says already is not repeated.
    ...provenanceNotes(report.provenance).filter((note) => !findings.answer.includes(note)),
    ...(files
      ? ['Written:', ...[files.report, files.html, files.findings, ...files.pictures, files.loads].map((path) => `  ${path}`)]
      : []),
    '',
  ].join('\n');
}
