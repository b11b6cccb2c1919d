/** The pick of a ranking: the cheapest of the profiles that are not separated from the best. */
import { compareCost, memoryCost } from '../profiles/compare-cost.ts';
import type { ComparedProfile } from './compared-profile.ts';
import { counted } from './plain-words.ts';
import type { ProfileRanks, RankingPick } from './rank-scenarios-result.ts';
import { MEANINGFUL_CHANGE } from './thresholds.ts';

export interface PickTerms {
  readonly profiles: readonly ComparedProfile[];
  /** Scenarios that were ranked. */
  readonly scenarios: number;
  readonly notSeparated: ReadonlySet<string> | ((profileId: string, bestId: string) => boolean) | undefined;
}

/** A profile with its places. */
interface Placed {
  readonly profile: ComparedProfile;
  readonly ranks: ProfileRanks;
}

/**
 * The memo's rule: who is most often in the top quartile leads (firsts alone may be luck: there {5,6} had 9 of them, {4,6} had 8
 * but 30 places in the top quartile against 27); as a connection costs far more memory than a deeper pipeline, a profile with
 * fewer connections is preferred where the figures are that close. Only profiles with a place in every scenario can be picked:
 * who was not measured on the hard pages looks better than it is.
 *
 * @param ordered best by places first.
 */
export function pickByRank(ordered: readonly ProfileRanks[], terms: PickTerms): RankingPick {
  const { profiles, scenarios } = terms;
  if (scenarios === 0) return { state: 'none', reason: 'No page and link has figures of two profiles yet.' };
  const placed = ordered
    .filter(({ ranked }) => ranked === scenarios)
    .flatMap((ranks): readonly Placed[] => {
      const profile = profiles.find(({ id }) => id === ranks.id);
      return profile === undefined ? [] : [{ profile, ranks }];
    });
  const best = placed[0];
  if (best === undefined) return { state: 'none', reason: 'No profile has a figure on every page and link yet.' };
  const isLevel = levelWith(best, terms.notSeparated);
  const field = placed.filter((each) => each === best || isLevel(each));
  // `sort` keeps the order by places of those that cost the same.
  const pick = [...field].sort((a, b) => compareCost(a.profile, b.profile))[0] ?? best;
  const by = pick === best ? 'best' : 'cost';
  return { state: 'picked', profileId: pick.profile.id, by, best: best.profile.id, reason: reasonOf({ pick, best, placed, scenarios }) };
}

/**
 * The caller's word is for what the loads have not separated; with few loads that is nearly everything, the last of all scenarios
 * included. So the mean efficiency must be close as well, or the cheapest would win for want of loads.
 */
function levelWith(best: Placed, notSeparated: PickTerms['notSeparated']): (other: Placed) => boolean {
  const within = (margin: number, { ranks }: Placed) => (ranks.meanEfficiency ?? 0) > (best.ranks.meanEfficiency ?? 0) * (1 - margin);
  if (notSeparated === undefined) return (other) => within(MEANINGFUL_CHANGE, other);
  const open = typeof notSeparated === 'function' ? notSeparated : (id: string) => notSeparated.has(id);
  return (other) => open(other.profile.id, best.profile.id) && within(TOO_FAR, other);
}

/** A profile so much less efficient is no tie, whatever the loads leave open: the share at which one is dropped at once as worse (design: from loads to a recommendation). */
const TOO_FAR = 0.1;

interface ReasonFacts {
  readonly pick: Placed;
  readonly best: Placed;
  readonly placed: readonly Placed[];
  readonly scenarios: number;
}

function reasonOf({ pick, best, placed, scenarios }: ReasonFacts): string {
  const own = `${pick.profile.id} is in the top quartile in ${pick.ranks.topQuartile} of ${counted(scenarios, 'scenario')} and first in ${pick.ranks.firsts}`;
  if (pick !== best) {
    const places = `in the top quartile in ${best.ranks.topQuartile}, first in ${best.ranks.firsts}`;
    return `${own}; ${best.profile.id} (${places}) is not separated from it and costs more: ${costInWords(best.profile, pick.profile)}.`;
  }
  const rival = [...placed].sort((a, b) => b.ranks.firsts - a.ranks.firsts).find(({ ranks }) => ranks.firsts > pick.ranks.firsts);
  if (rival === undefined) return `${own}, none more often in either.`;
  return `${own}; ${rival.profile.id} is first more often (${rival.ranks.firsts}), but in the top quartile in ${rival.ranks.topQuartile} only.`;
}

/** What the dearer one costs more: `5 connections instead of 4`, `depth 8 instead of 6`, `it needs the gateway`. */
function costInWords(dearer: ComparedProfile, cheaper: ComparedProfile): string {
  const [more, less] = [memoryCost(dearer), memoryCost(cheaper)];
  if (more.connections !== less.connections) return `${counted(more.connections, 'connection')} per server instead of ${less.connections}`;
  if (more.depth !== less.depth) return `depth ${more.depth} instead of ${less.depth}`;
  return 'it needs the gateway';
}
