/**
 * The results of a run of `tune`: the report as JSON and HTML, the files that set what is proven by settings without the gateway, and the summary for
 * the person at the terminal.
 */

import { rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Recommendation } from '../../core/compare/comparison.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import { policiesJson } from '../../core/profiles/policies-json.ts';
import { profileExpression } from '../../core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../core/profiles/profile.ts';
import { userJs } from '../../core/profiles/user-js.ts';
import { reportHtml } from '../../core/report/html/report-html.ts';
import { provenanceNotes } from '../../core/report/lab-deviations.ts';
import { type LongerRun, longerRun } from '../../core/report/longer-run.ts';
import { type Report, reportText } from '../../core/report/report.ts';
import { runSentences } from '../../core/report/report-markdown.ts';
import { reportTable } from '../../core/report/report-table.ts';
import { gatewayCommand } from '../../core/report/shown-comparison.ts';
import { firstVoidReason } from '../../core/report/validity.ts';
import { wrapped } from '../../core/text/text-table.ts';
import { systemReason } from '../../helper/errors.ts';
import { keepAside } from '../../lab/run/results-log.ts';
import { EXTENSION_ID } from '../../protocol/helper-messages.ts';
import { ownCommand, shellWord } from '../output/own-command.ts';
import { hasColour, terminalWidth } from '../output/terminal.ts';
import type { TuneFiles } from './json.ts';
import { notWrittenLines, type ProvenSettings, provenSettings } from './proven-settings.ts';

interface WriteOptions {
  readonly folder: string;
  readonly report: Report;
  readonly profiles: readonly Profile[];
  readonly loadsPath: string;
  /** A file of that name was there; it has another name now. */
  readonly onKept: (path: string, aside: string) => void;
}

/** @throws PlumbfoxError `environment` when a file cannot be written. */
export async function writeResults(options: WriteOptions): Promise<TuneFiles> {
  const { folder, report, loadsPath } = options;
  const proven = provenSettings(report);
  const isPolicy = proven.state === 'free' && proven.policyIgnores.length === 0;
  const place = async (name: string, text: string | undefined) => {
    const path = join(folder, name);
    const aside = text === undefined ? await keepFormerAside(path) : await placeFile(path, text);
    if (aside !== undefined) options.onKept(path, aside);
  };
  // The report first: nothing that is wrong with a file of settings may lose a run.
  await place(REPORT, reportText(report));
  await place(HTML, reportHtml(report));
  const settings = proven.state === 'free' ? settingsTexts(options, proven.profileId) : undefined;
  await place(POLICIES, isPolicy ? settings?.policies() : undefined);
  await place(USER_JS, settings?.userJs());
  return {
    report: join(folder, REPORT),
    html: join(folder, HTML),
    policies: isPolicy ? join(folder, POLICIES) : null,
    userJs: proven.state === 'free' ? join(folder, USER_JS) : null,
    loads: loadsPath,
  };
}

const REPORT = 'report.json';
const HTML = 'report.html';
const POLICIES = 'policies.json';
const USER_JS = 'user.js';

/** The files that set what is proven. A policy and user.js can only set preferences, so they hold the best profile by settings alone. */
function settingsTexts({ report, profiles }: WriteOptions, profileId: string) {
  const measured = profiles.find(({ id }) => id === profileId);
  if (measured === undefined) throw new PlumbfoxError('internal', `${profileId} is recommended and was not measured`);
  const carrier = report.profiles.find(({ id }) => id === profileId)?.carrier ?? 'none';
  // A name of this run is none that the extension knows.
  const proven = { ...measured, id: profileExpression(measured) ?? measured.id };
  const { sentence } = report.comparison.recommendation.settingsAlone;
  return {
    policies: () => `${JSON.stringify(policiesJson(proven, { extensionId: EXTENSION_ID, carrier }), null, 2)}\n`,
    userJs: () => userJs(proven, { carrier, notes: [sentence] }),
  };
}

/** A reader never sees half a file. @returns the name that a previous file of that name has now. */
async function placeFile(path: string, text: string): Promise<string | undefined> {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    const aside = await keepAside(path);
    await rename(temporary, path);
    return aside;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw notWritten(path, error);
  }
}

/** A file of a previous run would be taken for this one's. @returns the name that it has now. */
async function keepFormerAside(path: string): Promise<string | undefined> {
  try {
    return await keepAside(path);
  } catch (error) {
    throw notWritten(path, error);
  }
}

const notWritten = (path: string, error: unknown): PlumbfoxError =>
  new PlumbfoxError('environment', `${path} cannot be written: ${systemReason(error)}`, { cause: error });

