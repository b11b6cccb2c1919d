import { existsSync } from 'node:fs';
import { expect, it, test, vi } from 'vitest';
// @ts-expect-error A build script, checked by its own comments.
import { LONG_FILES, leftOutOf, longFiles, TURNS, turnNow, turnsOf } from '../../../src/tools/test-turns.mjs';

test('each file has its turn in exactly one run, the longest first', () => {
  // By hand: 9 and 5 and 4 each to an empty turn, 3 to the one of 4, 2 to that of 5, 1 to either of 7.
  expect(turnsOf({ a: 2, b: 9, c: 4, d: 5, e: 3, f: 1 })).toEqual([['b'], ['d', 'a', 'f'], ['c', 'e']]);
});

it.each(['browser', 'lab'])('of %s, what waits in one run has its turn in another, and takes about as long', (project) => {
  const turns = Array.from({ length: TURNS }, (_, turn) => {
    const waiting: readonly string[] = leftOutOf(project, turn);
    return longFiles(project).filter((path: string) => !waiting.includes(path));
  });
  expect(turns.flat().toSorted()).toEqual(longFiles(project).toSorted());
  const secondsOf = (path: string): number => LONG_FILES[project][path.slice('test/browser/'.length, -'.test.ts'.length)];
  const sums = turns.map((paths) => paths.reduce((sum: number, path: string) => sum + secondsOf(path), 0));
  // Where the last file of the fullest turn went in, that turn was the emptiest.
  const fullest = turns[sums.indexOf(Math.max(...sums))] ?? [];
  expect(Math.max(...sums) - Math.min(...sums)).toBeLessThanOrEqual(Math.min(...fullest.map(secondsOf)));
  expect(longFiles(project).filter((path: string) => !existsSync(path))).toEqual([]);
});

it('goes by the tree, and leaves nothing out where everything is asked for', () => {
  vi.stubEnv('PLUMBFOX_FULL', undefined);
  vi.stubEnv('PLUMBFOX_TURNS', undefined);
  expect([0, 1, 2]).toContain(turnNow());
  expect(turnNow()).toBe(turnNow());
  vi.stubEnv('PLUMBFOX_TURNS', 'all');
  expect(turnNow()).toBeUndefined();
  vi.stubEnv('PLUMBFOX_TURNS', undefined);
  vi.stubEnv('PLUMBFOX_FULL', '1');
  expect(turnNow()).toBeUndefined();
  vi.unstubAllEnvs();
});
