/** Loads of a study as the simulator predicts them, in the place of measured ones: exact, so what findings must say can be worked out. */
import type { LoadMeasures } from '../../../../src/core/measure/load-measures.ts';
import { predict } from '../../../../src/core/predict/predict.ts';
import type { Profile } from '../../../../src/core/profiles/profile.ts';
import { milliseconds, ratio } from '../../../../src/core/units.ts';
import { recipeGraph } from '../../../../src/lab/pages/recipe-graph.ts';
import type { Study, StudyData, StudyLoad, StudyPage } from '../../../../src/lab/studies/study.ts';
import { BARE_LOAD } from './made-load.ts';

export interface LoadFacts {
  readonly profile: Pick<Profile, 'id' | 'connections' | 'depth'>;
  readonly page: string;
  readonly link: string;
  readonly block?: number;
  readonly efficiency: number;
  readonly loadTimeMs?: number;
}

/** Of a load whose load time does not matter. */
const IDEAL_MS = 500;

/** A valid load with what findings read of it. */
export function studyLoad(facts: LoadFacts): StudyLoad {
  const { profile, page, link, block = 0, efficiency, loadTimeMs = IDEAL_MS / efficiency } = facts;
  const measures: LoadMeasures = {
    loadTimeMs: milliseconds(loadTimeMs),
    idealTimeMs: milliseconds(efficiency * loadTimeMs),
    efficiency: ratio(efficiency),
    peakOutstanding: 1,
    peakOutstandingByOrigin: {},
    requests: 1,
    failedRequests: 0,
    duplicateFetches: 0,
    httpVersions: {},
  };
  return {
    ...BARE_LOAD,
    profileId: profile.id,
    page,
    link,
    block,
    measures,
    intended: { carrier: 'none', depth: profile.depth, preferences: {} },
  };
}

/** Every profile of the study, and others, once on each of the pages over each of the links. */
export function simulatedData(
  study: Study,
  {
    pages = study.pages,
    links = study.links,
    others = [],
  }: Partial<Pick<StudyData, 'pages' | 'links'>> & { readonly others?: readonly Profile[] } = {},
): StudyData {
  const profiles = [...study.profiles, ...others];
  const loadsOf = (page: StudyPage, link: StudyData['links'][number]): readonly StudyLoad[] => {
    const { rttMs, downKbps, upKbps, queue, initialWindow } = link;
    const predictions = predict({
      page: recipeGraph(page.recipe),
      link: { rttMs, downKbps, upKbps, queuePackets: queue, ...(initialWindow !== undefined && { initialWindow }) },
      profiles,
    });
    return predictions.map(({ loadTimeMs, efficiency }, at) => {
      const profile = profiles[at];
      if (profile === undefined) throw new Error('a prediction for each profile');
      return studyLoad({ profile, page: page.name, link: link.name, efficiency, loadTimeMs });
    });
  };
  return { study, pages, links, loads: links.flatMap((link) => pages.flatMap((page) => loadsOf(page, link))) };
}
