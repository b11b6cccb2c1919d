import { describe, expect, test } from 'vitest';
import { PlumbfoxError } from '../../../../src/core/errors.ts';
import type { Profile } from '../../../../src/core/profiles/profile.ts';
import { resolveProfiles } from '../../../../src/core/profiles/resolve-profiles.ts';
import type { Lane } from '../../../../src/lab/lane/lane.ts';
import { controlledIn, expectedOfControl, limitControl } from '../../../../src/lab/run/limit-control.ts';

const profile = (name: string): Profile => resolveProfiles([name])[0] as Profile;

describe('what a profile is to show on the page of held pictures', () => {
  test.each([
    // name, carrier, at least, at most (3 urgent ones where nothing carries), pictures (4 more than wanted).
    ['c4-d1', 'none', 4, 7, 8],
    ['firefox-default', 'none', 6, 9, 10],
    ['c16-d1', 'none', 16, 19, 20],
    ['c30-d1', 'none', 24, 33, 28],
    ['c4-d6', 'gateway', 5, 24, 36],
    ['control', 'gateway', 6, 6, 18],
    ['c2-d4', 'gateway', 3, 8, 20],
    // 10 connections, and other preferences that may hold requests back.
    ['betterfox', 'none', 1, 13, 14],
  ] as const)('%s by %s: %d to %d at once, of %d', (name, carrier, least, most, pictures) => {
    const expected = expectedOfControl(profile(name), carrier);
    expect([expected.least, expected.most, expected.recipe.resources.length]).toEqual([least, most, pictures]);
  });
});

describe('in every block each profile shows its limit', () => {
  test.each([
    [1, 5],
    [4, 5],
    [4, 4],
    [7, 3],
  ])('%d pages and links, %d profiles', (groups, count) => {
    const profiles = Array.from({ length: count }, (_, index) => index);
    const shown = Array.from({ length: groups }, (_, group) => controlledIn(group, { groups, profiles }));
    expect(new Set(shown.flat()).size).toBe(count);
    // None twice where there are groups enough, and none without one.
    expect(shown.flat()).toHaveLength(Math.max(groups, count));
    expect(shown.every((each) => each.length > 0)).toBe(true);
  });
});

describe('the control', () => {
  const withAnswers = (answers: readonly (number | Error)[]) => {
    const asked: string[] = [];
    const lane = {
      servePages: async () => {},
      useLink: async () => {},
      pageUrl: (page: string, token: string) => `${page}/${token}`,
      load: async ({ url }: { url: string }) => {
        const answer = answers[asked.length];
        asked.push(url);
        if (answer instanceof Error) throw answer;
        return { origins: { x: { peakOutstanding: answer, peakConnections: answer, peakDepth: 1, requests: 8 } } };
      },
    } as unknown as Lane;
    return { asked, made: limitControl({ lane, profile: profile('c4-d1'), token: 't', timeoutMs: 1 }) };
  };

  test('is content with the limit, reached and kept', async () => {
    const { asked, made } = withAnswers([4]);
    expect(await made).toBeUndefined();
    expect(asked).toEqual(['hold-8/t-0']);
  });

  test('tries again once, and then says what it saw', async () => {
    expect(await withAnswers([3, 5]).made).toBeUndefined();
    expect(await withAnswers([8, 8]).made).toEqual({ cause: 'control-failed', profileId: 'c4-d1', seen: 8, wanted: 7 });
    expect(await withAnswers([3, new PlumbfoxError('run-void', 'no end')]).made).toMatchObject({ seen: 0, wanted: 4 });
  });

  test('a lane that breaks is not its business', async () => {
    await expect(withAnswers([new PlumbfoxError('environment', 'gone')]).made).rejects.toThrow('gone');
  });
});
