/** How far predictions are off by regime: what carries the requests, whether packets are dropped, and whether the machine is known. */
import type { Regime, RegimeError } from '../../../src/core/simulate/model-error.ts';
import { regimeOf } from '../../../src/core/simulate/model-error.ts';
import type { Prediction } from '../../../src/core/simulate/prediction.ts';
import { quantile } from '../../../src/core/stats/quantile.ts';
import { type MeasuredScenario, measuredMs } from './measured-scenario.ts';
import { predictOnAnyMachine, predictScenario } from './predict-scenario.ts';

interface Pair {
  readonly regime: Regime;
  readonly error: number;
}

/** Of the reporting half, in a fixed order; a regime without a pair is left out. */
export function regimeErrors(scenarios: readonly MeasuredScenario[]): readonly RegimeError[] {
  const reporting = scenarios.filter(({ half }) => half === 'reporting');
  const pairs = [
    ...reporting.flatMap((scenario) => pairsOf(scenario, predictOnAnyMachine(scenario), 'unknown')),
    ...reporting.flatMap((scenario) => pairsOf(scenario, predictScenario(scenario), 'known')),
  ];
  const keyOf = ({ carrier, loss, machine }: Regime) => `${machine} ${carrier} ${loss}`;
  return [...new Set(pairs.map(({ regime }) => keyOf(regime)))].sort().map((key) => {
    const own = pairs.filter(({ regime }) => keyOf(regime) === key);
    const sizes = own.map(({ error }) => Math.abs(error)).sort((a, b) => a - b);
    const [first] = own as [Pair, ...Pair[]];
    return { ...first.regime, pairs: own.length, errorP50: rounded(quantile(sizes, 0.5)), errorP90: rounded(quantile(sizes, 0.9)) };
  });
}

function pairsOf({ profiles }: MeasuredScenario, predictions: readonly Prediction[], machine: Regime['machine']): readonly Pair[] {
  return profiles.flatMap((profile) => {
    const prediction = predictions.find(({ profileId }) => profileId === profile.profileId);
    if (prediction === undefined) return [];
    return [{ regime: { ...regimeOf(prediction), machine }, error: prediction.loadTimeMs / measuredMs(profile) - 1 }];
  });
}

/** To a hundredth of a percent: finer would change with the machine. */
const rounded = (error: number): number => Number(error.toFixed(4));
