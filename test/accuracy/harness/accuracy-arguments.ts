/** The arguments of `npm run accuracy`. */
import { parseArgs } from 'node:util';
import { PlumbfoxError } from '../../../src/core/errors.ts';

export interface AccuracyArguments {
  readonly json: boolean;
  readonly write: boolean;
  readonly lantern: boolean;
  readonly help: boolean;
  /** Folder of the corpus. */
  readonly corpus: string;
  /** One scenario in full instead of the table. */
  readonly scenario: string | undefined;
  /** Whose requests are shown with it; the first of the scenario's unless given. */
  readonly profile: string | undefined;
  /** So many scenarios with the largest errors are listed. */
  readonly worst: number;
}

const DEFAULT_WORST = 5;
const DEFAULT_CORPUS = 'test/corpus';

export const ACCURACY_HELP = `npm run accuracy -- [options]

Predicts every load of the corpus and holds the predictions against what was measured.

  --scenario PAGE/LINK   this scenario alone: each profile, and each request of one profile, measured and predicted
  --profile ID           whose requests. Default: the first
  --worst N              lists the N scenarios with the largest errors, 0 to 1000. Default: ${DEFAULT_WORST}
  --corpus DIR           another corpus. Default: ${DEFAULT_CORPUS}
  --no-lantern           without Lantern, which is fetched from npm
  --write                writes what was found: test/fixtures/accuracy-baseline.json, src/core/simulate/model-error.ts
  --json                 everything as JSON
  --help                 this text

Exit codes: 0 as good as the baseline; 1 worse; 2 arguments that cannot be used, or no corpus
`;

/** @throws PlumbfoxError bad-input, one line. */
export function parseAccuracyArguments(args: readonly string[]): AccuracyArguments {
  const values = parse(args);
  if (values.profile !== undefined && values.scenario === undefined) {
    throw new PlumbfoxError('bad-input', '--profile goes with --scenario');
  }
  if (values.write === true && values.scenario !== undefined) {
    throw new PlumbfoxError('bad-input', '--write needs all scenarios: leave --scenario out');
  }
  return {
    json: values.json ?? false,
    write: values.write ?? false,
    lantern: values['no-lantern'] !== true,
    help: values.help ?? false,
    corpus: values.corpus ?? DEFAULT_CORPUS,
    scenario: values.scenario,
    profile: values.profile,
    worst: worstOf(values.worst),
  };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean' },
        write: { type: 'boolean' },
        'no-lantern': { type: 'boolean' },
        corpus: { type: 'string' },
        scenario: { type: 'string' },
        profile: { type: 'string' },
        worst: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    throw new PlumbfoxError('bad-input', error instanceof Error ? error.message : String(error));
  }
}

function worstOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_WORST;
  if (!/^\d{1,4}$/.test(text) || Number(text) > 1000) {
    throw new PlumbfoxError('bad-input', `--worst must be a whole number from 0 to 1000, not ${text}`);
  }
  return Number(text);
}
