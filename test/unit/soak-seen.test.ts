/** What the soak counts: growth of one process, and what Firefox keeps for one life of the event page. */
import { expect, test } from 'vitest';
import { growthOf, keptInLives, type SoakReading } from '../soak/soak-seen.ts';

const reading = (loads: number, held: number, startedAt = 0): SoakReading => ({
  loads,
  minutes: loads / 100,
  startedAt,
  heldBytes: held * 1e6,
  residentBytes: held * 2e6,
  explicitBytes: 18e6,
  ghosts: 0,
  databaseBytes: 1e6,
});

test('growth begins with the end of the warm-up', () => {
  const readings = [reading(250, 40), reading(1_000, 52), reading(1_250, 61), reading(2_000, 55)];
  expect(growthOf(readings, 1_000, 'heldBytes')).toBe(3e6);
  expect(growthOf(readings, 1_000, 'residentBytes')).toBe(6e6);
});

test('growth is that of one process: a run that was resumed warms up again, and the process that grew most counts', () => {
  const first = [reading(1_000, 50), reading(2_000, 58)];
  const second = [reading(2_250, 40, 2_000), reading(3_000, 49, 2_000), reading(4_000, 51, 2_000)];
  expect(growthOf([...first, ...second], 1_000, 'heldBytes')).toBe(8e6);
});

test.each([
  ['nothing was looked at', [], 1_000],
  ['it ended with the warm-up', [reading(250, 40), reading(1_000, 52)], 1_000],
  ['no warm-up was asked for', [reading(250, 40), reading(1_000, 52)], undefined],
])('growth is not known where %s', (_, readings, warmLoads) => {
  expect(growthOf(readings, warmLoads, 'heldBytes')).toBeUndefined();
});

test('what is kept is compared within one life of the event page', () => {
  const looks = [
    { startedAt: 0, wakes: 0, count: 8 },
    { startedAt: 0, wakes: 0, count: 14 },
    { startedAt: 0, wakes: 1, count: 9 },
    { startedAt: 500, wakes: 0, count: 8 },
    { startedAt: 500, wakes: 0, count: 8 },
  ];
  expect(keptInLives(looks)).toEqual([
    [8, 14],
    [8, 8],
  ]);
});
