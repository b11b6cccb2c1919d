/** Loads of a made-up run whose truth is known. */
import { blockOrder } from '../../../../src/core/compare/block-order.ts';
import type { ComparableLoad, ComparedProfile } from '../../../../src/core/compare/comparison.ts';
import { type Random, seededRandom } from '../../../../src/core/random.ts';

export interface SimulatedProfile extends ComparedProfile {
  /** True efficiency, before the scenario's own factor. */
  readonly efficiency: number;
}

export interface SimulatedRun {
  readonly profiles: readonly SimulatedProfile[];
  readonly blocks: number;
  readonly seed: number;
  readonly scenarios?: number;
  /** Log noise of one load in one scenario; normal with standard deviation 0.03 unless said. */
  readonly noise?: (random: Random, scenario: number) => number;
}

export const BASELINE = 'firefox-default';

export function simulate({
  profiles,
  blocks,
  seed,
  scenarios = 4,
  noise = (random) => 0.03 * gaussian(random),
}: SimulatedRun): ComparableLoad[] {
  const random = seededRandom(seed);
  const places = Array.from({ length: scenarios }, (_, at) => ({ page: `page-${at >> 1}`, link: `link-${at & 1}` }));
  const plan = blockOrder({ profiles: profiles.map(({ id }) => id), scenarios: places, blocks, seed });
  return plan.map(({ profileId, page, link, block }) => {
    const scenario = places.findIndex((place) => place.page === page && place.link === link);
    const truth = profiles.find(({ id }) => id === profileId)?.efficiency ?? Number.NaN;
    const efficiency = truth * (1 + scenario / 10) * Math.exp(noise(random, scenario));
    return { profileId, page, link, block, valid: true, efficiency, loadTimeMs: 1000 / efficiency };
  });
}

/** Standard normal (Box & Muller 1958). */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

export function baseline(efficiency = 0.5): SimulatedProfile {
  return { id: BASELINE, carrier: 'none', role: 'baseline', depth: 1, efficiency };
}

export function direct(connections: number, efficiency: number): SimulatedProfile {
  return { id: `c${connections}-d1`, carrier: 'none', role: 'candidate', connections, depth: 1, efficiency };
}

export function gateway({ connections, depth, efficiency }: { connections: number; depth: number; efficiency: number }): SimulatedProfile {
  return { id: `c${connections}-d${depth}`, carrier: 'gateway', role: 'candidate', connections, depth, efficiency };
}

export function control(efficiency: number): SimulatedProfile {
  return { id: 'c6-d1-gateway', carrier: 'gateway', role: 'control', connections: 6, depth: 1, efficiency };
}
