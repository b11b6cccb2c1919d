/** `plumbfox report`: reads a report again: the table, the JSON document, or the HTML file. */

import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import { reportHtml } from '../core/report/html/report-html.ts';
import { longerRun } from '../core/report/longer-run.ts';
import { perfherderLine } from '../core/report/perfherder.ts';
import type { Report } from '../core/report/report.ts';
import { reportMarkdown, runSentences } from '../core/report/report-markdown.ts';
import { reportTable } from '../core/report/report-table.ts';
import { systemReason } from '../helper/errors.ts';
import { parseReport } from '../protocol/parse-report.ts';
import { readArguments } from './arguments.ts';
import { EXIT_CODES, naming } from './errors.ts';
import { readInput, writeNewFile } from './files.ts';
import { ownCommand } from './output/own-command.ts';
import { hasColour, jsonText, print, terminalWidth } from './output/terminal.ts';

const HELP = `plumbfox report: shows a report that tune wrote or the popup exported

  plumbfox report FILE [--json | --markdown | --perfherder] [--html OUT]

  FILE               report.json, report.json.gz, or the folder that holds one of them

  --json             print the report as one JSON document in the newest version of the format
  --markdown         print it as Markdown, for issues and threads
  --perfherder       print its load times as one PERFHERDER_DATA line, which Mozilla's Perfherder reads from a log
  --html OUT         write it as one HTML file
`;

/** Answers the exit code. @throws PlumbfoxError `bad-input` for arguments, and for a file that is no report or a newer one. */
export async function report(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) return print(HELP);
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new PlumbfoxError('bad-input', 'Name one report: plumbfox report FILE');
  if ([values.json, values.markdown, values.perfherder].filter(Boolean).length > 1) {
    throw new PlumbfoxError('bad-input', 'Choose one of --json, --markdown and --perfherder');
  }
  const found = await readReport(path);
  if (values.html !== undefined) await writeNewFile('--html', values.html, reportHtml(found));
  process.stdout.write(textOf(found, values));
  return EXIT_CODES.done;
}

function textOf(found: Report, { json, markdown, perfherder }: ReturnType<typeof parse>['values']): string {
  if (json) return jsonText(found);
  if (markdown) return reportMarkdown(found);
  if (perfherder) return perfherderLine(found);
  const width = terminalWidth();
  const plumbfox = ownCommand();
  const longer = found.answer === undefined ? longerRun(found) : undefined;
  const next = longer === undefined ? '' : `To decide: ${plumbfox} ${longer.arguments} (${longer.takes})\n\n`;
  const options = { width, colour: hasColour(), answer: found.answer?.sentence, plumbfox, run: runSentences(found) };
  return `${reportTable(found.comparison, options)}\n${next}`;
}

function parse(args: readonly string[]) {
  const options = {
    json: { type: 'boolean' },
    markdown: { type: 'boolean' },
    perfherder: { type: 'boolean' },
    html: { type: 'string' },
  } as const;
  return readArguments('report', args, options);
}

/** @throws PlumbfoxError `bad-input` when the file cannot be read, is no report, is damaged or is of a newer version. */
export async function readReport(path: string): Promise<Report> {
  let text: string;
  try {
    text = readInput(await reportIn(path), { gzip: true }).toString('utf8');
  } catch (error) {
    if (error instanceof PlumbfoxError) throw error;
    throw new PlumbfoxError('bad-input', `${path} cannot be read: ${systemReason(error)}`, { cause: error });
  }
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new PlumbfoxError('bad-input', `${path} is not JSON, so it is no report of Plumbfox`, { cause: error });
  }
  return naming(path, () => parseReport(json));
}

/** File names of a report in the folder of a run; published ones are compressed. */
export const REPORT_NAMES = ['report.json', 'report.json.gz'] as const;

/** The report of a folder, or the file itself. */
export async function reportIn(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return path;
  const found = REPORT_NAMES.map((name) => join(path, name)).find((each) => existsSync(each));
  if (found === undefined) throw new PlumbfoxError('bad-input', `${path} is a folder without ${REPORT_NAMES.join(' or ')}`);
  return found;
}
