/** `npm run calibrate`: every line in full, as a table; exit code 1 if a bar is missed. */

import { availableParallelism } from 'node:os';
import { endWithCodeOf } from '../../support/command-end.ts';
import { LINES } from '../lines/lines.ts';
import { type CalibrateArguments, calibrateHelp, parseCalibrateArguments } from './calibrate-arguments.ts';
import { keptResults } from './kept-results.ts';
import { type Calibration, calibrationJson, calibrationText, missedRows } from './table.ts';
import type { RunResult, RunTask } from './tasks.ts';
import { runTasks, tasksOf } from './worker-pool.ts';

async function calibrate({ seed, only, runs: asked, fresh, kept: keptAlone, workers }: CalibrateArguments): Promise<Calibration> {
  const chosen = LINES.filter(({ name }) => only.length === 0 || only.includes(name)).map((line) => ({ line, runs: asked ?? line.runs }));
  const tasks = inTurn(chosen.map(({ line, runs }) => tasksOf(line.name, { seed, runs })));
  const results = new Map<string, RunResult[]>(chosen.map(({ line }) => [line.name, []]));
  const worker = new URL('./worker.mjs', import.meta.url);
  const kept = keptResults(worker, { fresh });
  const take = (result: RunResult) => results.get(result.line)?.push(result);
  const left = tasks.filter((task) => {
    const result = kept.find(task);
    if (result !== undefined) take(result);
    return result === undefined;
  });
  const done = (result: RunResult): void => {
    kept.add(result);
    take(result);
  };
  if (!keptAlone) await runTasks(left, { workerFile: worker, workers: workers ?? availableParallelism(), done });
  const lines = chosen.map(({ line }) => {
    const outcomes = (results.get(line.name) ?? []).toSorted((a, b) => a.from - b.from).flatMap((result) => result.outcomes);
    return { line, runs: outcomes.length, rows: line.rows(outcomes, { full: outcomes.length >= line.runs }) };
  });
  return { seed, lines: keptAlone ? lines.filter(({ runs }) => runs > 0) : lines };
}

/** The first of each line, then the second of each: of a calibration that was interrupted every line has some. */
function inTurn(lines: readonly (readonly RunTask[])[]): readonly RunTask[] {
  const most = Math.max(0, ...lines.map((tasks) => tasks.length));
  return Array.from({ length: most }, (_, at) => lines.flatMap((tasks) => tasks.slice(at, at + 1))).flat();
}

async function main(): Promise<number> {
  const lines = LINES.map(({ name }) => name);
  const args = parseCalibrateArguments(process.argv.slice(2), lines);
  if (args.help) {
    process.stdout.write(calibrateHelp(lines));
    return 0;
  }
  const startedMs = performance.now();
  const calibration = await calibrate(args);
  process.stdout.write(args.json ? `${JSON.stringify(calibrationJson(calibration), null, 2)}\n` : calibrationText(calibration));
  process.stderr.write(
    `${((performance.now() - startedMs) / 1000).toFixed(0)} s, ${(process.cpuUsage().user / 1e6).toFixed(0)} s of processor time\n`,
  );
  return missedRows(calibration).length === 0 ? 0 : 1;
}

await endWithCodeOf(main);
