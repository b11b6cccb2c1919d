/** A worker thread of `npm run calibrate`: simulates the runs that it is told to. */
import { parentPort } from 'node:worker_threads';
import { lineNamed } from '../lines/lines.ts';
import { outcomesOf } from './run-line.ts';
import type { RunResult, RunTask } from './tasks.ts';

parentPort?.on('message', (task: RunTask) => {
  const result: RunResult = { ...task, outcomes: outcomesOf(lineNamed(task.line), task) };
  parentPort?.postMessage(result);
});
