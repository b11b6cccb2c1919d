/** Searches with their real screening, among loads that are all equal: how many recommend something. Loads are drawn, so no Firefox is needed. */
import type { ComparableLoad } from '../../src/core/compare/comparison.ts';
import { profileOf } from '../../src/core/profiles/presets.ts';
import { seededRandom } from '../../src/core/random.ts';
import { factorial } from '../../src/core/search/factorial.ts';
import { screen } from '../../src/core/search/screen.ts';
import { searchRounds } from '../../src/core/search/search-rounds.ts';
import { searchSpace } from '../../src/core/search/search-space.ts';
import { shortlist } from '../../src/core/search/shortlist.ts';
import { findPage } from '../../src/lab/pages/pages.ts';
import { recipeGraph } from '../../src/lab/pages/recipe-graph.ts';

/** Six minutes of loads, which vary by 5 % besides what a block shares. */
const LOADS = 90;
const SPREAD = 0.05;

/** @returns the state of the answer of one search on the wiki over 100 ms, 10 Mbit/s, HTTP/1.1. */
export function equalSearch(seed: number): { readonly state: string; readonly candidates: number } {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const graph = recipeGraph(findPage('wiki'));
  const space = searchSpace([graph]);
  const simulated = { rttMs: 100, downKbps: 10_000, upKbps: 2000, queuePackets: 1000 };
  const work = screen({ scenarios: [{ page: 'wiki', link: 'far', graph, simulated }], settings: factorial(space.modelled), seed });
  let screening = work.next();
  while (screening.done !== true) screening = work.next();
  const entries = shortlist(screening.value, { curious: space.curious, allCurious: false, seed });
  const candidates = entries.map(({ settings }) => profileOf({ depth: 1, preferences: settings }));
  const rounds = searchRounds({ candidates, scenarios: 1, loads: LOADS });
  let left = LOADS;
  let step = rounds.next();
  while (step.done !== true) {
    const { arms, blocks, firstBlock } = step.value;
    const loads = Array.from({ length: blocks }, (_, own) => {
      const weather = SPREAD * normal();
      return arms.map(({ id }): ComparableLoad => {
        const loadTimeMs = 1100 * Math.exp(weather + SPREAD * normal());
        return { profileId: id, page: 'wiki', link: 'far', block: firstBlock + own, valid: true, efficiency: 100 / loadTimeMs, loadTimeMs };
      });
    }).flat();
    left -= loads.length;
    step = rounds.next({ loads, loadsLeft: Math.max(0, left), interrupted: false });
  }
  return { state: step.value.answer.state, candidates: candidates.length };
}
