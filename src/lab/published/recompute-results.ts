/**
 * Makes the published results again from the loads that their reports hold: measures and comparison as this version defines them, and the
 * findings that rest on nothing else. Findings about single requests or packets stay as they were published.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { conditionsOf, type PublishedId } from '../../core/audit/published-conditions.ts';
import type { Report } from '../../core/report/report.ts';
import { withDarkMode } from '../../core/text/svg-picture.ts';
import { comparedAgain, parseReport, remeasured } from '../../protocol/parse-report.ts';
import { spokenWith } from '../pages/served-by.ts';
import { STUDIES } from '../studies/all-studies.ts';
import { recommendedHere } from '../studies/comparisons.ts';
import type { StudyPicture } from '../studies/findings.ts';
import type { Study } from '../studies/study.ts';
import { findingsMarkdown } from '../studies/write-findings.ts';
import { findingsOf, mergeFindings, tablesOf, withRecommendation } from './merge-findings.ts';

const RESULTS = 'docs/results';

for (const study of STUDIES) {
  const folder = join(RESULTS, study.id);
  if (existsSync(join(folder, 'report.json.gz'))) recompute(study, folder);
}

function recompute(study: Study, folder: string): void {
  const path = join(folder, 'report.json.gz');
  const stored = withServed(parseReport(JSON.parse(gunzipSync(readFileSync(path)).toString())), study);
  // What was published ran to its end, and its end was fixed before the first load.
  const provenance = { ...stored.provenance, plannedBlocks: study.repeats };
  const measured = { ...stored, provenance, loads: remeasured(stored) };
  const report: Report = { ...measured, comparison: comparedAgain(measured) };
  writeFileSync(path, gzipSync(`${JSON.stringify(report, null, 2)}\n`, { level: 9 }));
  const findings = findingsOf(study, report);
  const page = join(folder, 'findings.md');
  const made = findingsMarkdown(findings, { study, pictures: 'pictures' });
  const { text, isWhole } = mergeFindings(readFileSync(page, 'utf8'), made);
  process.stdout.write(`${study.id}: report and ${isWhole ? 'findings' : 'those of its findings that it holds'}\n`);
  writeFileSync(page, withRecommendation(text, recommendedHere(study, report.comparison), conditionsOf(study.id as PublishedId)));
  writePictures(join(folder, 'pictures'), isWhole ? findings.pictures : (study.tablePictures?.(tablesOf(text)) ?? []));
}

/** Those drawn again; the others, which show single requests or packets, keep what they show and get the colours of today. */
function writePictures(folder: string, drawn: readonly StudyPicture[]): void {
  if (!existsSync(folder) && drawn.length === 0) return;
  mkdirSync(folder, { recursive: true });
  for (const { name, svg } of drawn) writeFileSync(join(folder, `${name}.svg`), svg);
  for (const file of readdirSync(folder)) {
    const path = join(folder, file);
    writeFileSync(path, withDarkMode(readFileSync(path, 'utf8')));
  }
}

/** How the study says that its pages are served: reports from before did not hold it. */
function withServed(report: Report, { pages }: Study): Report {
  const served = new Map(pages.map(({ name, servedBy, connections }) => [name, { ...spokenWith(servedBy), connections }]));
  return {
    ...report,
    pages: report.pages.map((page) => {
      const own = served.get(page.name);
      return own === undefined ? page : { ...page, served: own };
    }),
  };
}
