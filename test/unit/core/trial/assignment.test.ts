import { describe, expect, it } from 'vitest';
import { armOfSlot, assignmentAt, blockArms, blockSlots } from '../../../../src/core/trial/assignment.ts';
import { planOf } from './trial-driver.ts';

const plan = planOf({ candidates: 3, seed: 7 });
const ALL = plan.profiles.map(({ id }) => id);

describe('assignmentAt', () => {
  it('numbers slots through, as many to a block as there are arms', () => {
    const second = blockArms(plan, 1);
    expect([4, 5, 6, 7].map((slot) => assignmentAt(plan, slot, ALL))).toEqual(
      second.map((profileId, at) => ({ block: 1, slot: 4 + at, profileId })),
    );
  });

  it('passes over the slots of arms that are not active, into later blocks if need be', () => {
    const order = blockArms(plan, 0);
    const last = order[3] ?? '';
    expect(assignmentAt(plan, 0, [last])).toEqual({ block: 0, slot: 3, profileId: last });
    const turn = blockArms(plan, 1).indexOf(last);
    expect(assignmentAt(plan, 4, [last])).toEqual({ block: 1, slot: 4 + turn, profileId: last });
    const first = order[0] ?? '';
    expect(assignmentAt(plan, 1, [first])).toEqual({ block: 1, slot: 4 + blockArms(plan, 1).indexOf(first), profileId: first });
  });

  it('gives each arm as many slots in a row as a turn has', () => {
    const turns = { ...plan, slotsPerTurn: 3 };
    const order = blockArms(turns, 1);
    expect(Array.from({ length: 12 }, (_, at) => assignmentAt(turns, 12 + at, ALL))).toEqual(
      order.flatMap((profileId, turn) => [0, 1, 2].map((at) => ({ block: 1, slot: 12 + 3 * turn + at, profileId }))),
    );
    expect(Array.from({ length: 24 }, (_, slot) => armOfSlot(turns, slot))).toEqual([0, 1].flatMap((block) => blockSlots(turns, block)));
  });

  it('draws other orders for other seeds and other blocks', () => {
    const ordersOf = (seed: number) => Array.from({ length: 20 }, (_, block) => blockArms({ ...plan, seed }, block).join(' '));
    expect(ordersOf(1)).not.toEqual(ordersOf(2));
    // Seeds that differ above 32 bits only.
    expect(ordersOf(1)).not.toEqual(ordersOf(1 + 2 ** 32));
    // Of 24 orders, 10 draws show 8 on average, and fewer than 4 once in a million.
    expect(new Set(ordersOf(1).filter((_, block) => block % 2 === 0)).size).toBeGreaterThan(3);
  });

  it('turns the order of every other block round', () => {
    for (const block of [0, 2, 40]) expect(blockArms(plan, block + 1)).toEqual(blockArms(plan, block).toReversed());
  });

  it('lets each of two arms come after the other 5 times in 8', () => {
    const two = planOf({ candidates: 1, seed: 9 });
    const turns = Array.from({ length: 4000 }, (_, block) => blockArms(two, block)).flat();
    const changes = turns.filter((id, at) => at > 0 && id !== turns[at - 1]).length;
    // Of the four transitions of a pair two change, one stays, and one, to the next pair, changes every other time: 5000 of 8000, with a
    // standard deviation of sqrt(2000) / 2 = 22; 5 of them are 112.
    expect(Math.abs(changes - 5000)).toBeLessThan(112);
  });

  it('refuses a slot that is none, and a trial without an active arm', () => {
    expect(() => assignmentAt(plan, -1, ALL)).toThrow(/whole number from 0/);
    expect(() => assignmentAt(plan, 0.5, ALL)).toThrow(/whole number from 0/);
    expect(() => assignmentAt(plan, 0, [])).toThrow(/No arm/);
    expect(() => assignmentAt(plan, 0, ['c9-d9'])).toThrow(/No arm/);
  });

  it('puts each of two arms first about equally often, and lets first places follow no pattern', () => {
    const two = planOf({ candidates: 1, seed: 3 });
    const firsts = Array.from({ length: 4000 }, (_, pair) => blockArms(two, 2 * pair)[0]);
    const own = firsts.filter((id) => id === 'c1-d1').length;
    // 2000 with a standard deviation of sqrt(4000) / 2 = 32; 5 of them are 158.
    expect(Math.abs(own - 2000)).toBeLessThan(158);
    const repeats = firsts.filter((id, at) => at > 0 && id === firsts[at - 1]).length;
    expect(Math.abs(repeats - 2000)).toBeLessThan(158);
  });
});
