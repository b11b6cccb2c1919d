/** Runs as `tune` makes them: the race itself with its defaults, its loads drawn in the order that a run makes them. */

import { MAX_RACE_BLOCKS } from '../../../src/cli/tune/run.ts';
import { blockOrderPart, type PlannedLoad } from '../../../src/core/compare/block-order.ts';
import { compareProfiles, judgeCandidates } from '../../../src/core/compare/compare-profiles.ts';
import type { ComparableLoad, ComparedProfile, Comparison, VersusBaseline } from '../../../src/core/compare/comparison.ts';
import { type RaceLimit, type RaceOutcome, race } from '../../../src/core/experiment/race.ts';
import type { Random } from '../../../src/core/random.ts';
import { BASELINE } from './judge.ts';
import { normal } from './noise.ts';

/** A load in its place. */
export interface DrawnLoad {
  /** 0: the baseline. */
  readonly profile: number;
  readonly scenario: number;
  readonly block: number;
  /** Loads of the page in the same block before it. */
  readonly place: number;
  /** Loads of the run before it. */
  readonly order: number;
}

export interface TuneTruth {
  readonly profiles: number;
  readonly scenarios: number;
  /** ln of a load's time over a typical one, loads in the order of the run; `undefined`: it is excluded. */
  readonly logTime: (random: Random, load: DrawnLoad) => number | undefined;
  /** Times that each load stands in its block; once unless said. */
  readonly copies?: number;
}

/** As in the lab, page by page. */
export const SPREADS: readonly number[] = [0.03, 0.05, 0.07, 0.1];

/** The second profile better by `gains`, page by page. */
export function plantedTruth({
  profiles,
  gains,
  spreads = SPREADS,
}: {
  readonly profiles: number;
  readonly gains: readonly number[];
  readonly spreads?: readonly number[];
}): TuneTruth {
  return {
    profiles,
    scenarios: spreads.length,
    logTime: (random, { profile, scenario }) =>
      (spreads[scenario] ?? 0) * normal(random) - (profile === 1 ? Math.log1p(gains[scenario] ?? 0) : 0),
  };
}

export const TYPICAL_MS = 1000;
const IDEAL_MS = 300;
const LINK = 'link';

const idOf = (profile: number): string => (profile === 0 ? BASELINE : `c${6 + profile}-d1`);
const idsOf = ({ profiles }: TuneTruth): readonly string[] => Array.from({ length: profiles }, (_, at) => idOf(at));
const placesOf = ({ scenarios }: TuneTruth) => Array.from({ length: scenarios }, (_, at) => ({ page: `page-${at}`, link: LINK }));

function comparedOf(truth: TuneTruth): readonly ComparedProfile[] {
  return idsOf(truth).map((id, at) => ({
    ...{ id, role: at === 0 ? 'baseline' : 'candidate', carrier: 'none', depth: 1, connections: 6 + at },
    intended: at === 0 ? {} : { 'network.http.max-persistent-connections-per-server': 6 + at },
  }));
}

/** The loads of a plan, drawn in its order. */
function drawn(truth: TuneTruth, plan: readonly PlannedLoad[], random: Random): readonly ComparableLoad[] {
  const ids = idsOf(truth);
  const pages = placesOf(truth).map(({ page }) => page);
  let [place, before] = [0, ''];
  return plan.flatMap(({ profileId, page, link, block, order }) => {
    const at = `${page} ${block}`;
    place = at === before ? place + 1 : 0;
    before = at;
    const load = { profile: ids.indexOf(profileId), scenario: pages.indexOf(page), block, place, order };
    return Array.from({ length: truth.copies ?? 1 }, (): ComparableLoad => {
      const logTime = truth.logTime(random, load);
      const known = { profileId, page, link, block };
      if (logTime === undefined) return { ...known, valid: false, efficiency: undefined, loadTimeMs: undefined };
      const loadTimeMs = TYPICAL_MS * Math.exp(logTime);
      return { ...known, valid: true, efficiency: IDEAL_MS / loadTimeMs, loadTimeMs };
    });
  });
}

