/** With seed 1, the first block of the two-armed plan is drawn as `FIRST` then `SECOND`; three loads to a slot, the washout among them after a switch. */
import { describe, expect, it } from 'vitest';
import type { TrialEvent } from '../../../../src/core/trial/advance.ts';
import { blockArms } from '../../../../src/core/trial/assignment.ts';
import { beginTrial } from '../../../../src/core/trial/stretches.ts';
import type { TrialDecision } from '../../../../src/core/trial/trial-state.ts';
import { BASELINE, drive, load, markOf, planOf } from './trial-driver.ts';

const plan = planOf({ slots: { kind: 'loads', perSlot: 3 } });
const FOUND = { profileId: 'c1-d1', ratio: 0.8, finding: 'worse', loads: 9, baselineLoads: 9 } as const;
const [FIRST = '', SECOND = ''] = blockArms(plan, 0);
const STARTED: TrialEvent = { kind: 'started', at: 10 };
const IN_EFFECT: readonly TrialEvent[] = [STARTED, { kind: 'switched', at: 20, slot: 0 }];
/** The washout and the two counted loads of the first slot. */
const FIRST_SLOT: readonly TrialEvent[] = [...IN_EFFECT, ...load('a', 30), ...load('b', 40), ...load('c', 50)];
const goOn = (slot: number, stretch = 1): TrialDecision => ({ slot, stretch, step: { kind: 'go-on' } });

describe('a trial whose profiles are switched in the running Firefox', () => {
  it('waits to be started, then asks for the first profile', () => {
    expect(drive(plan, [{ kind: 'clock', at: 5 }])).toEqual({ progress: beginTrial(plan), command: undefined });
    expect(drive(plan, [STARTED]).command).toEqual({ kind: 'switch-to', profileId: FIRST, slot: 0 });
  });

  it('marks the first load after the switch as washout, and counts the others', () => {
    const { progress, command } = drive(plan, FIRST_SLOT.slice(0, -2));
    expect(command).toBeUndefined();
    expect(markOf(progress, 'a')).toEqual({ trialId: 't1', block: 0, slot: 0, profileId: FIRST, position: 0, washout: true });
    expect(markOf(progress, 'b')).toMatchObject({ position: 1, washout: false });
    expect(progress.stretches[0]?.counts[FIRST]).toEqual({ attempted: 1, recorded: 1, lost: 0 });
  });

  it('takes loads that begin before the first has ended as washout too', () => {
    const { progress } = drive(plan, [
      ...IN_EFFECT,
      { kind: 'load-began', at: 30, loadId: 'a' },
      { kind: 'load-began', at: 31, loadId: 'b' },
      { kind: 'load-recorded', at: 40, loadId: 'a' },
      { kind: 'load-began', at: 41, loadId: 'c' },
    ]);
    expect([markOf(progress, 'b')?.washout, markOf(progress, 'c')?.washout]).toEqual([true, false]);
  });

  it('looks at the loads when a slot has had its own, then asks for the next profile', () => {
    const { progress, command } = drive(plan, FIRST_SLOT);
    expect(command).toEqual({ kind: 'look', slot: 0 });
    expect(drive(plan, [{ kind: 'looked', at: 60, decision: goOn(0) }], progress).command).toEqual({
      kind: 'switch-to',
      profileId: SECOND,
      slot: 1,
    });
  });

  it('never asks for a switch while a load is under way, also not one that began between two slots', () => {
    const { progress, command } = drive(plan, [
      ...FIRST_SLOT,
      { kind: 'load-began', at: 55, loadId: 'late' },
      { kind: 'looked', at: 60, decision: goOn(0) },
    ]);
    expect(command).toBeUndefined();
    expect(markOf(progress, 'late')).toBeUndefined();
    const after = drive(plan, [{ kind: 'load-recorded', at: 70, loadId: 'late' }], progress);
    expect(after.command).toEqual({ kind: 'switch-to', profileId: SECOND, slot: 1 });
    expect(markOf(after.progress, 'late')).toBeUndefined();
  });

  it('keeps the slot open while a load is under way', () => {
    const { progress, command } = drive(plan, [
      ...FIRST_SLOT.slice(0, -1),
      { kind: 'load-began', at: 51, loadId: 'd' },
      { kind: 'load-recorded', at: 52, loadId: 'c' },
    ]);
    expect(command).toBeUndefined();
    expect(progress.current).toMatchObject({ phase: 'in-effect', attempted: 3 });
  });

  it('counts a load of which nothing more is heard as lost after two minutes', () => {
    const { progress } = drive(plan, [...FIRST_SLOT.slice(0, -1), { kind: 'clock', at: 50 + 120_000 }]);
    expect(progress.current.phase).toBe('in-effect');
    const later = drive(plan, [{ kind: 'clock', at: 51 + 120_000 }], progress);
    expect(later.progress.stretches[0]?.counts[FIRST]).toEqual({ attempted: 2, recorded: 1, lost: 1 });
    expect(later.command).toEqual({ kind: 'look', slot: 0 });
    expect(markOf(later.progress, 'c')).toBeUndefined();
  });

  it('does not count a load that began before the profile was in effect', () => {
    const { progress } = drive(plan, [
      STARTED,
      { kind: 'load-began', at: 15, loadId: 'a' },
      { kind: 'switched', at: 20, slot: 0 },
      ...load('b', 30),
    ]);
    expect(markOf(progress, 'a')).toBeUndefined();
    expect(markOf(progress, 'b')).toMatchObject({ position: 0, washout: true });
  });

  it('puts the profile in effect anew after Firefox was started again, and gives up what was under way', () => {
    const { progress, command } = drive(plan, [...FIRST_SLOT.slice(0, -1), { kind: 'browser-started', at: 60, sessionId: 'two' }]);
    expect(command).toEqual({ kind: 'switch-to', profileId: FIRST, slot: 0 });
    expect(progress.current.attempted).toBe(1);
    expect(progress.stretches[0]?.counts[FIRST]).toEqual({ attempted: 1, recorded: 1, lost: 0 });
    const again = drive(plan, [{ kind: 'switched', at: 70, slot: 0 }, ...load('d', 80)], progress).progress;
    expect(markOf(again, 'd')).toMatchObject({ slot: 0, position: 0, washout: true });
  });
});

