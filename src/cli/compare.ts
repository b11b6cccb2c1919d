/** `plumbfox compare`: several reports compared as one: the table, the JSON document of `tune`, or an HTML file. */

import { resolve } from 'node:path';
import type { ParseArgsConfig } from 'node:util';
import { PlumbfoxError } from '../core/errors.ts';
import { reportHtml } from '../core/report/html/report-html.ts';
import { provenanceNotes } from '../core/report/lab-deviations.ts';
import { mergeReports } from '../core/report/merge/merge-reports.ts';
import type { Report } from '../core/report/report.ts';
import { reportTable } from '../core/report/report-table.ts';
import { wrapped } from '../core/text/text-table.ts';
import { nonEmpty, readArguments } from './arguments.ts';
import { EXIT_CODES } from './errors.ts';
import { writeNewFile } from './files.ts';
import { ownCommand } from './output/own-command.ts';
import { hasColour, jsonText, print, terminalWidth } from './output/terminal.ts';
import { readReport } from './report.ts';
import { tuneJson } from './tune/json.ts';

export const COMPARE_HELP = `plumbfox compare: compares the loads of several reports together

  plumbfox compare REPORT... [--json] [--html OUT] [--baseline ID] [--mixed-links]

  --json             print the comparison as tune --json does: the seed is the first report's, the notes name all
  --html OUT         also write it as one HTML file, which must not exist yet
  --baseline ID      compare the others with this profile (default: the baseline of the reports);
                     with another one the control is excluded
  --mixed-links      merge reports over different links too; each link is kept apart,
                     and renamed where two share a name

Loads are paired within their own report only. Reports are refused when they hold the same loads twice,
measures of different versions, packets mixed with the relay or the real network, or profiles or pages
that share only a name.

exit codes: 0 done, 1 internal error, 2 bad arguments or input, 3 the output cannot be written
`;

export async function compare(args: readonly string[]): Promise<number> {
  const options = parseCompareArguments(args);
  if (options.help) return print(COMPARE_HELP);
  const merged = await mergedReport(options);
  if (options.html !== undefined) await writeNewFile('--html', options.html, reportHtml(merged));
  const html = options.html === undefined ? null : resolve(options.html);
  const files = { report: null, html, policies: null, userJs: null, loads: null };
  if (options.json) print(jsonText(tuneJson(merged, files)));
  else process.stdout.write(summary(merged));
  return EXIT_CODES.done;
}

/** One after the other: a report may be large, and the first that cannot be read is the one to report. */
async function mergedReport({ reports: names, baseline, mixedLinks }: CompareArguments): Promise<Report> {
  const reports: Report[] = [];
  for (const name of names) reports.push(await readReport(name));
  return mergeReports(reports, { names, baseline, mixedLinks });
}

function summary({ comparison, provenance }: Report): string {
  const width = terminalWidth();
  const colour = hasColour();
  const notes = provenanceNotes(provenance).map((note) => wrapped(note, width));
  return [reportTable(comparison, { width, colour, plumbfox: ownCommand() }), ...notes, ''].join('\n');
}

interface CompareArguments {
  /** Paths, at least one unless help is requested. */
  readonly reports: readonly string[];
  readonly json: boolean;
  readonly html: string | undefined;
  readonly baseline: string | undefined;
  readonly mixedLinks: boolean;
  readonly help: boolean;
}

const OPTIONS = {
  json: { type: 'boolean' },
  html: { type: 'string' },
  baseline: { type: 'string' },
  'mixed-links': { type: 'boolean' },
} as const satisfies ParseArgsConfig['options'];

function parseCompareArguments(args: readonly string[]): CompareArguments {
  const { values, positionals } = parse(args);
  const help = values.help ?? false;
  if (positionals.length === 0 && !help) {
    throw new PlumbfoxError('bad-input', 'Name at least one report: plumbfox compare REPORT...');
  }
  return {
    reports: positionals,
    json: values.json ?? false,
    html: nonEmpty(values.html, '--html'),
    baseline: nonEmpty(values.baseline, '--baseline'),
    mixedLinks: values['mixed-links'] ?? false,
    help,
  };
}

const parse = (args: readonly string[]) => readArguments('compare', args, OPTIONS);
