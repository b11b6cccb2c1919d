/** Who leads by geometric mean, who is close, and where the pick of the places stands among them. Pure. */
import type { LoadIndex } from '../../../core/compare/load-index.ts';
import { MEANINGFUL_CHANGE } from '../../../core/compare/thresholds.ts';
import { compareCost } from '../../../core/profiles/compare-cost.ts';
import { counted, percent } from '../../../core/text/figures.ts';
import { efficiencyRatios, type OverPages, overPages } from './intervals.ts';
import { pickOf } from './pick.ts';
import { type RankedStudy, ratioOver } from './scenarios.ts';
import { changeOf, ratioSentence, SHOWN } from './words.ts';

export interface ByMean {
  /** Highest geometric mean, chosen after the fact. */
  readonly best: string;
  /** The others that are less than 3 % behind it. */
  readonly close: readonly string[];
  /** Of the best and those. */
  readonly cheapest: string;
}

/** Of the profiles that have every scenario the baseline has; `undefined`: there is none but the baseline. */
export function byMean({ scenarios, profiles, ranking: { baseline, profiles: ranks, scenarios: count } }: RankedStudy): ByMean | undefined {
  const complete = profiles.filter(({ id }) => ranks.find((each) => each.id === id)?.ranked === count);
  const gains = complete.flatMap((profile) => {
    const gain = ratioOver(scenarios, profile.id, baseline);
    return gain === undefined ? [] : [{ profile, gain }];
  });
  const [best] = [...gains].sort((a, b) => b.gain - a.gain || compareCost(a.profile, b.profile));
  if (best === undefined || gains.length < 2) return undefined;
  const close = gains.filter(({ gain }) => gain > best.gain * (1 - MEANINGFUL_CHANGE));
  const [cheapest = best] = [...close].sort((a, b) => compareCost(a.profile, b.profile));
  return {
    best: best.profile.id,
    close: close.filter((each) => each !== best).map(({ profile }) => profile.id),
    cheapest: cheapest.profile.id,
  };
}

/** The pick against the best of the means, which was found in the same loads: any two of the profiles may have met so. */
export function pickAgainstBest(ranked: RankedStudy, index: LoadIndex): OverPages | undefined {
  const [pick, best] = [pickOf(ranked), byMean(ranked)?.best];
  if (pick === undefined || best === undefined || pick === best) return undefined;
  const { length } = ranked.profiles;
  return overPages(efficiencyRatios(index, { profileId: pick, against: best }), (length * (length - 1)) / 2);
}

/** At most one, and none where too little was measured. @param each - How many loads a figure rests on, in words. */
export function meansSentence(
  ranked: RankedStudy,
  { index, each }: { readonly index: LoadIndex; readonly each: string },
): readonly string[] {
  const [means, pick] = [byMean(ranked), pickOf(ranked)];
  if (means === undefined || pick === undefined) return [];
  const { baseline } = ranked.ranking;
  const gain = (id: string) => `${changeOf(ratioOver(ranked.scenarios, id, baseline))} over ${baseline}`;
  const behind = pickAgainstBest(ranked, index);
  const others = ranked.profiles.length - 1;
  return [
    [
      `By geometric mean ${means.best} is highest (${gain(means.best)}, chosen after the fact), and ${means.close.length} of the ${counted(others, 'other')} are less than ${percent(MEANINGFUL_CHANGE)} behind it`,
      means.cheapest === means.best ? '' : `, of which ${means.cheapest} is the cheapest (${gain(means.cheapest)})`,
      behind === undefined ? '' : `; ${pick} against it ${ratioSentence(behind)}, ${SHOWN[behind.finding]}`,
      `. With ${each}, little can be shown of differences this small.`,
    ].join(''),
  ];
}
