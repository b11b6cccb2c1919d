// @ts-check
// What is known of mutants that were tried, on this machine: .cache/mutation/MODULE.jsonl, a line for each try, the last of a mutant counts.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ source: string, fileName: string, location: { start: { line: number, column: number }, end: { line: number, column: number } },
 *   mutatorName: string, replacement: string, tests: string, status: 'killed' | 'timeout' | 'survived', by: string }} Line
 */

/** @type {(module: string) => readonly Line[]} */
export function linesOf(module) {
  const path = `.cache/mutation/${module}.jsonl`;
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** @type {(mutant: Pick<Line, 'fileName' | 'location' | 'mutatorName' | 'replacement'>, source: string) => string} */
export const noteOf = ({ fileName, location: { start, end }, mutatorName, replacement }, source) =>
  JSON.stringify([source, fileName, start.line, start.column, end.line, end.column, mutatorName, replacement]);

/** @type {(lines: readonly Line[]) => ReadonlyMap<string, Line>} */
export const knownOf = (lines) => new Map(lines.map((line) => [noteOf(line, line.source), line]));

export function hashOf(/** @type {string[]} */ ...texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}\n${text}`);
  return hash.digest('hex').slice(0, 16);
}
