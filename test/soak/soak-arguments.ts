/** The arguments of `npm run soak`. */
import { parseArgs } from 'node:util';
import { PlumbfoxError } from '../../src/core/errors.ts';

export interface SoakArguments {
  readonly minutes: number;
  readonly loads: number;
  /** Adds a row to docs/results/soak.md. */
  readonly write: boolean;
  /** Goes on after an interrupted run, with its profile. */
  readonly resume: boolean;
  readonly help: boolean;
}

export const SOAK_HELP = `npm run soak -- [options]

Browses ten sites of this machine with the extension's release package in Firefox, and looks at what it asked the network and the helper
app for, and at what its process holds.

  --minutes N  ends after so many minutes (60)
  --loads N    ends after so many page loads (10000)
  --resume     goes on after an interrupted run, with the same profile
  --write      adds a row to docs/results/soak.md
  --help       this text

Ctrl-C ends it after the page load that is under way; once more ends it at once.
Exit codes: 0 everything held; 1 something did not; 2 arguments that cannot be used
`;

/** @throws PlumbfoxError bad-input, one line. */
export function parseSoakArguments(args: readonly string[]): SoakArguments {
  const values = parse(args);
  const minutes = Number(values.minutes ?? '60');
  const loads = Number(values.loads ?? '10000');
  if (!(minutes > 0 && Number.isFinite(minutes))) throw new PlumbfoxError('bad-input', 'Give --minutes a number above 0');
  if (!(loads > 0 && Number.isSafeInteger(loads))) throw new PlumbfoxError('bad-input', 'Give --loads a whole number above 0');
  return { minutes, loads, write: values.write ?? false, resume: values.resume ?? false, help: values.help ?? false };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string' },
        loads: { type: 'string' },
        write: { type: 'boolean' },
        resume: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new PlumbfoxError('bad-input', error instanceof Error ? error.message : String(error));
  }
}
