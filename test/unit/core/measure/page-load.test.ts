import { describe, expect, test } from 'vitest';
import { appliedDuring, appliedSince, inEffectSince } from '../../../../src/core/measure/page-load.ts';
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

describe('since when something is in effect', () => {
  const gateway: AppliedProfile = { ...profile(4), profileId: 'c4-d6', applier: 'gateway' };
  const at = (...applied: readonly (AppliedProfile | null)[]) => applied.map((one, index) => ({ since: 100 * (index + 1), applied: one }));

  test.each([
    ['it was applied', at(null, profile(8)), 200],
    ['it was applied instead of another', at(profile(2), profile(8)), 200],
    ['it was applied, and noted again after a restart', at(null, profile(8), profile(8)), 200],
    ['it was applied again after something else', at(profile(8), profile(2), profile(8)), 300],
    ['it was applied, whatever the gateway did meanwhile', at(profile(8), gateway, profile(8)), 100],
    ['the gateway was switched on over it', at(profile(8), gateway), 200],
    ['the gateway was switched on again', at(gateway, null, gateway), 300],
    ['Firefox was started with it', at({ ...profile(8), mismatches: [PREFERENCE] }, profile(8)), 200],
    ['never, as it was undone', at(profile(8), null), undefined],
    ['never, as nothing is known', at(), undefined],
  ])('%s', (_, entries, since) => {
    expect(inEffectSince(entries)).toBe(since);
  });

  test.each([
    ['beneath the gateway', at(profile(8), gateway), { profileId: profile(8).profileId, since: 100 }],
    ['again, after it was undone', at(profile(8), null, profile(8)), { profileId: profile(8).profileId, since: 300 }],
    ['by the gateway alone', at(null, gateway), { profileId: 'c4-d6', since: 200 }],
    ['by the gateway over a policy', at({ ...profile(8), applier: 'policy' }, gateway), { profileId: 'c4-d6', since: 200 }],
    ['by nobody', at(profile(8), null), undefined],
  ] as const)('applied %s', (_, entries, applied) => {
    expect(appliedSince(entries)).toEqual(applied);
  });
});
