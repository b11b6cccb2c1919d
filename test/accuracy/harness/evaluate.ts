/** Every scenario of the corpus predicted and scored, by half, beside what there is to compare with. */

import { BASELINE_ID } from '../../../src/core/profiles/profile.ts';
import type { Prediction } from '../../../src/core/simulate/prediction.ts';
import { HALVES, type Half } from './halves.ts';
import { type LabMachine, machineOf } from './lab-machine.ts';
import { type MeasuredScenario, measuredMs } from './measured-scenario.ts';
import { predictOnAnyMachine, predictScenario } from './predict-scenario.ts';
import {
  type AccuracyScore,
  repeatsAsPredictions,
  type ScenarioScore,
  type ScenarioToScore,
  scoreAccuracy,
  scoreScenario,
} from './score.ts';

/** Predicted load times in ms, by profile. */
export type Predictor = (scenario: MeasuredScenario) => ReadonlyMap<string, number>;

/** Something that says load times, and how good it is at it. */
export interface ScoredPredictor {
  readonly what: string;
  readonly score: AccuracyScore;
}

export interface ScoredHalf {
  readonly half: Half;
  /** The first is the simulator over all profiles. */
  readonly predictors: readonly ScoredPredictor[];
  readonly loads: number;
  /** Of the simulator. */
  readonly scenarios: readonly ScenarioScore[];
}

export const SIMULATOR = 'Plumbfox';
/** The simulator told of nothing but recipe and link. */
export const ANY_MACHINE = 'Plumbfox, machine unknown';
const ONE_LOAD = 'one real load';

const loadTimes = (predictions: readonly Prediction[]): ReadonlyMap<string, number> =>
  new Map(predictions.map(({ profileId, loadTimeMs }) => [profileId, loadTimeMs]));

/** The simulator, as `predictScenario` asks it. */
export const simulator =
  (machine: (scenario: MeasuredScenario) => LabMachine = machineOf): Predictor =>
  (scenario) =>
    loadTimes(predictScenario(scenario, machine(scenario)));

export const simulatorOnAnyMachine: Predictor = (scenario) => loadTimes(predictOnAnyMachine(scenario));

export interface EvaluateOptions {
  /** What is judged; the simulator unless given. */
  readonly predictor?: Predictor;
  /** What it is compared with, by what it is called. */
  readonly others?: ReadonlyMap<string, Predictor>;
}

export function evaluate(scenarios: readonly MeasuredScenario[], options: EvaluateOptions = {}): readonly ScoredHalf[] {
  return HALVES.map((half) =>
    scoreHalf(
      half,
      scenarios.filter((scenario) => scenario.half === half),
      options,
    ),
  );
}

function scoreHalf(half: Half, scenarios: readonly MeasuredScenario[], options: EvaluateOptions): ScoredHalf {
  const { predictor = simulator(), others = new Map<string, Predictor>() } = options;
  const judged = scenarios.map((scenario) => toScore(scenario, predictor));
  const turns = scenarios.flatMap((scenario) => repeatsAsPredictions(repeatsOf(scenario)));
  const predictors = [
    ...scored(SIMULATOR, judged),
    ...scored(ONE_LOAD, turns),
    ...[...others].flatMap(([what, other]) =>
      scored(
        what,
        scenarios.map((scenario) => toScore(scenario, other)),
      ),
    ),
  ];
  const loads = scenarios.flatMap(({ profiles }) => profiles.flatMap((profile) => profile.loads)).length;
  return { half, predictors, loads, scenarios: judged.map(scoreScenario) };
}

function toScore({ name, profiles, ...scenario }: MeasuredScenario, predictor: Predictor): ScenarioToScore {
  const predicted = predictor({ name, profiles, ...scenario });
  return {
    name,
    profiles: profiles.map((profile) => ({
      profileId: profile.profileId,
      predictedMs: predicted.get(profile.profileId) ?? Number.NaN,
      measuredMs: measuredMs(profile),
    })),
  };
}

/** Over all profiles, and over Firefox as it ships alone; nothing where there is nothing to score. */
function scored(what: string, scenarios: readonly ScenarioToScore[]): readonly ScoredPredictor[] {
  const defaults = scenarios
    .map((scenario) => ({ ...scenario, profiles: scenario.profiles.filter(({ profileId }) => profileId === BASELINE_ID) }))
    .filter(({ profiles }) => profiles.length > 0);
  return [
    { what, of: scenarios },
    { what: `${what}, ${BASELINE_ID} only`, of: defaults },
  ].flatMap((each) => (each.of.length === 0 ? [] : [{ what: each.what, score: scoreAccuracy(each.of.map(scoreScenario)) }]));
}

const repeatsOf = ({ name, profiles }: MeasuredScenario) => ({
  name,
  profiles: profiles.map(({ profileId, loads }) => ({ profileId, loadTimesMs: loads.map(({ loadTimeMs }) => loadTimeMs) })),
});
