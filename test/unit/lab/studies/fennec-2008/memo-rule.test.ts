/** The memo's rule by places on the places it had itself, and on cases made by hand. */
import { describe, expect, it } from 'vitest';
import type { ComparedProfile, ProfileRanks, ScenarioRanking } from '../../../../../src/core/compare/comparison.ts';
import { findProfile } from '../../../../../src/core/profiles/presets.ts';
import { memoPick } from '../../../../../src/lab/studies/fennec-2008/memo-rule.ts';

const profile = (id: string): ComparedProfile => {
  const known = findProfile(id);
  if (known === undefined) throw new Error(id);
  return { id, role: id === 'c1-d2' ? 'baseline' : 'candidate', carrier: 'gateway', connections: known.connections, depth: known.depth };
};

const placed = (id: string, places: Partial<ProfileRanks>): ProfileRanks => ({
  id,
  ranked: 56,
  firsts: 0,
  topQuartile: 0,
  lasts: 0,
  meanEfficiency: 0.7,
  ...places,
});

/** @param profiles - Best by places first. */
const pickOf = (...profiles: readonly ProfileRanks[]) => {
  const ranking: ScenarioRanking = {
    baseline: 'c1-d2',
    scenarios: 56,
    slots: 280,
    profiles,
    meanSpread: 0.26,
    baselineEfficiency: 0.45,
    gain: 0.58,
  };
  return memoPick(
    ranking,
    profiles.map(({ id }) => profile(id)),
  );
};

const DEFAULT = placed('c1-d2', { lasts: 48, meanEfficiency: 0.45 });

describe('the memo’s own rule by places', () => {
  it('picks {4,6} of the places the memo had: 30 top quartiles against 27, though {5,6} was first in 9', () => {
    const pick = pickOf(placed('c4-d6', { firsts: 8, topQuartile: 30 }), placed('c5-d6', { firsts: 9, topQuartile: 27 }), DEFAULT);
    expect(pick).toEqual({
      state: 'picked',
      profileId: 'c4-d6',
      best: 'c4-d6',
      by: 'best',
      reason:
        'c4-d6 is in the top quartile in 30 of 56 scenarios and first in 8; c5-d6 is first more often (9), but in the top quartile in 27 only.',
    });
  });

  it('picks 4 connections also where 5 lead by as little', () => {
    const pick = pickOf(placed('c5-d6', { firsts: 9, topQuartile: 30 }), placed('c4-d6', { firsts: 8, topQuartile: 27 }), DEFAULT);
    expect(pick).toMatchObject({ profileId: 'c4-d6', by: 'cost', best: 'c5-d6' });
    expect(pick.reason).toMatch(/is level with it and costs more: 5 connections per server instead of 4\.$/);
  });

  it('keeps the leader where the cheaper has fewer places, or is 10 % less efficient', () => {
    const leader = placed('c5-d6', { firsts: 9, topQuartile: 30 });
    expect(pickOf(leader, placed('c4-d6', { topQuartile: 26 }), DEFAULT)).toMatchObject({ profileId: 'c5-d6', by: 'best' });
    expect(pickOf(leader, placed('c4-d6', { topQuartile: 29, meanEfficiency: 0.62 }), DEFAULT)).toMatchObject({ profileId: 'c5-d6' });
    expect(pickOf(leader, placed('c4-d6', { topQuartile: 29, meanEfficiency: 0.64 }), DEFAULT)).toMatchObject({ profileId: 'c4-d6' });
  });

  it('is the smaller depth of equally many connections', () => {
    expect(pickOf(placed('c4-d8', { topQuartile: 30 }), placed('c4-d6', { topQuartile: 30 }), DEFAULT)).toMatchObject({
      profileId: 'c4-d6',
    });
  });

  it('never picks a profile that was not measured everywhere', () => {
    expect(pickOf(placed('c4-d6', { topQuartile: 40, ranked: 55 }), placed('c5-d6', { topQuartile: 20 }), DEFAULT)).toMatchObject({
      profileId: 'c5-d6',
    });
    expect(pickOf(placed('c4-d6', { ranked: 55 }))).toEqual({
      state: 'none',
      reason: 'No profile has a figure on every page and link yet.',
    });
  });
});
