/** Which files of tests belong to a bar: those that count for it, and those that it names besides. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Bar } from './bar.ts';

const COUNTS = /countBar\(\s*(\d+),/g;

let counting: ReadonlyMap<string, ReadonlySet<number>> | undefined;

/** From the root of the repository, sorted. Empty: nothing holds the bar yet. */
export function filesOf({ number, also = [] }: Bar): readonly string[] {
  counting ??= new Map(testFiles().map((file) => [file, numbersIn(readFileSync(file, 'utf8'))]));
  const own = [...counting].filter(([, numbers]) => numbers.has(number)).map(([file]) => file);
  return [...new Set([...own, ...also])].toSorted();
}

const testFiles = (): readonly string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.startsWith('unit/bars/'))
    .map((name) => `test/${name}`);

const numbersIn = (text: string): ReadonlySet<number> => new Set([...text.matchAll(COUNTS)].map(([, number]) => Number(number)));
