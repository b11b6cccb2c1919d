import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignmentAt, blockArms } from '../../../src/core/trial/assignment.ts';
import { planOf } from '../../unit/core/trial/trial-driver.ts';

const most = planOf({ candidates: 20 });
const plan = fc
  .record({ candidates: fc.integer({ min: 1, max: 20 }), seed: fc.maxSafeInteger() })
  .map(({ candidates, seed }) => ({ ...most, seed, profiles: most.profiles.slice(0, candidates + 1) }));

describe('the assignment of slots to profiles', () => {
  it('gives every active arm its turn once in each block, whichever are active', () => {
    fc.assert(
      fc.property(plan, fc.integer({ min: 0, max: 10_000 }), fc.infiniteStream(fc.boolean()), (drawn, block, isActive) => {
        const ids = drawn.profiles.map(({ id }) => id);
        const active = ids.filter((id) => id === drawn.baseline || isActive.next().value);
        const turns: string[] = [];
        let slot = block * ids.length;
        for (;;) {
          const assigned = assignmentAt(drawn, slot, active);
          expect(assigned.slot).toBeGreaterThanOrEqual(slot);
          if (assigned.block !== block) break;
          turns.push(assigned.profileId);
          slot = assigned.slot + 1;
        }
        expect(turns.toSorted()).toEqual(active.toSorted());
        expect(turns).toEqual(blockArms(drawn, block).filter((id) => active.includes(id)));
      }),
    );
  });

  it('depends on the plan and the slot alone, and one without the arms that are dropped', () => {
    fc.assert(
      fc.property(plan, fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 10 }), (drawn, slots) => {
        const ids = drawn.profiles.map(({ id }) => id);
        const forwards = slots.map((slot) => assignmentAt(drawn, slot, ids));
        const backwards = slots.toReversed().map((slot) => assignmentAt(JSON.parse(JSON.stringify(drawn)), slot, ids));
        expect(backwards.toReversed()).toEqual(forwards);
        expect(forwards.map(({ slot }) => slot)).toEqual(slots);
      }),
    );
  });
});
