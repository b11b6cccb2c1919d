/** The checks that read the loads slot by slot. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/core/random.ts';
import { checkSentence } from '../../../../src/core/trial/format-checks.ts';
import { checkCarryOver, type SlotValue, slotValues } from '../../../../src/core/trial/slot-checks.ts';
import type { TrialLoad } from '../../../../src/core/trial/stage-loads.ts';
import { checkInEffect } from '../../../../src/core/trial/trial-checks.ts';
import { gaussian } from '../compare/simulated-run.ts';

const HOUR = 3_600_000;

function loadAt(slot: number, change: Partial<TrialLoad> & { position?: number; washout?: boolean } = {}): TrialLoad {
  const profileId = change.profileId ?? (slot % 2 === 0 ? 'a' : 'b');
  const { position = 1, washout = false, ...rest } = change;
  const block = Math.floor(slot / 2);
  return {
    profileId,
    page: 'p',
    link: 'l',
    block,
    slot,
    mark: { trialId: 't1', block, slot, profileId, position, washout },
    startedAt: slot * HOUR,
    inEffect: true,
    valid: true,
    efficiency: 0.5,
    loadTimeMs: 1000,
    ...rest,
  };
}

/** `a` and `b` in blocks of random order; `value` gives the log efficiency of a slot, to which noise of 0.1 is added. */
function slotsOf(blocks: number, value: (slot: { at: number; profileId: string; after: string | undefined }) => number): SlotValue[] {
  const random = seededRandom(5);
  const slots: SlotValue[] = [];
  for (let block = 0; block < blocks; block++) {
    for (const profileId of random.shuffle(['a', 'b'])) {
      const slot = slots.length;
      const after = slots.at(-1)?.profileId;
      const own = value({ at: slot * HOUR, profileId, after }) + 0.1 * gaussian(random);
      slots.push({ slot, block, profileId, after, first: own, all: own });
    }
  }
  return slots;
}

describe('slotValues', () => {
  it('compares each load with the others of its page, link and profile', () => {
    // ln efficiencies of page p by a: -ln 4 and 0, mean -ln 2; of p by b, and of q, loaded once, nothing is known.
    const values = slotValues([
      loadAt(0, { efficiency: 1 / 4 }),
      loadAt(1, { efficiency: 1 / 16 }),
      loadAt(2, { efficiency: 1 }),
      loadAt(2, { efficiency: 1, page: 'q', position: 2 }),
    ]);
    expect(values.map(({ slot, after }) => [slot, after])).toEqual([
      [0, undefined],
      [2, 'b'],
    ]);
    expect(values[0]?.all).toBeCloseTo(-Math.LN2, 12);
    expect(values[1]?.all).toBeCloseTo(Math.LN2, 12);
  });

  it('knows which slot came before from loads that do not count, too', () => {
    const values = slotValues([loadAt(0), loadAt(1, { washout: true, position: 0 }), loadAt(2), loadAt(3), loadAt(4), loadAt(5)]);
    expect(values.map(({ slot, after }) => [slot, after])).toEqual([
      [0, undefined],
      [2, 'b'],
      [3, 'a'],
      [4, 'b'],
      [5, 'a'],
    ]);
  });
});

describe('the carry-over check', () => {
  it('says nothing of a few slots', () => {
    expect(checkCarryOver(slotsOf(4, () => 0)).outcome).toBe('too-early');
    expect(checkCarryOver([]).outcome).toBe('too-early');
  });

  it('is passed by arms that differ, if none leaves anything behind', () => {
    expect(checkCarryOver(slotsOf(40, ({ profileId }) => (profileId === 'a' ? 0.2 : 0))).outcome).toBe('passed');
  });

  it('fails where the slots after one arm are 20 % less efficient', () => {
    const check = checkCarryOver(slotsOf(40, ({ after }) => (after === 'a' ? Math.log(0.8) : 0)));
    expect(check.outcome).toBe('failed');
    const ratio = check.after === 'a' ? check.ratio : 1 / (check.ratio ?? 1);
    // 80 slots of spread 0.1: the estimate is right to about 0.03.
    expect(Math.abs(Math.log((ratio ?? 1) / 0.8))).toBeLessThan(0.1);
    expect(checkSentence(check)).toMatch(/^Loads more than a slot after [ab] were /);
  });

  it('is not misled by drift of 3 % per hour', () => {
    expect(checkCarryOver(slotsOf(40, ({ at }) => (0.03 * at) / HOUR)).outcome).toBe('passed');
  });
});

describe('the check that profiles were in effect', () => {
  const loads = (mismatched: number, all: number) => Array.from({ length: all }, (_, at) => loadAt(0, { inEffect: at >= mismatched }));

  it('is passed, warns of a few, and fails above a tenth', () => {
    expect(checkInEffect(loads(0, 10), ['a']).outcome).toBe('passed');
    const some = checkInEffect(loads(2, 10), ['a']);
    expect(some.outcome).toBe('warning');
    expect(checkSentence(some)).toBe('a was not in effect in 2 of 10 loads, which do not count.');
    expect(checkInEffect(loads(3, 30), ['a']).outcome).toBe('warning');
    expect(checkInEffect(loads(4, 30), ['a'])).toMatchObject({ outcome: 'failed', arms: [{ recorded: 30, mismatched: 4 }] });
  });
});
