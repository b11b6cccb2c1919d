/** The table of docs/accuracy.md, between its marks. */
import { PlumbfoxError } from '../../../src/core/errors.ts';
import type { ScoredHalf, ScoredPredictor } from './evaluate.ts';
import { correlationText, percent, signedPercent } from './figure-words.ts';

export const RESULTS_FILE = 'docs/accuracy.md';
const BEGIN = '<!-- accuracy: begin -->';
const END = '<!-- accuracy: end -->';

/** @throws PlumbfoxError bad-input when the text has no marks. */
export function withResults(text: string, halves: readonly ScoredHalf[]): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new PlumbfoxError('bad-input', `${RESULTS_FILE} lacks the marks ${BEGIN} and ${END}`);
  return `${text.slice(0, from + BEGIN.length)}\n\n${resultsTable(halves)}\n\n${text.slice(to)}`;
}

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
