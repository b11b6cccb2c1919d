/** What an exhaustive measurement has so far, a line each in a JSONL file: taken up again where it was interrupted. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { MeasuredLoad } from '../../src/core/report/report.ts';
import type { SearchAnswer } from '../../src/core/search/search-record.ts';

/** `exhaustive`: of all sets; `search`: of the search; `check`: of the pick and the best. */
export type Part = 'exhaustive' | 'search' | 'check';

export type Entry =
  | { readonly scenario: string; readonly part: Part; readonly load: MeasuredLoad }
  | { readonly scenario: string; readonly part: 'answer'; readonly answer: SearchAnswer; readonly loads: number; readonly tookS: number };

/** A line that is not whole was being written when the process ended. A log that was condensed to be kept ends in `.gz`. */
export function readLog(path: string): readonly Entry[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString('utf8')
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

/** Writes a log with no more of each load than the comparison reads. */
export function condense(entries: readonly Entry[], path: string): void {
  const lines = entries.map((entry) => JSON.stringify('load' in entry ? { ...entry, load: compared(entry.load) } : entry));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
}

function compared({ profileId, page, link, block, validity, measures }: MeasuredLoad): object {
  const { loadTimeMs, bytes, idealTimeMs, cutShort } = measures ?? {};
  return { profileId, page, link, block, validity, ...(measures && { measures: { loadTimeMs, bytes, idealTimeMs, cutShort } }) };
}
