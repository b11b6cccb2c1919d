/** `plumbfox tune`: the main job from arguments to files. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PlumbfoxError } from '../core/errors.ts';
import { reportTable } from '../core/report/report-table.ts';
import { ensurePrograms } from '../lab/environment/ensure-programs.ts';
import { openResultsLog } from '../lab/run/results-log.ts';
import { EXIT_CODES } from './exit-code.ts';
import { type Interruption, watchInterrupts } from './interruption.ts';
import { type ProgressBar, progressBar } from './progress-bar.ts';
import { parseTuneArguments, type TuneArguments } from './tune-arguments.ts';
import { tuneHelp } from './tune-help.ts';
import { tuneJson } from './tune-json.ts';
import { openTuneLane } from './tune-lane.ts';
import { runTune } from './tune-run.ts';
import { readUrlFile } from './url-file.ts';
import { writeResults } from './write-results.ts';

export async function tune(args: readonly string[]): Promise<number> {
  const options = parseTuneArguments(args);
  if (options.help) {
    process.stdout.write(tuneHelp());
    return EXIT_CODES.done;
  }
  const bar = progressBar(process.stderr, () => performance.now());
  const interruption = watchInterrupts();
  try {
    return await tuneWith({ options, bar, interruption });
  } finally {
    bar.clear();
    interruption.close();
  }
}

async function tuneWith({
  options,
  bar,
  interruption,
}: {
  options: TuneArguments;
  bar: ProgressBar;
  interruption: Interruption;
}): Promise<number> {
  if (options.urlFile !== undefined) await readUrlFile(options.urlFile);
  const folder = await resultsFolder(options.out);
  const log = await openResultsLog(folder);
  const programs = await ensurePrograms({
    emulator: !options.urlFile && !options.relay,
    install: options.install,
    onInstall: (packages) => bar.say(`Installing ${packages.join(', ')} ...`),
  });
  bar.say(`Measuring with ${programs.firefox.name}, seed ${options.seed}`);
  const opened = await openTuneLane(options);
  for (const line of [...opened.notes, ...opened.remarks]) bar.say(line);
  interruption.onInterrupt(() => opened.lane.close());
  const outcome = await runTune({ options, opened, programs, bar, log, interruption }).finally(() => opened.lane.close());
  bar.clear();
  const valid = outcome.report.loads.filter(({ validity }) => validity.state === 'valid').length;
  const files = await writeResults({ folder, report: outcome.report, profiles: options.profiles, loadsPath: log.path });
  if (options.json) process.stdout.write(`${JSON.stringify(tuneJson(outcome.report, files), null, 2)}\n`);
  else process.stdout.write(summary(outcome.report, files));
  if (interruption.interrupted()) {
    throw new PlumbfoxError(
      'interrupted',
      `Interrupted after ${outcome.report.loads.length} of ${outcome.planned} loads; they are kept in ${folder}`,
    );
  }
  if (valid === 0)
    throw new PlumbfoxError('run-void', `No load was valid: ${firstReason(outcome.report.loads)}. Details are in ${files.report}`);
  return EXIT_CODES.done;
}

function firstReason(loads: readonly { validity: { state: string; reason?: string } }[]): string {
  return loads.find(({ validity }) => validity.state === 'void')?.validity.reason ?? 'none was made';
}

function summary(report: Parameters<typeof tuneJson>[0], files: Parameters<typeof tuneJson>[1]): string {
  const width = process.stdout.columns ?? 110;
  return [
    '',
    reportTable(report.comparison, { width, colour: process.stdout.isTTY === true && !process.env.NO_COLOR }),
    '',
    ...report.provenance.notes,
    'Written:',
    `  ${files.report}    every load and every figure`,
    `  ${files.html}    the same to read`,
    `  ${files.policies}  the recommended profile for administrators`,
    `  ${files.userJs}        the recommended profile for one Firefox profile`,
    '',
  ].join('\n');
}

/** A new folder named for the moment, unless one is named. */
async function resultsFolder(out: string | undefined): Promise<string> {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = resolve(out ?? join('plumbfox-results', stamp));
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new PlumbfoxError('bad-input', `--out: ${folder} cannot be made (${(error as NodeJS.ErrnoException).code ?? error})`, {
      cause: error,
    });
  }
  return folder;
}
