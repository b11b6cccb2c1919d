/** Loads by profile, scenario (page and link) and block: what pairing and summaries read. */
import { PlumbfoxError } from '../errors.ts';
import { positiveLog } from '../stats/log-ratio.ts';
import type { ComparableLoad } from './comparison.ts';

/** One profile in one scenario. */
export interface ScenarioLoads {
  readonly page: string;
  readonly link: string;
  /** ln efficiency of the usable loads of each block; more than one where a load was repeated within its block. */
  readonly logEfficiencyByBlock: Map<number, number[]>;
  /** Of the valid loads. */
  readonly loadTimesMs: number[];
  valid: number;
  void: number;
  /** Valid and with an efficiency. */
  usable: number;
}

/** Scenario key to loads, for each profile asked for. */
export type LoadIndex = ReadonlyMap<string, ReadonlyMap<string, ScenarioLoads>>;

/**
 * Loads of other profiles than those asked for are left out.
 * @throws PlumbfoxError bad-input when a valid load carries an efficiency or a load time that is not positive and finite.
 */
export function indexLoads(loads: readonly ComparableLoad[], profileIds: readonly string[]): LoadIndex {
  const index = new Map<string, Map<string, ScenarioLoads>>(profileIds.map((id) => [id, new Map()]));
  for (const load of loads) {
    const scenarios = index.get(load.profileId);
    if (scenarios !== undefined) addLoad(scenarios, load);
  }
  return index;
}

/** The scenarios in which any of the profiles was loaded, in the order in which they first came. */
export function scenarioKeys(index: LoadIndex): readonly string[] {
  const keys = new Set<string>();
  for (const scenarios of index.values()) for (const key of scenarios.keys()) keys.add(key);
  return [...keys];
}

function addLoad(scenarios: Map<string, ScenarioLoads>, load: ComparableLoad): void {
  // The length tells where the page's name ends, whatever the names are.
  const key = `${load.page.length} ${load.page}${load.link}`;
  let entry = scenarios.get(key);
  if (entry === undefined) {
    entry = { page: load.page, link: load.link, logEfficiencyByBlock: new Map(), loadTimesMs: [], valid: 0, void: 0, usable: 0 };
    scenarios.set(key, entry);
  }
  if (!load.valid) {
    entry.void += 1;
    return;
  }
  entry.valid += 1;
  if (load.loadTimeMs !== undefined) entry.loadTimesMs.push(positive(load.loadTimeMs, 'load time', load));
  if (load.efficiency === undefined) return;
  entry.usable += 1;
  const logEfficiency = positiveLog(positive(load.efficiency, 'efficiency', load));
  const block = entry.logEfficiencyByBlock.get(load.block);
  if (block === undefined) entry.logEfficiencyByBlock.set(load.block, [logEfficiency]);
  else block.push(logEfficiency);
}

function positive(value: number, what: string, load: ComparableLoad): number {
  if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
  const where = `${load.profileId} on page ${load.page} over link ${load.link}, block ${load.block}`;
  throw new PlumbfoxError('bad-input', `The load of ${where} has the ${what} ${value}: it must be positive and finite`);
}
