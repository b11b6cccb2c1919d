/** The source of `src/core/simulate/model-error.ts` from what was found. */
import { PlumbfoxError } from '../../../src/core/errors.ts';
import type { AccuracyScore } from '../../../src/core/simulate/accuracy-score.ts';
import type { RegimeError } from '../../../src/core/simulate/model-error.ts';
import { ANY_MACHINE, type ScoredHalf, SIMULATOR } from './evaluate.ts';

export const MODEL_ERROR_FILE = 'src/core/simulate/model-error.ts';

/** Everything but the figures stays as it stands in the file. */
const ASSIGNMENT = /^export const MODEL_ERROR[\s\S]*?;\n/m;

const REGIME_TABLE = /^export const REGIME_ERRORS[\s\S]*?\];\n/m;
const regimeSource = ({ carrier, loss, machine, pairs, errorP50, errorP90 }: RegimeError): string =>
  `\n  { carrier: '${carrier}', loss: '${loss}', machine: '${machine}', pairs: ${pairs}, errorP50: ${errorP50}, errorP90: ${errorP90} },`;

/** As the formatter has it (biome.json). */
const LINE_WIDTH = 140;

/** @throws PlumbfoxError bad-input when the file has no such constant, or there is nothing to report. */
export function modelErrorSource(
  source: string,
  halves: readonly ScoredHalf[],
  { firefox, regimes }: { readonly firefox: readonly string[]; readonly regimes: readonly RegimeError[] },
): string {
  const reporting = halves.find(({ half }) => half === 'reporting');
  const score = reporting && shownScore(reporting);
  if (!ASSIGNMENT.test(source) || reporting === undefined || score === undefined) {
    throw new PlumbfoxError('bad-input', `${MODEL_ERROR_FILE} has no MODEL_ERROR to write, or there are no figures for it`);
  }
  const basis = basisText(reporting, firefox);
  const onItsOwnLine = `  basis: '${basis}',`.length > LINE_WIDTH;
  // A function, so that no $ in the text is taken for a pattern.
  const withTable = source.replace(
    REGIME_TABLE,
    () =>
      `export const REGIME_ERRORS: readonly RegimeError[] = [${regimes.map(regimeSource).join('')}${regimes.length > 0 ? '\n' : ''}];\n`,
  );
  return withTable.replace(
    ASSIGNMENT,
    () => `export const MODEL_ERROR: ModelError | undefined = {
  errorP50: ${Number(score.errorP50.toFixed(4))},
  errorP90: ${Number(score.errorP90.toFixed(4))},
  basis:${onItsOwnLine ? '\n   ' : ''} '${basis}',
};
`,
  );
}

/**
 * What a prediction is shown with: of the simulator told of recipe and link alone, as it is told of nobody's machine; where that was not
 * scored, of the simulator as it was calibrated.
 */
export function shownScore({ predictors }: ScoredHalf): AccuracyScore | undefined {
  return scoreOf(predictors, ANY_MACHINE) ?? scoreOf(predictors, SIMULATOR);
}

const scoreOf = (predictors: ScoredHalf['predictors'], wanted: string): AccuracyScore | undefined =>
  predictors.find(({ what }) => what === wanted)?.score;

/** Says, too, how small the error is where the machine's own work is known. */
export function basisText({ loads, scenarios, predictors }: ScoredHalf, firefox: readonly string[]): string {
  const parts = scenarios.map(({ name }) => name.split('/'));
  const count = (at: number) => new Set(parts.map((part) => part[at])).size;
  const known = scoreOf(predictors, ANY_MACHINE) && scoreOf(predictors, SIMULATOR);
  const share = (error: number) => `${(100 * error).toFixed(1)} %`;
  return [
    `${loads} loads of ${scenarios.length} scenarios (${count(0)} pages, ${count(1)} links) in Firefox ${firefox.join(' and ')}, not used in calibration`,
    ...(known === undefined ? [] : [`${share(known.errorP50)} and ${share(known.errorP90)} where the work of the machine itself is known`]),
  ].join('; ');
}
