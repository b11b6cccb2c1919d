/**
 * Loads that were lost, in everyday browsing. Pages are visited as it comes, so that a page of which one profile has no load that can be
 * used is no fault, as it would be in a run that planned it: it is left out for that profile. Losing many loads is one.
 */
import type { ComparableLoad } from '../compare/comparison.ts';
import { MOST_LOST_SHARE } from '../compare/thresholds.ts';
import type { ComparableFigures } from './comparable-figures.ts';

export interface UsableLoads {
  /** Of pages and links where their profile has a load that can be used. */
  readonly loads: readonly ComparableLoad[];
  /** What is wrong with a profile's loads, in plain words. */
  readonly faultOf: (profileId: string) => string | undefined;
}

export function usableLoads({ loads, scenarios }: Pick<ComparableFigures, 'loads' | 'scenarios'>): UsableLoads {
  const withUsable = new Set<number | undefined>();
  const counts = new Map<string, { usable: number; all: number }>();
  for (const [at, load] of loads.entries()) {
    const own = counts.get(load.profileId) ?? { usable: 0, all: 0 };
    counts.set(load.profileId, own);
    own.all += 1;
    if (!isUsable(load)) continue;
    own.usable += 1;
    withUsable.add(scenarios[at]);
  }
  return {
    loads: loads.filter((_, at) => withUsable.has(scenarios[at])),
    faultOf: (profileId) => {
      const { usable, all } = counts.get(profileId) ?? { usable: 0, all: 0 };
      if (all === 0 || (all - usable) / all <= MOST_LOST_SHARE) return undefined;
      return `${all - usable} of the ${all} loads of ${profileId} are void or without an efficiency`;
    },
  };
}

const isUsable = ({ valid, efficiency }: ComparableLoad): boolean => valid && efficiency !== undefined;
