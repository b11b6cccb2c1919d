/** The committed figures that a model may not fall behind, and what tells that it did. */
import * as v from 'valibot';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { profileErrors } from './accuracy-table.ts';
import { type ScoredHalf, SIMULATOR } from './evaluate.ts';
import { HALVES } from './halves.ts';
import { correlationText, percent } from './table-figures.ts';

export const BASELINE_FILE = 'test/fixtures/accuracy-baseline.json';

const figure = v.pipe(v.number(), v.finite());
const halfFigures = v.object({
  scenarios: figure,
  pairs: figure,
  errorP50: figure,
  errorP90: figure,
  errorP95: figure,
  bias: figure,
  spearman: v.nullable(figure),
  kendall: v.nullable(figure),
  bestFound: figure,
});
const scenarioFigures = v.object({
  half: v.picklist(HALVES),
  meanError: figure,
  bias: figure,
  spearman: v.nullable(figure),
  kendall: v.nullable(figure),
  bestFound: figure,
  /** By profile. */
  errors: v.record(v.string(), figure),
});
const baseline = v.object({
  calibration: halfFigures,
  reporting: halfFigures,
  scenarios: v.record(v.string(), scenarioFigures),
});
export type Baseline = v.InferOutput<typeof baseline>;
type HalfFigures = v.InferOutput<typeof halfFigures>;

/** @throws PlumbfoxError bad-input when it is no baseline. */
export function parseBaseline(content: string): Baseline {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    json = undefined;
  }
  const result = v.safeParse(baseline, json);
  if (result.success) return result.output;
  throw new PlumbfoxError('bad-input', `${BASELINE_FILE} is no baseline (${result.issues[0]?.message}): npm run accuracy -- --write`);
}

/** To a hundredth of a percent: finer would change with the machine. */
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 + 0;
const roundedOrNull = (value: number | undefined): number | null => (value === undefined ? null : rounded(value));

export function baselineOf(halves: readonly ScoredHalf[]): Baseline {
  const [calibration, reporting] = HALVES.map((half) => halfFiguresOf(halves, half));
  const scenarios = halves.flatMap(({ half, scenarios: scored }) =>
    scored.map(
      ({ name, meanError, bias, spearman, kendall, bestFound, errors }) =>
        [
          name,
          {
            half,
            meanError: rounded(meanError),
            bias: rounded(bias),
            spearman: roundedOrNull(spearman),
            kendall: roundedOrNull(kendall),
            bestFound: rounded(bestFound),
            errors: Object.fromEntries(errors.map(({ profileId, error }) => [profileId, rounded(error)])),
          },
        ] as const,
    ),
  );
  return {
    calibration: calibration as HalfFigures,
    reporting: reporting as HalfFigures,
    scenarios: Object.fromEntries(scenarios.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function halfFiguresOf(halves: readonly ScoredHalf[], half: (typeof HALVES)[number]): HalfFigures {
  const score = halves.find((each) => each.half === half)?.predictors.find(({ what }) => what === SIMULATOR)?.score;
  if (score === undefined) throw new PlumbfoxError('bad-input', `The corpus has no scenario in its ${half} half`);
  const { scenarios, pairs, errorP50, errorP90, errorP95, bias, spearman, kendall, bestFound } = score;
  return {
    scenarios,
    pairs,
    errorP50: rounded(errorP50),
    errorP90: rounded(errorP90),
    errorP95: rounded(errorP95),
    bias: rounded(bias),
    spearman: roundedOrNull(spearman),
    kendall: roundedOrNull(kendall),
    bestFound: rounded(bestFound),
  };
}

/** A figure over a half may be so much worse, which is rounding; a scenario's mean error so much, as another may gain by it. */
const HALF_SLACK = 0.0005;
const SCENARIO_SLACK = 0.01;

/** The figures of a half, and which way is worse. */
const HALF_FIGURES = [
  ['errorP50', 'error p50', 1, percent],
  ['errorP90', 'error p90', 1, percent],
  ['errorP95', 'error p95', 1, percent],
  ['spearman', 'rho', -1, correlationText],
  ['kendall', 'tau-b', -1, correlationText],
  ['bestFound', 'best found', -1, percent],
] as const;

/**
 * What is worse than the baseline, a line each, the scenarios that moved most below; empty: nothing.
 * A corpus with other scenarios or profiles than the baseline's is worse until the baseline is written anew.
 */
export function worseThan(before: Baseline, now: Baseline): readonly string[] {
  const other = otherScenarios(before, now);
  if (other.length > 0) return [...other, 'The corpus is not the one of the baseline: npm run accuracy -- --write'];
  const halves = HALVES.flatMap((half) =>
    HALF_FIGURES.flatMap(([name, words, sign, text]) => {
      const [was, is] = [before[half][name], now[half][name]];
      const worse = was === null ? 0 : sign * ((is ?? 0) - was);
      return worse > HALF_SLACK ? [`${half} half: ${words} ${was === null ? '–' : text(was)} -> ${is === null ? '–' : text(is)}`] : [];
    }),
  );
  const changes = Object.entries(now.scenarios)
    .map(([name, scenario]) => ({ name, scenario, was: before.scenarios[name] as Baseline['scenarios'][string] }))
    .map((change) => ({ ...change, by: change.scenario.meanError - change.was.meanError }))
    .sort((a, b) => b.by - a.by);
  const bad = changes.filter(({ by }) => by > SCENARIO_SLACK);
  if (halves.length === 0 && bad.length === 0) return [];
  const shown = bad.length > 0 ? bad : changes.filter(({ by }) => by > 0);
  return [...halves, ...shown.map(scenarioLine)];
}

interface Change {
  readonly name: string;
  readonly scenario: Baseline['scenarios'][string];
  readonly was: Baseline['scenarios'][string];
}

function scenarioLine({ name, scenario, was }: Change): string {
  const listed = (errors: Readonly<Record<string, number>>) =>
    profileErrors(Object.entries(errors).map(([profileId, error]) => ({ profileId, error })));
  return [
    `${name} (${scenario.half}): mean error ${percent(was.meanError)} -> ${percent(scenario.meanError)}`,
    `  was: ${listed(was.errors)}`,
    `  now: ${listed(scenario.errors)}`,
  ].join('\n');
}

function otherScenarios(before: Baseline, now: Baseline): readonly string[] {
  const cells = ({ scenarios }: Baseline) =>
    Object.entries(scenarios).flatMap(([name, { half, errors }]) => Object.keys(errors).map((id) => `${name} ${id} (${half} half)`));
  const [was, is] = [cells(before), cells(now)];
  return [
    ...was.filter((cell) => !is.includes(cell)).map((cell) => `gone: ${cell}`),
    ...is.filter((cell) => !was.includes(cell)).map((cell) => `new: ${cell}`),
  ];
}
