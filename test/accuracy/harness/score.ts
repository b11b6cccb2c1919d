/** How far predicted load times were from measured ones, and whether they put the profiles into the measured order. */
import { MEANINGFUL_CHANGE } from '../../../src/core/compare/thresholds.ts';
import { PlumbfoxError } from '../../../src/core/errors.ts';
import { mean } from '../../../src/core/stats/mean.ts';
import { median, quantile } from '../../../src/core/stats/quantile.ts';
import { kendallTauB, spearmanRho } from '../../support/stats/rank-correlation.ts';

/** One profile on one page over one link. */
interface PredictedAndMeasured {
  readonly profileId: string;
  /** Load times, ms, above 0. */
  readonly predictedMs: number;
  readonly measuredMs: number;
}

/** One page over one link. */
export interface ScenarioToScore {
  readonly name: string;
  /** At least one, each once. */
  readonly profiles: readonly PredictedAndMeasured[];
}

export interface ScenarioScore {
  readonly name: string;
  /** Predicted / measured - 1, in the order of the profiles. */
  readonly errors: readonly { readonly profileId: string; readonly error: number }[];
  /** Mean absolute error of the profiles. */
  readonly meanError: number;
  /** Mean error: above 0 where predictions are too slow. */
  readonly bias: number;
  /** Spearman's rho across the profiles, in [-1, 1]; 0 where all are predicted equal; `undefined` with one profile, or all measured equal. */
  readonly spearman: number | undefined;
  /** Kendall's tau-b, the same way. */
  readonly kendall: number | undefined;
  /** Share of the profiles predicted fastest that were measured within `CLOSE_TO_BEST` of the fastest measured: 0 or 1 unless several tie. */
  readonly bestFound: number;
  /** Measured load time of the profile predicted fastest over the fastest measured, less 1; their mean where several tie. */
  readonly shortfall: number;
}

/** Figures over all scenarios. Errors are absolute, each profile of each scenario counting once. */
export interface AccuracyScore {
  readonly scenarios: number;
  /** Pairs of prediction and measurement. */
  readonly pairs: number;
  readonly errorP50: number;
  readonly errorP90: number;
  readonly errorP95: number;
  readonly bias: number;
  /** Medians over the scenarios in which the profiles have an order; `undefined` without any. */
  readonly spearman: number | undefined;
  readonly kendall: number | undefined;
  /** Mean over the scenarios. */
  readonly bestFound: number;
}

/** A profile measured so little slower than the fastest is as good. */
const CLOSE_TO_BEST = MEANINGFUL_CHANGE;
/** Predictions that differ by no more than rounding are equal, ms. Our own choice: far below what any clock of a browser tells. */
const SAME_MS = 1e-6;

/** @throws PlumbfoxError bad-input without a profile, for a load time that is no positive number, or a profile named twice. */
export function scoreScenario(scenario: ScenarioToScore): ScenarioScore {
  requireScorable(scenario);
  const { name, profiles } = scenario;
  const errors = profiles.map(({ profileId, predictedMs, measuredMs }) => ({ profileId, error: predictedMs / measuredMs - 1 }));
  const fastestMs = Math.min(...profiles.map(({ measuredMs }) => measuredMs));
  const predictedFastestMs = Math.min(...profiles.map(({ predictedMs }) => predictedMs));
  const shortfalls = profiles
    .filter(({ predictedMs }) => predictedMs <= predictedFastestMs + SAME_MS)
    .map(({ measuredMs }) => measuredMs / fastestMs - 1);
  return {
    name,
    errors,
    meanError: mean(errors.map(({ error }) => Math.abs(error))),
    bias: mean(errors.map(({ error }) => error)),
    spearman: correlation(profiles, spearmanRho),
    kendall: correlation(profiles, kendallTauB),
    bestFound: shortfalls.filter((shortfall) => shortfall <= CLOSE_TO_BEST).length / shortfalls.length,
    shortfall: mean(shortfalls),
  };
}

/** @throws PlumbfoxError bad-input without a scenario. */
export function scoreAccuracy(scenarios: readonly ScenarioScore[]): AccuracyScore {
  if (scenarios.length === 0)
    throw new PlumbfoxError('bad-input', 'Accuracy needs at least one scenario with predictions and measurements');
  const errors = scenarios.flatMap((scenario) => scenario.errors.map(({ error }) => error));
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  return {
    scenarios: scenarios.length,
    pairs: errors.length,
    errorP50: quantile(sizes, 0.5),
    errorP90: quantile(sizes, 0.9),
    errorP95: quantile(sizes, 0.95),
    bias: mean(errors),
    spearman: medianOf(scenarios.map(({ spearman }) => spearman)),
    kendall: medianOf(scenarios.map(({ kendall }) => kendall)),
    bestFound: mean(scenarios.map(({ bestFound }) => bestFound)),
  };
}

function correlation(profiles: readonly PredictedAndMeasured[], of: typeof spearmanRho): number | undefined {
  const measured = profiles.map(({ measuredMs }) => measuredMs);
  if (measured.every((ms) => ms === measured[0])) return undefined;
  // To the precision of SAME_MS, so that rounding makes no order.
  const predicted = profiles.map(({ predictedMs }) => Math.round(predictedMs / SAME_MS));
  return of(predicted, measured) ?? 0;
}

function requireScorable({ name, profiles }: ScenarioToScore): void {
  if (profiles.length === 0) throw new PlumbfoxError('bad-input', `Scenario "${name}" has no profile to score`);
  const ids = new Set<string>();
  for (const { profileId, predictedMs, measuredMs } of profiles) {
    if (ids.has(profileId)) throw new PlumbfoxError('bad-input', `Scenario "${name}" has profile "${profileId}" twice`);
    ids.add(profileId);
    for (const ms of [predictedMs, measuredMs]) {
      if (!(ms > 0 && Number.isFinite(ms))) {
        throw new PlumbfoxError('bad-input', `Scenario "${name}", profile "${profileId}": a load time must be above 0 ms, not ${ms}`);
      }
    }
  }
}

const medianOf = (values: readonly (number | undefined)[]): number | undefined => median(values.filter((value) => value !== undefined));

/** One page over one link, each profile loaded several times. */
interface RepeatedScenario {
  readonly name: string;
  readonly profiles: readonly {
    readonly profileId: string;
    /** In the order of the loads: what stands at one place was measured in one turn. */
    readonly loadTimesMs: readonly number[];
  }[];
}

/**
 * Every turn that all profiles took, once, in the role of a prediction: the load of each profile in that turn against the median of that
 * profile's other loads. Turns of some profiles only are left out as predictions, or what was measured more often because it was
 * unsteady would count for more; a profile with a single load takes no part.
 * @returns as many scenarios to score as there were such turns.
 */
export function repeatsAsPredictions({ name, profiles }: RepeatedScenario): readonly ScenarioToScore[] {
  const repeated = profiles.filter(({ loadTimesMs }) => loadTimesMs.length > 1);
  if (repeated.length === 0) return [];
  const turns = Math.min(...repeated.map(({ loadTimesMs }) => loadTimesMs.length));
  return Array.from({ length: turns }, (_, turn) => ({
    name: `${name}, turn ${turn + 1}`,
    profiles: repeated.flatMap(({ profileId, loadTimesMs }): PredictedAndMeasured[] => {
      const predictedMs = loadTimesMs[turn];
      const measuredMs = median(loadTimesMs.toSpliced(turn, 1));
      return predictedMs === undefined || measuredMs === undefined ? [] : [{ profileId, predictedMs, measuredMs }];
    }),
  }));
}
