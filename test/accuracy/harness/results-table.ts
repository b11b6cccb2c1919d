/** The table of docs/accuracy.md, between its marks. */
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { type RegimeError, regimeLabel } from '../../../src/core/simulate/model-error.ts';
import type { ScoredHalf, ScoredPredictor } from './evaluate.ts';
import { correlationText, percent, signedPercent } from './figure-words.ts';

export const RESULTS_FILE = 'docs/accuracy.md';
const BEGIN = '<!-- accuracy: begin -->';
const END = '<!-- accuracy: end -->';
const REGIMES_BEGIN = '<!-- regimes: begin -->';
const REGIMES_END = '<!-- regimes: end -->';

/** @throws PlumbfoxError bad-input when the text has no marks. */
export function withResults(text: string, halves: readonly ScoredHalf[]): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new PlumbfoxError('bad-input', `${RESULTS_FILE} lacks the marks ${BEGIN} and ${END}`);
  return `${text.slice(0, from + BEGIN.length)}\n\n${resultsTable(halves)}\n\n${text.slice(to)}`;
}

/** The table of errors by regime, between marks of its own. @throws PlumbfoxError bad-input when the text has none. */
export function withRegimes(text: string, regimes: readonly RegimeError[]): string {
  const [from, to] = [text.indexOf(REGIMES_BEGIN), text.indexOf(REGIMES_END)];
  if (from < 0 || to < from) throw new PlumbfoxError('bad-input', `${RESULTS_FILE} lacks the marks ${REGIMES_BEGIN} and ${REGIMES_END}`);
  const table = ['| regime | machine | pairs | error p50 | p90 |', '| --- | --- | --- | --- | --- |', ...regimes.map(regimeRow)].join('\n');
  return `${text.slice(0, from + REGIMES_BEGIN.length)}\n\n${table}\n\n${text.slice(to)}`;
}

export const regimeRow = (row: RegimeError): string =>
  `| ${[regimeLabel(row), row.machine, String(row.pairs), percent(row.errorP50), percent(row.errorP90)].join(' | ')} |`;

function resultsTable(halves: readonly ScoredHalf[]): string {
  const reporting = halves.filter(({ half }) => half === 'reporting').flatMap(({ predictors }) => predictors);
  return [
    '| predicted by | pairs | error p50 | p90 | p95 | bias | rho | tau-b | best |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...reporting.map(resultsRow),
  ].join('\n');
}

export function resultsRow({ what, score }: ScoredPredictor): string {
  const { pairs, errorP50, errorP90, errorP95, bias, spearman, kendall, bestFound } = score;
  const errors = [errorP50, errorP90, errorP95].map(percent);
  const order = [correlationText(spearman), correlationText(kendall), spearman === undefined ? '–' : percent(bestFound)];
  return `| ${[what, String(pairs), ...errors, signedPercent(bias), ...order].join(' | ')} |`;
}
