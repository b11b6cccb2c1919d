/** The run that may decide what a report leaves open: its own command with more blocks, and how long that takes. */
import type { Recommendation } from '../compare/comparison.ts';
import { MAX_LOADS_NAMED } from '../compare/format-verdict.ts';
import type { Report } from './report.ts';

/** More rounds would take days: no command for that. */
const MAX_NAMED_BLOCKS = 200;

export interface LongerRun {
  /** What follows the name of the program. */
  readonly arguments: string;
  /** `about 12 min`. */
  readonly takes: string;
}

/** `undefined`: nothing is open, how many loads it takes is unknown or too many, or the report does not hold its command. */
export function longerRun({
  comparison,
  provenance,
  loads,
  search,
}: Pick<Report, 'comparison' | 'provenance' | 'loads' | 'search'>): LongerRun | undefined {
  const { command } = provenance;
  if (command === undefined || search !== undefined) return undefined;
  const open = (comparison.protocols ?? [comparison]).flatMap(({ recommendation }) => neededBy(recommendation));
  if (open.length === 0 || Math.max(...open) > MAX_LOADS_NAMED) return undefined;
  const made = loads.reduce((most, { block }) => Math.max(most, block + 1), 0);
  const blocks = made + Math.max(1, Math.ceil(Math.max(...open) / Math.max(1, comparison.scenarios.length)));
  if (made === 0 || blocks > MAX_NAMED_BLOCKS) return undefined;
  const times = loads.map(({ startedAt }) => startedAt);
  const minutes = Math.ceil(((Math.max(...times) - Math.min(...times)) / made / 60_000) * blocks);
  return { arguments: ['tune', ...command, '--blocks', String(blocks)].join(' '), takes: `about ${minutes} min` };
}

/** What settings alone need where they are open, else the whole recommendation. */
function neededBy({ settingsAlone, ...overall }: Recommendation): readonly number[] {
  const open = [settingsAlone, overall].find(({ state }) => state === 'need-more-loads');
  return open?.loadsNeeded === undefined ? [] : [open.loadsNeeded];
}
