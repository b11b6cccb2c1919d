/** Places of the profiles over a study's scenarios, as `lab run --json` gives them. Pure. */
import type { ScenarioComparison, ScenarioRanking } from '../../core/compare/comparison.ts';
import { mean } from '../../core/stats/mean.ts';

export interface StudyPlaces {
  readonly profileId: string;
  readonly firsts: number;
  readonly topQuartile: number;
  readonly lasts: number;
  /** `null`: none of its loads is valid. */
  readonly meanEfficiency: number | null;
  /** By how much it is more efficient than the study's baseline, averaged over scenarios; .58 is 58 %. `null`: nothing to compare. */
  readonly meanGain: number | null;
}

export function studyPlaces(
  { profiles }: Pick<ScenarioRanking, 'profiles'>,
  { scenarios, baseline }: { readonly scenarios: readonly ScenarioComparison[]; readonly baseline: string },
): readonly StudyPlaces[] {
  return profiles.map(({ id, firsts, topQuartile, lasts, meanEfficiency }) => {
    const gains = scenarios.flatMap((scenario) => gainOf(scenario, { id, baseline }) ?? []);
    const meanGain = gains.length === 0 ? null : mean(gains);
    return { profileId: id, firsts, topQuartile, lasts, meanEfficiency: meanEfficiency ?? null, meanGain };
  });
}

function gainOf({ profiles }: ScenarioComparison, { id, baseline }: { id: string; baseline: string }): number | undefined {
  const efficiency = (wanted: string) => profiles.find((each) => each.id === wanted)?.efficiencyMedian;
  const own = efficiency(id);
  const base = efficiency(baseline);
  return own === undefined || base === undefined ? undefined : own / base - 1;
}
