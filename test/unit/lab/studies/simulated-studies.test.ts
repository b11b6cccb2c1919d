/** The 2008 study by simulation against what its memo says (P. McManus, 31 July 2008); figures of the memo in the names of the tests. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fennec2008, findSimulatedStudy, simulateStudy } from '../../../../src/lab/studies/simulated-studies.ts';

const outcome = simulateStudy(fennec2008);
const rankOf = (id: string) => outcome.ranking.profiles.find((profile) => profile.id === id);

describe('fennec-2008, simulated', () => {
  it('is 7 pages x 8 networks x 18 profiles: 1,008 loads', () => {
    expect(outcome.ranking.scenarios).toBe(56);
    expect(outcome.scenarios.flatMap(({ profiles }) => profiles)).toHaveLength(1008);
  });

  it('has {1,2} last in at least 48 of 56', () => {
    expect(rankOf('c1-d2')?.lasts).toBeGreaterThanOrEqual(48);
  });

  it('gains at least 58 % on average over the default', () => {
    expect(outcome.averageGain).toBeGreaterThanOrEqual(0.58);
  });

  it('keeps the names that predict --study --json prints', () => {
    expect(Object.keys(outcome)).toEqual(['scenarios', 'ranking', 'memoPick', 'averageGain', 'recommended', 'slotsByConnections']);
    expect(Object.keys(outcome.slotsByConnections[0] ?? {})).toEqual(['connections', 'slots']);
  });

  it('gives most top-quartile places to 3 to 5 connections', () => {
    const places = (from: number, to: number) =>
      outcome.slotsByConnections
        .filter(({ connections }) => connections >= from && connections <= to)
        .reduce((sum, each) => sum + each.slots, 0);
    expect(places(3, 5)).toBeGreaterThan(places(1, 2) + places(6, 255));
    expect([3, 4, 5]).toContain(outcome.slotsByConnections[0]?.connections);
  });

  it('recommends {4,6}, among others, and the memo’s rule by places picks it', () => {
    expect(outcome.recommended).toContain('c4-d6');
    expect(outcome.memoPick).toMatchObject({ state: 'picked', profileId: 'c4-d6', by: 'cost' });
  });
});

it('is as docs/decisions/023-the-2008-study-simulated.md says', () => {
  const page = readFileSync(new URL('../../../../docs/decisions/023-the-2008-study-simulated.md', import.meta.url), 'utf8').replaceAll(
    /\s+/g,
    ' ',
  );
  const [, lasts, gain, efficiency] =
    /\{1,2\} is last in (\d+) of 56 .*? gains (\d+) % on average .*? the default's efficiency is (\.\d\d) on average/.exec(page) ?? [];
  expect(Number(lasts)).toBe(rankOf('c1-d2')?.lasts);
  expect(gain).toBe((100 * outcome.averageGain).toFixed(0));
  expect(`0${efficiency}`).toBe(outcome.ranking.baselineEfficiency?.toFixed(2));
  // "{6,4} has the most firsts"
  expect(outcome.ranking.profiles.toSorted((a, b) => b.firsts - a.firsts)[0]?.id).toBe('c6-d4');
});

it('names the studies there are', () => {
  expect(findSimulatedStudy('fennec-2008')).toBe(fennec2008);
  expect(() => findSimulatedStudy('fennec')).toThrow('There is no study "fennec". Studies: fennec-2008');
});
