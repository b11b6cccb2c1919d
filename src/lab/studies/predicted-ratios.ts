/**
 * What the simulator says of a study's profiles: efficiency over the baseline's, scenario by scenario. It is the simulator of today, with no
 * delays of any machine; nothing of it is fitted to the loads it stands beside. Pure.
 */
import { predictTypical } from '../../core/predict/predict.ts';
import type { Profile } from '../../core/profiles/profile.ts';
import { modelCoverage } from '../../core/simulate/simulated-profile.ts';
import { mean } from '../../core/stats/mean.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { recipeGraph } from '../pages/recipe-graph.ts';
import type { StudyPage } from './study.ts';

export interface PredictedRatio {
  readonly page: string;
  readonly link: string;
  readonly profileId: string;
  /** The ratio of efficiencies: above 1 the profile is predicted to be faster than the baseline. */
  readonly ratio: number;
}

/** One page over one link. */
export interface Scenario {
  readonly page: StudyPage;
  readonly link: LinkSpec;
}

/** Profiles of which something is set that the simulator does not know are left out: it would call their effect nothing. */
export function predictedRatios(
  scenarios: readonly Scenario[],
  { profiles, baseline }: { readonly profiles: readonly Profile[]; readonly baseline: string },
): readonly PredictedRatio[] {
  return scenarios.flatMap(({ page, link }) => {
    const graph = recipeGraph(page.recipe, page.servedBy);
    const known = profiles.filter((profile) => profile.id === baseline || modelCoverage(profile, [graph]).state === 'modelled');
    const { predictions } = predictTypical({ page: graph, link: simulatedLink(link), profiles: known });
    const own = predictions.find(({ profileId }) => profileId === baseline)?.loadTimeMs;
    if (own === undefined) return [];
    return predictions
      .filter(({ profileId }) => profileId !== baseline)
      .map(({ profileId, loadTimeMs }) => ({ page: page.name, link: link.name, profileId, ratio: own / loadTimeMs }));
  });
}

/** What a link has that the simulator knows; its traces it does not. BBR is simulated as CUBIC, the nearest there is. */
function simulatedLink({ rttMs, downKbps, upKbps, queue, initialWindow, lossDown, lossUp, jitterMs, congestionControl }: LinkSpec) {
  return {
    ...{ rttMs, downKbps, upKbps, queuePackets: queue },
    congestionControl: congestionControl === 'reno' ? ('reno' as const) : ('cubic' as const),
    ...(initialWindow !== undefined && { initialWindow }),
    ...(lossDown !== undefined && { lossDown }),
    ...(lossUp !== undefined && { lossUp }),
    ...(jitterMs !== undefined && { jitterMs }),
  };
}

/** Geometric mean over the scenarios; `undefined`: there is none. */
export const predictedOver = (ratios: readonly PredictedRatio[]): number | undefined =>
  ratios.length === 0 ? undefined : Math.exp(mean(ratios.map(({ ratio }) => Math.log(ratio))));
