/** The source of `src/core/predict/model-error.ts` from what was found. */
import { PlumbfoxError } from '../../../src/core/errors.ts';
import type { PredictionError, RegimeError } from '../../../src/core/predict/model-error.ts';

export const MODEL_ERROR_FILE = 'src/core/predict/model-error.ts';

/** Everything but the figures stays as it stands in the file. */
const BASIS = /^export const ERROR_BASIS =[\s\S]*?;\n/m;
const TABLE = /^export const REGIME_ERRORS[\s\S]*?\];\n/m;

/** As the formatter has it (biome.json). */
const LINE_WIDTH = 140;

export interface FoundErrors {
  readonly regimes: readonly RegimeError[];
  readonly basis: string;
}

/** @throws PlumbfoxError bad-input when the file has no such constants, or there is nothing to write. */
export function modelErrorSource(source: string, { regimes, basis }: FoundErrors): string {
  if (!BASIS.test(source) || !TABLE.test(source) || regimes.length === 0)
    throw new PlumbfoxError('bad-input', `${MODEL_ERROR_FILE} has no REGIME_ERRORS to write, or there are no figures for it`);
  const line = `export const ERROR_BASIS = '${basis}';`;
  // Functions, so that no $ in the text is taken for a pattern.
  return source
    .replace(BASIS, () => `${line.length > LINE_WIDTH ? `export const ERROR_BASIS =\n  '${basis}';` : line}\n`)
    .replace(TABLE, () => `export const REGIME_ERRORS: readonly RegimeError[] = [\n${regimes.map(rowSource).join('')}];\n`);
}

function rowSource({ carriage, loss, loadTime, ratio, pacing }: RegimeError): string {
  return [
    '  {',
    `    carriage: '${carriage}',`,
    `    loss: '${loss}',`,
    `    loadTime: ${errorSource(loadTime)},`,
    ...(ratio ? [`    ratio: ${errorSource(ratio)},`] : []),
    ...(pacing ? [`    pacing: ${errorSource(pacing)},`] : []),
    '  },\n',
  ].join('\n');
}

const errorSource = ({ pairs, errorP50, errorP90, below, above, held }: PredictionError): string =>
  `{ pairs: ${pairs}, errorP50: ${errorP50}, errorP90: ${errorP90}, below: ${below}, above: ${above}${held === undefined ? '' : `, held: ${held}`} }`;
