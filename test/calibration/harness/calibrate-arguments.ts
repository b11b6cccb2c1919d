/** The arguments of `npm run calibrate`. */
import { parseArgs } from 'node:util';
import { PlumbfoxError } from '../../../src/core/errors.ts';

export interface CalibrateArguments {
  readonly json: boolean;
  readonly seed: number;
  /** Lines to run; all of them when empty. */
  readonly only: readonly string[];
  /** Runs of every line instead of its full count. */
  readonly runs: number | undefined;
  /** Runs again what an earlier, interrupted calibration has kept. */
  readonly fresh: boolean;
  /** Makes the table of what is kept, and runs nothing. */
  readonly kept: boolean;
  /** Threads; as many as there are processors when not said. */
  readonly workers: number | undefined;
  readonly help: boolean;
}

/** Our own choice, before any figure was known. */
export const DEFAULT_SEED = 2026;

export function calibrateHelp(lines: readonly string[]): string {
  return `npm run calibrate -- [options]

Simulates loads whose truth is known, puts them through the comparison, and holds the verdicts against their bars.

  --only LINE   this line alone; can be given more than once
  --runs N      runs of every line, instead of the full count; bars are then moved by three Monte-Carlo errors
  --seed N      0 to 4294967295. Default: ${DEFAULT_SEED}
  --fresh       begins anew, instead of going on where an interrupted calibration of the same code was
  --kept        the table of the runs that are kept so far; runs nothing
  --workers N   threads that simulate. Default: one for each processor
  --json        the table as JSON
  --help        this text

Exit codes: 0 every bar met; 1 a bar missed; 2 arguments that cannot be used

Lines: ${lines.join(', ')}
`;
}

/** @throws PlumbfoxError bad-input, one line. */
export function parseCalibrateArguments(args: readonly string[], lines: readonly string[]): CalibrateArguments {
  const values = parse(args);
  const only = values.only ?? [];
  const unknown = only.find((name) => !lines.includes(name));
  if (unknown !== undefined) throw new PlumbfoxError('bad-input', `There is no line ${unknown}. Lines: ${lines.join(', ')}`);
  return {
    only,
    json: values.json ?? false,
    fresh: values.fresh ?? false,
    kept: values.kept ?? false,
    workers: wholeNumber('--workers', values.workers, 1),
    help: values.help ?? false,
    seed: wholeNumber('--seed', values.seed, 0) ?? DEFAULT_SEED,
    runs: wholeNumber('--runs', values.runs, 1),
  };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        fresh: { type: 'boolean' },
        kept: { type: 'boolean' },
        workers: { type: 'string' },
        json: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        runs: { type: 'string' },
        seed: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    throw new PlumbfoxError('bad-input', error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(option: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= 0xffff_ffff)) {
    throw new PlumbfoxError('bad-input', `${option} must be a whole number from ${least} to 4294967295, not ${text}`);
  }
  return value;
}
