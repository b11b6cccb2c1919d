/** The checks that read the loads turn by turn, and slot by slot. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/core/random.ts';
import { checkSentence } from '../../../../src/core/trial/format-checks.ts';
import type { TrialLoad } from '../../../../src/core/trial/judged-loads.ts';
import { checkCarryOver, type TurnValue, turnValues } from '../../../../src/core/trial/slot-checks.ts';
import { checkInEffect } from '../../../../src/core/trial/trial-checks.ts';
import { gaussian } from '../compare/simulated-run.ts';

const HOUR = 3_600_000;

function loadAt(slot: number, change: Partial<TrialLoad> & { position?: number; washout?: boolean; block?: number } = {}): TrialLoad {
  const profileId = change.profileId ?? (slot % 2 === 0 ? 'a' : 'b');
  const { position = 1, washout = false, block = Math.floor(slot / 2), ...rest } = change;
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

/** `a` and `b` in blocks of random order; `value` gives the log efficiency of a turn, to which noise of 0.1 is added. */
function turnsOf(blocks: number, value: (turn: { at: number; profileId: string; after: string | undefined }) => number): TurnValue[] {
  const random = seededRandom(5);
  const turns: TurnValue[] = [];
  for (let block = 0; block < blocks; block++) {
    for (const profileId of random.shuffle(['a', 'b'])) {
      const after = turns.at(-1)?.profileId;
      const own = value({ at: turns.length * HOUR, profileId, after }) + 0.1 * gaussian(random);
      turns.push({ block, profileId, after, first: own, all: own });
    }
  }
  return turns;
}

describe('turnValues', () => {
  it('compares each load with the others of its page, link and profile', () => {
    // ln efficiencies of page p by a: -ln 4 and 0, mean -ln 2; of p by b, and of q, loaded once, nothing is known.
    const loads = [
      loadAt(0, { efficiency: 1 / 4 }),
      loadAt(1, { efficiency: 1 / 16 }),
      loadAt(2, { efficiency: 1 }),
      loadAt(2, { efficiency: 1, page: 'q', position: 2 }),
    ];
    const values = turnValues(loads, loads);
    expect(values.map(({ block, profileId, after }) => [block, profileId, after])).toEqual([
      [0, 'a', undefined],
      [1, 'a', 'b'],
    ]);
    expect(values[0]?.all).toBeCloseTo(-Math.LN2, 12);
    expect(values[1]?.all).toBeCloseTo(Math.LN2, 12);
  });

  it('knows a turn of several slots as one, and which turn came before from loads that do not count, too', () => {
    const turn = (block: number, profileId: string, slots: readonly number[]) => slots.map((slot) => loadAt(slot, { block, profileId }));
    const settled = [...turn(0, 'a', [1, 2]), ...turn(1, 'a', [6, 7]), ...turn(1, 'b', [9, 10])];
    const marked = [
      loadAt(0, { block: 0, profileId: 'a', washout: true }),
      ...turn(0, 'b', [3]),
      loadAt(8, { block: 1, profileId: 'b' }),
      ...settled,
    ];
    expect(turnValues(marked, settled).map(({ block, profileId, after }) => [block, profileId, after])).toEqual([
      [0, 'a', undefined],
      [1, 'a', 'b'],
      [1, 'b', 'a'],
    ]);
  });
});

describe('the carry-over check', () => {
  const check = (turns: readonly TurnValue[]) => checkCarryOver(turns, 'b');

  it('says nothing of a few turns', () => {
    expect(check(turnsOf(4, () => 0)).outcome).toBe('too-early');
    expect(check([]).outcome).toBe('too-early');
  });

  it('is passed by arms that differ, if none leaves anything behind', () => {
    expect(check(turnsOf(40, ({ profileId }) => (profileId === 'a' ? 0.2 : 0))).outcome).toBe('passed');
  });

  it('fails where the turns after the other arm are 20 % less efficient than those after an own one', () => {
    const found = check(turnsOf(40, ({ profileId, after }) => (profileId === 'b' && after === 'a' ? Math.log(0.8) : 0)));
    expect(found).toMatchObject({ outcome: 'failed', after: 'a' });
    // Turns of b, half of them after a, spread 0.1: right to about 0.1 * sqrt(2 / 20).
    expect(Math.abs(Math.log((found.ratio ?? 1) / 0.8))).toBeLessThan(0.1);
    expect(checkSentence(found)).toMatch(/^Loads in a turn after a were /);
  });

  it('has a verdict wait while a candidate may be flattered, and not while it may be wronged', () => {
    // Standard errors are about 0.1 * sqrt(2 / 20) = 0.03: two and three of them, no evidence of 100.
    const by = (ratio: number) => check(turnsOf(40, ({ profileId, after }) => (profileId === 'b' && after === 'a' ? Math.log(ratio) : 0)));
    expect(by(0.94)).toMatchObject({ outcome: 'warning', after: 'a' });
    expect(by(1.06).outcome).toBe('passed');
    const helped = (ratio: number) =>
      check(turnsOf(40, ({ profileId, after }) => (profileId === 'a' && after === 'b' ? Math.log(ratio) : 0)));
    expect(helped(1.1)).toMatchObject({ outcome: 'warning', after: 'b' });
    expect(helped(0.9).outcome).toBe('passed');
  });

  it('is not misled by drift of 3 % per hour', () => {
    expect(check(turnsOf(40, ({ at }) => (0.03 * at) / HOUR)).outcome).toBe('passed');
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
