/** The table of docs/accuracy.md, between its marks. */
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { type PredictionError, type RegimeError, regimeLabel } from '../../../src/core/predict/model-error.ts';
import { quantile } from '../../../src/core/stats/quantile.ts';
import type { ScoredHalf, ScoredPredictor } from './evaluate.ts';
import { CASE_HEADING, caseRow, nothingToGain, type ProductCase, RULE_HEADING, ruleOutcomes, ruleRow } from './product-cases.ts';
import { type Held, heldOutOfSample, type JudgedPair, regimeErrors, sizeOf, sourcesOf } from './regime-errors.ts';
import { correlationText, percent, signedPercent } from './table-figures.ts';

export const RESULTS_FILE = 'docs/accuracy.md';
const BEGIN = '<!-- accuracy: begin -->';
const END = '<!-- accuracy: end -->';
const REGIMES_BEGIN = '<!-- regimes: begin -->';
const REGIMES_END = '<!-- regimes: end -->';
const CASES_BEGIN = '<!-- cases: begin -->';
const CASES_END = '<!-- cases: end -->';

/** @throws PlumbfoxError bad-input when the text has no marks. */
export function withResults(text: string, halves: readonly ScoredHalf[]): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new PlumbfoxError('bad-input', `${RESULTS_FILE} lacks the marks ${BEGIN} and ${END}`);
  return `${text.slice(0, from + BEGIN.length)}\n\n${resultsTable(halves)}\n\n${text.slice(to)}`;
}

/** The tables of errors by regime and by source, between marks of their own. @throws PlumbfoxError bad-input when the text has none. */
export function withRegimes(text: string, pairs: readonly JudgedPair[]): string {
  const [from, to] = [text.indexOf(REGIMES_BEGIN), text.indexOf(REGIMES_END)];
  if (from < 0 || to < from) throw new PlumbfoxError('bad-input', `${RESULTS_FILE} lacks the marks ${REGIMES_BEGIN} and ${REGIMES_END}`);
  const tables = [
    '| regime | load times: pairs | p50 | p90 | band wider by | ratios: pairs | p50 | p90 | band wider by |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...regimeErrors(pairs).map(regimeRow),
    '',
    '| loads of | load times: pairs | p50 | p90 | held by the band | by the wider one | ratios: pairs | p50 | p90 | held by the band | by the wider one |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...sourceRows(pairs),
  ].join('\n');
  return `${text.slice(0, from + REGIMES_BEGIN.length)}\n\n${tables}\n\n${text.slice(to)}`;
}

export interface JudgedProduct {
  readonly cases: readonly ProductCase[];
  /** Of each scenario. */
  readonly pairs: readonly (readonly JudgedPair[])[];
}

/** The tables of cases and of what the rule would have recommended, as `npm run accuracy` prints them. */
export const caseTables = ({ cases, pairs }: JudgedProduct): readonly string[] => [
  ...CASE_HEADING,
  ...cases.map(caseRow),
  '',
  ...RULE_HEADING,
  ...[...ruleOutcomes(pairs), nothingToGain(pairs)].map(ruleRow),
];

/** The same, between marks of their own. @throws PlumbfoxError bad-input when the text has none. */
export function withCases(text: string, product: JudgedProduct): string {
  const [from, to] = [text.indexOf(CASES_BEGIN), text.indexOf(CASES_END)];
  if (from < 0 || to < from) throw new PlumbfoxError('bad-input', `${RESULTS_FILE} lacks the marks ${CASES_BEGIN} and ${CASES_END}`);
  return `${text.slice(0, from + CASES_BEGIN.length)}\n\n${caseTables(product).join('\n')}\n\n${text.slice(to)}`;
}

const errorCells = (error: PredictionError | undefined): readonly string[] =>
  error === undefined ? ['–', '–', '–', '–'] : [String(error.pairs), ...[error.errorP50, error.errorP90, error.bandMargin].map(percent)];

export const regimeRow = (row: RegimeError): string =>
  `| ${[regimeLabel(row), ...errorCells(row.loadTime), ...errorCells(row.ratio)].join(' | ')} |`;

/** How far off predictions of each source were, and how often its bands held what was measured: the wider ones by margins that know nothing of it. */
export function sourceRows(pairs: readonly JudgedPair[]): readonly string[] {
  const sources = sourcesOf(pairs);
  const held = sources.map((source) => ({
    source,
    loadTime: heldOutOfSample(pairs, { source, figure: 'load time' }),
    ratio: heldOutOfSample(pairs, { source, figure: 'ratio' }),
  }));
  const cells = (figure: JudgedPair['figure'], source: string, { pairs: count, byBand, byWidened }: Held) => {
    const sizes = pairs.filter((pair) => pair.source === source && pair.figure === figure).map(sizeOf);
    if (sizes.length === 0) return ['–', '–', '–', '–', '–'];
    const sorted = sizes.sort((a, b) => a - b);
    const errors = [quantile(sorted, 0.5), quantile(sorted, 0.9)].map(percent);
    return [String(sizes.length), ...errors, ...(count === 0 ? ['–', '–'] : [`${byBand} of ${count}`, `${byWidened} of ${count}`])];
  };
  const rows = held.map(
    ({ source, loadTime, ratio }) =>
      `| ${[source, ...cells('load time', source, loadTime), ...cells('ratio', source, ratio)].join(' | ')} |`,
  );
  const sum = (figure: 'loadTime' | 'ratio', of: keyof Held) => held.reduce((total, each) => total + each[figure][of], 0);
  const share = (figure: 'loadTime' | 'ratio', of: 'byBand' | 'byWidened') => percent(sum(figure, of) / sum(figure, 'pairs'));
  const all = (figure: 'loadTime' | 'ratio') => [String(sum(figure, 'pairs')), '', '', share(figure, 'byBand'), share(figure, 'byWidened')];
  return [...rows, `| ${['all that another source could judge', ...all('loadTime'), ...all('ratio')].join(' | ')} |`];
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
