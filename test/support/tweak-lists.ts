/** Published tweak lists as facts (test/fixtures/tweak-lists): names and values, in their order, and as the user.js that they are. */
import { readFileSync } from 'node:fs';
import type { PreferenceValue } from '../../src/core/profiles/knob.ts';

/** The lists whose every verdict is held against real builds. */
export const ACCEPTANCE_LISTS = ['betterfox-130', 'betterfox-152', 'arkenfox-2026-08', 'folklore'] as const;

type Line = readonly [string, PreferenceValue];

export const tweakList = (name: string): readonly Line[] =>
  (JSON.parse(readFileSync(new URL(`../fixtures/tweak-lists/${name}.json`, import.meta.url), 'utf8')) as { preferences: Line[] })
    .preferences;

/** One line for each, so that the line of the n-th is n. */
export const userJsOf = (lines: readonly Line[]): string =>
  lines.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join('');
