import { describe, expect, it } from 'vitest';
import { MAX_ARMS } from '../../../../src/core/audit/screening-design.ts';
import { MAX_TIMED, type Setting, screeningPlan } from '../../../../src/core/audit/screening-plan.ts';

const settings = (count: number): readonly Setting[] => Array.from({ length: count }, (_, at) => [`a.line-${at}`, at]);

describe('a plan', () => {
  it.each([1, 3, 7, 8, 11, 15, 19, 20, 23, 24, 40])('of %i lines loads pages with all of them, and with none', (count) => {
    const { profiles, whole, arms, timed } = screeningPlan(settings(count));
    expect(profiles.length).toBeLessThanOrEqual(MAX_ARMS);
    expect(new Set(profiles.map(({ id }) => id)).size).toBe(profiles.length);
    expect(profiles[0]?.preferences).toEqual({});
    expect(profiles.find(({ id }) => id === whole)?.preferences).toEqual(Object.fromEntries(settings(count)));
    expect(timed).toHaveLength(Math.min(count, MAX_TIMED));
    // What an arm of the design is said to set is what its profile sets.
    for (const { id, row } of arms)
      expect(Object.keys(profiles.find((profile) => profile.id === id)?.preferences ?? {})).toEqual(timed.filter((_, at) => row[at]));
  });
});
