/** Trimming by hand: ten loads of each arm on one page, log efficiencies 0 to -9. */
import { expect, it } from 'vitest';
import type { TrialLoad } from '../../../../src/core/trial/judged-loads.ts';
import { trimmedToEqualShares } from '../../../../src/core/trial/losses.ts';

function loadsOf(profileId: string, count: number): readonly TrialLoad[] {
  return Array.from({ length: count }, (_, at) => ({
    profileId,
    page: 'p',
    link: 'l',
    block: at,
    slot: at,
    mark: { trialId: 't1', block: at, slot: at, profileId, position: 1, washout: false },
    startedAt: at,
    inEffect: true,
    valid: true,
    efficiency: Math.exp(-at),
    loadTimeMs: 1000,
  }));
}

const tableOf = (lost: Readonly<Record<string, number>>) => [
  Object.entries(lost).map(([profileId, count]) => ({ profileId, attempted: 10, usable: 10 - count, lost: count })),
];
const keptOf = (loads: readonly TrialLoad[], id: string) => loads.filter(({ profileId }) => profileId === id).map(({ slot }) => slot);

it('takes from the arm that lost less its slowest loads, as many as make the shares equal', () => {
  const loads = [...loadsOf('a', 10), ...loadsOf('b', 8)];
  const left = trimmedToEqualShares(loads, tableOf({ a: 0, b: 2 }), ['a', 'b']);
  expect(keptOf(left, 'a')).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(keptOf(left, 'b')).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

it('takes the share that is left to lose of an arm that has lost some itself', () => {
  // Of a 9 of 10 are left and of b 6: a gives up a third of its 9.
  const left = trimmedToEqualShares([...loadsOf('a', 9), ...loadsOf('b', 6)], tableOf({ a: 1, b: 4 }), ['a', 'b']);
  expect(keptOf(left, 'a')).toEqual([0, 1, 2, 3, 4, 5]);
});

it('leaves loads as they are where every arm lost as much', () => {
  const loads = [...loadsOf('a', 9), ...loadsOf('b', 9)];
  expect(trimmedToEqualShares(loads, tableOf({ a: 1, b: 1 }), ['a', 'b'])).toBe(loads);
});

it('does not ask what an arm lost that has no more turns', () => {
  const loads = [...loadsOf('a', 9), ...loadsOf('b', 9), ...loadsOf('c', 2)];
  expect(trimmedToEqualShares(loads, tableOf({ a: 1, b: 1, c: 8 }), ['a', 'b'])).toBe(loads);
});
