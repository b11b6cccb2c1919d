/** `plumbfox lab`: studies in many Firefoxes. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlumbfoxError } from '../../core/errors.ts';
import { reportTable } from '../../core/report/report-table.ts';
import { counted } from '../../core/text/figures.ts';
import { ensureEmulator } from '../../lab/ensure-programs.ts';
import { type PacketLane, packetLane } from '../../lab/lane/packet-lane.ts';
import { type CheckedLink, checkLinks } from '../../lab/link/link-check.ts';
import type { LinkSpec } from '../../lab/link/link-spec.ts';
import { linkFigures } from '../../lab/link/links.ts';
import { STUDIES } from '../../lab/studies/all-studies.ts';
import { holdRun, STUDY_LOG } from '../../lab/study-run/study-log.ts';
import { studyPlan } from '../../lab/study-run/study-plan.ts';
import { distinctByName } from '../arguments.ts';
import { EXIT_CODES } from '../errors.ts';
import {
  type InstallAnswer,
  installOptions,
  jsonText,
  type Progress,
  type ProgressBar,
  print,
  terminalWidth,
  withProgress,
} from '../output/terminal.ts';
import { REPORT_NAMES, readReport, reportIn } from '../report.ts';
import { labHelp, parseLabArguments } from './arguments.ts';
import { type LabFiles, type LabResults, labJson, labReportJson, labResults, labText, writeLabResults } from './results.ts';
import { labRun, namespacePrefix } from './run.ts';

export async function lab(args: readonly string[]): Promise<number> {
  const options = parseLabArguments(args);
  switch (options.command) {
    case 'help':
      return print(labHelp());
    case 'list':
      return print(options.json ? jsonText(listedStudies()) : listText(listedStudies()));
    case 'show':
      return labShow(options);
    case 'check':
      return withProgress((progress) => labCheck(options, progress));
    case 'run':
      return labRun(options);
  }
}

interface LabCheckOptions {
  readonly json: boolean;
  /** `undefined`: those of all studies. */
  readonly links: readonly LinkSpec[] | undefined;
  readonly install: InstallAnswer;
}

/** `plumbfox lab check`: every emulated link measured against what is asked of it. */
async function labCheck({ json, links, install }: LabCheckOptions, { bar, interruption }: Progress): Promise<number> {
  const asked = links ?? distinctByName(STUDIES.flatMap((study) => study.links));
  const lane = await opened(install, { bar, interruption }).catch((error: unknown) => {
    // What breaks while the command stops, breaks because of that.
    interruption.check('Interrupted before the first link was checked');
    throw error;
  });
  interruption.onInterrupt(() => lane.close());
  const rows = await check({ lane, asked, bar, interrupted: interruption.interrupted }).finally(() => lane.close());
  bar.clear();
  print(json ? jsonText({ links: rows.map(rowJson) }) : rows.map(rowText).join(''));
  interruption.check(`Interrupted after ${rows.length} of ${asked.length} links`);
  const wrong = rows.filter(({ ok }) => !ok);
  if (wrong.length > 0)
    throw new PlumbfoxError(
      'run-void',
      `${wrong.length} of ${rows.length} links do not have the figures they should have: ${wrong[0]?.reason}`,
    );
  return EXIT_CODES.done;
}

/** @throws PlumbfoxError `environment` naming what this machine lacks. */
async function opened(install: InstallAnswer, progress: Progress): Promise<PacketLane> {
  await ensureEmulator(installOptions(install, progress));
  return packetLane({ prefix: await namespacePrefix('Links are emulated in network namespaces') });
}

interface Checking {
  readonly lane: Parameters<typeof checkLinks>[0]['lane'];
  readonly asked: readonly LinkSpec[];
  readonly bar: ProgressBar;
  readonly interrupted: () => boolean;
}

async function check({ lane, asked, bar, interrupted }: Checking): Promise<readonly CheckedLink[]> {
  const rows: CheckedLink[] = [];
  const onChecked = (row: CheckedLink) => {
    rows.push(row);
    bar.show({ done: rows.length, total: asked.length, label: row.name });
  };
  try {
    await checkLinks({ lane, links: asked, onChecked, interrupted });
  } catch (error) {
    // What breaks while the command stops, breaks because of that; what was checked before stays valid.
    if (!interrupted()) throw error;
  }
  return rows;
}

