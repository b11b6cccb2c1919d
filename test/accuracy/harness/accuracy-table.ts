/** What `npm run accuracy` prints, for people and for machines. */

import { type TextColumn, textTable } from '../../../src/core/text/text-table.ts';
import type { ScoredHalf, ScoredPredictor } from './evaluate.ts';
import type { ScenarioScore } from './score.ts';
import { correlationText, percent, signedPercent } from './table-figures.ts';

const HALF_WORDS = {
  calibration: 'Calibration half: the model may be fitted to it',
  reporting: 'Reporting half: nothing is fitted to it; these are the figures that count',
} as const;

const NOTES = [
  'Errors are absolute, of load time, each profile of each scenario counting once; bias above 0: predicted too slow. rho and tau-b: order of the',
  'profiles within a scenario, median over scenarios. best: the profile predicted fastest was measured within 3 % of the fastest.',
  '"machine unknown": the recipe and the link alone, without what the lab\'s machine adds. "one real load": each load as a prediction of the',
  'median of the other loads like it.',
] as const;
const LANTERN_NOTE = [
  'Lantern knows no connections, depth, uplink or loss: it predicts every profile the same, which counts as no order (0), and as its best',
  'profile found as often as one drawn at random. "as shipped" adds 2 round trips per server for its name; the lab needs none.',
] as const;

const COLUMNS: readonly TextColumn<ScoredPredictor>[] = [
  { heading: 'predicted by', align: 'left', cell: ({ what }) => what },
  { heading: 'pairs', align: 'right', cell: ({ score }) => String(score.pairs) },
  { heading: 'p50', align: 'right', cell: ({ score }) => percent(score.errorP50) },
  { heading: 'p90', align: 'right', cell: ({ score }) => percent(score.errorP90) },
  { heading: 'p95', align: 'right', cell: ({ score }) => percent(score.errorP95) },
  { heading: 'bias', align: 'right', cell: ({ score }) => signedPercent(score.bias) },
  { heading: 'rho', align: 'right', cell: ({ score }) => correlationText(score.spearman) },
  { heading: 'tau-b', align: 'right', cell: ({ score }) => correlationText(score.kendall) },
  { heading: 'best', align: 'right', cell: ({ score }) => (score.spearman === undefined ? '–' : percent(score.bestFound)) },
];

export function accuracyText(halves: readonly ScoredHalf[], { worst }: { readonly worst: number }): string {
  const blocks = halves.map(({ half, predictors, loads, scenarios }) => [
    `${HALF_WORDS[half]} (${scenarios.length} scenarios, ${loads} loads).`,
    '',
    ...textTable(predictors, COLUMNS),
    '',
  ]);
  const lantern = halves.some(({ predictors }) => predictors.some(({ what }) => what.startsWith('Lantern')));
  return [...blocks.flat(), ...NOTES, ...(lantern ? LANTERN_NOTE : []), '', ...worstLines(halves, worst)].join('\n');
}

function worstLines(halves: readonly ScoredHalf[], worst: number): readonly string[] {
  const rows = halves
    .flatMap(({ half, scenarios }) => scenarios.map((scenario) => ({ ...scenario, half })))
    .sort((a, b) => b.meanError - a.meanError)
    .slice(0, worst);
  if (rows.length === 0) return [];
  return [
    `Largest errors, of ${halves.flatMap(({ scenarios }) => scenarios).length} scenarios:`,
    '',
    ...textTable(rows, WORST_COLUMNS),
    '',
  ];
}

const WORST_COLUMNS: readonly TextColumn<ScenarioScore & { readonly half: string }>[] = [
  { heading: 'scenario', align: 'left', cell: ({ name }) => name },
  { heading: 'half', align: 'left', cell: ({ half }) => half },
  { heading: 'error', align: 'right', cell: ({ meanError }) => percent(meanError) },
  { heading: 'rho', align: 'right', cell: ({ spearman }) => correlationText(spearman) },
  { heading: 'shortfall', align: 'right', cell: ({ shortfall }) => percent(shortfall) },
  { heading: 'by profile', align: 'left', cell: ({ errors }) => profileErrors(errors) },
];

export const profileErrors = (errors: ScenarioScore['errors']): string =>
  errors.map(({ profileId, error }) => `${profileId} ${signedPercent(error)}`).join(', ');

/** @param worse - What is worse than the baseline, in lines. */
export function accuracyJson(halves: readonly ScoredHalf[], worse: readonly string[]): object {
  return {
    worse,
    halves: halves.map(({ half, loads, predictors, scenarios }) => ({
      half,
      loads,
      predictors: predictors.map(({ what, score }) => ({
        what,
        ...score,
        spearman: score.spearman ?? null,
        kendall: score.kendall ?? null,
      })),
      scenarios: scenarios.map((scenario) => ({
        ...scenario,
        spearman: scenario.spearman ?? null,
        kendall: scenario.kendall ?? null,
      })),
    })),
  };
}
