/** The plans of simulated trials: the defaults of real ones. */
import type { Random } from '../../../src/core/random.ts';
import { makeTrialPlan, type TrialPlan, type TrialPlanOptions } from '../../../src/core/trial/trial-plan.ts';
import type { SimulatedArm } from './everyday-truth.ts';
import { BASELINE } from './judge.ts';

export type PlanChoices = Pick<TrialPlanOptions, 'mostLoadsPerArm' | 'slotsPerTurn'>;

/** By arms and choices: how many loads it takes is reckoned anew by every plan. */
const plans = new Map<string, TrialPlan>();

/** The seed of the assignment is drawn. */
export function plannedTrial(arms: readonly SimulatedArm[], random: Random, choices: PlanChoices = {}): TrialPlan {
  const ids = arms.map(({ id }) => id);
  const key = JSON.stringify([ids, choices]);
  const plan =
    plans.get(key) ??
    makeTrialPlan({
      id: 'simulated',
      seed: 0,
      baseline: BASELINE,
      profiles: ids.map((id) => ({ id, carrier: 'none', role: id === BASELINE ? 'baseline' : 'candidate', depth: 1 })),
      live: true,
      createdAt: 0,
      ...choices,
    });
  plans.set(key, plan);
  return { ...plan, seed: random.integer(2 ** 32) };
}
