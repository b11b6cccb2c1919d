/** The arguments of `npm run accuracy`. */
import { parseArgs } from 'node:util';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { type BrowserModel, FIREFOX_TODAY } from '../../../src/core/simulate/browser-model.ts';

export interface AccuracyArguments {
  readonly json: boolean;
  readonly write: boolean;
  readonly lantern: boolean;
  /** What the calibration half says of the machine, instead of the table. */
  readonly fit: boolean;
  readonly help: boolean;
  /** Folder of the corpus. */
  readonly corpus: string;
  /** One scenario in full instead of the table. */
  readonly scenario: string | undefined;
  /** Whose requests are shown with it; the first of the scenario's unless given. */
  readonly profile: string | undefined;
  /** Members of the browser model tried in place of what the lab's machine was found to be. */
  readonly model: Partial<BrowserModel>;
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
  --model NAME=VALUE     tries another value of the browser model, such as requestWorkMs=2; can be given more than once
  --corpus DIR           another corpus. Default: ${DEFAULT_CORPUS}
  --no-lantern           without Lantern, which is fetched from npm
  --fit                  what the calibration half says of the machine it was measured on; changes nothing
  --write                writes what was found: test/fixtures/accuracy-baseline.json, src/core/predict/model-error.ts, docs/accuracy.md
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
  if (values.write === true && values.model !== undefined) {
    throw new PlumbfoxError('bad-input', '--write writes what the model has: leave --model out');
  }
  return {
    json: values.json ?? false,
    write: values.write ?? false,
    lantern: values['no-lantern'] !== true,
    fit: values.fit ?? false,
    help: values.help ?? false,
    corpus: values.corpus ?? DEFAULT_CORPUS,
    scenario: values.scenario,
    profile: values.profile,
    model: modelOf(values.model ?? []),
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
        fit: { type: 'boolean' },
        'no-lantern': { type: 'boolean' },
        corpus: { type: 'string' },
        model: { type: 'string', multiple: true },
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

/** A value has the type of the one it takes the place of. */
function modelOf(given: readonly string[]): Partial<BrowserModel> {
  return Object.fromEntries(
    given.map((text) => {
      const [name = '', ...rest] = text.split('=');
      const shipped = Object.entries(FIREFOX_TODAY).find(([member]) => member === name)?.[1];
      const value = valueLike(shipped, rest.join('='));
      if (value !== undefined) return [name, value];
      const members = Object.keys(FIREFOX_TODAY).join(', ');
      throw new PlumbfoxError('bad-input', `--model needs a member and a value of its kind, not "${text}". Members: ${members}`);
    }),
  );
}

function valueLike(shipped: unknown, text: string): string | number | boolean | undefined {
  if (text === '' || shipped === undefined) return undefined;
  if (typeof shipped === 'boolean') return text === 'true' || (text === 'false' ? false : undefined);
  if (typeof shipped === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined;
  return text;
}
