import { describe, expect, it } from 'vitest';
import type { Recommendation, RecommendedProfile } from '../../../src/core/compare/comparison.ts';
import { gatewayNote, recommendationLines } from '../../../src/core/report/recommendation-lines.ts';

const EIGHT: RecommendedProfile = { profileId: 'c8-d1', state: 'recommended', sentence: 'Eight.' };
const DEEP: RecommendedProfile = { profileId: 'c4-d6', state: 'recommended', sentence: 'Deep.' };
const KEEP: RecommendedProfile = { profileId: 'firefox-default', state: 'keep-baseline', sentence: 'By settings alone: nothing.' };
const GATEWAY = { connections: 4, depth: 6 };

const lines = (recommendation: Recommendation) => recommendationLines({ recommendation });

describe('the lines of a recommendation', () => {
  it('are two where it needs the gateway: with the command that carries it, and by settings alone', () => {
    const use = 'Deep. To use it: plumbfox gateway --connections 4 --depth 6. It carries plain http only; https never goes through it.';
    expect(lines({ ...DEEP, gateway: GATEWAY, settingsAlone: KEEP })).toEqual([use, 'By settings alone: nothing.']);
    expect(lines({ ...DEEP, gateway: GATEWAY, settingsAlone: { ...EIGHT, sentence: 'By settings alone: eight.' } })).toEqual([
      use,
      'By settings alone: eight.',
    ]);
  });

  it('are one where both have one answer', () => {
    expect(lines({ ...EIGHT, settingsAlone: EIGHT })).toEqual(['Eight.']);
    // The closest of those without the gateway is another, which no reader asks for.
    expect(lines({ ...KEEP, sentence: 'Nothing.', settingsAlone: KEEP })).toEqual(['Nothing.']);
  });

  it('are two where only settings alone are decided', () => {
    const open: RecommendedProfile = { profileId: null, state: 'need-more-loads', sentence: 'Not yet.' };
    expect(lines({ ...open, settingsAlone: KEEP })).toEqual(['Not yet.', 'By settings alone: nothing.']);
  });

  it('leave the connections to the gateway where the profile has none of its own', () => {
    expect(gatewayNote({ recommendation: { ...DEEP, gateway: { depth: 6 }, settingsAlone: KEEP } })).toContain(
      'plumbfox gateway --depth 6.',
    );
  });
});
