import { describe, expect, it } from 'vitest';
import { compareProfiles } from '../../../../src/core/compare/compare-profiles.ts';
import type { Recommendation, RecommendedProfile } from '../../../../src/core/compare/comparison.ts';
import { seededRandom } from '../../../../src/core/random.ts';
import { methodSentence } from '../../../../src/core/report/html/notes.ts';
import { flatPagesSentence, gatewayNote, recommendationLines, soundnessNotes } from '../../../../src/core/report/shown-comparison.ts';
import { gaussian } from '../compare/simulated-run.ts';

const random = seededRandom(8);

/** 40 blocks: c8-d1 as it is, c4-d1 with every third load three times as long. */
const loads = Array.from({ length: 40 }, (_, block) =>
  ['firefox-default', 'c8-d1', 'c4-d1'].map((profileId) => {
    const wobble = Math.exp(0.02 * gaussian(random));
    const loadTimeMs = 1000 * wobble * (profileId === 'c4-d1' && block % 3 === 0 ? 3 : 1);
    return { profileId, page: 'wiki', link: 'far', block, valid: true, efficiency: 500 / loadTimeMs, loadTimeMs };
  }),
).flat();

describe('soundnessNotes', () => {
  it('says what could have been found, and names loads that fall into groups', () => {
    const notes = soundnessNotes(compareProfiles(loads, { baseline: 'firefox-default' }));
    expect(notes[0]).toMatch(
      /^This run could detect gains over firefox-default of about [\d.]+ to \d+ % or more, depending on the profile\.$/,
    );
    expect(notes.slice(1)).toEqual([
      expect.stringMatching(
        /^c4-d1 has no typical load time on page wiki over link far: its loads fall into two groups: 65 % around 1\.00 s, 35 % around 3\.0\d s\.$/,
      ),
    ]);
  });

  it('says that common effects have a chance of error of their own', () => {
    const comparison = compareProfiles(loads, { baseline: 'firefox-default' });
    const commonEffect = { state: 'estimated', ratio: 1.1, low: 1.05, high: 1.15, verdict: 'better', scenarios: 4 } as const;
    const profiles = comparison.profiles.map((one) =>
      one.id === 'c8-d1' ? { ...one, versusBaseline: { ...one.versusBaseline, verdict: 'need-more-loads' as const, commonEffect } } : one,
    );
    expect(soundnessNotes({ ...comparison, profiles })).toContainEqual(
      expect.stringMatching(/^Common effect: faster for c8-d1 .* as much chance of error again as those of the table\.$/),
    );
  });

  it('is silent before the first pair', () => {
    expect(soundnessNotes(compareProfiles([], { baseline: 'firefox-default' }))).toEqual([]);
  });
});

describe('methodWords', () => {
  it('does not call an interval anytime-valid that is not', () => {
    const method = { estimate: 'paired', looks: 'once', alpha: 0.05, intervals: 1 } as const;
    expect(methodSentence(method)).toMatch(/for one look, .* it misses the truth in at most 5 % /);
    expect(methodSentence({ ...method, looks: 'any' })).toMatch(/anytime-valid: .* and it misses the truth in at most 5 % /);
    expect(methodSentence({ ...method, looks: 'planned', plannedBlocks: 3 })).toMatch(
      /for a run of 3 blocks, .* before and after it holds as well: it misses the truth in at most 5 % /,
    );
    expect(methodSentence({ ...method, estimate: 'adjusted', looks: 'any', intervals: 4 })).toMatch(
      /^Ratio of efficiencies of everyday loads.* all 4 of /,
    );
  });
});

const EIGHT: RecommendedProfile = { profileId: 'c8-d1', state: 'recommended', sentence: 'Eight.' };
const DEEP: RecommendedProfile = { profileId: 'c4-d6', state: 'recommended', sentence: 'Deep.' };
const KEEP: RecommendedProfile = { profileId: 'firefox-default', state: 'keep-baseline', sentence: 'By settings alone: nothing.' };
const GATEWAY = { connections: 4, depth: 6 };

const lines = (recommendation: Recommendation) =>
  recommendationLines({ ...compareProfiles([], { baseline: 'firefox-default' }), recommendation });

describe('the lines of a recommendation', () => {
  it('are two where it needs the gateway: settings alone first, then the gateway with the command that carries it', () => {
    const use = 'Deep. To use it: plumbfox gateway --connections 4 --depth 6 SITE.';
    expect(lines({ ...DEEP, gateway: GATEWAY, settingsAlone: KEEP })).toEqual(['By settings alone: nothing.', use]);
    expect(lines({ ...DEEP, gateway: GATEWAY, settingsAlone: { ...EIGHT, sentence: 'By settings alone: eight.' } })).toEqual([
      'By settings alone: eight.',
      use,
    ]);
  });

  it('are one where both have one answer', () => {
    expect(lines({ ...EIGHT, settingsAlone: EIGHT })).toEqual(['Eight.']);
    // The closest of those without the gateway is another, which no reader asks for.
    expect(lines({ ...KEEP, sentence: 'Nothing.', settingsAlone: KEEP })).toEqual(['Nothing.']);
  });

  it('are two where only settings alone are decided', () => {
    const open: RecommendedProfile = { profileId: null, state: 'need-more-loads', sentence: 'Not yet.' };
    expect(lines({ ...open, settingsAlone: KEEP })).toEqual(['By settings alone: nothing.', 'Not yet.']);
  });

  it('name the pages that gain nothing, which the mean over pages hides', () => {
    const scenario = (page: string, link: string, own: number) => ({
      ...{ page, link },
      profiles: [
        { id: 'firefox-default', loads: 3, efficiencyMedian: 0.5, loadTimeMsMedian: 1000 },
        { id: 'c8-d1', loads: 3, efficiencyMedian: own, loadTimeMsMedian: 900 },
      ],
    });
    const about = (...scenarios: ReturnType<typeof scenario>[]) => flatPagesSentence({ baseline: 'firefox-default', scenarios }, 'c8-d1');
    // 1.25 and 1.2 over the two links: a geometric mean of 1.2247.
    const wiki = [scenario('wiki', 'far', 0.625), scenario('wiki', 'near', 0.6)];
    expect(about(...wiki, scenario('images', 'far', 0.495))).toBe('No gain on images (−1 %); wiki gains most (+22 %).');
    expect(about(...wiki)).toBeUndefined();
    expect(about(scenario('images', 'far', 0.495))).toBeUndefined();
    const flat = ['a', 'b', 'c', 'd', 'e'].map((page) => scenario(page, 'far', 0.5));
    expect(about(...wiki, ...flat)).toBe('No gain on e (0 %), d (0 %), c (0 %) and 2 more pages; wiki gains most (+22 %).');
  });

  it('leave the connections to the gateway where the profile has none of its own', () => {
    expect(gatewayNote({ recommendation: { ...DEEP, gateway: { depth: 6 }, settingsAlone: KEEP } })).toContain(
      'plumbfox gateway --depth 6 SITE.',
    );
  });
});
