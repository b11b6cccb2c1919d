/** The arguments of `npm run bars`. */
import { parseArgs } from 'node:util';
import { PlumbfoxError } from '../../../src/core/errors.ts';

export interface BarsArguments {
  /** Numbers; all bars where it is empty. */
  readonly only: readonly number[];
  /** As in `npm test`. */
  readonly cut: boolean;
  /** Leaves out the files of tests that drive Firefox, and with them the bars that need one. */
  readonly noFirefox: boolean;
  /** Takes guards away, instead of running the bars. */
  readonly guards: boolean;
  /** Runs again what passed with the same code. */
  readonly fresh: boolean;
  /** Makes the page from what is known, and runs nothing. */
  readonly page: boolean;
  readonly help: boolean;
}

/** Soak and mutation apart; set by the project's owner. */
export const MAX_MINUTES = 60;
/** The short forms of all bars together; set by the project's owner. */
export const MAX_CUT_MINUTES = 6;

export const BARS_HELP = `npm run bars -- [options] [NUMBER ...]

Runs the tests of the thirty bars in full and writes docs/reliability.md: what was counted, how long it took, at which commit.
A file of tests that passed with the same code is not run again, so that an interrupted run goes on where it was. After ${MAX_MINUTES} minutes no
further file is begun.

  NUMBER        these bars alone, 1 to 30
  --cut         the short forms, which are part of npm test
  --no-firefox  leaves out the tests that drive Firefox
  --guards      takes each bar's guard out of a copy of the code, and expects its test to fail
  --fresh       also runs what passed with the same code
  --page        makes the page from what is known, and runs nothing
  --help        this text

Exit codes: 0 all that was asked for is held; 1 some is not, or is left to be run; 2 arguments that cannot be used
`;

/** @throws PlumbfoxError bad-input, one line. */
export function parseBarsArguments(args: readonly string[], numbers: readonly number[]): BarsArguments {
  const { values, positionals } = parse(args);
  const wrong = positionals.find((text) => !numbers.some((number) => String(number) === text));
  if (wrong !== undefined) throw new PlumbfoxError('bad-input', `There is no bar ${wrong}: they are numbered 1 to ${numbers.length}`);
  return {
    only: positionals.map(Number),
    cut: values.cut ?? false,
    noFirefox: values['no-firefox'] ?? false,
    guards: values.guards ?? false,
    fresh: values.fresh ?? false,
    page: values.page ?? false,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cut: { type: 'boolean' },
        'no-firefox': { type: 'boolean' },
        guards: { type: 'boolean' },
        fresh: { type: 'boolean' },
        page: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new PlumbfoxError('bad-input', error instanceof Error ? error.message : String(error));
  }
}