/** A search that had nothing to measure made no load, and is no failure. @throws PlumbfoxError `run-void` where no load is valid. */
export function checkAnyValid({ loads, search }: Pick<Report, 'loads' | 'search'>, path: string): void {
  if (loads.some(({ validity }) => validity.state === 'valid') || (search !== undefined && loads.length === 0)) return;
  throw new PlumbfoxError('run-void', `No load was valid: ${firstVoidReason(loads) ?? 'none was made'}. Details are in ${path}`);
}

/** The table of a run, its notes, the files, and the next steps. */
export function summary(report: Report, files: TuneFiles): string {
  const width = terminalWidth();
  // npm runs scripts in the clone; its INIT_CWD is where the person's shell is.
  const shell = process.env.INIT_CWD ?? process.cwd();
  const shown = {
    report: pathFrom(shell, files.report),
    html: pathFrom(shell, files.html),
    policies: files.policies && pathFrom(shell, files.policies),
    userJs: files.userJs && pathFrom(shell, files.userJs),
  };
  return [
    '',
    reportTable(report.comparison, {
      ...{ width, colour: hasColour(), plumbfox: ownCommand(), answer: report.search?.sentences.join(' ') },
      run: runSentences(report),
    }),
    ...provenanceNotes(report.provenance).flatMap((note) => [wrapped(note, width), '']),
    ...writtenLines(shown, provenSettings(report)),
    '',
    ...nextSteps({
      recommendation: report.comparison.recommendation,
      longer: longerRun(report),
      expression: expressionIn(report),
      html: shown.html,
      plumbfox: ownCommand(),
      platform: process.platform,
    }),
    '',
  ].join('\n');
}

/** Short where the file lies below the folder. */
function pathFrom(folder: string, path: string): string {
  const way = relative(folder, path);
  return way.startsWith('..') ? path : way;
}

/** Which file holds what, and why one is missing. */
export function writtenLines({ report, html, policies, userJs }: Omit<TuneFiles, 'loads'>, proven: ProvenSettings): readonly string[] {
  const profileId = proven.state === 'nothing' ? '' : proven.profileId;
  return [
    'Written:',
    `  ${report}    every load and every figure`,
    `  ${html}    the same as a page`,
    ...(policies === null ? [] : [`  ${policies}  ${profileId} for administrators`]),
    ...(userJs === null ? [] : [`  ${userJs}        ${profileId} for one Firefox profile`]),
    ...notWrittenLines(proven),
  ];
}

/** The expression of the profile that is recommended by settings alone, whatever its name in this run; `null`: there is none, or `apply` cannot set it. */
function expressionIn({ comparison, profiles }: Report): string | null {
  const profile = profiles.find(({ id }) => id === comparison.recommendation.settingsAlone.profileId);
  if (profile === undefined || profile.carrier !== 'none') return null;
  return profileExpression({ ...profile, connections: profile.connections, preferences: profile.intended }) ?? null;
}

interface NextStepsOptions {
  readonly recommendation: Recommendation;
  /** What `apply` takes for the profile that is recommended by settings alone; `null`: nothing. */
  readonly expression: string | null;
  /** Absent: nothing is open that more loads may decide. */
  readonly longer: LongerRun | undefined;
  readonly html: string;
  /** What runs Plumbfox in the person's shell. */
  readonly plumbfox: string;
  readonly platform: NodeJS.Platform;
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'start ""' };

/** The next steps with the result: each step a command that works where it is pasted. */
export function nextSteps({ recommendation, expression, longer, html, plumbfox, platform }: NextStepsOptions): readonly string[] {
  const { settingsAlone, gateway } = recommendation;
  const isProven = settingsAlone.state === 'recommended' && settingsAlone.profileId !== BASELINE_ID;
  const applied = isProven ? expression : null;
  const steps: readonly (readonly [name: string, command: string])[] = [
    ...(applied === null
      ? []
      : ([
          ['Apply', `${plumbfox} apply --profile ${applied}`],
          ['Undo', `${plumbfox} revert`],
        ] as const)),
    ...(longer === undefined ? [] : ([['To decide', `${plumbfox} ${longer.arguments} (${longer.takes})`]] as const)),
    ...(gateway === undefined ? [] : ([['With the gateway', gatewayCommand(gateway, plumbfox)]] as const)),
    ['Open', `${OPENERS[platform] ?? 'xdg-open'} ${shellWord(html, 'linux')}`],
  ];
  const width = Math.max(...steps.map(([name]) => name.length));
  return ['Next:', ...steps.map(([name, command]) => `  ${name.padEnd(width)}  ${command}`)];
}
