/** Studies by simulation: pages over links under profiles, once each, ranked within every page and link. */

import type { ScenarioRanking } from '../../core/compare/comparison.ts';
import { rankScenarios } from '../../core/compare/rank-scenarios.ts';
import { MEANINGFUL_CHANGE } from '../../core/compare/thresholds.ts';
import { PlumbfoxError } from '../../core/errors.ts';
import { predict } from '../../core/predict/predict.ts';
import { resolveProfiles } from '../../core/profiles/resolve-profiles.ts';
import { type BrowserModel, FENNEC_2008 } from '../../core/simulate/browser-model.ts';
import type { PredictableProfile } from '../../core/simulate/simulated-profile.ts';
import { mean } from '../../core/stats/mean.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import { LINKS_2008 } from '../link/links.ts';
import type { PageRecipe } from '../pages/page-recipe.ts';
import { recipeGraph } from '../pages/recipe-graph.ts';
import { PAGES_2008 } from '../pages/study-pages.ts';
import { levelInEfficiency, type MemoPick, memoPick } from './fennec-2008/memo-rule.ts';
import { INITIAL_WINDOW_2008 } from './fennec-2008.ts';

export interface SimulatedStudy {
  readonly name: string;
  readonly title: string;
  readonly pages: readonly PageRecipe[];
  readonly links: readonly LinkSpec[];
  readonly profiles: readonly string[];
  readonly baseline: string;
  readonly model: Partial<BrowserModel>;
  /** Segments, RFC 3390 or RFC 6928. */
  readonly initialWindow: number;
  readonly congestionControl: 'reno' | 'cubic';
}

/** One load each, so its efficiency is the median too. */
interface SimulatedScenario {
  readonly page: string;
  readonly link: string;
  readonly profiles: readonly { readonly id: string; readonly efficiencyMedian: number }[];
}

/** Printed as it is by `predict --study --json`: its names are a format. */
export interface StudyOutcome {
  readonly scenarios: readonly SimulatedScenario[];
  readonly ranking: ScenarioRanking;
  /** The profile that the 2008 study's rule picks, see `fennec-2008/memo-rule.ts`. */
  readonly memoPick: MemoPick;
  /** Gain in efficiency of the best of a scenario over the baseline, averaged over scenarios; 0.58 is 58 %. */
  readonly averageGain: number;
  /** Profiles whose mean efficiency is within 3 % of the highest, highest first. */
  readonly recommended: readonly string[];
  /** Top-quartile places (slots) by connections per server, most first. */
  readonly slotsByConnections: readonly { readonly connections: number; readonly slots: number }[];
}

/** Every profile loads every page over every link once, without noise, and the places are counted as in a measured study. */
export function simulateStudy(study: SimulatedStudy): StudyOutcome {
  const profiles = resolveProfiles(study.profiles);
  const scenarios = study.pages.flatMap((page) => study.links.map((link) => scenarioOf(study, { page, link, profiles })));
  const compared = profiles.map(({ id, connections, depth }) => ({
    id,
    depth,
    carrier: 'legacy' as const,
    role: id === study.baseline ? ('baseline' as const) : ('candidate' as const),
    ...(connections === undefined ? {} : { connections }),
  }));
  const ranking = rankScenarios(scenarios, { baseline: study.baseline, profiles: compared });
  return {
    scenarios,
    ranking,
    memoPick: memoPick(ranking, compared, levelInEfficiency),
    averageGain: mean(scenarios.map((scenario) => gainOf(scenario, study.baseline))),
    recommended: recommendedOf(ranking),
    slotsByConnections: slotsByConnections(ranking, compared),
  };
}

interface Cell {
  readonly page: PageRecipe;
  readonly link: LinkSpec;
  readonly profiles: readonly PredictableProfile[];
}

function scenarioOf({ model, initialWindow, congestionControl }: SimulatedStudy, { page, link, profiles }: Cell): SimulatedScenario {
  const { rttMs, downKbps, upKbps, queue } = link;
  const predictions = predict({
    page: recipeGraph(page),
    link: { rttMs, downKbps, upKbps, queuePackets: queue, initialWindow, congestionControl },
    profiles,
    model,
  });
  return {
    page: page.name,
    link: link.name,
    profiles: predictions.map(({ profileId, efficiency }) => ({ id: profileId, efficiencyMedian: efficiency })),
  };
}

function gainOf({ profiles }: SimulatedScenario, baseline: string): number {
  const own = profiles.find(({ id }) => id === baseline)?.efficiencyMedian ?? 1;
  return Math.max(...profiles.map(({ efficiencyMedian }) => efficiencyMedian)) / own - 1;
}

function recommendedOf({ profiles }: ScenarioRanking): readonly string[] {
  const byMean = profiles.toSorted((a, b) => (b.meanEfficiency ?? 0) - (a.meanEfficiency ?? 0));
  const best = byMean[0]?.meanEfficiency ?? 0;
  return byMean.filter(({ meanEfficiency = 0 }) => 1 - meanEfficiency / best < MEANINGFUL_CHANGE).map(({ id }) => id);
}

function slotsByConnections(
  { profiles }: ScenarioRanking,
  compared: readonly { readonly id: string; readonly connections?: number }[],
): StudyOutcome['slotsByConnections'] {
  const places = new Map<number, number>();
  for (const { id, topQuartile } of profiles) {
    const connections = compared.find((profile) => profile.id === id)?.connections ?? 0;
    places.set(connections, (places.get(connections) ?? 0) + topQuartile);
  }
  return [...places].map(([connections, count]) => ({ connections, slots: count })).sort((a, b) => b.slots - a.slots);
}

export const fennec2008: SimulatedStudy = {
  name: 'fennec-2008',
  title: 'Fennec 2008: connections x depth over mobile networks, by simulation',
  pages: PAGES_2008,
  links: LINKS_2008,
  profiles: ['fennec-18'],
  baseline: 'c1-d2',
  model: FENNEC_2008,
  initialWindow: INITIAL_WINDOW_2008,
  /** The congestion control of the servers of 2008 is not known; the simulation was made with this. */
  congestionControl: 'reno',
};

/** Names that `plumbfox predict --study` takes. */
export const SIMULATED_STUDIES: readonly SimulatedStudy[] = [fennec2008];

/** @throws PlumbfoxError `bad-input` naming the studies there are. */
export function findSimulatedStudy(name: string): SimulatedStudy {
  const study = SIMULATED_STUDIES.find((each) => each.name === name);
  if (study !== undefined) return study;
  throw new PlumbfoxError('bad-input', `There is no study "${name}". Studies: ${SIMULATED_STUDIES.map((each) => each.name).join(', ')}`);
}