describe('a turn of several slots', () => {
  const turns = planOf({ slotsPerTurn: 2, slots: { kind: 'loads', perSlot: 3 } });
  const first = drive(turns, FIRST_SLOT);
  const second = drive(turns, [{ kind: 'looked', at: 60, decision: goOn(0) }], first.progress);

  it('is switched once: its second slot has no washout, and as many loads', () => {
    expect(second.command).toBeUndefined();
    expect(second.progress.current).toMatchObject({ slot: 1, profileId: FIRST, phase: 'in-effect' });
    const { progress, command } = drive(turns, [...load('d', 70), ...load('e', 80)], second.progress);
    expect(markOf(progress, 'd')).toMatchObject({ slot: 1, washout: false });
    expect(command).toBeUndefined();
    expect(drive(turns, load('f', 90), progress).command).toEqual({ kind: 'look', slot: 1 });
    expect(progress.made).toBe(5);
  });

  it.each<[string, readonly TrialEvent[]]>([
    ['a start of Firefox', [{ kind: 'browser-started', at: 55, sessionId: 'two' }]],
    [
      'a pause',
      [
        { kind: 'paused', at: 55 },
        { kind: 'resumed', at: 57 },
      ],
    ],
  ])('is switched again after %s between its slots', (_, between) => {
    const { command } = drive(turns, [...between, { kind: 'looked', at: 60, decision: goOn(0) }], first.progress);
    expect(command).toEqual({ kind: 'switch-to', profileId: FIRST, slot: 1 });
  });
});

