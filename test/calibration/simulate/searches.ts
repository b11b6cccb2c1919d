/** Whole searches by the product's own rounds, their screening given: loads are drawn, everything else is `searchRounds`. */
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import { profileOf } from '../../../src/core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../../src/core/profiles/profile.ts';
import type { Random } from '../../../src/core/random.ts';
import type { SearchAnswer } from '../../../src/core/search/search-record.ts';
import { type SearchOrder, searchRounds } from '../../../src/core/search/search-rounds.ts';
import { normal } from './noise.ts';

export interface SearchTruth {
  /** Speed of each candidate over Firefox's own settings, in the order of the screening. */
  readonly ratios: readonly number[];
  /** Log noise of one load, scenario by scenario. */
  readonly spreads: readonly number[];
  /** What all loads of a block on a page over a link share, besides: of the weather. */
  readonly blockSpread?: number;
  /** Two loads of five are slower by this share, as where chance loses the packet that matters. */
  readonly slowBy?: number;
  /** Loads in all, those of the confirmation among them: what six minutes came to on a page of 1.5 s. */
  readonly loads?: number;
}

/** Six minutes on a page of a second and a half. */
const LOADS = 90;

/** Candidates that differ in nothing but a number. */
export const candidateOf = (at: number): Profile =>
  profileOf({ depth: 1, preferences: { 'network.http.max-persistent-connections-per-server': 7 + at } });

/** @returns the answer of one search. */
export function simulatedSearch(
  { ratios, spreads, blockSpread = 0.05, slowBy = 0, loads = LOADS }: SearchTruth,
  random: Random,
): SearchAnswer {
  const speeds = new Map([[BASELINE_ID, 1], ...ratios.map((ratio, at) => [candidateOf(at).id, ratio] as const)]);
  const make = ({ arms, firstBlock, blocks }: SearchOrder): readonly ComparableLoad[] =>
    Array.from({ length: blocks }, (_, own) =>
      spreads.flatMap((spread, scenario) => {
        const weather = blockSpread * normal(random);
        return arms.map(({ id }): ComparableLoad => {
          const slow = random.next() < 0.4 ? Math.log1p(slowBy) : 0;
          const loadTimeMs = (1000 / (speeds.get(id) ?? 1)) * Math.exp(weather + spread * normal(random) + slow);
          const place = { profileId: id, page: `page-${scenario}`, link: 'link', block: firstBlock + own };
          return { ...place, valid: true, efficiency: 100 / loadTimeMs, loadTimeMs };
        });
      }),
    ).flat();
  const rounds = searchRounds({ candidates: ratios.map((_, at) => candidateOf(at)), scenarios: spreads.length, loads });
  let left = loads;
  let step = rounds.next();
  while (step.done !== true) {
    const made = make(step.value);
    left -= made.length;
    step = rounds.next({ loads: made, loadsLeft: Math.max(0, left), interrupted: false });
  }
  return step.value.answer;
}
