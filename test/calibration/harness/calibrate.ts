/** `npm run calibrate`: every line in full, as a table; exit code 1 if a bar is missed. */

import { endWithCodeOf } from '../../support/command-end.ts';
import { LINES } from '../lines/lines.ts';
import { type CalibrateArguments, calibrateHelp, parseCalibrateArguments } from './calibrate-arguments.ts';
import { keptResults } from './kept-results.ts';
import { type Calibration, calibrationJson, calibrationText, missedRows } from './table.ts';
import type { RunResult } from './tasks.ts';
import { runTasks, tasksOf } from './worker-pool.ts';

async function calibrate({ seed, only, runs: asked, fresh }: CalibrateArguments): Promise<Calibration> {
  const chosen = LINES.filter(({ name }) => only.length === 0 || only.includes(name)).map((line) => ({ line, runs: asked ?? line.runs }));
  const tasks = chosen.flatMap(({ line, runs }) => tasksOf(line.name, { seed, runs }));
  const outcomes = new Map<string, unknown[]>(chosen.map(({ line, runs }) => [line.name, Array.from({ length: runs })]));
  const worker = new URL('./worker.mjs', import.meta.url);
  const kept = keptResults(worker, { fresh });
  const take = ({ line, from, outcomes: found }: RunResult) => outcomes.get(line)?.splice(from, found.length, ...found);
  const left = tasks.filter((task) => {
    const result = kept.find(task);
    if (result !== undefined) take(result);
    return result === undefined;
  });
  await runTasks(left, worker, (result) => {
    kept.add(result);
    take(result);
  });
  return {
    seed,
    lines: chosen.map(({ line, runs }) => ({ line, runs, rows: line.rows(outcomes.get(line.name) ?? [], { full: runs >= line.runs }) })),
  };
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