describe('a pause', () => {
  const paused = drive(plan, [...FIRST_SLOT.slice(0, -1), { kind: 'paused', at: 55 }]);

  it('takes the profile back, and voids the load under way', () => {
    expect(paused.command).toEqual({ kind: 'revert' });
    expect(markOf(paused.progress, 'c')).toBeUndefined();
    expect(paused.progress.stretches[0]?.counts[FIRST]).toEqual({ attempted: 1, recorded: 1, lost: 0 });
    expect(drive(plan, [{ kind: 'reverted', at: 56 }], paused.progress).command).toBeUndefined();
  });

  it('goes on with the same slot, as soon as the load that began before has settled', () => {
    const resumed = drive(plan, [{ kind: 'resumed', at: 100 }], paused.progress);
    expect(resumed.command).toBeUndefined();
    expect(resumed.progress.pauses).toEqual([{ from: 55, to: 100 }]);
    const settled = drive(plan, [{ kind: 'load-recorded', at: 101, loadId: 'c' }], resumed.progress);
    expect(settled.command).toEqual({ kind: 'switch-to', profileId: FIRST, slot: 0 });
    // One counted load is there; the washout comes anew.
    const after = drive(plan, [{ kind: 'switched', at: 110, slot: 0 }, ...load('e', 120), ...load('f', 130)], settled.progress);
    expect(after.command).toEqual({ kind: 'look', slot: 0 });
  });

  it('is not brought back by being told late', () => {
    const { progress } = drive(
      plan,
      [
        { kind: 'resumed', at: 100 },
        { kind: 'paused', at: 55 },
      ],
      paused.progress,
    );
    expect(progress.status).toBe('running');
  });
});

describe('the end', () => {
  it('takes the profile back when the person stops the trial', () => {
    const { progress, command } = drive(plan, [...FIRST_SLOT, { kind: 'stopped', at: 70 }]);
    expect(progress).toMatchObject({ status: 'ended', end: { kind: 'stopped-by-person' } });
    expect(command).toEqual({ kind: 'revert' });
    expect(drive(plan, [{ kind: 'reverted', at: 71 }, ...load('z', 80)], progress).command).toBeUndefined();
  });

  it('comes when every candidate was dropped', () => {
    const decision: TrialDecision = {
      slot: 0,
      stretch: 1,
      step: { kind: 'drop', arms: [{ profileId: 'c1-d1', reason: 'harmful', found: FOUND }] },
    };
    const { progress } = drive(plan, [...FIRST_SLOT, { kind: 'looked', at: 60, decision }]);
    expect(progress.end).toEqual({ kind: 'no-candidate-left' });
    expect(progress.dropped).toEqual([{ profileId: 'c1-d1', reason: 'harmful', found: FOUND, block: 0 }]);
  });
});

describe('a profile that cannot be put in effect', () => {
  const three = planOf({ candidates: 2, seed: 2, slots: { kind: 'loads', perSlot: 3 } });
  const order = blockArms(three, 0);
  const failing = (slot: number, from: number): readonly TrialEvent[] =>
    [0, 1, 2].map((at) => ({ kind: 'switch-failed', at: from + at, slot, reason: 'the preference is locked' }));

  it('is dropped after the third failure, and only then', () => {
    const slot = order.findIndex((id) => id !== BASELINE);
    const upTo: TrialEvent[] = [{ kind: 'started', at: 1 }];
    if (slot === 1) {
      upTo.push({ kind: 'switched', at: 2, slot: 0 }, ...load('a', 3), ...load('b', 5), ...load('c', 7));
      upTo.push({ kind: 'looked', at: 9, decision: goOn(0) });
    }
    const twice = drive(three, [...upTo, ...failing(slot, 20).slice(0, 2)]);
    expect(twice.progress.dropped).toEqual([]);
    expect(twice.command).toMatchObject({ kind: 'switch-to', slot });
    // The second failure told again is not a third.
    expect(drive(three, failing(slot, 20).slice(1, 2), twice.progress).progress).toEqual(twice.progress);
    const { progress, command } = drive(three, failing(slot, 20).slice(2), twice.progress);
    expect(progress.dropped).toMatchObject([{ profileId: order[slot], reason: 'not-applicable', block: 0 }]);
    expect(progress.dropped).toMatchObject([{ because: expect.stringContaining('the preference is locked') }]);
    expect(command).toMatchObject({ kind: 'switch-to', slot: slot + 1, profileId: order[slot + 1] });
    expect(progress.stretches[1]?.arms).not.toContain(order[slot]);
  });

  it('ends the trial if it is the baseline', () => {
    const baselineFirst = planOf({ seed: [1, 2, 3, 4, 5, 6, 7].find((seed) => blockArms(planOf({ seed }), 0)[0] === BASELINE) ?? 0 });
    const { progress } = drive(baselineFirst, [{ kind: 'started', at: 1 }, ...failing(0, 2)]);
    expect(progress.end).toMatchObject({ kind: 'baseline-not-applicable' });
  });
});