export interface TuneRun {
  readonly outcome: RaceOutcome;
  readonly loads: number;
  /** As the report of the run says it. */
  readonly recommendation: Comparison['recommendation'];
  readonly verdicts: readonly VersusBaseline[];
  /** Any profile but those that `isBetter` was called better or worse, at any look. */
  readonly isFalse: boolean;
}

interface TuneRunOptions {
  readonly limit?: RaceLimit;
  /** Called better rightly; none unless said. */
  readonly better?: readonly number[];
  readonly worse?: readonly number[];
}

/** What `tune` does unless it is given a number of blocks. */
export const UNTIL_ANSWERED: RaceLimit = { kind: 'answer', maxBlocks: MAX_RACE_BLOCKS };

export function tuneRun(truth: TuneTruth, { limit = UNTIL_ANSWERED, better = [], worse = [] }: TuneRunOptions, random: Random): TuneRun {
  const profiles = comparedOf(truth);
  const order = { profiles: idsOf(truth), scenarios: placesOf(truth), seed: random.integer(2 ** 32) };
  const rounds = race({ profiles, scenarios: truth.scenarios, limit });
  const loads: ComparableLoad[] = [];
  const stops: number[] = [];
  let made = 0;
  let step = rounds.next();
  while (step.done !== true) {
    const { profileIds, firstBlock, blocks } = step.value;
    const plan = blockOrderPart({ ...order, firstBlock, blocks }, { profileIds, firstOrder: made });
    const own = drawn(truth, plan, random);
    made += plan.length;
    loads.push(...own);
    stops.push(...(limit.kind === 'blocks' ? Array.from({ length: blocks - 1 }, (_, at) => at + 1) : [firstBlock + blocks]));
    step = rounds.next({ loads: own, interrupted: false });
  }
  const outcome = step.value;
  const method = { baseline: BASELINE, profiles, plannedBlocks: outcome.plannedBlocks, forecast: 'left-out' } as const;
  const { recommendation, profiles: compared } = compareProfiles(loads, { ...method, modes: 'left-out' });
  const verdicts = compared.slice(1).map(({ versusBaseline }) => versusBaseline);
  const isFalse = (finding: string, at: number) =>
    (finding === 'better' && !better.includes(at)) || (finding === 'worse' && !worse.includes(at));
  // The end is among the looks of the report.
  const before = stops.slice(0, limit.kind === 'blocks' ? undefined : -1);
  const claimsAt = (blocks: number) =>
    judgeCandidates(
      loads.filter(({ block }) => block < blocks),
      method,
    ).candidates.some(({ shown }, at) => isFalse(shown.verdict, at + 1));
  return {
    ...{ outcome, loads: made, recommendation, verdicts },
    isFalse: verdicts.some(({ verdict }, at) => isFalse(verdict, at + 1)) || before.some(claimsAt),
  };
}

/** The place of the profile that is recommended; `undefined`: none is. */
export function recommendedOf({ recommendation }: TuneRun): number | undefined {
  return recommendation.state === 'recommended' ? Number(/\d+/.exec(recommendation.profileId ?? '')?.[0]) - 6 : undefined;
}

/** The loads of one block, by all profiles. */
export function tuneBlock(truth: TuneTruth, block: number, random: Random): readonly ComparableLoad[] {
  const plan = placesOf(truth).flatMap((place) => idsOf(truth).map((profileId, order) => ({ ...place, profileId, block, order })));
  return drawn(truth, plan, random);
}

/** On the candidates, in their order, as `buildReport` compares a run of so many planned blocks. */
export function tuneVerdicts(loads: readonly ComparableLoad[], plannedBlocks: number): readonly VersusBaseline[] {
  return compareProfiles(loads, { baseline: BASELINE, plannedBlocks })
    .profiles.slice(1)
    .map(({ versusBaseline }) => versusBaseline);
}