function rowJson({ name, asked: { rttMs, downKbps, upKbps, ...more }, measured, ok, reason, how, attempts }: CheckedLink): object {
  return { name, asked: { rttMs, downKbps, upKbps, ...more }, measured, ok, reason: reason ?? null, how, attempts };
}

function rowText({ name, asked, measured: { rttMs, downKbps, upKbps }, ok, reason }: CheckedLink): string {
  const up = upKbps === undefined ? '' : `, ${upKbps.toFixed(0)} up`;
  return `${ok ? 'ok  ' : 'OFF '} ${name}: ${linkFigures({ name, ...asked })}\n     measured RTT ${rttMs.toFixed(1)} ms, ${downKbps.toFixed(0)} kbit/s down${up}${reason === undefined ? '' : `; ${reason}`}\n`;
}

interface ListedStudy {
  readonly id: string;
  readonly question: string;
  readonly pages: readonly string[];
  readonly links: readonly string[];
  readonly profiles: readonly string[];
  readonly loads: number;
  /** Measured on two processors; absent where no run is published. */
  readonly tookMinutes?: number;
}

/** `plumbfox lab list`: the studies with the loads of each as a whole; `--cut` and `--only` make fewer. */
export const listedStudies = (): readonly ListedStudy[] =>
  STUDIES.map((study) => {
    const { pages, links, profiles, loads } = studyPlan(study, { cut: {}, seed: 1 });
    return {
      id: study.id,
      question: study.question,
      pages: pages.map(({ name }) => name),
      links: links.map(({ name }) => name),
      profiles: profiles.map(({ id }) => id),
      loads,
      ...(study.tookMinutes === undefined ? {} : { tookMinutes: study.tookMinutes }),
    };
  });

/** Three lines for each study, a blank one between. */
export const listText = (studies: readonly ListedStudy[]): string =>
  studies
    .map(({ id, question, pages, links, profiles, loads, tookMinutes }) => {
      const size = [counted(pages.length, 'page'), counted(links.length, 'link'), counted(profiles.length, 'profile')].join(', ');
      const time = tookMinutes === undefined ? '' : `; took ${tookMinutes} min on two processors`;
      return `${id}\n  ${question}\n  ${counted(loads, 'load')}: ${size}${time}\n`;
    })
    .join('\n');

interface LabShowOptions {
  readonly folder: string;
  readonly json: boolean;
  /** The run's report, findings and pictures are written again. */
  readonly write: boolean;
}

/** `plumbfox lab show`: what a run found, made from its log again by this version. */
export async function labShow({ folder, json, write }: LabShowOptions): Promise<number> {
  if (!existsSync(join(folder, STUDY_LOG)) && REPORT_NAMES.some((name) => existsSync(join(folder, name))))
    return showShipped({ folder, json, write });
  const results = labResults(folder);
  const files = write ? await written(folder, results) : undefined;
  return print(json ? jsonText(labJson(results, files)) : labText(results, files));
}

/** A published folder: its report without the log. What a study finds needs the log; the page of findings is beside it. */
async function showShipped({ folder, json, write }: LabShowOptions): Promise<number> {
  if (write) throw new PlumbfoxError('bad-input', `${folder} has no ${STUDY_LOG}: nothing can be rewritten from its report alone`);
  const found = await readReport(folder);
  const page = join(folder, 'findings.md');
  const findings = existsSync(page) ? page : null;
  if (json) return print(jsonText(labReportJson(found, { report: await reportIn(folder), findings })));
  const more = findings ? `What the study found: ${page}\n` : '';
  const table = reportTable(found.comparison, { width: terminalWidth(), answer: found.answer?.sentence });
  return print(`${table}\n\nFrom the report alone: there is no ${STUDY_LOG} in ${folder}.\n${more}`);
}

/** Writes the files of a run, but not while a run writes them. */
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