describe('what a look decides', () => {
  const four = planOf({ candidates: 3, seed: 4, slots: { kind: 'loads', perSlot: 3 } });
  const order = blockArms(four, 0);
  const ended = drive(four, [
    { kind: 'started', at: 1 },
    { kind: 'switched', at: 2, slot: 0 },
    ...load('a', 3),
    ...load('b', 5),
    ...load('c', 7),
  ]);

  it('plans the end anew, with any step', () => {
    const decision: TrialDecision = { ...goOn(0), plannedDraws: 9 };
    const { progress } = drive(four, [{ kind: 'looked', at: 9, decision }], ended.progress);
    expect(progress).toMatchObject({ plannedDraws: 9, current: { slot: 1 } });
  });

  it('ends without a difference with the best that it dropped, if not all were slower', () => {
    const arms = [
      { profileId: 'c1-d1', reason: 'worse' as const, found: FOUND },
      {
        profileId: 'c2-d1',
        reason: 'cannot-win' as const,
        found: { ...FOUND, profileId: 'c2-d1', ratio: 1.01, finding: 'undecided' as const },
      },
      {
        profileId: 'c3-d1',
        reason: 'same' as const,
        found: { ...FOUND, profileId: 'c3-d1', ratio: 1.02, finding: 'no-meaningful-difference' as const },
      },
    ];
    const decision: TrialDecision = { slot: 0, stretch: 1, step: { kind: 'drop', arms } };
    const { progress } = drive(four, [{ kind: 'looked', at: 9, decision }], ended.progress);
    expect(progress.end).toMatchObject({ kind: 'no-difference', found: { profileId: 'c3-d1' } });
  });

  it('drops a harmful arm in the middle of its own slot, and voids its load', () => {
    const profileId = order[0] === BASELINE ? order[1] : order[0];
    const slot = order.indexOf(profileId ?? '');
    let { progress } = ended;
    if (slot === 1) progress = drive(four, [{ kind: 'looked', at: 9, decision: goOn(0) }], progress).progress;
    else progress = drive(four, [{ kind: 'started', at: 1 }]).progress;
    progress = drive(
      four,
      [{ kind: 'switched', at: 10, slot }, ...load('d', 11), { kind: 'load-began', at: 13, loadId: 'e' }],
      progress,
    ).progress;
    const decision: TrialDecision = {
      slot,
      stretch: 1,
      step: { kind: 'drop', arms: [{ profileId: profileId ?? '', reason: 'harmful', found: FOUND }] },
    };
    const dropped = drive(four, [{ kind: 'looked', at: 14, decision }], progress);
    expect(dropped.progress.current).toMatchObject({ slot: slot + 1, phase: 'switching' });
    expect(dropped.command).toBeUndefined();
    expect(dropped.progress.stretches[0]?.counts[profileId ?? '']?.attempted).toBe(0);
    const { command } = drive(four, [{ kind: 'load-lost', at: 20, loadId: 'e' }], dropped.progress);
    expect(command).toMatchObject({ kind: 'switch-to', slot: slot + 1 });
  });

  it('is not followed when it was about another slot, or about arms that have changed since', () => {
    const stale: readonly TrialDecision[] = [
      { slot: 1, stretch: 1, step: { kind: 'end', as: 'confirmed' } },
      { slot: 0, stretch: 2, step: { kind: 'end', as: 'confirmed' } },
    ];
    for (const decision of stale) {
      expect(drive(four, [{ kind: 'looked', at: 9, decision }], ended.progress).progress).toEqual(ended.progress);
    }
  });
});

