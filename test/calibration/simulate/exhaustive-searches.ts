/** Searches among 32 sets of preferences whose loads were all made in Firefox (test/exhaustive): the simulator's shortlist, raced with resampled loads. */
import type { ComparableLoad } from '../../../src/core/compare/comparison.ts';
import { profileOf } from '../../../src/core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../../src/core/profiles/profile.ts';
import type { Random } from '../../../src/core/random.ts';
import { factorial } from '../../../src/core/search/factorial.ts';
import { screen } from '../../../src/core/search/screen.ts';
import { searchRounds } from '../../../src/core/search/search-rounds.ts';
import { searchSpace } from '../../../src/core/search/search-space.ts';
import { shortlist } from '../../../src/core/search/shortlist.ts';
import { mean } from '../../../src/core/stats/mean.ts';
import { parseLinks } from '../../../src/lab/link/parse-link.ts';
import { findPage } from '../../../src/lab/pages/pages.ts';
import { recipeGraph } from '../../../src/lab/pages/recipe-graph.ts';
import { loadsOf, readLog } from '../../exhaustive/log.ts';
import { type ExhaustiveScenario, KNOBS, LOADS_EACH, SCENARIOS, SEARCH_LOADS, SEED } from '../../exhaustive/scenarios.ts';

const LOADS_FILE = 'test/exhaustive/loads.jsonl.gz';

interface Known {
  readonly id: string;
  readonly candidates: readonly Profile[];
  /** ln of the speed of each set. */
  readonly speeds: ReadonlyMap<string, number>;
  /** What a load's ln speed differs by from that, set by set, block by block. */
  readonly noise: ReadonlyMap<string, readonly number[]>;
}

/**
 * The fastest of 32 means of 12 loads is fast by chance, and then nothing found beforehand is within 3 % of it. So the speeds are those of the two-level
 * factorial: effects of preferences, and those of pairs beyond two standard errors (Box, Hunter & Hunter, "Statistics for Experimenters", 2005).
 */
function fittedSpeeds(means: ReadonlyMap<string, number>, standardError: number): ReadonlyMap<string, number> {
  const sets = factorial(KNOBS).map((settings) => ({
    id: profileOf({ depth: 1, preferences: settings }).id,
    signs: KNOBS.map(({ preference }) => (preference in settings ? 1 : -1)),
  }));
  const main = KNOBS.map((_, at) => [at]);
  const pairs = KNOBS.flatMap((_, at) => KNOBS.slice(at + 1).map((__, more) => [at, at + 1 + more]));
  const sign = (signs: readonly number[], effect: readonly number[]) => effect.reduce((product, at) => product * (signs[at] ?? 1), 1);
  const effects = [[], ...main, ...pairs].map((effect) => ({
    effect,
    size: mean(sets.map(({ id, signs }) => sign(signs, effect) * (means.get(id) ?? Number.NaN))),
  }));
  const kept = effects.filter(({ effect, size }) => effect.length < 2 || Math.abs(size) > 2 * standardError);
  return new Map(sets.map(({ id, signs }) => [id, kept.reduce((sum, { effect, size }) => sum + size * sign(signs, effect), 0)]));
}

/** By `screen` and `shortlist`, as the search of test/exhaustive does. */
function shortlisted({ page, servedBy, id, link }: ExhaustiveScenario): readonly Profile[] {
  const graph = recipeGraph(findPage(page), servedBy);
  const [spec] = parseLinks(link);
  if (spec === undefined) throw new Error(`${id} has no link`);
  const { rttMs, downKbps, upKbps, queue } = spec;
  const space = searchSpace([graph], KNOBS);
  const work = screen({
    scenarios: [{ page, link: id, graph, simulated: { rttMs, downKbps, upKbps, queuePackets: queue } }],
    settings: factorial(space.modelled),
    seed: SEED,
  });
  let screening = work.next();
  while (screening.done !== true) screening = work.next();
  const entries = shortlist(screening.value, { curious: space.curious, allCurious: true, seed: SEED });
  return entries.map(({ settings }) => profileOf({ depth: 1, preferences: settings }));
}

let known: readonly Known[] | undefined;

/** Read and simulated once for all runs of a thread. */
function knownScenarios(): readonly Known[] {
  if (known !== undefined) return known;
  const entries = readLog(LOADS_FILE);
  known = SCENARIOS.map((scenario) => {
    const logs = new Map<string, number[]>();
    for (const { profileId, measures } of loadsOf(entries, scenario.id, 'exhaustive').toSorted((a, b) => a.block - b.block)) {
      logs.set(profileId, [...(logs.get(profileId) ?? []), -Math.log(measures?.loadTimeMs ?? Number.NaN)]);
    }
    const means = new Map([...logs].map(([id, own]) => [id, mean(own)]));
    const noise = new Map([...logs].map(([id, own]) => [id, own.map((log) => log - (means.get(id) ?? 0))]));
    const all = [...noise.values()].flat();
    const standardError = Math.sqrt(mean(all.map((each) => each ** 2)) / all.length);
    return { id: scenario.id, candidates: shortlisted(scenario), speeds: fittedSpeeds(means, standardError), noise };
  });
  return known;
}

export interface ExhaustiveSearch {
  /** Speed of what a person would set after the search over the best of all 32 sets; 1: it is the best. */
  readonly overBest: number;
  /** The same among what was raced. */
  readonly overBestRaced: number;
  /** It was said to be within 3 % of the best of what was raced, for sure. */
  readonly isCertified: boolean;
  readonly isRecommended: boolean;
  readonly loads: number;
}

/** One search in a scenario drawn by chance; each block has the noise of one that was measured. */
export function exhaustiveSearch(random: Random, budget = SEARCH_LOADS): ExhaustiveSearch {
  const all = knownScenarios();
  const { id, candidates, noise, speeds } = all[random.integer(all.length)] as Known;
  const speedOf = (profileId: string) => speeds.get(profileId) ?? Number.NaN;
  const rounds = searchRounds({ candidates, scenarios: 1, loads: budget });
  let made = 0;
  let step = candidates.length === 0 ? undefined : rounds.next();
  while (step !== undefined && step.done !== true) {
    // What each preference contributes is no part of the pick.
    const { kind, arms, firstBlock, blocks } = step.value;
    const loads = kind === 'contributions' ? [] : Array.from({ length: blocks }, (_, own) => blockLoads(firstBlock + own, arms)).flat();
    made += loads.length;
    step = rounds.next({ loads, loadsLeft: kind === 'contributions' ? 0 : Math.max(0, budget - made), interrupted: false });
  }
  const answer = step?.value.answer;
  const isRecommended = answer?.state === 'faster';
  const pick = speedOf(isRecommended ? answer.cheapest.profileId : BASELINE_ID);
  const raced = [BASELINE_ID, ...candidates.map((each) => each.id)].map(speedOf);
  return {
    overBest: Math.exp(pick - Math.max(...speeds.values())),
    overBestRaced: Math.exp(pick - Math.max(...raced)),
    isCertified: isRecommended && answer.bestOf !== undefined,
    isRecommended,
    loads: made,
  };

  function blockLoads(block: number, arms: readonly Profile[]): readonly ComparableLoad[] {
    const from = random.integer(LOADS_EACH);
    return arms.map((arm): ComparableLoad => {
      const loadTimeMs = Math.exp(-speedOf(arm.id) - (noise.get(arm.id)?.[from] ?? Number.NaN));
      return { profileId: arm.id, page: id, link: id, block, valid: true, efficiency: 100 / loadTimeMs, loadTimeMs };
    });
  }
}
