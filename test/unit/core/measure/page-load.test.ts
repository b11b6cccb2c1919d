import { describe, expect, test } from 'vitest';
import { appliedDuring } from '../../../../src/core/measure/page-load.ts';
import type { AppliedProfile } from '../../../../src/core/profiles/profile.ts';

const PREFERENCE = 'network.http.max-persistent-connections-per-server';
const profile = (connections: number): AppliedProfile => ({
  profileId: `c${connections}-d1`,
  applier: 'experiment-api',
  carrier: 'none',
  intended: { [PREFERENCE]: connections },
  readBack: [],
  mismatches: [],
});
const history = [
  { since: 200, applied: profile(8) },
  { since: 100, applied: profile(2) },
  { since: 300, applied: null },
];

describe('appliedDuring', () => {
  test.each([
    [50, 90, undefined],
    [100, 150, 'c2-d1'],
    [250, 299, 'c8-d1'],
    [300, 400, undefined],
  ])('a load from %i to %i ran under %s', (from, to, id) => {
    const applied = appliedDuring(history, from, to);
    expect(applied?.profileId).toBe(id);
    expect(applied?.mismatches ?? []).toEqual([]);
  });

  test.each([
    ['another profile came', 150, 250, 'c2-d1'],
    ['it was reverted', 250, 350, 'c8-d1'],
    ['it was reverted at its end', 250, 300, 'c8-d1'],
    ['the first one came', 50, 150, 'c2-d1'],
  ])('names what changed when %s during the load', (_, from, to, id) => {
    expect(appliedDuring(history, from, to)).toMatchObject({ profileId: id, mismatches: [PREFERENCE] });
  });

  test('names each preference that changed once, with what had not come into effect', () => {
    const of = (id: string, intended: AppliedProfile['intended'], mismatches: readonly string[] = []) => ({
      ...profile(1),
      ...{ profileId: id, intended, mismatches },
    });
    const changes = [
      { since: 100, applied: of('one', { same: 1, changed: 2, gone: 3 }, ['missed']) },
      { since: 200, applied: of('two', { same: 1, changed: 3, added: 4 }) },
      { since: 300, applied: of('three', { same: 1, changed: 4, gone: 3 }) },
    ];
    expect(appliedDuring(changes, 150, 350)).toMatchObject({ profileId: 'one', mismatches: ['missed', 'changed', 'gone', 'added'] });
    // Nothing was in effect when it began, nor when it was said so once more.
    expect(appliedDuring([{ since: 70, applied: null }, ...changes], 50, 150)?.profileId).toBe('one');
    expect(appliedDuring(changes, 50, 150)).toMatchObject({ profileId: 'one', mismatches: ['missed', 'same', 'changed', 'gone'] });
  });

  test('the same profile applied once more is no change', () => {
    const again = [...history.slice(1, 2), { since: 120, applied: profile(2) }];
    expect(appliedDuring(again, 110, 190)?.mismatches).toEqual([]);
  });

  test('nothing known is nothing applied', () => {
    expect(appliedDuring([{ since: 100, applied: null }], 50, 150)).toBeUndefined();
    expect(appliedDuring([], 1, 2)).toBeUndefined();
  });
});
