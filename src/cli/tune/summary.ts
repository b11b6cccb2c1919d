/** What `tune` prints for a person. */

import { relative } from 'node:path';
import type { Recommendation, RecommendedProfile } from '../../core/compare/comparison.ts';
import { BASELINE_ID, findProfile } from '../../core/profiles/presets.ts';
import { gatewayCommand } from '../../core/report/recommendation-lines.ts';
import type { Report } from '../../core/report/report.ts';
import { reportTable } from '../../core/report/report-table.ts';
import { ownCommand, shellWord } from '../output/own-command.ts';
import { hasColour, terminalWidth } from '../output/terminal.ts';
import type { TuneFiles } from './json.ts';

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
    reportTable(report.comparison, { width, colour: hasColour(), plumbfox: ownCommand() }),
    '',
    ...report.provenance.notes,
    ...writtenLines(shown, report.comparison.recommendation.settingsAlone),
    '',
    ...nextSteps({
      recommendation: report.comparison.recommendation,
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

/** Which file holds what; where nothing is proven by settings alone, there is nothing that two of them could hold. */
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

export interface NextStepsOptions {
  readonly recommendation: Recommendation;
  /** Path of report.html. */
  readonly html: string;
  /** What runs Plumbfox in the person's shell. */
  readonly plumbfox: string;
  readonly platform: NodeJS.Platform;
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'start ""' };

/** What to do with the result: each step a command that works where it is pasted. */
export function nextSteps({ recommendation, html, plumbfox, platform }: NextStepsOptions): readonly string[] {
  const { settingsAlone, gateway } = recommendation;
  const isProven = settingsAlone.state === 'recommended' && settingsAlone.profileId !== BASELINE_ID;
  // A name of the person's own for this run is none that `apply` knows.
  const applied = isProven ? (findProfile(settingsAlone.profileId ?? '')?.id ?? null) : null;
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
