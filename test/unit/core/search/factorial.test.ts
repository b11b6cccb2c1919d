import { expect, it } from 'vitest';
import { PACING_BURST, PACING_ENABLED, PACING_PER_SECOND, PER_SERVER } from '../../../../src/core/profiles/catalogue.ts';
import { factorial, settingsKey, withoutPreference } from '../../../../src/core/search/factorial.ts';

it('crosses every value with every other, and Firefox’s own with each', () => {
  const all = factorial([
    { preference: PER_SERVER, values: [8, 16] },
    { preference: PACING_PER_SECOND, values: [160] },
  ]);
  // (2 + 1) x (1 + 1).
  expect(all).toHaveLength(6);
  expect(all[0]).toEqual({});
  expect(all).toContainEqual({ [PER_SERVER]: 16, [PACING_PER_SECOND]: 160 });
});

it('makes one of combinations that pace nothing, however they would pace', () => {
  const all = factorial([
    { preference: PACING_ENABLED, values: [false] },
    { preference: PACING_PER_SECOND, values: [160, 320] },
    { preference: PACING_BURST, values: [20] },
  ]);
  // Paced: 3 x 2; not paced: one.
  expect(all).toHaveLength(7);
  expect(all.filter((settings) => settings[PACING_ENABLED] === false)).toEqual([{ [PACING_ENABLED]: false }]);
});

it('knows settings again in whatever order they are', () => {
  expect(settingsKey({ b: 1, a: true })).toBe(settingsKey({ a: true, b: 1 }));
  expect(settingsKey({ a: 1 })).not.toBe(settingsKey({ a: '1' }));
  expect(withoutPreference({ a: 1, b: 2 }, 'a')).toEqual({ b: 2 });
});
