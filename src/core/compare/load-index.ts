/** Loads by profile and scenario (page and link), in columns: what pairing and summaries read. */
import { PlumbfoxError } from '../errors.ts';
import type { ComparableLoad } from './comparison.ts';

export interface ScenarioLoads {
  readonly page: string;
  readonly link: string;
  /** Blocks with a usable load, ascending, each once. */
  readonly blocks: readonly number[];
  /** Blocks with any load, ascending, each once. */
  readonly triedBlocks: readonly number[];
  /** Mean ln efficiency of the usable loads of each of these blocks; more than one where a load was repeated within its block. */
  readonly blockMeans: readonly number[];
  /** Geometric mean load time of the usable loads of each of these blocks; `undefined`: not known. */
  readonly blockTimesMs: readonly (number | undefined)[];
  /** One for every usable load. */
  readonly logEfficiencies: readonly number[];
  /** One for every valid load whose load time is known. */
  readonly loadTimesMs: readonly number[];
  readonly valid: number;
  readonly void: number;
  /** Void loads that were lost for a cause that has nothing to do with how long they took. */
  readonly voidUnrelated: number;
  readonly usable: number;
}

/** Scenario number to loads, for each profile requested. Scenarios are numbered in the order in which they first came. */
export type LoadIndex = ReadonlyMap<string, ReadonlyMap<number, ScenarioLoads>>;

/**
 * Loads of other profiles than those requested are left out.
 * @throws PlumbfoxError bad-input when a valid load carries an efficiency or a load time that is not positive and finite, or one that can
 *   be used a block that is not finite.
 */
export function indexLoads(loads: readonly ComparableLoad[], profileIds: readonly string[]): LoadIndex {
  const columns = new Map<string, Map<number, Columns>>(profileIds.map((id) => [id, new Map()]));
  const scenarioOf = scenarioNumbers();
  for (const load of loads) {
    const scenarios = columns.get(load.profileId);
    if (scenarios === undefined) continue;
    const scenario = scenarioOf(load);
    let own = scenarios.get(scenario);
    if (own === undefined) {
      own = {
        page: load.page,
        link: load.link,
        blocks: [],
        triedBlocks: [],
        logEfficiencies: [],
        usableTimesMs: [],
        loadTimesMs: [],
        ascending: true,
        distinct: true,
        valid: 0,
        void: 0,
        voidUnrelated: 0,
      };
      scenarios.set(scenario, own);
    }
    addLoad(own, load);
  }
  return new Map([...columns].map(([id, scenarios]) => [id, new Map([...scenarios].map(([key, own]) => [key, byBlock(own)]))]));
}

/** The scenarios in which any of the profiles was loaded, in the order in which they first came. */
export function scenarioKeys(index: LoadIndex): readonly number[] {
  const keys = new Set<number>();
  for (const scenarios of index.values()) for (const key of scenarios.keys()) keys.add(key);
  return [...keys].sort((a, b) => a - b);
}

/** A number for every page and link. It is requested once per load, so no text is put together. */
export function scenarioNumbers(): (load: Pick<ComparableLoad, 'page' | 'link'>) => number {
  const links = new Map<string, Map<string, number>>();
  let known = 0;
  return ({ page, link }) => {
    let pages = links.get(link);
    if (pages === undefined) {
      pages = new Map();
      links.set(link, pages);
    }
    let scenario = pages.get(page);
    if (scenario === undefined) {
      scenario = known;
      known += 1;
      pages.set(page, scenario);
    }
    return scenario;
  };
}

/** ln of a load's efficiency, `undefined` when it has none. @throws PlumbfoxError bad-input when it is not positive and finite. */
export function logEfficiencyOf(load: ComparableLoad): number | undefined {
  return load.efficiency === undefined ? undefined : Math.log(positive(load.efficiency, 'efficiency', load));
}

