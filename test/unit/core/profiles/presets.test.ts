import { describe, expect, it } from 'vitest';
import { answerSentence } from '../../../../src/core/answer/format-answer.ts';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import { isPluralLabel, profileLabel } from '../../../../src/core/profiles/presets.ts';
import { BASELINE, baseline, gateway, gaussian, simulate } from '../compare/simulated-run.ts';

describe('what a person reads for a profile', () => {
  it.each([
    ['c8-d1', '8 connections', true],
    ['c1-d1', '1 connection', false],
    ['c4-d6', '4 connections with up to 6 requests on each', true],
    ['c1-d10', '1 connection with up to 10 requests on it', false],
    ['betterfox', 'betterfox', false],
    ['c6-d4-bundled', 'c6-d4-bundled', false],
  ])('of %s is "%s"', (id, label, isPlural) => {
    expect(profileLabel(id)).toBe(label);
    expect(isPluralLabel(id)).toBe(isPlural);
  });

  it('is the same in an answer and in the recommendation of a report', () => {
    const profiles = [baseline(), gateway({ connections: 4, depth: 6, efficiency: 0.6 })];
    const loads = simulate({ profiles, blocks: 4, seed: 5, noise: (random) => 0.002 * gaussian(random) });
    const { recommendation } = compareProfiles(loads, { baseline: BASELINE, profiles });
    const change = { gain: 0.2, low: 0.1, high: 0.3 };
    const answer = answerSentence({ from: 'trial', state: 'confirmed', loads: 40, profileId: 'c4-d6', carrier: 'gateway', change });
    for (const sentence of [recommendation.sentence, answer]) expect(sentence).toContain(profileLabel('c4-d6'));
  });
});
