/**
 * The results of a run of `tune`: the report as JSON and HTML, the files that set what is proven by settings without the gateway, and the summary for
 * the person at the terminal.
 */
import { rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Recommendation, RecommendedProfile } from '../../core/compare/comparison.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import { policiesJson } from '../../core/profiles/policies-json.ts';
import { BASELINE_ID, profileExpression } from '../../core/profiles/presets.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { userJs } from '../../core/profiles/user-js.ts';
import { reportHtml } from '../../core/report/html/report-html.ts';
import { type Report, reportText } from '../../core/report/report.ts';
import { reportTable } from '../../core/report/report-table.ts';
import { gatewayCommand } from '../../core/report/shown-comparison.ts';
import { pricesOf } from '../../core/search/search-space.ts';
import { systemReason } from '../../helper/errors.ts';
import { keepAside } from '../../lab/run/results-log.ts';
import { EXTENSION_ID } from '../../protocol/helper-messages.ts';
import { ownCommand, shellWord } from '../output/own-command.ts';
import { hasColour, terminalWidth } from '../output/terminal.ts';
import type { TuneFiles } from './json.ts';

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
  const texts = textsOf(options);
  for (const [name, text] of texts) {
    const path = join(folder, name);
    const aside = text === undefined ? await keepFormerAside(path) : await placeFile(path, text);
    if (aside !== undefined) options.onKept(path, aside);
  }
  const isWritten = isProven(report);
  return {
    report: join(folder, REPORT),
    html: join(folder, HTML),
    policies: isWritten ? join(folder, POLICIES) : null,
    userJs: isWritten ? join(folder, USER_JS) : null,
    loads: loadsPath,
  };
}

/** What a search has proven only its own answer says; and what costs privacy or security is written by `apply`, which asks. */
function isProven({ comparison, search }: Report): boolean {
  if (comparison.recommendation.settingsAlone.state !== 'recommended') return false;
  return search === undefined || (search.answer.state === 'faster' && pricesOf(search.answer.cheapest.settings).length === 0);
}

const REPORT = 'report.json';
const HTML = 'report.html';
const POLICIES = 'policies.json';
const USER_JS = 'user.js';

/**
 * The text of each file; `undefined` if it is not written. A policy and user.js can only set preferences, so they hold the best profile by
 * settings alone.
 */
function textsOf({ report, profiles }: WriteOptions): readonly (readonly [name: string, text: string | undefined])[] {
  const { settingsAlone } = report.comparison.recommendation;
  const measured = isProven(report) ? profiles.find(({ id }) => id === settingsAlone.profileId) : undefined;
  if (isProven(report) && measured === undefined) {
    throw new PlumbfoxError('internal', `${settingsAlone.profileId} is recommended and was not measured`);
  }
  const carrier = report.profiles.find(({ id }) => id === measured?.id)?.carrier ?? 'none';
  // A name of this run is none that the extension knows.
  const proven = measured && { ...measured, id: profileExpression(measured) ?? measured.id };
  const policies = proven && `${JSON.stringify(policiesJson(proven, { extensionId: EXTENSION_ID, carrier }), null, 2)}\n`;
  return [
    [REPORT, reportText(report)],
    [HTML, reportHtml(report)],
    [POLICIES, policies],
    [USER_JS, proven && userJs(proven, { carrier, notes: [settingsAlone.sentence] })],
  ];
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
    reportTable(report.comparison, { width, colour: hasColour(), plumbfox: ownCommand(), answer: report.search?.sentences.join(' ') }),
    '',
    ...report.provenance.notes,
    ...writtenLines(shown, report.comparison.recommendation.settingsAlone),
    '',
    ...nextSteps({
      recommendation: report.comparison.recommendation,
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

/** Which file holds what; where nothing is proven by settings without the gateway, there is nothing that two of them could hold. */
export function writtenLines(
  { report, html, policies, userJs }: Omit<TuneFiles, 'loads'>,
  { profileId }: Pick<RecommendedProfile, 'profileId'>,
): readonly string[] {
  return [
    'Written:',
    `  ${report}    every load and every figure`,
    `  ${html}    the same as a page`,
    ...(policies === null ? [] : [`  ${policies}  ${profileId} for administrators`]),
    ...(userJs === null ? [] : [`  ${userJs}        ${profileId} for one Firefox profile`]),
    ...(policies === null && userJs === null
      ? ['Not written: policies.json and user.js, because nothing is proven faster by settings alone.']
      : []),
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
  readonly html: string;
  /** What runs Plumbfox in the person's shell. */
  readonly plumbfox: string;
  readonly platform: NodeJS.Platform;
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'start ""' };

/** The next steps with the result: each step a command that works where it is pasted. */
export function nextSteps({ recommendation, expression, html, plumbfox, platform }: NextStepsOptions): readonly string[] {
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
    ...(gateway === undefined ? [] : ([['With the gateway', gatewayCommand(gateway, plumbfox)]] as const)),
    ['Open', `${OPENERS[platform] ?? 'xdg-open'} ${shellWord(html, 'linux')}`],
  ];
  const width = Math.max(...steps.map(([name]) => name.length));
  return ['Next:', ...steps.map(([name, command]) => `  ${name.padEnd(width)}  ${command}`)];
}
