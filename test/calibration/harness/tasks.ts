/** What goes between the command and its worker threads. */
import type { RunRange } from './run-line.ts';

export interface RunTask extends RunRange {
  readonly line: string;
}

export interface RunResult extends RunTask {
  readonly outcomes: readonly unknown[];
}
