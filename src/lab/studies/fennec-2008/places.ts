/** Places of the 2008 study by connections per server, and how close neighbours are. Pure. */

import type { ProfileRanks } from '../../../core/compare/rank-scenarios-result.ts';
import { mean } from '../../../core/stats/mean.ts';
import { median } from '../../../core/stats/quantile.ts';
import { counted, percent } from '../../../core/text/figures.ts';
import { orderedIn, type RankedStudy } from './scenarios.ts';

export interface ConnectionPlaces {
  readonly connections: number;
  readonly profiles: number;
  /** Top-quartile places of a profile, arithmetic mean. */
  readonly placesEach: number;
}

/** Fewest connections first. A sum would count profiles as well: there are four with 2 to 5 connections each, and one with 1 and with 6. */
export function placesByConnections({ profiles, ranking }: RankedStudy): readonly ConnectionPlaces[] {
  const placesOf = new Map<number, number[]>();
  for (const { id, topQuartile } of ranking.profiles) {
    const connections = profiles.find((profile) => profile.id === id)?.connections;
    if (connections !== undefined) placesOf.set(connections, [...(placesOf.get(connections) ?? []), topQuartile]);
  }
  return [...placesOf]
    .sort(([a], [b]) => a - b)
    .map(([connections, places]) => ({ connections, profiles: places.length, placesEach: mean(places) }));
}

/** `0 with 1 connection (1 profile), 10.3 with 2 (4 profiles)`. */
export function placesInWords(ranked: RankedStudy): string {
  return placesByConnections(ranked)
    .map(
      ({ connections, profiles, placesEach }, at) =>
        `${placesEach.toFixed(1).replace(/\.0$/, '')} with ${at === 0 ? counted(connections, 'connection') : connections} (${counted(profiles, 'profile')})`,
    )
    .join(', ');
}

/** The first so many by a count, and whoever is level with the last of them: `c4-d2 7, c6-d4 7, c5-d8 5, c2-d8 5`. */
export function mostOf(profiles: readonly ProfileRanks[], count: 'firsts' | 'topQuartile', named = 3): string {
  const ordered = [...profiles].sort((a, b) => b[count] - a[count]);
  const least = ordered[Math.min(named, ordered.length) - 1]?.[count] ?? 0;
  return ordered
    .filter((each) => each[count] >= least)
    .map((each) => `${each.id} ${each[count]}`)
    .join(', ');
}

/** By how much the first of a scenario is ahead of the second, the middle one of all scenarios: `1.1 %`; `undefined`: nobody is second. */
export function leadInWords({ scenarios, profiles }: RankedStudy): string | undefined {
  const leads = scenarios.flatMap((scenario) => {
    const [first, second] = orderedIn(scenario, profiles);
    return first === undefined || second === undefined ? [] : [first[1] / second[1] - 1];
  });
  const middle = median(leads);
  return middle === undefined ? undefined : percent(middle);
}
