/** One scenario: all sets, the search with a quarter of the loads, and its pick against the best of all sets on fresh blocks. */
import { blockOrder } from '../../src/core/compare/block-order.ts';
import { findProfile, profileOf } from '../../src/core/profiles/presets.ts';
import { BASELINE_ID, type Profile } from '../../src/core/profiles/profile.ts';
import { comparableLoads } from '../../src/core/report/comparable-loads.ts';
import type { MeasuredLoad } from '../../src/core/report/report.ts';
import { factorial } from '../../src/core/search/factorial.ts';
import { screen } from '../../src/core/search/screen.ts';
import type { SearchAnswer } from '../../src/core/search/search-record.ts';
import { type SearchOrder, searchRounds } from '../../src/core/search/search-rounds.ts';
import { searchSpace } from '../../src/core/search/search-space.ts';
import { shortlist } from '../../src/core/search/shortlist.ts';
import { findPage } from '../../src/lab/pages/pages.ts';
import { recipeGraph } from '../../src/lab/pages/recipe-graph.ts';
import { bestOf } from './compare.ts';
import { type LaneOptions, openScenarioLane, type ScenarioLane } from './lane.ts';
import { appendEntry, completeBlocks, loadsOf, type Part, readLog } from './log.ts';
import { ALL_SETS, CHECK_BLOCKS, type ExhaustiveScenario, KNOBS, LOADS_EACH, linkOf, SEARCH_LOADS, SEED } from './scenarios.ts';

/** Blocks of the search and of the check never have the weather of the exhaustive ones. */
const FIRST_BLOCK: Readonly<Record<Part, number>> = { exhaustive: 0, search: 1000, check: 2000 };

interface MeasureOptions extends LaneOptions {
  readonly log: string;
  readonly say: (line: string) => void;
}

/** Settles when nothing of the scenario is missing, or when interrupted. @throws PlumbfoxError when the lane breaks. */
export async function measureScenario(scenario: ExhaustiveScenario, options: MeasureOptions): Promise<void> {
  const lane = await openScenarioLane(scenario, options);
  try {
    await makeBlocks({ scenario, lane, options }, { part: 'exhaustive', profiles: ALL_SETS, blocks: LOADS_EACH });
    if (!options.interrupted() && answerOf(scenario, options.log) === undefined) await search({ scenario, lane, options });
    const answer = answerOf(scenario, options.log);
    if (options.interrupted() || answer === undefined) return;
    const best = bestOf(loadsOf(readLog(options.log), scenario.id, 'exhaustive'), ALL_SETS);
    const pick = pickOf(answer);
    if (best.id === pick.id) return;
    await makeBlocks({ scenario, lane, options }, { part: 'check', profiles: [best, pick], blocks: CHECK_BLOCKS });
  } finally {
    await lane.close();
  }
}

export function answerOf({ id }: ExhaustiveScenario, log: string): SearchAnswer | undefined {
  return readLog(log)
    .flatMap((entry) => (entry.scenario === id && entry.part === 'answer' ? [entry.answer] : []))
    .at(-1);
}

/** What a person would set after the search: what it recommends, else nothing. */
export function pickOf(answer: SearchAnswer): Profile {
  const id = answer.state === 'faster' ? answer.cheapest.profileId : BASELINE_ID;
  const found = findProfile(id);
  if (found === undefined) throw new Error(`There is no profile ${id}`);
  return found;
}

interface Context {
  readonly scenario: ExhaustiveScenario;
  readonly lane: ScenarioLane;
  readonly options: MeasureOptions;
}

interface Blocks {
  readonly part: Part;
  readonly profiles: readonly Profile[];
  readonly blocks: number;
}

async function makeBlocks({ scenario, lane, options }: Context, { part, profiles, blocks }: Blocks): Promise<void> {
  // Of an earlier search there may be a check of another pick.
  const own = loadsOf(readLog(options.log), scenario.id, part).filter(({ profileId }) => profiles.some(({ id }) => id === profileId));
  const done = completeBlocks(own, profiles.length);
  const first = FIRST_BLOCK[part];
  const plan = blockOrder({ profiles: profiles.map(({ id }) => id), scenarios: [placeOf(scenario)], blocks, seed: SEED + first })
    .map((load) => ({ ...load, block: load.block + first, order: tokenOf(load.order + first * 100) }))
    .filter(({ block }) => !done.has(block));
  let made = 0;
  await lane.make({
    plan,
    profiles,
    onLoad: (load) => {
      appendEntry(options.log, { scenario: scenario.id, part, load });
      made += 1;
      if (made % profiles.length === 0) options.say(`${scenario.id}, ${part}: ${made} of ${plan.length} loads`);
    },
  });
}

/** Fresh for every attempt: a block that is made again must not come from a cache. */
const started = Math.floor(Date.now() / 1000) % 1_000_000;
const tokenOf = (order: number): number => started * 1_000_000 + order;

const placeOf = ({ id, page }: ExhaustiveScenario) => ({ page, link: id });

async function search({ scenario, lane, options }: Context): Promise<void> {
  const begunMs = performance.now();
  const graph = recipeGraph(findPage(scenario.page), scenario.servedBy);
  const { rttMs, downKbps, upKbps, queue } = linkOf(scenario);
  const space = searchSpace([graph], KNOBS);
  const work = screen({
    scenarios: [{ page: scenario.page, link: scenario.id, graph, simulated: { rttMs, downKbps, upKbps, queuePackets: queue } }],
    settings: factorial(space.modelled),
    seed: SEED,
  });
  let screening = work.next();
  while (screening.done !== true) screening = work.next();
  const entries = shortlist(screening.value, { curious: space.curious, allCurious: true, seed: SEED });
  const candidates = entries.map(({ settings }) => profileOf({ depth: 1, preferences: settings }));
  const rounds = searchRounds({ candidates, scenarios: 1, loads: SEARCH_LOADS });
  let made = 0;
  let step = candidates.length === 0 ? undefined : rounds.next();
  while (step !== undefined && step.done !== true) {
    // What each preference contributes is no part of the pick.
    const loads = step.value.kind === 'contributions' ? [] : await makeOrder({ scenario, lane, options }, step.value);
    made += loads.length;
    const left = step.value.kind === 'contributions' ? 0 : SEARCH_LOADS - made;
    step = rounds.next({ loads: comparableLoads(loads), loadsLeft: Math.max(0, left), interrupted: options.interrupted() });
  }
  if (options.interrupted()) return;
  const answer: SearchAnswer = step === undefined ? { state: 'nothing-beats', because: 'none-predicted' } : step.value.answer;
  appendEntry(options.log, {
    scenario: scenario.id,
    part: 'answer',
    answer,
    loads: made,
    tookS: Math.round((performance.now() - begunMs) / 1000),
  });
  options.say(`${scenario.id}: the search picked ${pickOf(answer).id} with ${made} loads`);
}

async function makeOrder(
  { scenario, lane, options }: Context,
  { arms, firstBlock, blocks }: SearchOrder,
): Promise<readonly MeasuredLoad[]> {
  const first = FIRST_BLOCK.search + firstBlock;
  const loads: MeasuredLoad[] = [];
  const plan = blockOrder({ profiles: arms.map(({ id }) => id), scenarios: [placeOf(scenario)], blocks, seed: SEED + first }).map(
    (load) => ({
      ...load,
      block: load.block + first,
      order: tokenOf(load.order + first * 100),
    }),
  );
  await lane.make({
    plan,
    profiles: arms,
    onLoad: (load) => {
      appendEntry(options.log, { scenario: scenario.id, part: 'search', load });
      loads.push(load);
    },
  });
  return loads;
}
