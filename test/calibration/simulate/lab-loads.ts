/** Loads of a lab run: randomised complete blocks, every profile once over every page and link in each. */
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import type { Random } from '../../../src/core/random.ts';
import { baseline, direct, simulate } from '../../unit/core/compare/simulated-run.ts';
import { normal } from './noise.ts';

export const LAB_CANDIDATE = 'c8-d1';
export const LAB_SCENARIOS = 4;
const EFFICIENCY = 0.5;

export interface LabTruth {
  readonly blocks: number;
  /** Log noise of one load, scenario by scenario. */
  readonly spreads: readonly number[];
  /** The candidate over the baseline; 1 unless said. */
  readonly ratio?: number;
}

export function labLoads({ blocks, spreads, ratio = 1 }: LabTruth, random: Random): readonly ComparableLoad[] {
  return simulate({
    profiles: [baseline(EFFICIENCY), direct(8, EFFICIENCY * ratio)],
    blocks,
    seed: random.integer(2 ** 32),
    scenarios: LAB_SCENARIOS,
    noise: (own, scenario) => (spreads[scenario] ?? 0) * normal(own),
  });
}
