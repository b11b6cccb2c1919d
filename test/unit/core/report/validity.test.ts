import { describe, expect, test } from 'vitest';
import { dependsOnLoadTime, isSettled, VOID_CAUSES, voided } from '../../../../src/core/report/validity.ts';

describe('why a load does not count', () => {
  test('a void load keeps its cause, its reason in words, and how long it took at least where only that is known', () => {
    expect(voided({ cause: 'time-limit', afterMs: 60_000 })).toEqual({
      state: 'void',
      cause: 'time-limit',
      reason: 'the page takes longer than the 60 s that are recorded: take a smaller page or a quicker link',
      atLeastMs: 60_000,
    });
    expect(voided({ cause: 'washout' })).toEqual({ state: 'void', cause: 'washout', reason: 'washout: the first load after a switch' });
  });

  test('only what is known before the load, or of the profile alone, cannot depend on its time', () => {
    expect(VOID_CAUSES.filter((cause) => !dependsOnLoadTime(cause)).toSorted()).toEqual(
      ['not-in-effect', 'too-deep', 'control-failed', 'past-the-gateway', 'lane-broke', 'link-not-as-asked', 'washout'].toSorted(),
    );
    // An older report names none.
    expect(dependsOnLoadTime(undefined)).toBe(true);
  });

  test('a load that was lost by its outcome is not made again: the second try would be a choice of the quicker', () => {
    expect(isSettled({ state: 'valid' })).toBe(true);
    expect(isSettled(voided({ cause: 'time-limit', afterMs: 60_000 }))).toBe(true);
    expect(isSettled(voided({ cause: 'link-not-as-asked', why: 'x' }))).toBe(false);
    expect(isSettled({ state: 'void', reason: 'of an older log' })).toBe(false);
  });
});
