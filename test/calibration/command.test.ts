/** `npm run calibrate` as a person runs it: bundled, with worker threads. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runLine } from './harness/run-line.ts';
import { equalLab } from './lines/equal-lab.ts';

const calibrate = (...args: string[]) => spawnSync(process.execPath, ['src/tools/calibrate.mjs', ...args], { encoding: 'utf8' });

it('finds in its threads what one thread finds', () => {
  const { status, stdout, stderr } = calibrate('--only', 'equal-lab', '--runs', '90', '--seed', '5', '--json');
  expect(stderr).toMatch(/^\d+ s/);
  expect(status).toBe(0);
  const { seed, met, lines } = JSON.parse(stdout);
  expect({ seed, met }).toEqual({ seed: 5, met: true });
  const rows = runLine(equalLab, { seed: 5, runs: 90 });
  expect(lines).toMatchObject([{ line: 'equal-lab', runs: 90, fullCount: false, rows: rows.map(({ what, found }) => ({ what, found })) }]);
});

it('refuses a line that there is not, and names those there are', () => {
  const { status, stderr } = calibrate('--only', 'nothing');
  expect(status).toBe(2);
  expect(stderr).toMatch(/^There is no line nothing\. Lines: equal-everyday, /);
});