describe('slots by minutes', () => {
  const timed = planOf({ slots: { kind: 'minutes', perSlot: 10 } });
  const MINUTE = 60_000;

  it('end after their time in effect, but not without a counted load', () => {
    const idle = drive(timed, [...IN_EFFECT, { kind: 'clock', at: 20 + 600 * MINUTE }]);
    expect(idle.progress.current.phase).toBe('in-effect');
    const busy = drive(timed, [...IN_EFFECT, ...load('a', 30), ...load('b', 40), { kind: 'clock', at: 19 + 10 * MINUTE }]);
    expect(busy.command).toBeUndefined();
    expect(drive(timed, [{ kind: 'clock', at: 20 + 10 * MINUTE }], busy.progress).command).toEqual({ kind: 'look', slot: 0 });
  });

  it('do not run on while the trial is paused', () => {
    const { progress } = drive(timed, [
      ...IN_EFFECT,
      ...load('a', 30),
      ...load('b', 40),
      { kind: 'paused', at: 20 + 4 * MINUTE },
      { kind: 'resumed', at: 20 + 90 * MINUTE },
      { kind: 'switched', at: 20 + 91 * MINUTE, slot: 0 },
      { kind: 'clock', at: 20 + 97 * MINUTE - 1 },
    ]);
    expect(progress.current).toMatchObject({ phase: 'in-effect', inEffectMs: 4 * MINUTE });
    expect(drive(timed, [{ kind: 'clock', at: 20 + 97 * MINUTE }], progress).progress.current.phase).toBe('ended');
  });
});

describe('slots by session', () => {
  const sessions = planOf({ live: false, slots: { kind: 'session' } });

  it('write each profile before the start of Firefox that puts it in effect', () => {
    const one = drive(sessions, [
      { kind: 'browser-started', at: 1, sessionId: 's1' },
      { kind: 'started', at: 2 },
    ]);
    expect(one.command).toEqual({ kind: 'prepare', profileId: FIRST, slot: 0 });
    const written = drive(sessions, [{ kind: 'prepared', at: 3, slot: 0 }], one.progress);
    expect(written.command).toBeUndefined();
    const started = drive(sessions, [{ kind: 'browser-started', at: 10, sessionId: 's2' }], written.progress);
    expect(started.command).toEqual({ kind: 'verify', profileId: FIRST, slot: 0 });
    const inEffect = drive(sessions, [{ kind: 'switched', at: 11, slot: 0 }], started.progress);
    expect(inEffect.command).toEqual({ kind: 'prepare', profileId: SECOND, slot: 1 });
    const used = drive(sessions, [{ kind: 'prepared', at: 12, slot: 1 }, ...load('a', 20), ...load('b', 30)], inEffect.progress);
    expect(used.command).toBeUndefined();
    expect(markOf(used.progress, 'b')).toMatchObject({ slot: 0, washout: false });
    const next = drive(sessions, [{ kind: 'browser-started', at: 40, sessionId: 's3' }], used.progress);
    expect(next.command).toEqual({ kind: 'look', slot: 0 });
    expect(drive(sessions, [{ kind: 'looked', at: 41, decision: goOn(0) }], next.progress).command).toEqual({
      kind: 'verify',
      profileId: SECOND,
      slot: 1,
    });
  });

  it('take a start that is told twice for one', () => {
    const { progress } = drive(sessions, [
      { kind: 'browser-started', at: 1, sessionId: 's1' },
      { kind: 'started', at: 2 },
      { kind: 'prepared', at: 3, slot: 0 },
    ]);
    const again = drive(sessions, [{ kind: 'browser-started', at: 4, sessionId: 's1' }], progress);
    expect(again).toEqual({ progress, command: undefined });
  });

  it('count a profile that could not be written as a failure when it would have its turn', () => {
    const { progress, command } = drive(sessions, [
      { kind: 'browser-started', at: 1, sessionId: 's1' },
      { kind: 'started', at: 2 },
      { kind: 'prepared', at: 3, slot: 0 },
      { kind: 'browser-started', at: 10, sessionId: 's2' },
      { kind: 'switched', at: 11, slot: 0 },
      { kind: 'switch-failed', at: 12, slot: 1, reason: 'no helper' },
    ]);
    expect(command).toBeUndefined();
    const next = drive(
      sessions,
      [
        { kind: 'browser-started', at: 20, sessionId: 's3' },
        { kind: 'looked', at: 21, decision: goOn(0) },
      ],
      progress,
    );
    expect(next.progress.current).toMatchObject({ slot: 1, switchFailures: 1 });
    expect(next.command).toEqual({ kind: 'prepare', profileId: SECOND, slot: 1 });
  });
});
