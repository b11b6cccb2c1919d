import { expect, it } from 'vitest';
import {
  affordableArms,
  confirmationBlocks,
  halve,
  isTimeFor,
  keptToConfirm,
  minLoads,
  roundBlocks,
  roundsFor,
} from '../../../../src/core/search/halving.ts';

it('keeps the better half that is ahead, and says why the others go', () => {
  const outcomes = halve([
    { id: 'a', ratio: 1.1 },
    { id: 'b', ratio: 1.3 },
    { id: 'c', ratio: 1.05 },
    { id: 'd', ratio: 0.99 },
    { id: 'e', ratio: undefined },
  ]);
  // Half of five, rounded up, is three.
  expect(Object.fromEntries(outcomes)).toEqual({ a: 'kept', b: 'kept', c: 'kept', d: 'not-ahead', e: 'no-loads' });
});

it('leaves the better half open of which too few loads were made, where none has a lead of 1.5 %', () => {
  const wide = { high: 1.4, detectableChange: 0.3 };
  const outcomes = halve([
    { id: 'a', ratio: 0.8, ...wide },
    { id: 'b', ratio: 1.01, ...wide },
    { id: 'c', ratio: 0.95, high: 1.02, detectableChange: 0.3 },
    { id: 'd', ratio: 0.97, high: 1.06, detectableChange: 0.09 },
    { id: 'e', ratio: 0.9, ...wide },
    { id: 'f', ratio: 0.9 },
    { id: 'g', ratio: undefined },
  ]);
  // Of a gain of 3 %, c has none and d would have shown 10 %; half of the four that are left is two. Without an interval f is open to anything.
  expect(Object.fromEntries(outcomes)).toEqual({
    a: 'not-ahead',
    b: 'open',
    c: 'not-ahead',
    d: 'not-ahead',
    e: 'open',
    f: 'not-ahead',
    g: 'no-loads',
  });
  expect(
    halve([
      { id: 'a', ratio: 0.8, ...wide },
      { id: 'b', ratio: 1.1, ...wide },
    ]).get('a'),
  ).toBe('not-ahead');
});

it('takes the earlier of equal arms', () => {
  const outcomes = halve([
    { id: 'a', ratio: 1.1 },
    { id: 'b', ratio: 1.1 },
  ]);
  expect(Object.fromEntries(outcomes)).toEqual({ a: 'kept', b: 'slower-half' });
});

it('has no more arms than their rounds can measure twice', () => {
  // 55 % of 100 loads are 55. Eight arms need three rounds of 18.3, and 2 blocks x 9 loads are 18; nine need four of 13.8, and 2 x 10 are 20.
  expect(affordableArms({ loads: 100, scenarios: 1 })).toBe(8);
  expect(affordableArms({ loads: 10, scenarios: 1 })).toBe(1);
  expect(roundsFor(1)).toBe(1);
  expect(roundsFor(7)).toBe(3);
});

it('spends the loads of a round on blocks, two at least and six at most', () => {
  // 100 - 45 = 55 loads, three rounds: 18 loads, 8 a block.
  expect(roundBlocks(7, { loads: 100, scenarios: 1 }, keptToConfirm({ loads: 100, scenarios: 1 }))).toBe(2);
  expect(roundBlocks(1, { loads: 1000, scenarios: 1 }, 0)).toBe(6);
});

it('knows the loads of the shortest search, and whether there is time for blocks', () => {
  // Two arms in 2 + 6 blocks; on nine scenarios two arms in 2 + 4 blocks.
  expect(minLoads(1)).toBe(16);
  expect(minLoads(9)).toBe(108);
  expect(isTimeFor(2, 3, { loads: 24, scenarios: 4 })).toBe(true);
  expect(isTimeFor(2, 3, { loads: 23, scenarios: 4 })).toBe(false);
});

it('confirms on six blocks at least where one page over one link decides alone', () => {
  expect(confirmationBlocks(1, { loads: 4, scenarios: 1 })).toBe(6);
  expect(confirmationBlocks(1, { loads: 4, scenarios: 4 })).toBe(4);
  // 88 % of 20 loads, two a block.
  expect(confirmationBlocks(1, { loads: 20, scenarios: 1 })).toBe(8);
  expect(confirmationBlocks(1, { loads: 500, scenarios: 1 })).toBe(48);
});
