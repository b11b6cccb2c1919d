/** The log of a trial of two arms whose loads are listed by hand. */
import { describe, expect, it } from 'vitest';
import type { LoadSummary } from '../../../../src/core/field/load-summary.ts';
import { trialLog } from '../../../../src/core/field/trial-log.ts';
import { armOfSlot } from '../../../../src/core/trial/assignment.ts';
import { beginTrial } from '../../../../src/core/trial/stretches.ts';
import type { TrialProgress } from '../../../../src/core/trial/trial-progress.ts';
import { bytes, milliseconds } from '../../../../src/core/units.ts';
import { BASELINE, planOf } from '../trial/trial-driver.ts';

const MINUTE = 60_000;
/** Turns of two slots: slots 0 and 1 are of one arm, 2 to 5 of the other (its turns of two blocks meet), 6 and 7 of the first again. */
const plan = planOf({ slotsPerTurn: 2 });
const first = armOfSlot(plan, 0);
const second = armOfSlot(plan, 2);

/** A minute apart, over one network: 100 ms and 1 Mbit/s. */
function load(minute: number, slot: number, more: Partial<LoadSummary> = {}): LoadSummary {
  return {
    ...{ startedAt: minute * MINUTE, page: 11, site: 1, standing: 'whole', profileId: armOfSlot(plan, slot), carrier: 'none' },
    ...{ loadTimeMs: milliseconds(1_800), bytes: bytes(100_000), rttMs: 100, rttLowMs: 100, downKbps: 1_000 },
    trial: { slot, counts: true },
    ...more,
  };
}
const washout = (minute: number, slot: number) => load(minute, slot, { excluded: 'washout', trial: { slot, counts: false } });

const FIGURES: readonly LoadSummary[] = [
  ...[1, 2, 3].map((minute) => {
    const { trial: _, ...before } = load(minute, 0);
    return before;
  }),
  washout(10, 0),
  load(11, 0),
  load(12, 1),
  load(13, 1, { standing: 'cut-short', cutShort: 'page-left' }),
  washout(20, 2),
  load(21, 2),
  load(22, 3),
  load(23, 3),
  load(24, 3, { excluded: 'unfit', trial: { slot: 3, counts: false } }),
];
const fresh = beginTrial(plan);
const progress: TrialProgress = {
  ...fresh,
  status: 'running',
  startedAt: 10 * MINUTE,
  current: { ...fresh.current, slot: 4, block: 1, profileId: second, phase: 'in-effect' },
  stretches: fresh.stretches.map((stretch) => ({
    ...stretch,
    counts: { [first]: { attempted: 4, recorded: 3, lost: 1 }, [second]: { attempted: 3, recorded: 3, lost: 0 } },
  })),
};
const logOf = (more: Partial<TrialProgress> = {}) => trialLog({ ...plan, createdAt: 10 * MINUTE }, { ...progress, ...more }, FIGURES);

describe('the log of a trial', () => {
  it('says what was on when, and why loads do not count', () => {
    expect([first, second].toSorted()).toEqual(['c1-d1', BASELINE]);
    const log = logOf();
    expect(log.turns).toEqual([
      {
        ...{ block: 0, profileId: first, from: 10 * MINUTE, to: 13 * MINUTE, isCurrent: false },
        // Slot 0 follows nothing; of slot 1, which follows its own, one load counts.
        loads: 1,
        excluded: [
          { why: 'washout', loads: 1 },
          { why: 'wearing-off', loads: 1 },
          { why: 'page-left', loads: 1 },
        ],
      },
      {
        ...{ block: 0, profileId: second, from: 20 * MINUTE, to: 24 * MINUTE, isCurrent: false },
        loads: 2,
        excluded: [
          { why: 'washout', loads: 1 },
          { why: 'wearing-off', loads: 1 },
          { why: 'unfit', loads: 1 },
        ],
      },
      { block: 1, profileId: second, loads: 0, excluded: [], isCurrent: true },
    ]);
    expect(log.loads).toBe(3);
    // Of each cause together, and the load that left no record.
    expect(Object.fromEntries(log.excluded.map(({ why, loads }) => [why, loads]))).toEqual({
      ...{ washout: 2, 'wearing-off': 2, 'page-left': 1, unfit: 1, 'not-recorded': 1 },
    });
  });

  it('has the assignment by settings', () => {
    expect(logOf().arms.map(({ profileId, turns, attempted, lost, loads }) => ({ profileId, turns, attempted, lost, loads }))).toEqual(
      plan.profiles.map(({ id }) =>
        id === first
          ? { profileId: id, turns: 1, attempted: 4, lost: 1, loads: 1 }
          : { profileId: id, turns: 1, attempted: 3, lost: 0, loads: 2 },
      ),
    );
  });

  it('has every check as data, too early of so few loads', () => {
    expect(logOf().checks.map(({ kind, outcome }) => [kind, outcome])).toEqual([
      ['sample-ratio', 'too-early'],
      ['lost-loads', 'too-early'],
      ['not-in-effect', 'passed'],
      ['carry-over', 'too-early'],
    ]);
  });

  it('of an ended trial says when it ended, and has no current turn', () => {
    const log = logOf({ status: 'ended', statusSince: 30 * MINUTE, end: { kind: 'stopped-by-person' } });
    expect(log).toMatchObject({ status: 'ended', startedAt: 10 * MINUTE, endedAt: 30 * MINUTE });
    expect(log.turns.map(({ isCurrent }) => isCurrent)).toEqual([false, false]);
  });

  it('leaves the loads of an earlier trial alone', () => {
    const later = trialLog({ ...plan, createdAt: 20 * MINUTE }, { ...progress, startedAt: 20 * MINUTE }, FIGURES);
    expect(later.turns.map(({ profileId, from }) => [profileId, from])).toEqual([
      [second, 20 * MINUTE],
      [second, undefined],
    ]);
  });
});
