/** What the memo's own rule by places picks here, who shares its places, and how firm it is when pages are left out. Pure. */

import type { ProfileRanks } from '../../../core/compare/rank-scenarios-result.ts';
import { counted } from '../../../core/text/figures.ts';
import { memoPick } from './memo-rule.ts';
import { type RankedStudy, rankEfficiencies } from './scenarios.ts';
import { listed } from './words.ts';

/** By the memo's own rule; it proves nothing and is no recommendation. `undefined`: none can be picked. */
export function pickOf({ ranking, profiles }: Pick<RankedStudy, 'ranking' | 'profiles'>): string | undefined {
  const pick = memoPick(ranking, profiles);
  return pick.state === 'picked' ? pick.profileId : undefined;
}

/** Its places, and who has as many or more. */
export function pickSentence({ ranking, profiles }: RankedStudy): readonly string[] {
  const pick = memoPick(ranking, profiles);
  const own = ranking.profiles.find(({ id }) => pick.state === 'picked' && id === pick.profileId);
  if (pick.state !== 'picked' || own === undefined) return [];
  if (pick.by === 'cost') return [`${BY_PLACES} picks ${pick.profileId}: ${pick.reason}`];
  const places = `in the top quartile in ${own.topQuartile} of ${counted(ranking.scenarios, 'scenario')}, ${besideOthers(own, ranking.profiles, 'topQuartile')}`;
  return [`${BY_PLACES} picks ${own.id}: ${places}; first in ${own.firsts}, ${besideOthers(own, ranking.profiles, 'firsts')}.`];
}

/** The name under which it stands in findings. */
const BY_PLACES = "The memo's own rule by places";

function besideOthers(own: ProfileRanks, profiles: readonly ProfileRanks[], count: 'topQuartile' | 'firsts'): string {
  const named = (those: readonly ProfileRanks[]) => listed(those.map((each) => `${each.id} (${each[count]})`));
  const more = profiles.filter((each) => each[count] > own[count]);
  const level = profiles.filter((each) => each.id !== own.id && each[count] === own[count]);
  if (more.length > 0) return `less often than ${named(more)}`;
  return level.length > 0 ? `as often as ${named(level)}` : 'more often than any other';
}

export interface PickWithout {
  /** Pages. */
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

/** In how many of these the pick stays, and what is picked else. */
export function firmness(
  pick: string | undefined,
  { picks, each }: { readonly picks: readonly PickWithout[]; readonly each: string },
): readonly string[] {
  const [ones, twos] = [picks.filter(({ leftOut }) => leftOut.length === 1), picks.filter(({ leftOut }) => leftOut.length === 2)];
  if (pick === undefined || ones.length === 0) return [];
  const stays = (some: readonly PickWithout[]) =>
    `${some.filter((one) => one.pick === pick).length} of ${counted(some.length, 'way')}${otherwise(some, pick)}`;
  const both = `with one page left out ${pick} stays the pick in ${stays(ones)}${twos.length === 0 ? '' : `, with two left out in ${stays(twos)}`}`;
  const firm = picks.every((one) => one.pick === pick);
  return [`The pick ${firm ? 'does not hang' : 'hangs'} on which pages are measured (${each}): ${both}.`];
}

/** ` (else c3-d4 3, c5-d4 1)`. */
function otherwise(picks: readonly PickWithout[], pick: string): string {
  const counts = new Map<string, number>();
  for (const { pick: other = 'none' } of picks) if (other !== pick) counts.set(other, (counts.get(other) ?? 0) + 1);
  const words = [...counts].sort((a, b) => b[1] - a[1]).map(([id, count]) => `${id} ${count}`);
  return words.length === 0 ? '' : ` (else ${words.join(', ')})`;
}
