/** The table of docs/accuracy.md, between its marks. */
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { MIN_HELD, type RegimeError, regimeLabel } from '../../../src/core/predict/model-error.ts';
import { quantile } from '../../../src/core/stats/quantile.ts';
import type { ScoredHalf, ScoredPredictor } from './evaluate.ts';
import { CASE_HEADING, caseRow, nothingToGain, type ProductCase, RULE_HEADING, ruleOutcomes, ruleRow } from './product-cases.ts';
import { FIGURES, type JudgedBand, type JudgedPair, regimeErrors, shownBands, sizeOf, sourcesOf } from './regime-errors.ts';
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
  return `${text.slice(0, from + REGIMES_BEGIN.length)}\n\n${regimeTables(pairs).join('\n')}\n\n${text.slice(to)}`;
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

/** Markdown, as docs/accuracy.md has it. */
const REGIME_HEADING: readonly string[] = [
  '| regime | of | pairs | p50 | p90 | band wider by: below | above | bands held of other sources | shown |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];
const FIGURE_LABELS = { loadTime: 'load times', ratio: 'ratios', pacing: 'ratios, pacing changed' } as const;

export const regimeRows = (row: RegimeError): readonly string[] =>
  FIGURES.flatMap((figure) => {
    const error = row[figure];
    if (error === undefined) return [];
    const { pairs, errorP50, errorP90, below, above, held } = error;
    const cells = [
      pairs,
      percent(errorP50),
      percent(errorP90),
      percent(below),
      percent(above),
      held === undefined ? 'too few' : percent(held),
    ];
    return [`| ${[regimeLabel(row), FIGURE_LABELS[figure], ...cells, (held ?? 0) >= MIN_HELD ? 'yes' : 'no'].join(' | ')} |`];
  });

const SOURCE_HEADING: readonly string[] = [
  '| loads of | load times: pairs | p50 | p90 | bands held | ratios: pairs | p50 | p90 | bands held | of those that claim a change |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];

/** By regime and by source, as `npm run accuracy` prints them. */
export const regimeTables = (pairs: readonly JudgedPair[]): readonly string[] => [
  ...REGIME_HEADING,
  ...regimeErrors(pairs).flatMap(regimeRows),
  '',
  ...SOURCE_HEADING,
  ...sourceRows(pairs),
];

/** How far off predictions of each source were, and how many of the bands that users see held, by margins that know nothing of it. */
export function sourceRows(pairs: readonly JudgedPair[]): readonly string[] {
  const shown = shownBands(pairs);
  const row = (name: string, isIn: (source: string) => boolean) => {
    const [times, ratios] = [true, false].map((isTime) => {
      const isOwn = ({ source, figure }: JudgedPair) => isIn(source) && (figure === 'loadTime') === isTime;
      const sizes = pairs.filter(isOwn).map(sizeOf);
      const sorted = sizes.sort((a, b) => a - b);
      const errors = sizes.length === 0 ? ['–', '–'] : [quantile(sorted, 0.5), quantile(sorted, 0.9)].map(percent);
      const bands = shown.filter(({ pair }) => isOwn(pair));
      const claims = bands.filter(({ isClaim }) => isClaim);
      return [String(sizes.length), ...errors, heldText(bands), ...(isTime ? [] : [heldText(claims)])];
    });
    return `| ${[name, ...(times ?? []), ...(ratios ?? [])].join(' | ')} |`;
  };
  return [...sourcesOf(pairs).map((source) => row(source, (each) => each === source)), row('all', () => true)];
}

const heldText = (bands: readonly JudgedBand[]): string =>
  bands.length === 0 ? '–' : `${bands.filter(({ isHeld }) => isHeld).length} of ${bands.length}`;

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
