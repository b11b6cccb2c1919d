/** Runs shared out among worker threads; what comes back does not depend on how many there are. */
import { Worker } from 'node:worker_threads';
import type { RunResult, RunTask } from './tasks.ts';

/** Small enough that the threads end at about the same time, large enough that messages cost nothing. */
const TASKS_PER_LINE = 40;

export function tasksOf(line: string, { seed, runs }: { readonly seed: number; readonly runs: number }): readonly RunTask[] {
  const size = Math.ceil(runs / TASKS_PER_LINE);
  return Array.from({ length: Math.ceil(runs / size) }, (_, at) => ({ line, seed, from: at * size, to: Math.min(runs, (at + 1) * size) }));
}

export interface WorkerPool {
  readonly workerFile: URL;
  readonly workers: number;
  /** Called with every result, as they come. */
  readonly done: (result: RunResult) => void;
}

/** Rejects with what a worker throws. */
export async function runTasks(tasks: readonly RunTask[], { workerFile, workers: most, done }: WorkerPool): Promise<void> {
  const left = [...tasks];
  const workers = Array.from({ length: Math.min(most, left.length) }, () => new Worker(workerFile));
  try {
    await Promise.all(workers.map((worker) => workOff(worker, left, done)));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function workOff(worker: Worker, left: RunTask[], done: (result: RunResult) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = () => {
      const task = left.shift();
      if (task === undefined) resolve();
      else worker.postMessage(task);
    };
    worker.on('error', reject);
    worker.on('message', (result: RunResult) => {
      done(result);
      give();
    });
    give();
  });
}
