/**
 * Efficiencies as they are compared. All loads of one page over one link are held against one ideal time, that of the page's median
 * bytes over all profiles, so that the ratio of two efficiencies is the inverse ratio of the load times. With its own bytes a load that
 * fetched more would count as more efficient at the same time.
 */
import { median } from '../stats/quantile.ts';
import type { ComparableLoad } from './comparison.ts';
import { scenarioNumbers } from './load-index.ts';

/** A load before it is held against the ideal of its page and link. */
export interface LoadWithIdeal extends Omit<ComparableLoad, 'efficiency'> {
  /** Of its own bytes, ms. `undefined`: its bytes or its link are unknown. */
  readonly idealTimeMs: number | undefined;
  /** Nothing came over the network: it is no load of the link, and has no efficiency. */
  readonly fromCache: boolean;
}

type WithEfficiency<T> = Omit<T, 'idealTimeMs' | 'fromCache'> & Pick<ComparableLoad, 'efficiency'>;

/**
 * The loads in their order, each with the efficiency it is compared by: the common ideal over its load time. It is not bounded by 1: a
 * load that was faster than the link's figures allow disproves the figures, which all profiles share, and must not be left out for
 * having been fast. `undefined`: the load has no load time, came from a cache, or no load of its page over its link has an ideal.
 */
export function withCommonIdeal<T extends LoadWithIdeal>(loads: readonly T[]): readonly WithEfficiency<T>[] {
  const scenarioOf = scenarioNumbers();
  const scenarios = loads.map(scenarioOf);
  const ideals = Array.from({ length: 1 + Math.max(-1, ...new Set(scenarios)) }, (): number[] => []);
  loads.forEach(({ valid, idealTimeMs, fromCache }, at) => {
    // The ideal is linear in the bytes, so the median of the ideals is the ideal of the median bytes.
    if (valid && !fromCache && idealTimeMs !== undefined) ideals[scenarios[at] ?? 0]?.push(idealTimeMs);
  });
  const common = ideals.map((own) => median(own));
  return loads.map((load, at) => {
    const ideal = load.fromCache ? undefined : common[scenarios[at] ?? 0];
    // What it was made of stays in it: to leave members out of a hundred thousand objects takes longer than all else here.
    return { ...load, efficiency: ideal === undefined || load.loadTimeMs === undefined ? undefined : ideal / load.loadTimeMs };
  });
}
