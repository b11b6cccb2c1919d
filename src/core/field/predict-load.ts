/** How fast every profile would load the page of one recorded load, over that load's link, beside what was measured there. */

import type { Inference } from '../graph/inference.ts';
import type { PageGraph } from '../graph/page-graph.ts';
import type { ModelError } from '../predict/model-error.ts';
import { type PredictedProfile, predictedProfiles } from '../predict/predicted-profiles.ts';
import { type ProfileReach, profileReach } from '../predict/recommend-prediction.ts';
import { findProfile } from '../profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../profiles/profile.ts';
import type { Prediction } from '../simulate/prediction.ts';
import type { MarkedPageLoad } from '../trial/trial-mark.ts';
import { type GivenLinkName, type LinksOfLoads, linksOfLoads } from './field-links.ts';
import type { LoadSummary } from './load-summary.ts';
import { LINK_RULE, type Predictor, simulatedLink, whyNotPredicted } from './predicted-pages.ts';
import { type Measured, type MeasuredTimes, measuredTimes, type RecordedLoad, recordedLoad } from './recorded-loads.ts';

export interface PredictLoadInput {
  readonly load: MarkedPageLoad;
  /** Figures of all stored loads. */
  readonly figures: readonly LoadSummary[];
  readonly names: readonly GivenLinkName[];
  /** The baseline among them; those under which the page was measured are added. */
  readonly profiles: readonly Profile[];
  readonly predictor: Predictor;
}

export interface LoadPrediction {
  readonly load: RecordedLoad;
  readonly prediction:
    | { readonly state: 'link-not-known' }
    | { readonly state: 'rate-not-known' }
    | { readonly state: 'nothing-to-predict'; readonly because: string }
    | {
        readonly state: 'predicted';
        /** Profiles ordered by predicted load time, the baseline among them. */
        readonly profiles: readonly (PredictedProfile & { readonly measured: MeasuredTimes | undefined })[];
        readonly reach: ProfileReach;
        readonly inferred: readonly Inference[];
        readonly error: ModelError | undefined;
      };
}

export function predictLoad({ load, figures, names, profiles, predictor }: PredictLoadInput): LoadPrediction {
  const over = linksOfLoads([load], { figures, names });
  return { load: recordedLoad(load, over), prediction: predictionOf(load, { over, profiles, predictor }) };
}

interface Context extends Pick<PredictLoadInput, 'profiles' | 'predictor'> {
  readonly over: LinksOfLoads;
}

function predictionOf(load: MarkedPageLoad, { over, profiles, predictor }: Context): LoadPrediction['prediction'] {
  const link = over.linkOf(load);
  if (link === undefined) return { state: 'link-not-known' };
  const simulated = simulatedLink(link);
  if (simulated === undefined) return { state: 'rate-not-known' };
  const measured = measuredTimes(over.figuresOf(load), { over, link });
  const asked = withMeasured(profiles, measured);
  try {
    const { page, inferred } = predictor.pageFromLoad(load);
    const predictions = predictor.predict({ page, link: simulated, profiles: asked });
    const rows = predictedProfiles([{ page: 'own', link: 'own', predictions }], {
      profiles: asked,
      baseline: BASELINE_ID,
      pages: [page],
      errorOf: predictor.errorOf,
    });
    return {
      state: 'predicted',
      profiles: rows.map((row) => ({ ...row, measured: measured.get(row.profile.id)?.times })),
      reach: profileReach([page]),
      inferred: [...inferred, LINK_RULE],
      error: predictor.errorOf(predictions),
    };
  } catch (error) {
    return { state: 'nothing-to-predict', because: whyNotPredicted(error) };
  }
}

/** The load's page as it is predicted over its link under the settings it ran with; `undefined`: nothing can be. */
export function predictedAsLoaded(
  load: MarkedPageLoad,
  { figures, names, predictor }: Pick<PredictLoadInput, 'figures' | 'names' | 'predictor'>,
): { readonly page: PageGraph; readonly prediction: Prediction } | undefined {
  const link = linksOfLoads([load], { figures, names }).linkOf(load);
  const simulated = link && simulatedLink(link);
  const profile = findProfile(load.applied?.profileId ?? BASELINE_ID);
  if (simulated === undefined || profile === undefined) return undefined;
  const own = (load.applied?.carrier ?? 'none') === 'none' ? { ...profile, depth: 1 } : profile;
  try {
    const { page } = predictor.pageFromLoad(load);
    const [prediction] = predictor.predict({ page, link: simulated, profiles: [own] });
    return prediction && { page, prediction };
  } catch (error) {
    whyNotPredicted(error);
    return undefined;
  }
}

/** A depth without a carrier was not in effect, and is predicted as 1. Profiles unknown to this version are left out. */
function withMeasured(profiles: readonly Profile[], measured: ReadonlyMap<string, Measured>): readonly Profile[] {
  const known = new Set(profiles.map(({ id }) => id));
  const others = [...measured].flatMap(([id, { carrier }]) => {
    const profile = known.has(id) ? undefined : findProfile(id);
    return profile === undefined ? [] : [carrier === 'none' ? { ...profile, depth: 1 } : profile];
  });
  return [...profiles, ...others];
}
