/** Runs as `tune` makes them: every profile once over every page and link in each block, its blocks planned, compared by its own path and defaults. */
import { compareProfiles } from '../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad, VersusBaseline } from '../../../src/core/compare/comparison.ts';
import type { Random } from '../../../src/core/random.ts';
import { BASELINE } from './judge.ts';
import { normal } from './noise.ts';

export interface TuneTruth {
  readonly profiles: number;
  readonly scenarios: number;
  /** ln of a load's time over its scenario's, baseline first. */
  readonly logTime: (random: Random, of: { readonly profile: number; readonly scenario: number }) => number;
}

/** As in the lab, page by page. */
export const SPREADS: readonly number[] = [0.03, 0.05, 0.07, 0.1];

/** The second profile better by `gains`, page by page. */
export function plantedTruth({ profiles, gains }: { readonly profiles: number; readonly gains: readonly number[] }): TuneTruth {
  return {
    profiles,
    scenarios: SPREADS.length,
    logTime: (random, { profile, scenario }) =>
      (SPREADS[scenario] ?? 0) * normal(random) - (profile === 1 ? Math.log1p(gains[scenario] ?? 0) : 0),
  };
}

const TYPICAL_MS = 1000;
const IDEAL_MS = 300;

/** The loads of one block. */
export function tuneBlock({ profiles, scenarios, logTime }: TuneTruth, block: number, random: Random): readonly ComparableLoad[] {
  return Array.from({ length: scenarios * profiles }, (_, at) => {
    const [scenario, profile] = [Math.floor(at / profiles), at % profiles];
    const loadTimeMs = TYPICAL_MS * Math.exp(logTime(random, { profile, scenario }));
    return {
      profileId: idOf(profile),
      page: `page-${scenario}`,
      link: 'link',
      block,
      valid: true,
      efficiency: IDEAL_MS / loadTimeMs,
      loadTimeMs,
    };
  });
}

const idOf = (profile: number): string => (profile === 0 ? BASELINE : `c${6 + profile}-d1`);

/** On the candidates, in their order, as `buildReport` compares a run of so many planned blocks. */
export function tuneVerdicts(loads: readonly ComparableLoad[], plannedBlocks: number): readonly VersusBaseline[] {
  return compareProfiles(loads, { baseline: BASELINE, plannedBlocks })
    .profiles.slice(1)
    .map(({ versusBaseline }) => versusBaseline);
}