/** One entry per usable load, in the order in which they came. */
interface Columns {
  readonly page: string;
  readonly link: string;
  readonly blocks: number[];
  /** Blocks of all loads, void ones included; one that is no number is left out. */
  readonly triedBlocks: number[];
  readonly logEfficiencies: number[];
  readonly usableTimesMs: (number | undefined)[];
  readonly loadTimesMs: number[];
  ascending: boolean;
  distinct: boolean;
  valid: number;
  void: number;
  voidUnrelated: number;
}

function addLoad(own: Columns, load: ComparableLoad): void {
  if (own.triedBlocks.at(-1) !== load.block && Number.isFinite(load.block)) own.triedBlocks.push(load.block);
  if (!load.valid) {
    own.void += 1;
    if (load.lostTo === 'unrelated') own.voidUnrelated += 1;
    return;
  }
  own.valid += 1;
  if (load.loadTimeMs !== undefined) own.loadTimesMs.push(positive(load.loadTimeMs, 'load time', load));
  const logEfficiency = logEfficiencyOf(load);
  if (logEfficiency === undefined) return;
  if (!Number.isFinite(load.block)) throw new PlumbfoxError('bad-input', `The block of a load is a number, not ${load.block}`);
  const before = own.blocks.at(-1);
  if (before !== undefined && before > load.block) own.ascending = false;
  if (before !== undefined && before >= load.block) own.distinct = false;
  own.blocks.push(load.block);
  own.logEfficiencies.push(logEfficiency);
  own.usableTimesMs.push(load.loadTimeMs);
}

function byBlock(own: Columns): ScenarioLoads {
  const { page, link, loadTimesMs, valid } = own;
  const lost = { void: own.void, voidUnrelated: own.voidUnrelated };
  const rest = { loadTimesMs, valid, ...lost, usable: own.blocks.length, triedBlocks: ascendingOnce(own.triedBlocks) };
  // Loads nearly always come like this: in the order of their blocks, one in each.
  if (own.distinct) {
    const { blocks, logEfficiencies, usableTimesMs } = own;
    return { page, link, blocks, blockMeans: logEfficiencies, blockTimesMs: usableTimesMs, logEfficiencies, ...rest };
  }
  const sorted = own.ascending ? own : inOrder(own);
  const blocks: number[] = [];
  const blockMeans: number[] = [];
  const blockTimesMs: (number | undefined)[] = [];
  for (let from = 0; from < sorted.blocks.length; ) {
    const block = sorted.blocks[from] ?? 0;
    let total = 0;
    let to = from;
    for (; to < sorted.blocks.length && sorted.blocks[to] === block; to++) total += sorted.logEfficiencies[to] ?? 0;
    blocks.push(block);
    blockMeans.push(total / (to - from));
    blockTimesMs.push(geometricMean(sorted.usableTimesMs.slice(from, to)));
    from = to;
  }
  return { page, link, blocks, blockMeans, blockTimesMs, logEfficiencies: sorted.logEfficiencies, ...rest };
}

function geometricMean(timesMs: readonly (number | undefined)[]): number | undefined {
  const known = timesMs.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.exp(known.reduce((sum, time) => sum + Math.log(time), 0) / known.length);
}

function ascendingOnce(blocks: readonly number[]): readonly number[] {
  const ascends = blocks.every((block, at) => at === 0 || block > (blocks[at - 1] ?? 0));
  return ascends ? blocks : [...new Set(blocks)].sort((a, b) => a - b);
}

function inOrder({ blocks, logEfficiencies, usableTimesMs }: Columns): Pick<Columns, 'blocks' | 'logEfficiencies' | 'usableTimesMs'> {
  const order = blocks.map((_, at) => at).sort((a, b) => (blocks[a] ?? 0) - (blocks[b] ?? 0) || a - b);
  return {
    blocks: order.map((at) => blocks[at] ?? 0),
    logEfficiencies: order.map((at) => logEfficiencies[at] ?? 0),
    usableTimesMs: order.map((at) => usableTimesMs[at]),
  };
}

function positive(value: number, what: string, load: ComparableLoad): number {
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  const where = `${load.profileId} on page ${load.page} over link ${load.link}, block ${load.block}`;
  throw new PlumbfoxError('bad-input', `The load of ${where} has the ${what} ${value}: it must be positive and finite`);
}
