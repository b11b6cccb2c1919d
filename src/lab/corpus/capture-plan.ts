/** Which loads of the corpus are still to be made, given those that are there. Pure. */
import { blockOrder, type PlannedLoad, type Scenario } from '../../core/compare/block-order.ts';
import { CORPUS_LINKS } from '../link/corpus-links.ts';
import type { LinkSpec } from '../link/link-spec.ts';
import type { CorpusLoad } from './corpus-load.ts';
import { CORPUS_PROFILES, CORPUS_REPEATS, CORPUS_SCENARIOS, MOST_SPREAD, UNSTEADY_REPEATS } from './scenarios.ts';

/** A load that fell out so often is given up. */
const MOST_TRIES = 4;

/** What is to be made. */
export interface CaptureOrder {
  /** Draws the order; the same seed and the same loads give the same plan. */
  readonly seed: number;
  /** Of the corpus; absent: all. */
  readonly scenarios?: readonly Scenario[];
}

/** The repeats that are missing, in randomised blocks; once they are all there, more of those that differ too much. Empty: all done. */
export function capturePlan(loads: readonly CorpusLoad[], { seed, scenarios = CORPUS_SCENARIOS }: CaptureOrder): readonly PlannedLoad[] {
  const planned = (blocks: number) => blockOrder({ profiles: CORPUS_PROFILES, scenarios, blocks, seed });
  const missing = planned(CORPUS_REPEATS).filter((load) => !done(loads, load));
  if (missing.length > 0) return missing;
  return planned(UNSTEADY_REPEATS).filter((load) => load.block >= CORPUS_REPEATS && unsteady(loads, load) && !done(loads, load));
}

const sameCell = (load: CorpusLoad, { page, link, profileId }: PlannedLoad): boolean =>
  load.page === page && load.link === link && load.profile === profileId;

function done(loads: readonly CorpusLoad[], wanted: PlannedLoad): boolean {
  const tries = loads.filter((load) => sameCell(load, wanted) && load.repeat === wanted.block);
  return tries.length >= MOST_TRIES || tries.some((load) => load.void === undefined);
}

function unsteady(loads: readonly CorpusLoad[], wanted: PlannedLoad): boolean {
  const times = loads.flatMap((load) => (sameCell(load, wanted) && load.repeat < CORPUS_REPEATS ? (load.figures?.loadTimeMs ?? []) : []));
  return spread(times) > MOST_SPREAD;
}

/** What is checked before the loads of these scenarios: no link that none of them is over. */
export const linksOf = (scenarios: readonly Scenario[]): readonly LinkSpec[] =>
  CORPUS_LINKS.filter(({ name }) => scenarios.some(({ link }) => link === name));

/** Longest over shortest, less 1; 0 for fewer than two. */
export const spread = (times: readonly number[]): number => (times.length < 2 ? 0 : Math.max(...times) / Math.min(...times) - 1);
