/**
 * The memo's own rule by places, as its study of 2008 picked {4,6}: who is most often in the top quartile leads (firsts by themselves may be luck:
 * there {5,6} had 9 of them, {4,6} had 8 but 30 places in the top quartile against 27); as a connection costs far more memory than a deeper
 * pipeline, a profile with fewer connections is preferred where the places are that close. It describes what the memo did. What Plumbfox
 * recommends rests on intervals (`core/compare/recommend.ts`).
 */
import type { ComparedProfile, ProfileRanks, ScenarioRanking } from '../../../core/compare/comparison.ts';
import { MEANINGFUL_CHANGE } from '../../../core/compare/thresholds.ts';
import { cheapestLevel, memoryCost } from '../../../core/profiles/compare-cost.ts';
import { counted } from '../../../core/text/figures.ts';
import { type RankedStudy, rankEfficiencies } from './scenarios.ts';

/** `best`: the pick leads by its places; `cost`: it is level with the one that does, and costs less. */
export type MemoPick =
  | { readonly state: 'picked'; readonly profileId: string; readonly by: 'best' | 'cost'; readonly best: string; readonly reason: string }
  | { readonly state: 'none'; readonly reason: string };

/**
 * How close in top-quartile places two profiles are level, so that the cheaper is picked: the memo's own {4,6} and {5,6} had 30 and 27 of
 * them, and its "memory cost of a new TCP connection" decided for the former.
 */
const LEVEL_PLACES = 27 / 30;

/** A profile that is so much less efficient than the leader is no tie, however close its places. Chosen, not measured. */
const TOO_FAR = 0.1;

interface Placed {
  readonly profile: ComparedProfile;
  readonly ranks: ProfileRanks;
}

/**
 * Only of profiles with a place in every scenario: one that was not measured on the hard pages looks better than it is.
 * @param isLevel - `levelInPlaces` unless given.
 */
export function memoPick(
  { profiles: ordered, scenarios }: ScenarioRanking,
  profiles: readonly ComparedProfile[],
  isLevel: LevelWith = levelInPlaces,
): MemoPick {
  if (scenarios === 0) return { state: 'none', reason: 'No page and link has figures of two profiles yet.' };
  const placed = ordered
    .filter(({ ranked }) => ranked === scenarios)
    .flatMap((ranks): readonly Placed[] => {
      const profile = profiles.find(({ id }) => id === ranks.id);
      return profile === undefined ? [] : [{ profile, ranks }];
    });
  // They come best by places first.
  const choice = cheapestLevel(placed, {
    costOf: ({ profile }) => profile,
    gainOf: (each) => -placed.indexOf(each),
    isLevel: (each, leader) => isLevel(each.ranks, leader.ranks),
  });
  if (choice === undefined) return { state: 'none', reason: 'No profile has a figure on every page and link yet.' };
  const { best, chosen: pick } = choice;
  const by = pick === best ? 'best' : 'cost';
  return { state: 'picked', profileId: pick.profile.id, by, best: best.profile.id, reason: reasonOf({ pick, best, placed, scenarios }) };
}

/** Whether a profile is so close to the leader by places that its cost decides. */
type LevelWith = (ranks: ProfileRanks, leader: ProfileRanks) => boolean;

const levelInPlaces: LevelWith = (ranks, leader) =>
  ranks.topQuartile >= LEVEL_PLACES * leader.topQuartile && isWithin(TOO_FAR, ranks, leader);

/** Simulated loads repeat exactly, so places would separate figures whose difference no user would notice. */
export const levelInEfficiency: LevelWith = (ranks, leader) => isWithin(MEANINGFUL_CHANGE, ranks, leader);

const isWithin = (margin: number, { meanEfficiency: own = 0 }: ProfileRanks, { meanEfficiency: best = 0 }: ProfileRanks): boolean =>
  own > best * (1 - margin);

interface ReasonInput {
  readonly pick: Placed;
  readonly best: Placed;
  readonly placed: readonly Placed[];
  readonly scenarios: number;
}

function reasonOf({ pick, best, placed, scenarios }: ReasonInput): string {
  const own = `${pick.profile.id} is in the top quartile in ${pick.ranks.topQuartile} of ${counted(scenarios, 'scenario')} and first in ${pick.ranks.firsts}`;
  if (pick !== best) {
    const places = `in the top quartile in ${best.ranks.topQuartile}, first in ${best.ranks.firsts}`;
    return `${own}; ${best.profile.id} (${places}) is level with it and costs more: ${costDifference(best.profile, pick.profile)}.`;
  }
  const rival = [...placed].sort((a, b) => b.ranks.firsts - a.ranks.firsts).find(({ ranks }) => ranks.firsts > pick.ranks.firsts);
  if (rival === undefined) return `${own}, none more often in either.`;
  return `${own}; ${rival.profile.id} is first more often (${rival.ranks.firsts}), but in the top quartile in ${rival.ranks.topQuartile} only.`;
}

/** What the dearer one costs more: `5 connections instead of 4`, `depth 8 instead of 6`, `it needs the gateway`. */
function costDifference(dearer: ComparedProfile, cheaper: ComparedProfile): string {
  const [more, less] = [memoryCost(dearer), memoryCost(cheaper)];
  if (more.connections !== less.connections) return `${counted(more.connections, 'connection')} per server instead of ${less.connections}`;
  if (more.depth !== less.depth) return `depth ${more.depth} instead of ${less.depth}`;
  return 'it needs the gateway';
}

/** The pick of the memo's own rule proves nothing and is no recommendation. `undefined`: none can be picked. */
export function pickOf({ ranking, profiles }: Pick<RankedStudy, 'ranking' | 'profiles'>): string | undefined {
  const pick = memoPick(ranking, profiles);
  return pick.state === 'picked' ? pick.profileId : undefined;
}

export interface PickWithout {
  readonly leftOut: readonly string[];
  /** `undefined`: none can be picked. */
  readonly pick: string | undefined;
}

/** The pick with each one, and with each two of the pages left out; at least one page stays. */
export function picksWithout({ scenarios, profiles, ranking }: RankedStudy): readonly PickWithout[] {
  const pages = [...new Set(scenarios.map(({ page }) => page))];
  const ones = pages.map((page) => [page]);
  const twos = pages.flatMap((page, at) => pages.slice(at + 1).map((other) => [page, other]));
  return [...ones, ...twos]
    .filter((leftOut) => leftOut.length < pages.length)
    .map((leftOut) => {
      const rest = scenarios.filter(({ page }) => !leftOut.includes(page));
      return { leftOut, pick: pickOf({ ranking: rankEfficiencies(rest, { baseline: ranking.baseline, profiles }), profiles }) };
    });
}
