/** What an exhaustive measurement has so far, a line each in a JSONL file: taken up again where it was interrupted. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MeasuredLoad } from '../../src/core/report/report.ts';
import type { SearchAnswer } from '../../src/core/search/search-record.ts';

/** `exhaustive`: of all sets; `search`: of the search; `check`: of the pick and the best. */
export type Part = 'exhaustive' | 'search' | 'check';

export type Entry =
  | { readonly scenario: string; readonly part: Part; readonly load: MeasuredLoad }
  | { readonly scenario: string; readonly part: 'answer'; readonly answer: SearchAnswer; readonly loads: number; readonly tookS: number };

/** A line that is not whole was being written when the process ended. */
export function readLog(path: string): readonly Entry[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as Entry];
      } catch {
        return [];
      }
    });
}

export function appendEntry(path: string, entry: Entry): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${JSON.stringify(entry)}\n`);
}

/** Loads of one part of a scenario; of a load that was made again the last counts. */
export function loadsOf(entries: readonly Entry[], scenario: string, part: Part): readonly MeasuredLoad[] {
  const loads = new Map<string, MeasuredLoad>();
  for (const entry of entries) {
    if (entry.scenario !== scenario || entry.part !== part || !('load' in entry)) continue;
    loads.set(`${entry.load.block} ${entry.load.profileId}`, entry.load);
  }
  return [...loads.values()];
}

/** Blocks in which every profile has a load: the others are made again from their beginning. */
export function completeBlocks(loads: readonly MeasuredLoad[], profiles: number): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const { block } of loads) counts.set(block, (counts.get(block) ?? 0) + 1);
  return new Set([...counts].flatMap(([block, count]) => (count === profiles ? [block] : [])));
}
