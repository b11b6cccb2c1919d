/** Which loads a verdict rests on. Turns of two slots; with seed 1 the first block is drawn as `FIRST` then `SECOND`. */
import { describe, expect, it } from 'vitest';
import { assignmentAt, blockArms } from '../../../../src/core/trial/assignment.ts';
import { settledLoads, type TrialLoad } from '../../../../src/core/trial/judged-loads.ts';
import { beginTrial } from '../../../../src/core/trial/stretches.ts';
import type { TrialProgress } from '../../../../src/core/trial/trial-progress.ts';
import { planOf } from './trial-driver.ts';

const plan = planOf({ slotsPerTurn: 2 });
const [FIRST = '', SECOND = ''] = blockArms(plan, 0);
const ALL = plan.profiles.map(({ id }) => id);
const none = beginTrial(plan);

/** One load in each of the slots, a second apart. */
function loadsIn(slots: readonly number[]): readonly TrialLoad[] {
  return slots.map((slot) => {
    const { block, profileId } = assignmentAt(plan, slot, ALL);
    const mark = { trialId: plan.id, block, slot, profileId, position: 1, washout: false };
    const place = { page: 'p', link: 'l', valid: true, efficiency: 0.5, loadTimeMs: 1000, inEffect: true };
    return { ...place, profileId, block, slot, mark, startedAt: 1000 * slot };
  });
}

const settledSlots = (slots: readonly number[], progress: TrialProgress = none) =>
  settledLoads(plan, progress, loadsIn(slots)).map(({ mark }) => mark.slot);

describe('settledLoads', () => {
  it('are of slots that follow one of their own profile', () => {
    // FIRST FIRST SECOND SECOND, turned round: SECOND SECOND FIRST FIRST.
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((slot) => assignmentAt(plan, slot, ALL).profileId)).toEqual([
      FIRST,
      FIRST,
      SECOND,
      SECOND,
      SECOND,
      SECOND,
      FIRST,
      FIRST,
    ]);
    expect(settledSlots([0, 1, 2, 3, 4, 5, 6, 7])).toEqual([1, 3, 4, 5, 7]);
  });

  it('are not of a slot before which nothing was loaded under its profile', () => {
    expect(settledSlots([1, 2, 4, 5])).toEqual([5]);
  });

  it('are not those after a pause, in which Firefox ran as the person has it', () => {
    const pausedAt = (from: number, to: number): TrialProgress => ({ ...none, pauses: [{ from, to }] });
    expect(settledSlots([4, 5], pausedAt(4_100, 4_900))).toEqual([]);
    expect(settledSlots([4, 5], pausedAt(3_100, 3_900))).toEqual([5]);
    expect(settledSlots([4, 5], pausedAt(5_100, 5_900))).toEqual([5]);
  });

  it('pass over the slots of arms that have no turn any more, and begin anew with each stretch', () => {
    const alone: TrialProgress = {
      ...none,
      stretches: [...none.stretches, { fromSlot: 4, arms: [FIRST], counts: {} }],
    };
    expect(settledSlots([2, 3, 6, 7], alone)).toEqual([3, 7]);
  });
});
